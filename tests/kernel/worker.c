/* SPDX-License-Identifier: MIT */
/*
 * Compiles kernels on the fake of fake.c, checks each byte of what comes
 * back, and says in one line what came of them:
 *   worker [KEYS [SEED [THREADS [SIZE [TEXT]]]]]
 * KEYS sources in an order that follows from SEED, in each of THREADS threads;
 * SIZE is that of each code.  TEXT is put into every source.  WORKER_ARCH is the
 * architecture, WORKER_OPTION an option, WORKER_HEADER the text of a header,
 * WORKER_FILE a file that is read, WORKER_VERSION a HIP version.  WORKER_PAUSE and WORKER_GO are
 * FIFOs: after its first key the worker writes to the first and reads from the second.
 */
#include "fake.h"

#include <hipshim/kernel.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MOST_KEYS = 1000, MOST_THREADS = 16 };

static unsigned keys = 1, size = 1000;
static uint64_t seed = 1;
static const char *text = "", *arch = "gfx90a";
static atomic_uint counts[4], wrong, failed, uncached;
static char note[400];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void complain(const char *what)
{
    pthread_mutex_lock(&lock);
    snprintf(note, sizeof note, "%s", what);
    pthread_mutex_unlock(&lock);
}

static void check_code(const hipshim_kernel_t *kernel, const char *source)
{
    unsigned char *wanted = malloc(size + 1);
    size_t got;
    const void *code = hipshim_kernel_code(kernel, &got);
    const char *lowered = hipshim_kernel_lowered_name(kernel, "f<int>");

    fake_code(source, arch, wanted, size);
    if (!code || got != size || memcmp(code, wanted, size) != 0 || !lowered ||
        strcmp(lowered, "lowered:f<int>") != 0 ||
        (strstr(source, "#warning") &&
         strcmp(hipshim_kernel_log(kernel), "warning: as asked for\n"))) {
        wrong++;
    }
    free(wanted);
}

static void compile(unsigned key)
{
    static const char *const expressions[] = {"f<int>"};
    const char *option = getenv("WORKER_OPTION"), *file = getenv("WORKER_FILE");
    const hipshim_kernel_header_t header = {"given.h", getenv("WORKER_HEADER")};
    char source[4000];
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = source,
                                        .arch = arch,
                                        .options = &option,
                                        .option_count = option != NULL,
                                        .headers = &header,
                                        .header_count = header.text != NULL,
                                        .files = &file,
                                        .file_count = file != NULL,
                                        .hip_version = getenv("WORKER_VERSION"),
                                        .expressions = expressions,
                                        .expression_count = 1};
    hipshim_kernel_t *kernel;

    snprintf(source, sizeof source, "%s\n// key %u SIZE=%u\n", text, key, size);
    if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
        failed++;
        complain(hipshim_error_text());
    } else {
        counts[hipshim_kernel_origin(kernel)]++;
        check_code(kernel, source);
        if (*hipshim_kernel_cache_message(kernel)) {
            uncached++;
            complain(hipshim_kernel_cache_message(kernel));
        }
    }
    hipshim_kernel_free(kernel);
}

/* Opening a FIFO waits for its other end, so neither side depends on the time. */
static void pause_after_first(void)
{
    const char *reached = getenv("WORKER_PAUSE"), *go = getenv("WORKER_GO");
    FILE *file = reached ? fopen(reached, "w") : NULL;

    if (file) {
        fputs("reached\n", file);
        fclose(file);
        file = fopen(go, "r");
        fclose(file);
    }
}

static void *work(void *number)
{
    uint64_t state = seed * 1000003 + (uintptr_t)number;
    unsigned order[MOST_KEYS];

    for (unsigned i = 0; i < keys; i++) {
        unsigned at;

        state = state * 6364136223846793005u + 1442695040888963407u;
        at = (unsigned)(state >> 33) % (i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (unsigned i = 0; i < keys; i++) {
        compile(order[i]);
        if (i == 0) {
            pause_after_first();
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    unsigned count = argc > 3 ? (unsigned)atoi(argv[3]) : 1;

    keys = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    size = argc > 4 ? (unsigned)atoi(argv[4]) : 1000;
    text = argc > 5 ? argv[5] : "";
    arch = getenv("WORKER_ARCH") ? getenv("WORKER_ARCH") : arch;
    if (keys > MOST_KEYS || count > MOST_THREADS) {
        return 2;
    }
    for (uintptr_t i = 1; i < count; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    work(NULL);
    for (unsigned i = 1; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("compiled=%u cached=%u uncached=%u failed=%u wrong=%u%s%s",
           counts[HIPSHIM_KERNEL_COMPILED], counts[HIPSHIM_KERNEL_CACHED], uncached, failed, wrong,
           *note ? " " : "", note);
    putchar('\n');
    return wrong || failed;
}
