/* SPDX-License-Identifier: MIT */
/*
 * A HIP runtime with a hiprtc that only pretends to compile, quickly and the
 * same on every machine, for tests of the kernel cache:
 *   FAKE_COMPILES  a file that gets a byte for each compilation, but for those
 *                  by which hipshim gets to know the compiler
 *   FAKE_MS        how long one takes, in milliseconds
 * "#error" in a source fails, "#warning" gives a log.
 */
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FAKE_NAMES = 8 };

struct program {
    char *source;
    char arch[100], log[200];
    char names[FAKE_NAMES][100];
    int name_count, is_probe;
};

#define FAKE(name) __attribute__((visibility("default"))) int name
#ifndef FAKE_VERSION
#define FAKE_VERSION 60443484
#endif

FAKE(hipRuntimeGetVersion)(int *version)
{
    *version = FAKE_VERSION;
    return 0;
}

FAKE(hiprtcVersion)(int *major, int *minor)
{
    *major = 9;
    *minor = 0;
    return 0;
}

__attribute__((visibility("default"))) const char *hiprtcGetErrorString(int result)
{
    return result ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_SUCCESS";
}

FAKE(hiprtcCreateProgram)
(struct program **program, const char *source, const char *name, int count, const char **texts,
 const char **names)
{
    (void)count;
    (void)texts;
    (void)names;
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    (*program)->is_probe = strcmp(name, "hipshim_probe.hip") == 0;
    return 0;
}

FAKE(hiprtcDestroyProgram)(struct program **program)
{
    free((*program)->source);
    free(*program);
    *program = NULL;
    return 0;
}

FAKE(hiprtcAddNameExpression)(struct program *program, const char *name)
{
    if (program->name_count == FAKE_NAMES) {
        return 6;
    }
    snprintf(program->names[program->name_count++], sizeof program->names[0], "lowered:%s", name);
    return 0;
}

static void count_compilation(void)
{
    const char *path = getenv("FAKE_COMPILES");
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (fd >= 0) {
        (void)!write(fd, ".", 1);
        close(fd);
    }
}

FAKE(hiprtcCompileProgram)(struct program *program, int count, const char **options)
{
    const char *wait = getenv("FAKE_MS");
    long ms = wait ? strtol(wait, NULL, 10) : 0;
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    if (!program->is_probe) {
        count_compilation();
        nanosleep(&time, NULL);
    }
    for (int i = 0; i < count; i++) {
        if (strncmp(options[i], "--offload-arch=", 15) == 0) {
            snprintf(program->arch, sizeof program->arch, "%.90s", options[i] + 15);
        }
    }
    if (strstr(program->source, "#warning")) {
        snprintf(program->log, sizeof program->log, "warning: as asked for\n");
    }
    if (strstr(program->source, "#error")) {
        snprintf(program->log, sizeof program->log, "error: as asked for\n");
        for (int i = 0; i < count; i++) {
            size_t length = strlen(program->log);

            snprintf(program->log + length, sizeof program->log - length, "<%s>", options[i]);
        }
        return 6;
    }
    return 0;
}

FAKE(hiprtcGetProgramLogSize)(struct program *program, size_t *size)
{
    *size = strlen(program->log) + 1;
    return 0;
}

FAKE(hiprtcGetProgramLog)(struct program *program, char *log)
{
    memcpy(log, program->log, strlen(program->log) + 1);
    return 0;
}

FAKE(hiprtcGetCodeSize)(struct program *program, size_t *size)
{
    *size = fake_code_size(program->source);
    return 0;
}

FAKE(hiprtcGetCode)(struct program *program, unsigned char *code)
{
    fake_code(program->source, program->arch, code, fake_code_size(program->source));
    return 0;
}

FAKE(hiprtcGetLoweredName)(struct program *program, const char *name, const char **lowered)
{
    for (int i = 0; i < program->name_count; i++) {
        if (strcmp(program->names[i] + 8, name) == 0) {
            *lowered = program->names[i];
            return 0;
        }
    }
    return 5;
}

/* Code that begins with an R is refused; else the module is a copy of 16 bytes. */
FAKE(hipModuleLoadData)(void **module, const char *image)
{
    if (*image == 'R') {
        return 200; /* hipErrorInvalidImage */
    }
    *module = malloc(16);
    memcpy(*module, image, 16);
    return 0;
}

__attribute__((visibility("default"))) const char *hipGetErrorName(int error)
{
    return error == 200 ? "hipErrorInvalidImage" : "hipErrorUnknown";
}
