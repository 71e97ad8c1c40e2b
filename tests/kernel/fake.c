/* SPDX-License-Identifier: MIT */
/*
 * A HIP runtime with a hiprtc that only pretends to compile, quickly and the
 * same on every machine, for tests of the kernel cache:
 *   FAKE_COMPILES  a file that gets a byte for each compilation, except those
 *                  by which hipshim gets to know the compiler
 *   FAKE_MS        how long one takes, in milliseconds
 *   FAKE_LOADS     a file that gets a "+" for each module loaded, and a "-" for
 *                  each unloaded
 *   FAKE_REACHED, FAKE_GO, FAKE_OPENS
 *                  the first compilation writes to the first FIFO, reads from the
 *                  second, and opens the third, a library, by dlopen
 * "#error" in a source fails, "#warning" gives a log.  There are two devices, and
 * no contexts.
 */
#include "fake.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
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
    if (*program && ((*program)->source = strdup(source)) == NULL) {
        free(*program);
        *program = NULL;
    }
    if (!*program) {
        return 1; /* HIPRTC_ERROR_OUT_OF_MEMORY */
    }
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

static void count_in(const char *variable, const char *mark)
{
    const char *path = getenv(variable);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (fd >= 0) {
        (void)!write(fd, mark, 1);
        close(fd);
    }
}

/* Opening a FIFO waits for its other end. */
static void meet(void)
{
    static atomic_flag is_met = ATOMIC_FLAG_INIT;
    const char *reached = getenv("FAKE_REACHED");

    if (reached && !atomic_flag_test_and_set(&is_met)) {
        close(open(reached, O_WRONLY | O_CLOEXEC));
        close(open(getenv("FAKE_GO"), O_RDONLY | O_CLOEXEC));
        (void)dlopen(getenv("FAKE_OPENS"), RTLD_NOW);
    }
}

FAKE(hiprtcCompileProgram)(struct program *program, int count, const char **options)
{
    const char *wait = getenv("FAKE_MS");
    long ms = wait ? strtol(wait, NULL, 10) : 0;
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    if (!program->is_probe) {
        count_in("FAKE_COMPILES", ".");
        nanosleep(&time, NULL);
        meet();
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

/* --- devices, memory and modules --- */

enum { FAKE_DEVICES = 2 };

struct memory {
    struct memory *next;
    unsigned long id;
    int device;
};

static _Thread_local int current, last_error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory *memories;
static unsigned long last_id;

static void take_lock(void)
{
    pthread_mutex_lock(&lock);
}

static void give_lock(void)
{
    pthread_mutex_unlock(&lock);
}

/* For a test that forks while another thread is in here. */
__attribute__((constructor)) static void prepare_for_fork(void)
{
    pthread_atfork(take_lock, give_lock, give_lock);
}

static int fail(int error)
{
    last_error = error;
    return error;
}

FAKE(hipGetDevice)(int *device)
{
    if (!device) {
        return fail(1); /* hipErrorInvalidValue */
    }
    *device = current;
    return 0;
}

FAKE(hipPeekAtLastError)(void)
{
    return last_error;
}

FAKE(hipGetLastError)(void)
{
    int error = last_error;

    last_error = 0;
    return error;
}

FAKE(hipSetDevice)(int device)
{
    if (device < 0 || device >= FAKE_DEVICES) {
        return fail(101); /* hipErrorInvalidDevice */
    }
    current = device;
    return 0;
}

FAKE(hipMalloc)(void **address, size_t size)
{
    struct memory *memory = calloc(1, sizeof *memory + size);

    pthread_mutex_lock(&lock);
    memory->id = ++last_id;
    memory->device = current;
    memory->next = memories;
    memories = memory;
    pthread_mutex_unlock(&lock);
    *address = memory;
    return 0;
}

/* The attribute is that of the id. */
FAKE(hipPointerGetAttribute)(unsigned long *id, int attribute, const void *address)
{
    (void)attribute;
    pthread_mutex_lock(&lock);
    const struct memory *memory = memories;

    while (memory && memory != address) {
        memory = memory->next;
    }
    *id = memory ? memory->id : 0;
    pthread_mutex_unlock(&lock);
    return memory ? 0 : fail(1);
}

static void free_memory(const void *address, int device)
{
    pthread_mutex_lock(&lock);
    for (struct memory **at = &memories; *at;) {
        struct memory *memory = *at;

        if (memory == address || memory->device == device) {
            *at = memory->next;
            free(memory);
        } else {
            at = &memory->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

FAKE(hipFree)(void *address)
{
    free_memory(address, -1);
    return 0;
}

FAKE(hipDeviceReset)(void)
{
    free_memory(NULL, current);
    return 0;
}

/* Code that begins with an R is refused; else the module is a copy of 16 bytes. */
FAKE(hipModuleLoadData)(void **module, const char *image)
{
    if (*image == 'R') {
        return fail(200); /* hipErrorInvalidImage */
    }
    count_in("FAKE_LOADS", "+");
    *module = malloc(16);
    memcpy(*module, image, 16);
    return 0;
}

FAKE(hipModuleUnload)(void *module)
{
    count_in("FAKE_LOADS", "-");
    free(module);
    return 0;
}

__attribute__((visibility("default"))) const char *hipGetErrorName(int error)
{
    return error == 200 ? "hipErrorInvalidImage" : "hipErrorUnknown";
}
