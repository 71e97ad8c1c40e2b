/* SPDX-License-Identifier: MIT */
/*
 * The first call of a process, on the runtime that HIPSHIM_LIBRARY names.  The program has a
 * calloc and a dlsym of its own, which hipshim gets.  FIRST_CALL chooses:
 *   memory  the first calls have no memory, and the later ones have
 *   files   the same for file descriptors
 *   space   the same for address space
 *   dlsym   prints the names that hipshim looks up by dlsym, which takes the linker's lock
 */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hipshim/hipshim.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The search needs blocks of this size at least; other parts of the process need none of these. */
enum { LARGE = 4096 };

static bool has_memory = true, prints_names;

void *calloc(size_t count, size_t size)
{
    bool fails = !has_memory && count * size >= LARGE;
    void *block = fails ? NULL : malloc(count * size);

    return block ? memset(block, 0, count * size) : NULL;
}

static void *real_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    void *found = NULL;

    for (size_t i = 0; i < sizeof versions / sizeof versions[0] && !found; i++) {
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    }
    return found;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
    void *(*next)(void *handle, const char *name) = NULL;
    void *found = real_dlsym();

    memcpy(&next, &found, sizeof next);
    if (prints_names && strncmp(name, "hip", 3) == 0) {
        puts(name);
    }
    return next(handle, name);
}

static int check_memory(void)
{
    int major = 0, minor = 0, version = 0;

    has_memory = false;
    printf("runtime: %d", hipRuntimeGetVersion(&version) != hipSuccess);
    printf(" %d\n", strstr(hipshim_error_text(), "no memory") != NULL);
    has_memory = true;
    printf("runtime again: %d\n", hipRuntimeGetVersion(&version));
    has_memory = false;
    printf("hiprtc: %d", hiprtcVersion(&major, &minor) != HIPRTC_SUCCESS);
    printf(" %d\n", strstr(hipshim_error_text(), "no memory") != NULL);
    has_memory = true;
    printf("hiprtc again: %d\n", hiprtcVersion(&major, &minor));
    return 0;
}

/* `words` are those of the error text. */
static int check_limit(int resource, const char *words)
{
    struct rlimit before, none;
    int version = 0;

    free(malloc(LARGE * 25)); /* stays in the heap, for what is allocated under the limit */
    getrlimit(resource, &before);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(resource, &none);
    int status = hipRuntimeGetVersion(&version);
    hipshim_status_t init = hipshim_init();
    unsigned steps = hipshim_step_count();
    setrlimit(resource, &before);
    printf("runtime: %d %d\n", status != hipSuccess, init == HIPSHIM_ERROR_NO_RUNTIME);
    printf("text: %d\n", strstr(hipshim_error_text(), words) != NULL);
    printf("steps: %d\n", steps > 0);
    printf("runtime again: %d\n", hipRuntimeGetVersion(&version));
    return 0;
}

static int print_names(void)
{
    void *memory = NULL;
    size_t size = 0;

    prints_names = true;
    printf("hipMalloc: %d\n", hipMalloc(&memory, 1));
    printf("hipMemGetInfo: %d\n", hipMemGetInfo(&size, &size));
    return 0;
}

int main(void)
{
    const char *what = getenv("FIRST_CALL");

    if (what && strcmp(what, "files") == 0) {
        return check_limit(RLIMIT_NOFILE, "Too many open files");
    }
    if (what && strcmp(what, "space") == 0) {
        return check_limit(RLIMIT_AS, "libamdhip64.so.6: ");
    }
    return what && strcmp(what, "memory") == 0 ? check_memory() : print_names();
}
