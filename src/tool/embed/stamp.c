/* SPDX-License-Identifier: MIT */
/*
 * Makes the stamp, a digest of everything that the outputs depend on.
 */
#include "tool/embed/embed.h"

#include <hip/hiprtc.h>
#include <hipshim/embed.h>

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler_inputs.h"
#include "base/hex.h"
#include "base/program.h"
#include "base/sha256.h"
#include "base/zstd.h"
#include "elf/notes.h"

enum { HEX = 2 * HS_SHA256_SIZE + 1 };

/* The parts of the stamp that are not on the command line or in the sources. */
struct facts {
    char release[48];      /* of the runtime, "7.2.53211"; "" if there is none */
    char compiler[HEX];    /* a digest of build-ids */
    char arch[EMBED_ARCH]; /* that of this machine, without --arch */
    unsigned zstd;         /* version, with --compress */
};

/* dl_iterate_phdr goes in the order of loading, which is always the same. */
static int add_build_id(struct dl_phdr_info *info, size_t size, void *digest)
{
    static const char *const stems[] = {"libamdhip64", "libhiprtc", "libamd_comgr"};
    const char *base = hs_program_base(info->dlpi_name);
    size_t length;

    (void)size;
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        if (strncmp(base, stems[i], strlen(stems[i])) == 0) {
            const unsigned char *id =
                hs_notes_of_object(info, HS_BUILD_ID_OWNER, HS_BUILD_ID_TYPE, &length);

            hs_sha256_add(digest, id, id ? length : 0);
        }
    }
    return 0;
}

/* Runs in a process of its own, because a runtime may end it. */
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
    dl_iterate_phdr(add_build_id, &state);
    hs_sha256_end(&state, digest);
    hs_hex_write(facts->compiler, digest, sizeof digest);
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

/* With the end of each text, so that "a", "bc" and "ab", "c" differ. */
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

void embed_stamp(const struct embed_request *request, char stamp[EMBED_STAMP])
{
    unsigned char digest[HS_SHA256_SIZE];
    char flags[80];
    const char *slash = strrchr(request->output, '/');
    struct hs_sha256 state;
    struct facts facts;

    ask(request, &facts);
    hs_sha256_begin(&state);
    snprintf(flags, sizeof flags, "%d %d %d %d %d %u %zu", HIPSHIM_EMBEDDED_VERSION,
             request->assembler, request->with_source, request->compress, request->rust, facts.zstd,
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
    sum(&state, secure_getenv("HIPSHIM_HIP_VERSION"));
    hs_compiler_environment_add(&state);
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
    hs_hex_write(stamp, digest, sizeof digest);
}
