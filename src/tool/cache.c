/* SPDX-License-Identifier: MIT */
/*
 * hipshim cache: what is in the kernel cache, whether it is whole, and filling
 * and emptying it.  Has the cache's own files compiled in, since the library
 * shows nothing of them.
 */
#include "tool/tool.h"

#include "cache/cache.h"
#include "tool/json.h"

#include <hipshim/kernel.h>

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ARCHITECTURES = 64, SHOWN_KEY = 12 };

struct request {
    const char *name; /* of the program, for messages */
    const char *action;
    const char *source_name; /* what programs call the source, or NULL */
    char **sources;
    int source_count;
    char *architectures[ARCHITECTURES];
    size_t architecture_count;
    const char **options, **expressions;
    size_t option_count, expression_count;
    int json, drop;
    int warm_only; /* the last option that only warm takes, or 0 */
};

/* One walk of a directory. */
struct tally {
    const struct request *request;
    const struct hs_cache_directory *directory;
    const struct hs_cache_directory *shown; /* whose name was printed last */
    struct tool_json *json;
    unsigned long entries, kernels, damaged, removed;
    uint64_t bytes;
};

/* Reads a file of the cache; the reason why it would not be served, or NULL. */
static const char *read_entry(const struct hs_cache_file *file, struct hs_cache_found *found)
{
    int fd = hs_cache_open_file(file->group_fd, file->name);
    char hex[HS_CACHE_HEX], group[200];
    const char *reason;

    found->data = fd >= 0 ? hs_cache_load(fd, &found->size) : NULL;
    if (fd < 0) {
        reason = errno == EPERM ? "somebody else's, or others may write to it" : "not to be opened";
    } else if (!found->data) {
        reason = "not to be read";
    } else {
        reason = hs_cache_entry_read(found->data, found->size, NULL, &found->entry);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (!reason) {
        hs_cache_hex(found->entry.key, hex);
        snprintf(group, sizeof group, "%.90s-%.90s", found->entry.arch, found->entry.release);
        if (strncmp(hex, file->name, HS_CACHE_HEX - 1) != 0) {
            reason = "it is for another key";
        } else if (*found->entry.arch && strcmp(group, file->group) != 0) {
            reason = "it is for another architecture or release";
        }
    }
    return reason;
}

static void json_entry(const struct tally *tally, const struct hs_cache_file *file,
                       const struct hs_cache_found *found, const char *reason)
{
    char key[HS_CACHE_HEX];

    snprintf(key, sizeof key, "%.64s", file->name);
    tool_json_open(tally->json, NULL, '{');
    tool_json_text(tally->json, "directory", tally->directory->path);
    tool_json_text(tally->json, "group", file->group);
    tool_json_text(tally->json, "key", key);
    tool_json_number(tally->json, "size", (long)file->size);
    tool_json_number(tally->json, "used", (long)file->used);
    if (!reason) {
        tool_json_number(tally->json, "created", (long)found->entry.created);
        tool_json_text(tally->json, "arch", found->entry.arch);
        tool_json_text(tally->json, "hip_version", found->entry.release);
        tool_json_text(tally->json, "name", found->entry.name);
        tool_json_number(tally->json, "code_size", (long)found->entry.code_size);
    }
    tool_json_text(tally->json, "damage", reason);
    tool_json_close(tally->json, '}');
}

/* Under the name of its directory, once for each. */
static void print_entry(struct tally *tally, const struct hs_cache_file *file,
                        const struct hs_cache_found *found, const char *reason)
{
    struct tm when;
    time_t used = (time_t)file->used;
    char text[32] = "?";

    if (localtime_r(&used, &when)) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &when);
    }
    if (tally->directory != tally->shown) {
        printf("%s%s:\n", tally->shown ? "\n" : "", tally->directory->path);
        tally->shown = tally->directory;
    }
    printf("%.*s  %-28s %10llu  %s  %s\n", SHOWN_KEY, file->name, file->group,
           (unsigned long long)file->size, text, reason ? reason : found->entry.name);
}

static int list_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;
    struct hs_cache_found found;
    const char *reason;

    if (file->kind != HS_CACHE_ENTRY) {
        return 0;
    }
    reason = read_entry(file, &found);
    if (reason || *found.entry.arch) { /* what is known of compilers is no kernel */
        tally->entries++;
        if (tally->json) {
            json_entry(tally, file, &found, reason);
        } else {
            print_entry(tally, file, &found, reason);
        }
    }
    free(found.data);
    return 0;
}

static int verify_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;
    struct hs_cache_found found;
    const char *reason;

    if (file->kind != HS_CACHE_ENTRY) {
        return 0;
    }
    tally->entries++;
    reason = read_entry(file, &found);
    if (reason) {
        tally->damaged++;
        if (tally->json) {
            json_entry(tally, file, &found, reason);
        } else {
            printf("%s/%s/%s: %s\n", tally->directory->path, file->group, file->name, reason);
        }
        if (tally->request->drop && unlinkat(file->group_fd, file->name, 0) == 0) {
            tally->removed++;
        }
    }
    free(found.data);
    return 0;
}

static int count_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind == HS_CACHE_ENTRY) {
        tally->entries++;
        tally->kernels += strcmp(file->group, "compilers") != 0;
        tally->bytes += file->size;
    }
    return 0;
}

static int clear_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind != HS_CACHE_ENTRY) {
        hs_cache_sweep(file); /* not those that somebody works with just now */
    } else if (unlinkat(file->group_fd, file->name, 0) == 0) {
        tally->removed++;
        tally->bytes += file->size;
    } else {
        tally->damaged++;
    }
    /* Goes once it is empty; a process that uses it makes it anew. */
    unlinkat(tally->directory->fd, file->group, AT_REMOVEDIR);
    return 0;
}

static void walk(struct hs_cache *cache, struct tally *tally,
                 int (*visit)(void *context, const struct hs_cache_file *file))
{
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            tally->directory = &cache->directories[i];
            hs_cache_walk(cache->directories[i].fd, visit, tally);
        }
    }
}

/* Why there is nothing to walk, said; 0 if there is something. */
static int is_unusable(const struct hs_cache *cache, const struct request *request)
{
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            return 0;
        }
    }
    fprintf(stderr, "%s: there is no cache: %s\n", request->name,
            cache->off ? "HIPSHIM_CACHE=0" : cache->note);
    return 1;
}

/* With JSON a list; `visit` writes its elements. */
static int show(struct hs_cache *cache, struct tally *tally,
                int (*visit)(void *context, const struct hs_cache_file *file))
{
    if (is_unusable(cache, tally->request)) {
        return TOOL_NO;
    }
    if (tally->json) {
        tool_json_open(tally->json, NULL, '[');
    }
    walk(cache, tally, visit);
    if (tally->json) {
        tool_json_close(tally->json, ']');
    }
    return tally->damaged ? TOOL_NO : TOOL_OK;
}

static int list(struct hs_cache *cache, struct tally *tally)
{
    int status = show(cache, tally, list_file);

    if (!tally->json && status == TOOL_OK && tally->entries == 0) {
        printf("no kernels; `%s info' says where they would be\n", tally->request->name);
    }
    return status;
}

static int verify(struct hs_cache *cache, struct tally *tally)
{
    int status = show(cache, tally, verify_file);

    if (!tally->json && (status == TOOL_OK || tally->damaged)) {
        printf("%lu entries, %lu damaged", tally->entries, tally->damaged);
        printf(tally->request->drop ? ", %lu removed\n" : "\n", tally->removed);
    }
    return status;
}

/* What is wrong with the limit that is wanted; "" if nothing. */
static void say_limit(const struct hs_cache *cache, char said[100])
{
    *said = '\0';
    if (cache->odd_limit) {
        snprintf(said, 100, "HIPSHIM_CACHE_SIZE=%.60s makes no sense",
                 getenv("HIPSHIM_CACHE_SIZE"));
    }
}

static int info(struct hs_cache *cache, const struct request *request)
{
    struct tool_json json = {stdout, 0, 0};
    char limit[100];
    const char *note = cache->off ? "HIPSHIM_CACHE=0" : cache->note;

    say_limit(cache, limit);
    if (request->json) {
        tool_json_open(&json, NULL, '{');
        tool_json_truth(&json, "used", hs_cache_writable(cache));
        tool_json_text(&json, "note", *note ? note : NULL);
        tool_json_number(&json, "limit", (long)cache->limit);
        tool_json_text(&json, "limit_reason", *limit ? limit : NULL);
        tool_json_open(&json, "directories", '[');
    } else {
        printf("limit       %llu bytes (%s)\n", (unsigned long long)cache->limit,
               *limit ? limit : "HIPSHIM_CACHE_SIZE");
    }
    for (unsigned i = 0; i < cache->count; i++) {
        struct tally tally = {.request = request, .directory = &cache->directories[i]};

        if (tally.directory->fd >= 0) {
            hs_cache_walk(tally.directory->fd, count_file, &tally);
        }
        if (request->json) {
            tool_json_open(&json, NULL, '{');
            tool_json_text(&json, "path", tally.directory->path);
            tool_json_truth(&json, "written", i == 0 && tally.directory->fd >= 0);
            tool_json_text(&json, "reason",
                           tally.directory->fd < 0 ? tally.directory->reason : NULL);
            tool_json_number(&json, "entries", (long)tally.entries);
            tool_json_number(&json, "kernels", (long)tally.kernels);
            tool_json_number(&json, "size", (long)tally.bytes);
            tool_json_close(&json, '}');
        } else if (tally.directory->fd < 0) {
            printf("not used    %s: %s\n", tally.directory->path, tally.directory->reason);
        } else {
            printf("%s  %s: %lu entries, %lu of them kernels, %llu bytes\n",
                   i == 0 ? "written to" : "only read ", tally.directory->path, tally.entries,
                   tally.kernels, (unsigned long long)tally.bytes);
        }
    }
    if (request->json) {
        tool_json_close(&json, ']');
        tool_json_close(&json, '}');
    } else if (*note) {
        printf("note        %s\n", note);
    }
    return hs_cache_writable(cache) ? TOOL_OK : TOOL_NO;
}

static int clear(struct hs_cache *cache, struct tally *tally)
{
    if (!hs_cache_writable(cache)) {
        fprintf(stderr, "%s: %s\n", tally->request->name,
                cache->off ? "HIPSHIM_CACHE=0" : cache->note);
        return TOOL_NO;
    }
    tally->directory = &cache->directories[0]; /* the others are only read */
    hs_cache_walk(tally->directory->fd, clear_file, tally);
    printf("%lu entries removed, %llu bytes\n", tally->removed, (unsigned long long)tally->bytes);
    return tally->damaged ? TOOL_NO : TOOL_OK;
}

static int warm_one(const struct request *request, const char *path, const char *text,
                    const char *arch)
{
    static const char *const origins[] = {"nothing", "compiled", "there already",
                                          "compiled by hipcc"};
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = text,
                                        .name = request->source_name ? request->source_name : path,
                                        .arch = arch,
                                        .options = request->options,
                                        .option_count = request->option_count,
                                        .expressions = request->expressions,
                                        .expression_count = request->expression_count};
    hipshim_kernel_t *kernel;
    hipshim_status_t status = hipshim_kernel_compile(&options, &kernel);
    const char *note = hipshim_kernel_cache_message(kernel);
    int failed = status != HIPSHIM_OK || *note;

    fputs(hipshim_kernel_log(kernel), stderr);
    if (status != HIPSHIM_OK) {
        fprintf(stderr, "%s: %s: %s\n", request->name, path, hipshim_error_text());
    } else {
        printf("%s for %s: %s%s%s\n", path, hipshim_kernel_arch(kernel),
               origins[hipshim_kernel_origin(kernel)], *note ? ", " : "", note);
    }
    hipshim_kernel_free(kernel);
    return failed;
}

static int warm(const struct request *request)
{
    int failed = 0;

    for (int i = 0; i < request->source_count; i++) {
        const char *path = request->sources[i];
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        size_t size;
        char *text = fd >= 0 ? hs_cache_load(fd, &size) : NULL;

        if (!text) {
            fprintf(stderr, "%s: %s: %s\n", request->name, path, strerror(errno));
            failed = 1;
        } else {
            text[size] = '\0';
            for (size_t j = 0; j < request->architecture_count || j == 0; j++) {
                failed |= warm_one(request, path, text, request->architectures[j]);
            }
        }
        free(text);
        if (fd >= 0) {
            close(fd);
        }
    }
    return failed ? TOOL_NO : TOOL_OK;
}

static int act(const struct request *request)
{
    struct tool_json json = {stdout, 0, 0};
    struct tally tally = {.request = request, .json = request->json ? &json : NULL};
    struct hs_cache cache;
    int status;

    hs_cache_open(&cache);
    if (strcmp(request->action, "warm") == 0) {
        /* Only what is not wanted is said here: the library says what fails. */
        status = cache.off && is_unusable(&cache, request) ? TOOL_NO : warm(request);
    } else if (strcmp(request->action, "list") == 0) {
        status = list(&cache, &tally);
    } else if (strcmp(request->action, "info") == 0) {
        status = info(&cache, request);
    } else if (strcmp(request->action, "verify") == 0) {
        status = verify(&cache, &tally);
    } else {
        status = clear(&cache, &tally);
    }
    hs_cache_close(&cache);
    return status;
}

static void add_architectures(struct request *request, char *list, struct argp_state *state)
{
    char *name;

    while ((name = list ? strsep(&list, ",") : NULL) != NULL) {
        if (request->architecture_count == ARCHITECTURES) {
            argp_error(state, "more than %d architectures", ARCHITECTURES);
        } else if (*name) {
            request->architectures[request->architecture_count++] = name;
        }
    }
}

static int is_action(const char *name)
{
    static const char *const actions[] = {"list", "info", "verify", "clear", "warm"};

    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(name, actions[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* An option that the action would pass over is a mistake. */
static void check(const struct request *request, struct argp_state *state)
{
    const char *action = request->action;

    if (!action) {
        argp_error(state, "an action is needed: list, info, verify, clear or warm");
    } else if (strcmp(action, "warm") == 0) {
        if (request->source_count == 0) {
            argp_error(state, "warm needs a source");
        }
    } else if (request->warm_only) {
        argp_error(state, "-%c is of warm, not of %s", request->warm_only, action);
    }
    if (action && request->drop && strcmp(action, "verify") != 0) {
        argp_error(state, "--remove is of verify, not of %s", action);
    }
    if (action && request->json && strchr("cw", *action)) { /* clear, warm */
        argp_error(state, "%s writes no JSON", action);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    switch (key) {
    case 'j':
        request->json = 1;
        return 0;
    case 'r':
        request->drop = 1;
        return 0;
    case 'a':
        request->warm_only = key;
        add_architectures(request, argument, state);
        return 0;
    case 'n':
        request->warm_only = key;
        request->source_name = argument;
        return 0;
    case 'o':
        request->warm_only = key;
        request->options[request->option_count++] = argument;
        return 0;
    case 'e':
        request->warm_only = key;
        request->expressions[request->expression_count++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (!request->action) {
            if (!is_action(argument)) {
                argp_error(state,
                           "there is no action \"%s\", but list, info, verify, clear and warm",
                           argument);
            }
            request->action = argument;
        } else if (strcmp(request->action, "warm") != 0) {
            argp_error(state, "%s takes no arguments", request->action);
        } else {
            request->sources[request->source_count++] = argument;
        }
        return 0;
    case ARGP_KEY_END:
        check(request, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int tool_cache_run(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {.name = "json", .key = 'j', .doc = "Write JSON, for programs: list, info, verify"},
        {.name = "remove", .key = 'r', .doc = "verify: remove what is damaged"},
        {.name = "arch",
         .key = 'a',
         .arg = "NAME,...",
         .doc = "warm: architectures; by default the machine's own"},
        {.name = "name",
         .key = 'n',
         .arg = "NAME",
         .doc = "warm: what programs call the source; by default its path as given"},
        {.name = "option", .key = 'o', .arg = "OPTION", .doc = "warm: an option of the compiler"},
        {.name = "expression",
         .key = 'e',
         .arg = "NAME",
         .doc = "warm: an expression whose lowered name is wanted"},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "list|info|verify|clear\nwarm SOURCE...",
        .doc = "Show the cache of compiled kernels, check it, empty it, or fill it.\v"
               "list     one line for each kernel: key, architecture and HIP release, bytes, last "
               "use, name\n"
               "info     which directories are used, or why not, and how much is in them\n"
               "verify   read every entry, and name those that are damaged\n"
               "clear    remove all entries of the directory that is written to\n"
               "warm     compile sources now, for programs to find later: those that compile the "
               "same text by the same name, with the same options and expressions\n\n"
               "HIPSHIM_CACHE_DIR names the directories (the first is written to, the others are "
               "only read), HIPSHIM_CACHE_SIZE limits the first, HIPSHIM_CACHE=0 is for none.\n\n"
               "Exit status: 0; 1 for a cache that cannot be used, damaged entries, or sources "
               "that do not compile or cannot be kept; 2 for a mistake in the arguments.",
    };
    char **lists = calloc(3 * (size_t)argc + 3, sizeof *lists);
    struct request request = {.name = argv[0]};
    int status = TOOL_NO;

    if (lists) {
        request.sources = lists;
        request.options = (const char **)lists + argc + 1;
        request.expressions = request.options + argc + 1;
        argp_parse(&parser, argc, argv, 0, NULL, &request);
        status = act(&request);
    }
    free(lists);
    return status;
}
