/* SPDX-License-Identifier: MIT */
/*
 * Opens the libhipshim-kernel of its argument, gets a module of the fake of fake.c, closes the
 * library while it holds the module, and forks.  Prints "done" if the library is gone.
 */
#include <hipshim/kernel.h>

#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = "// text", .arch = "gfx90a"};
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    hipshim_module_t *module;
    hipshim_status_t (*get)(const hipshim_kernel_options_t *, hipshim_module_t **);

    if (!library) {
        puts(dlerror());
        return 1;
    }
    *(void **)&get = dlsym(library, "hipshim_module_get");
    if (!get || get(&options, &module) != HIPSHIM_OK || dlclose(library) != 0 ||
        dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) {
        puts(hipshim_error_text());
        return 1;
    }
    pid_t child = fork(); /* the library's handlers of fork must be gone with it */

    if (child == 0) {
        _exit(0);
    }
    if (waitpid(child, NULL, 0) != child) {
        return 1;
    }
    puts("done");
    return 0;
}
