/* SPDX-License-Identifier: MIT */
/* A program that is linked to libroctx64 itself; with OLD to that of ROCm 5.0 to 5.2. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);
void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t id);
const char *roctracer_error_string(void);

static unsigned seen;

static int trace(int domain, uint32_t operation, void *data)
{
    (void)domain;
    (void)data;
    seen |= 1U << operation;
    return 0;
}

static int find_first(struct dl_phdr_info *info, size_t size, void *found)
{
    const char *file = strrchr(info->dlpi_name, '/');
    (void)size;
    if (file && strncmp(file, "/libroctx64.so", 14) == 0) {
        *(const char **)found = info->dlpi_name;
        return 1;
    }
    return 0;
}

/* As libroctracer64 since 5.3.1 does, which ends the process where the function is missing. */
static void set_tracer(void)
{
    const char *path = NULL;
    dl_iterate_phdr(find_first, &path);
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *symbol = library ? dlsym(library, "roctxRegisterTracerCallback") : NULL;
    void (*set)(int (*)(int, uint32_t, void *));
    memcpy(&set, &symbol, sizeof set);
    if (set) {
        set(trace);
    } else {
        puts("no tracer");
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "trace") == 0) {
        set_tracer();
    }
    printf("version %u.%u\n", roctx_version_major(), roctx_version_minor());
    roctxMarkA("a mark");
    int first = roctxRangePushA("outer");
    printf("pushed %d %d\n", first, roctxRangePushA("inner"));
    first = roctxRangePop();
    printf("popped %d %d\n", first, roctxRangePop());
    uint64_t range = roctxRangeStartA("range");
    printf("range %llu\n", (unsigned long long)range);
    roctxRangeStop(range);
#ifdef OLD
    char *error = (char *)(uintptr_t)roctracer_error_string();
    printf("error \"%s\"\n", error);
    free(error); /* it belongs to the caller */
#endif
    if (seen) {
        printf("traced %#x\n", seen);
    }
    return 0;
}
