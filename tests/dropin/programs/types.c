/* SPDX-License-Identifier: MIT */
/* Compiles sources that use integers of a fixed size, as hiprtc before 7 has them. */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <stdio.h>
#include <string.h>

#define USES                                                                                       \
    "extern \"C\" __global__ void k(uint64_t *a, uint32_t b, int64_t c, int32_t d)\n"              \
    "{ *a = b + c + d; }\n"

static void compile(const char *what, const char *source)
{
    static char log[65536];
    const char *options[] = {"--offload-arch=gfx900"};
    hiprtcProgram program;
    int created = hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL);
    int error = created ? created : (int)hiprtcCompileProgram(program, 1, options);

    memset(log, 0, sizeof log);
    if (error && !created && hiprtcGetProgramLog(program, log) == HIPRTC_SUCCESS) {
        log[strcspn(log, "\n")] = '\0';
    }
    const char *message = strstr(log, "k.hip");
    printf("%s %d %s\n", what, error, message ? message : "");
}

int main(void)
{
    compile("without", USES);
    compile("with its own",
            "typedef int int32_t; typedef unsigned int uint32_t;\n"
            "typedef long long int64_t; typedef unsigned long long uint64_t;\n" USES);
    compile("with a directive first",
            "#if __LINE__ != 1\n#error the first line is another\n#endif\n" USES);
    compile("with an error", "\n\nint x = unknown_name;\n" USES);
    return 0;
}
