/* SPDX-License-Identifier: MIT */
/*
 * Compiles and links code by hiprtc, which looks up functions of `libamdhip64.so`, and then calls
 * every form of the functions whose structure changed in 6.0 through that library.
 */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *code;
static size_t size;

static void say(const char *what, int status)
{
    printf("%s %d\n", what, status);
    fflush(stdout);
}

/* Without an architecture, hiprtc asks HIP for that of the device. */
static void compile(int count, const char **options,
                    hiprtcResult (*length)(hiprtcProgram, size_t *),
                    hiprtcResult (*get)(hiprtcProgram, char *))
{
    hiprtcProgram program;
    int error = hiprtcCreateProgram(&program, "extern \"C\" __global__ void k(int *p) { *p = 1; }",
                                    "k.hip", 0, NULL, NULL);

    error = error ? error : (int)hiprtcCompileProgram(program, count, options);
    error = error ? error : (int)length(program, &size);
    code = malloc(size + 1);
    say("compiled", error ? error : (int)get(program, code));
}

static void compile_and_link(void)
{
    compile(0, NULL, hiprtcGetCodeSize, hiprtcGetCode);
#if HIP_VERSION >= 50300000
    const char *options[] = {"-fgpu-rdc"};
    hiprtcLinkState state;
    void *linked = NULL;

    compile(1, options, hiprtcGetBitcodeSize, hiprtcGetBitcode);
    int error = hiprtcLinkCreate(0, NULL, NULL, &state);
    error = error ? error
                  : (int)hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, code, size, "k", 0,
                                           NULL, NULL);
    error = error ? error : (int)hiprtcLinkComplete(state, &linked, &size);
    say("linked", error ? error : !linked);
#endif
}

/* The name is first in each structure, and this is next to it but for the uuid of 6.0. */
static void call_form(void *library, const char *suffix, size_t at)
{
    char name[64];
    static char structure[4096];
    size_t memory = 0, said = 0;
    int device = -1;

    hipDeviceTotalMem(&memory, 0);
    snprintf(name, sizeof name, "hipGetDeviceProperties%s", suffix);
    int (*properties)(void *, int) = (int (*)(void *, int))dlsym(library, name);
    memset(structure, 0x55, sizeof structure);
    int error = properties ? properties(structure, 0) : -1;
    memcpy(&said, structure + at, sizeof said);
    say(name, error ? error : said == memory ? 0 : -2);

    snprintf(name, sizeof name, "hipChooseDevice%s", suffix);
    int (*choose)(int *, const void *) = (int (*)(int *, const void *))dlsym(library, name);
    error = choose ? choose(&device, structure) : -1;
    say(name, error ? error : device);
}

int main(void)
{
    compile_and_link();
    void *library = dlopen("libamdhip64.so", RTLD_NOW);

    if (!library) {
        puts(dlerror());
        return 1;
    }
    call_form(library, "", 256);
    call_form(library, "R0000", 256);
    call_form(library, "R0600", 288);
    return 0;
}
