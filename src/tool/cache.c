/* SPDX-License-Identifier: MIT */
/*
 * hipshim cache.  The files of the cache are compiled into the program, because the library exports
 * nothing of them.
 */
#include "cache/cache.h"

#include <hipshim/kernel.h>

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/read.h"
#include "tool/json.h"
#include "tool/list.h"
#include "tool/terminal.h"
#include "tool/tool.h"

#define COMMAND "hipshim cache"

enum { SHOWN_KEY = 12 };

struct request {
    struct tool_words words; /* first, for tool_words_option */
    struct hs_cache *cache;
    const char *source_name; /* the name that programs give the source, or NULL */
    struct hs_words architectures, options, expressions;
};

/* --- list, verify, clear, info --- */

/* A walk through directories. */
struct tally {
    const struct hs_cache_directory *directory;
    const struct hs_cache_directory *named; /* the last one of which a line was written */
    struct tool_json json;
    bool is_list; /* all kernels are reported, and else what is damaged */
    unsigned long entries, kernels, failed;
    unsigned long all; /* the entries that there were at the beginning */
    uint64_t bytes;
};

/* The reason why the cache is not used. */
static const char *cache_reason(const struct hs_cache *cache)
{
    return cache->is_disabled ? "HIPSHIM_CACHE=0" : cache->note;
}

static bool is_kernel(const struct hs_cache_file *file)
{
    return strcmp(file->group, "compilers") != 0;
}

/* Reads an entry; the reason why the library would not serve it, or NULL. */
static const char *read_entry(const struct hs_cache_file *file, struct hs_cache_found *found)
{
    struct stat status;
    char hex[HS_CACHE_HEX], group[200];
    int fd = hs_cache_open_file(file->group_fd, file->name, &status);

    found->data = NULL;
    if (fd < 0) {
        return errno == EPERM ? "another user may have written it" : "it cannot be opened";
    }
    found->data = hs_read_descriptor(fd, &found->size);
    close(fd);
    if (!found->data) {
        return "it cannot be read";
    }
    const char *reason = hs_cache_entry_read(found->data, found->size, NULL, &found->entry);

    if (reason) {
        return reason;
    }
    hs_hex_write(hex, found->entry.key, HS_CACHE_KEY);
    snprintf(group, sizeof group, "%.90s-%.90s", found->entry.arch, found->entry.release);
    if (strncmp(hex, file->name, HS_CACHE_HEX - 1) != 0) {
        return "it is for another key";
    }
    return is_kernel(file) && strcmp(group, file->group) != 0
               ? "it is for another architecture or release"
               : NULL;
}

static void write_json(struct tally *tally, const struct hs_cache_file *file,
                       const struct hs_cache_entry *entry, const char *damage)
{
    char key[HS_CACHE_HEX];

    snprintf(key, sizeof key, "%.64s", file->name);
    tool_json_write(&tally->json, "{directory:s group:s key:s size:n used:n",
                    tally->directory->path, file->group, key, file->size,
                    (uint64_t)(file->used > 0 ? file->used : 0));
    if (!damage) {
        tool_json_write(&tally->json, "created:n arch:s hip_version:s name:s code_size:n",
                        entry->created, entry->arch, entry->release, entry->name, entry->code_size);
    }
    tool_json_write(&tally->json, "damage:s}", damage);
}

/* Writes the directory's name before its first entry. */
static void write_line(struct tally *tally, const struct hs_cache_file *file, const char *text)
{
    time_t used = (time_t)file->used;
    char date[32] = "?";
    struct tm when;

    if (localtime_r(&used, &when)) {
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &when);
    }
    if (tally->directory != tally->named) {
        printf("%s%s:\n", tally->named ? "\n" : "", tally->directory->path);
        tally->named = tally->directory;
    }
    /* The group's name is the architecture, which may end in "-", another "-", and the release. */
    const char *dash = strrchr(file->group, '-');
    int length = dash ? (int)(dash - file->group) : (int)strlen(file->group);

    printf("%.*s  %-22.*s %-11s %10llu  %s  %s\n", SHOWN_KEY, file->name, length, file->group,
           dash ? dash + 1 : "", (unsigned long long)file->size, date, text);
}

static bool report_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;
    struct hs_cache_found found;

    if (file->kind != HS_CACHE_ENTRY || (tally->is_list && !is_kernel(file))) {
        return true;
    }
    const char *damage = read_entry(file, &found);

    tool_progress(COMMAND ": %lu of %lu entries read", tally->entries++, tally->all);
    tally->failed += damage != NULL;
    if (damage || tally->is_list) {
        tool_progress_end();
        write_json(tally, file, &found.entry, damage);
    }
    if (tally->is_list && !tally->json.stream) {
        write_line(tally, file, damage ? damage : found.entry.name);
    } else if (damage && !tally->json.stream) {
        printf("%s/%s/%s: %s\n", tally->directory->path, file->group, file->name, damage);
    }
    free(found.data);
    return true;
}

static bool count_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind == HS_CACHE_ENTRY) {
        tally->entries++;
        tally->kernels += is_kernel(file);
        tally->bytes += file->size;
    }
    return true;
}

static bool clear_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind != HS_CACHE_ENTRY) {
        hs_cache_remove_orphan(file); /* those with an owner stay */
    } else if (unlinkat(file->group_fd, file->name, 0) == 0) {
        tally->entries++;
        tally->bytes += file->size;
    } else {
        tally->failed++;
    }
    /* Fails unless the group is empty; a process that needs it creates it again. */
    unlinkat(tally->directory->fd, file->group, AT_REMOVEDIR);
    return true;
}

/* Visits all directories; false if there is none. */
static bool walk(const struct hs_cache *cache, struct tally *tally, hs_cache_visit visit)
{
    bool has_one = false;

    for (unsigned i = 0; i < cache->count; i++) {
        tally->directory = &cache->directories[i];
        if (tally->directory->fd >= 0) {
            hs_cache_walk(tally->directory->fd, visit, tally);
            has_one = true;
        }
    }
    return has_one;
}

/* Reports the entries of all directories, as a list in JSON or as lines. */
static bool report_all(const struct request *request, struct tally *tally)
{
    struct tally before = {0};

    if (!walk(request->cache, &before, count_file)) {
        tool_complain(COMMAND, "there is no cache: %s", cache_reason(request->cache));
        return false;
    }
    tally->all = before.entries;
    tally->json.stream = request->words.json ? stdout : NULL;
    tool_json_write(&tally->json, "[");
    walk(request->cache, tally, report_file);
    tool_progress_end();
    tool_json_write(&tally->json, "]");
    return true;
}

static int list(const void *request, char **arguments)
{
    struct tally tally = {.is_list = true};

    (void)arguments;
    if (!report_all(request, &tally)) {
        return TOOL_NO;
    }
    if (!tally.json.stream && tally.entries == 0) {
        printf("no kernels; `" COMMAND " info` says where they would be\n");
    }
    return TOOL_OK;
}

static int verify(const void *request, char **arguments)
{
    struct tally tally = {0};

    (void)arguments;
    if (!report_all(request, &tally)) {
        return TOOL_NO;
    }
    if (!tally.json.stream) {
        printf("%lu entries, %lu damaged\n", tally.entries, tally.failed);
    }
    return tally.failed ? TOOL_NO : TOOL_OK;
}

static int clear(const void *context, char **arguments)
{
    const struct request *request = context;
    struct tally tally = {.directory = &request->cache->directories[0]};

    (void)arguments;
    if (!hs_cache_is_writable(request->cache)) {
        tool_complain(COMMAND, "%s", cache_reason(request->cache));
        return TOOL_NO;
    }
    hs_cache_walk(tally.directory->fd, clear_file, &tally); /* the others are only read */
    printf("%lu entries removed, %llu bytes\n", tally.entries, (unsigned long long)tally.bytes);
    return tally.failed ? TOOL_NO : TOOL_OK;
}

static void write_directory(struct tool_json *json, const struct hs_cache_directory *directory,
                            bool is_first)
{
    bool is_used = directory->fd >= 0;
    struct tally tally = {0};

    if (is_used) {
        hs_cache_walk(directory->fd, count_file, &tally);
    }
    tool_json_write(json, "{path:s written:b reason:s entries:n kernels:n size:n}", directory->path,
                    is_first && is_used, is_used ? NULL : directory->reason,
                    (uint64_t)tally.entries, (uint64_t)tally.kernels, tally.bytes);
    if (!json->stream && is_used) {
        printf("%s  %s: %lu entries, %lu of them kernels, %llu bytes\n",
               is_first ? "written to" : "only read ", directory->path, tally.entries,
               tally.kernels, (unsigned long long)tally.bytes);
    } else if (!json->stream) {
        printf("not used    %s: %s\n", directory->path, directory->reason);
    }
}

static int info(const void *context, char **arguments)
{
    const struct request *request = context;
    const struct hs_cache *cache = request->cache;
    struct tool_json json = {.stream = request->words.json ? stdout : NULL};
    const char *note = cache_reason(cache), *limit = getenv("HIPSHIM_CACHE_SIZE");
    char invalid[100]; /* why the variable does not count */

    (void)arguments;
    snprintf(invalid, sizeof invalid, "HIPSHIM_CACHE_SIZE=%.60s is not a size", limit ? limit : "");
    tool_json_write(&json, "{used:b note:s limit:n limit_reason:s directories:[",
                    hs_cache_is_writable(cache), *note ? note : NULL, cache->limit,
                    cache->is_limit_invalid ? invalid : NULL);
    if (!json.stream) {
        printf("limit       %llu bytes (%s)\n", (unsigned long long)cache->limit,
               cache->is_limit_invalid ? invalid
               : limit && *limit       ? "HIPSHIM_CACHE_SIZE"
                                       : "the default");
    }
    for (unsigned i = 0; i < cache->count; i++) {
        write_directory(&json, &cache->directories[i], i == 0);
    }
    tool_json_write(&json, "]}");
    if (!json.stream && *note) {
        printf("note        %s\n", note);
    }
    return hs_cache_is_writable(cache) ? TOOL_OK : TOOL_NO;
}

/* --- warm: compiles sources, so that programs find them in the cache --- */

static bool warm_one(const struct request *request, const char *path, const char *text,
                     const char *arch)
{
    static const char *const origins[] = {"nothing", "compiled", "there already",
                                          "compiled by hipcc"};
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = text,
                                        .name = request->source_name ? request->source_name : path,
                                        .arch = arch,
                                        .options = (const char *const *)request->options.items,
                                        .option_count = request->options.count,
                                        .expressions =
                                            (const char *const *)request->expressions.items,
                                        .expression_count = request->expressions.count};
    hipshim_kernel_t *kernel;
    hipshim_status_t status = hipshim_kernel_compile(&options, &kernel);
    const char *message = hipshim_kernel_cache_message(kernel);
    bool is_kept = status == HIPSHIM_OK && !*message;

    tool_progress_end();
    fputs(hipshim_kernel_log(kernel), stderr);
    if (status != HIPSHIM_OK) {
        tool_complain(COMMAND, "%s: %s", path, hipshim_error_text());
    } else {
        printf("%s for %s: %s%s%s\n", path, hipshim_kernel_arch(kernel),
               origins[hipshim_kernel_origin(kernel)], *message ? ", " : "", message);
    }
    hipshim_kernel_free(kernel);
    return is_kept;
}

static int warm(const void *context, char **sources)
{
    const struct request *request = context;
    const struct hs_words *archs = &request->architectures;
    size_t count = archs->count > 0 ? archs->count : 1; /* that of this machine */
    size_t done = 0, all = count * (size_t)(request->words.count - 1);
    bool is_complete = true, is_read = true;

    /* Only the wish for no cache is an error here; hipshim_kernel_compile reports all others. */
    if (request->cache->is_disabled) {
        tool_complain(COMMAND, "there is no cache: %s", cache_reason(request->cache));
        return TOOL_NO;
    }
    for (char **path = sources; path < sources + request->words.count - 1; path++) {
        size_t size;
        char *text = hs_read_file(*path, &size);

        if (!text) {
            tool_complain(COMMAND, "%s: %s", *path, strerror(errno));
            is_read = false;
        }
        for (size_t j = 0; text && j < count; j++) {
            tool_progress(COMMAND ": %zu of %zu compiled", done++, all);
            is_complete &=
                warm_one(request, *path, text, archs->count > 0 ? archs->items[j] : NULL);
        }
        free(text);
    }
    return !is_read ? TOOL_USAGE : is_complete ? TOOL_OK : TOOL_NO;
}

/* --- the command --- */

/* There is no default action, so that a mistyped command removes nothing. */
static const struct tool_action actions[] = {
    {"list", "", 0, "j", list},
    {"info", "", 0, "j", info},
    {"verify", "", 0, "j", verify},
    {"clear", "", 0, "", clear},
    {"warm", "SOURCE...", -1, "anoe", warm},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    switch (key) {
    case 'a':
        tool_list_take_architectures(&request->architectures, argument, state);
        break;
    case 'n':
        request->source_name = argument;
        break;
    case 'o':
        tool_list_take(&request->options, argument, state);
        break;
    case 'e':
        tool_list_take(&request->expressions, argument, state);
        break;
    default:
        break;
    }
    return tool_words_option(key, argument, state);
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, for programs: list, info, verify", 0},
    {"arch", 'a', "NAME,...", 0, "warm: architectures; by default the machine's own", 0},
    {"name", 'n', "NAME", 0,
     "warm: the name that programs give the source; by default its path as given", 0},
    {"option", 'o', "OPTION", 0, "warm: an option of the compiler", 0},
    {"expression", 'e', "NAME", 0, "warm: an expression whose lowered name programs ask for", 0},
    {0},
};
static const struct argp parser = {
    .options = options,
    .parser = parse,
    .args_doc = "list|info|verify|clear\nwarm SOURCE...",
    .doc = "Show the cache of compiled kernels, check it, empty it, or fill it.\v"
           "list     one line for each kernel: key, architecture and HIP release, bytes, last "
           "use, name\n"
           "info     the directories of the cache, and their size\n"
           "verify   read every entry, and report those that are damaged\n"
           "clear    remove all entries of the directory that is written to\n"
           "warm     compile sources now.  Programs find them later if they compile the "
           "same text under the same name, with the same options and expressions\n\n"
           "HIPSHIM_CACHE_DIR names the directories: the first is written to, the others are "
           "only read.  HIPSHIM_CACHE_SIZE limits the first.  HIPSHIM_CACHE=0 disables the "
           "cache.\n\n"
           "Exit status: 0; 1 if the cache cannot be used, entries are damaged, or sources "
           "do not compile or cannot be kept; 2 if the arguments are wrong or a source cannot be "
           "read.",
};

int tool_cache_run(int argc, char **argv)
{
    static struct request request; /* nothing is freed before the process ends */
    struct hs_cache cache;

    argp_parse(&parser, argc, argv, 0, NULL, &request);
    hs_cache_open(&cache);
    request.cache = &cache;
    int status = tool_action_run(COMMAND, &parser, actions, sizeof actions / sizeof actions[0],
                                 &request.words);

    hs_cache_close(&cache);
    return status;
}
