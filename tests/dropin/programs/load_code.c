/* SPDX-License-Identifier: MIT */
/* load_code FILE: loads a module as a file and from memory, and prints each call's error number. */
#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

static void use(const char *how, hipError_t loaded, const hipModule_t *module)
{
    hipFunction_t function = NULL;

    printf("%s %d", how, (int)loaded);
    if (loaded != hipSuccess) {
        printf(" last %d", (int)hipGetLastError());
    }
    if (loaded == hipSuccess) {
        printf(" %d", (int)hipModuleGetFunction(&function, *module, "add_to"));
        printf(" %d", (int)hipModuleUnload(*module));
    }
    printf("\n");
}

int main(int count, char **arguments)
{
    static _Alignas(4096) char code[1 << 20];
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    hipModule_t module = NULL;

    if (!file || fread(code, 1, sizeof code, file) == 0) {
        return 2;
    }
    fclose(file);
    use("file", hipModuleLoad(&module, arguments[1]), &module);
    use("data", hipModuleLoadData(&module, code), &module);
    use("extended", hipModuleLoadDataEx(&module, code, 0, NULL, NULL), &module);
    return 0;
}
