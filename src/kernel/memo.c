/* SPDX-License-Identifier: MIT */
/*
 * Opening a runtime takes a hundred times as long as a hit in the cache.  So
 * the cache also remembers which runtime a process like this one came to, and
 * by what: the candidates of the search, and all files and directories that the
 * dynamic linker read, those of the compiler too.  As long as the search is
 * offered the same, and none of these changed, it would come to that runtime and
 * compiler again.
 */
#include "kernel/kernel.h"

#include "base/file_stamp.h"
#include "loader/search.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

/* The most that an entry has beside its lines. */
enum { MEMO_MORE = 512 };

int hs_kernel_memo_holds(const char *files)
{
    char path[PATH_MAX], state[HS_FILE_STAMP_STATE];

    while (*files) {
        size_t length = strcspn(files, "\t");

        if (!files[length] || length >= sizeof path) {
            return 0;
        }
        memcpy(path, files, length);
        path[length] = '\0';
        files += length + 1;
        length = hs_file_stamp_state(path, NULL, state);
        if (strncmp(files, state, length) != 0) {
            return 0;
        }
        files += length;
    }
    return 1;
}

void hs_kernel_memo_keep(struct hs_cache *cache, const unsigned char key[HS_CACHE_KEY],
                         const char *name, const char *release, const char *identity,
                         const char *text)
{
    const struct hs_cache_entry entry = {.log = text,
                                         .arch = "",
                                         .release = release,
                                         .name = name,
                                         .identity = identity,
                                         .created = (uint64_t)time(NULL),
                                         .key = key};
    size_t size;
    void *data = hs_cache_entry_write(&entry, &size);

    if (data) {
        hs_cache_keep(cache, HS_KERNEL_MEMOS, key, data, size);
    }
    free(data);
}

/* What the answer may depend on beside the files; another answer for each. */
struct state {
    struct hs_sha256 sum;
    int knows_itself, unsure;
};

static void add_text(struct hs_sha256 *sum, const char *text)
{
    hs_sha256_add(sum, text, strlen(text) + 1);
}

static void add_self(struct state *state, const char *path)
{
    char line[HS_FILE_STAMP_ROOM];

    /* The program's own file, unless the dynamic linker was run as the program. */
    if (!*path && getauxval(AT_BASE) != 0) {
        path = "/proc/self/exe";
    }
    if (*path == '/' && hs_file_stamp_line(path, NULL, line, sizeof line) > 0) {
        state->knows_itself = 1;
        add_text(&state->sum, line);
    }
}

/* Objects that are mapped already serve for those that a runtime needs. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct state *state = context;

    (void)size;
    add_text(&state->sum, info->dlpi_name);
    if (hs_kernel_needs_is_self(info)) {
        add_self(state, info->dlpi_name);
    }
    return 0;
}

static void add_directory(void *context, const char *path)
{
    struct state *state = context;

    state->unsure |= *path != '/';
    add_text(&state->sum, path);
}

static int make_key(unsigned char key[HS_CACHE_KEY])
{
    static const char *const variables[] = {
        "HIPSHIM_LIBRARY", "HIPSHIM_ALLOW_UNKNOWN", "HIP_PATH",        "ROCM_PATH", "ROCM_HOME",
        "CONDA_PREFIX",    "GLIBC_TUNABLES",        "LD_LIBRARY_PATH", "LD_PRELOAD"};
    const uid_t users[] = {geteuid(), getegid()};
    const char *audit = getenv("LD_AUDIT"); /* it may tell the dynamic linker anything */
    struct state state = {.unsure = audit && *audit};

    hs_sha256_begin(&state.sum);
    add_text(&state.sum, "runtime");
    hs_sha256_add(&state.sum, users, sizeof users);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);

        add_text(&state.sum, value ? value : "");
    }
    dl_iterate_phdr(add_object, &state);
    if (hs_kernel_needs_path(add_directory, &state) != 0 || state.unsure || !state.knows_itself) {
        return -1;
    }
    hs_sha256_end(&state.sum, key);
    return 0;
}

/* The search once more, in words: does it come to the end of the trail? */
struct walk {
    const char *at;
    int arrived;
};

static enum hs_search_answer compare(void *context, const struct hs_candidate *candidate)
{
    struct walk *walk = context;
    char line[HS_FILE_STAMP_ROOM];
    struct timespec changed;
    int length = hs_search_line(candidate, &changed, line, sizeof line);

    if (length < 0 || strncmp(walk->at, line, (size_t)length) != 0) {
        return HS_SEARCH_STOP;
    }
    walk->at += length;
    walk->arrived = *walk->at == '\n';
    return walk->arrived ? HS_SEARCH_STOP : HS_SEARCH_NEXT;
}

void hs_kernel_memo_recall(struct hs_cache *cache, struct hs_kernel_memo *memo)
{
    struct hs_cache_found found;
    struct walk walk;

    memset(memo, 0, sizeof *memo);
    memo->has_key = hs_loader_is_untouched() && make_key(memo->key) == 0;
    if (!memo->has_key || !hs_cache_find(cache, HS_KERNEL_MEMOS, memo->key, &found)) {
        return;
    }
    walk = (struct walk){.at = found.entry.log};
    hs_search_run(compare, &walk);
    if (walk.arrived && hs_kernel_memo_holds(walk.at + 1) &&
        strlen(found.entry.identity) < sizeof memo->identity &&
        strlen(found.entry.release) < sizeof memo->release) {
        memcpy(memo->identity, found.entry.identity, strlen(found.entry.identity) + 1);
        memcpy(memo->release, found.entry.release, strlen(found.entry.release) + 1);
        memo->is_true = 1;
    }
    free(found.data);
}

void hs_kernel_memo_remember(struct hs_cache *cache, const struct hs_kernel_memo *memo,
                             const struct hs_runtime *runtime, const char *identity)
{
    char release[HS_KERNEL_RELEASE], *text = NULL;
    size_t size;
    FILE *stream;
    int result;

    if (!memo->has_key || !runtime->trail ||
        (memo->is_true && strcmp(memo->identity, identity) == 0)) {
        return;
    }
    stream = open_memstream(&text, &size);
    if (!stream) {
        return;
    }
    fprintf(stream, "%s\n", runtime->trail);
    result = hs_kernel_needs_print(runtime, stream);
    result |= hs_kernel_identity_print(cache, runtime, identity, stream);
    result |= ferror(stream);
    /* It is not worth a kernel. */
    if (fclose(stream) == 0 && result == 0 && hs_cache_has_room(cache, size + MEMO_MORE)) {
        hs_kernel_release(runtime, release);
        hs_kernel_memo_keep(cache, memo->key, "the runtime", release, identity, text);
    }
    free(text);
}
