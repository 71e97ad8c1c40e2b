/* SPDX-License-Identifier: MIT */
/* A runtime whose constructor calls hipshim, as a preloaded tool might. */
#include <dlfcn.h>
#include <stddef.h>

__attribute__((constructor)) static void call_back(void)
{
    int version = 0;
    int (*get_version)(int *) = (int (*)(int *))dlsym(RTLD_DEFAULT, "hipshim_hipRuntimeGetVersion");
    if (get_version) {
        get_version(&version);
    }
}
