/* SPDX-License-Identifier: MIT */
/*
 * Loads the plugins named on its command line, which call back, and unloads
 * them again.  It knows nothing of HIP.  Linked with -rdynamic.
 */
#include <dlfcn.h>
#include <stdio.h>

void host_register(const char *name, int devices);

void host_register(const char *name, int devices)
{
    printf("%s: %d\n", name, devices);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);

        if (plugin == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (dlclose(plugin) != 0)
            return 1;
    }
    puts("unloaded");
    return 0;
}
