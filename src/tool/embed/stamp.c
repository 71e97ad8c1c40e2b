/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: the stamp, a sum of all that the outputs depend on.
 */
#include "tool/embed/embed.h"

#include <hip/hiprtc.h>
#include <hipshim/embed.h>

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/build_id.h"
#include "base/sha256.h"
#include "base/zstd.h"

enum { HEX = 2 * HS_SHA256_SIZE + 1 };

/* What must be looked for: the compiler, the device, libzstd. */
struct facts {
    char release[48];      /* of the runtime, "7.2.53211"; "" if there is none */
    char compiler[HEX];    /* a sum of build-ids */
    char arch[EMBED_ARCH]; /* the machine's, if it is asked for */
    unsigned zstd;         /* its version, if it is asked for */
};

static void put_hex(const unsigned char digest[HS_SHA256_SIZE], char text[HEX])
{
    for (size_t i = 0; i < HS_SHA256_SIZE; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
}

/* Libraries are visited in the order of their loading, which is always the same. */
static int visit(struct dl_phdr_info *info, size_t size, void *state)
{
    const char *slash = strrchr(info->dlpi_name, '/'), *base = slash ? slash + 1 : info->dlpi_name;

    (void)size;
    if (strncmp(base, "libamdhip64", 11) == 0 || strncmp(base, "libhiprtc", 9) == 0 ||
        strncmp(base, "libamd_comgr", 12) == 0) {
        for (unsigned i = 0; i < info->dlpi_phnum; i++) {
            const ElfW(Phdr) *part = &info->dlpi_phdr[i];

            if (part->p_type == PT_NOTE) {
                uintptr_t at = info->dlpi_addr + part->p_vaddr;

                size_t length;
                /* NOLINTNEXTLINE(performance-no-int-to-ptr): the linker's arithmetic */
                const unsigned char *notes = (const unsigned char *)at;
                const unsigned char *id = hs_build_id_find(notes, part->p_memsz, &length);

                if (id) {
                    hs_sha256_add(state, id, length);
                }
            }
        }
    }
    return 0;
}

/* In a process of its own, which the runtime may keep or end. */
static void find(const struct embed_request *request, struct facts *facts)
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    unsigned char digest[HS_SHA256_SIZE];
    struct hs_sha256 state;
    int major, minor;

    for (size_t i = 0; i < request->architectures.count; i++) {
        if (!*request->architectures.items[i]) {
            hipshim_arch_detect(NULL, facts->arch, sizeof facts->arch, NULL);
        }
    }
    if (hipshim_runtime_info(&runtime) != HIPSHIM_OK) {
        return;
    }
    snprintf(facts->release, sizeof facts->release, "%u.%u.%u", runtime.release.major,
             runtime.release.minor, runtime.release.patch);
    (void)hiprtcVersion(&major, &minor); /* opens hiprtc */
    hs_sha256_begin(&state);
    dl_iterate_phdr(visit, &state);
    hs_sha256_end(&state, digest);
    put_hex(digest, facts->compiler);
}

static void ask(const struct embed_request *request, struct facts *facts)
{
    int ends[2], status;
    pid_t pid;

    memset(facts, 0, sizeof *facts);
    if (request->architectures.count > 0 && pipe(ends) == 0) {
        fflush(NULL);
        pid = fork();
        if (pid == 0) {
            find(request, facts);
            _exit(write(ends[1], facts, sizeof *facts) != sizeof *facts);
        }
        close(ends[1]);
        if (pid < 0 || read(ends[0], facts, sizeof *facts) != sizeof *facts) {
            memset(facts, 0, sizeof *facts);
        }
        close(ends[0]);
        if (pid > 0) {
            waitpid(pid, &status, 0);
        }
    }
    facts->zstd = request->compress ? hs_zstd_version() : 0;
}

/* With the end of each text: "a","bc" and "ab","c" are different. */
static void sum(struct hs_sha256 *state, const char *text)
{
    hs_sha256_add(state, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void sum_list(struct hs_sha256 *state, const struct embed_list *list)
{
    char count[24];

    snprintf(count, sizeof count, "%zu", list->count);
    sum(state, count);
    for (size_t i = 0; i < list->count; i++) {
        sum(state, list->items[i]);
    }
}

/* Of all that the outputs depend on, so that equal stamps mean equal outputs. */
void embed_stamp(const struct embed_request *request, char stamp[EMBED_STAMP])
{
    unsigned char digest[HS_SHA256_SIZE];
    char flags[80];
    const char *slash = strrchr(request->output, '/');
    struct hs_sha256 state;
    struct facts facts;

    ask(request, &facts);
    hs_sha256_begin(&state);
    snprintf(flags, sizeof flags, "%d %d %d %d %u %zu", HIPSHIM_EMBEDDED_VERSION,
             request->assembler, request->with_source, request->compress, facts.zstd,
             request->source_count);
    sum(&state, flags);
    sum(&state, hipshim_version());
    sum(&state, facts.release);
    sum(&state, facts.compiler);
    sum(&state, facts.arch);
    sum(&state, request->hipcc ? "hipcc" : "hiprtc");
    sum(&state, request->hipcc);
    sum(&state, request->symbol);
    sum(&state, request->assembler ? request->output : slash ? slash + 1 : request->output);
    sum(&state, request->rocm);
    sum_list(&state, &request->architectures);
    sum_list(&state, &request->options);
    sum_list(&state, &request->directories);
    for (size_t i = 0; i < request->source_count; i++) {
        sum(&state, request->sources[i].path);
        sum(&state, request->sources[i].kernel);
        sum(&state, request->sources[i].text);
        sum_list(&state, &request->sources[i].header_names);
        sum_list(&state, &request->sources[i].header_paths);
        sum_list(&state, &request->sources[i].header_texts);
    }
    hs_sha256_end(&state, digest);
    put_hex(digest, stamp);
}
