/* SPDX-License-Identifier: MIT */
/*
 * The command line of `hipshim cache`.  The files of the cache are compiled into
 * the program, because the library exports nothing of them.
 */
#include "tool/cache/cache.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

/* There is no default action, so that a mistyped command removes nothing. */
struct cache_action {
    const char *name;
    int (*run)(const struct cache_request *request, struct hs_cache *cache);
    bool takes_sources, writes_json, can_remove;
};
static const struct cache_action actions[] = {
    {.name = "list", .run = cache_list, .writes_json = true},
    {.name = "info", .run = cache_info, .writes_json = true},
    {.name = "verify", .run = cache_verify, .writes_json = true, .can_remove = true},
    {.name = "clear", .run = cache_clear},
    {.name = "warm", .run = cache_warm, .takes_sources = true},
};

static const struct cache_action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(name, actions[i].name) == 0) {
            return &actions[i];
        }
    }
    return NULL;
}

static void add_architectures(struct cache_request *request, char *list, struct argp_state *state)
{
    char *name;

    while ((name = list ? strsep(&list, ",") : NULL) != NULL) {
        if (request->architecture_count == CACHE_ARCHITECTURES) {
            argp_error(state, "more than %d architectures", CACHE_ARCHITECTURES);
        } else if (*name) {
            tool_check_architecture("--arch", name, state);
            request->architectures[request->architecture_count++] = name;
        }
    }
}

static void add_argument(struct cache_request *request, char *argument, struct argp_state *state)
{
    if (!request->action) {
        request->action = find_action(argument);
        if (!request->action) {
            argp_error(state, "there is no action \"%s\", but list, info, verify, clear and warm",
                       argument);
        }
    } else if (!request->action->takes_sources) {
        argp_error(state, "%s takes no arguments", request->action->name);
    } else {
        request->sources[request->source_count++] = argument;
    }
}

/* An option that the action does not take is an error. */
static void check(const struct cache_request *request, struct argp_state *state)
{
    const struct cache_action *action = request->action;

    if (!action) {
        argp_error(state, "an action is needed: list, info, verify, clear or warm");
    } else if (action->takes_sources && request->source_count == 0) {
        argp_error(state, "%s needs a source", action->name);
    } else if (!action->takes_sources && request->warm_option) {
        argp_error(state, "%s does not take -%c, only warm does", action->name,
                   request->warm_option);
    } else if (request->remove && !action->can_remove) {
        argp_error(state, "%s does not take --remove, only verify does", action->name);
    } else if (request->json && !action->writes_json) {
        argp_error(state, "%s writes no JSON", action->name);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cache_request *request = state->input;

    request->warm_option = key < 128 && strchr("anoe", key) && key ? key : request->warm_option;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case 'r':
        request->remove = true;
        return 0;
    case 'a':
        add_architectures(request, argument, state);
        return 0;
    case 'n':
        request->source_name = argument;
        return 0;
    case 'o':
        request->options[request->option_count++] = argument;
        return 0;
    case 'e':
        request->expressions[request->expression_count++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        add_argument(request, argument, state);
        return 0;
    case ARGP_KEY_END:
        check(request, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, for programs: list, info, verify", 0},
    {"remove", 'r', NULL, 0, "verify: remove the damaged entries", 0},
    {"arch", 'a', "NAME,...", 0, "warm: architectures; by default the machine's own", 0},
    {"name", 'n', "NAME", 0,
     "warm: the name that programs give the source; by default its path as given", 0},
    {"option", 'o', "OPTION", 0, "warm: an option of the compiler", 0},
    {"expression", 'e', "NAME", 0, "warm: an expression whose lowered name programs ask for", 0},
    {0},
};
const struct argp tool_cache_argp = {
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

const char *tool_cache_action(size_t index)
{
    return index < sizeof actions / sizeof actions[0] ? actions[index].name : NULL;
}

int tool_cache_run(int argc, char **argv)
{
    char **lists = calloc(3 * (size_t)argc + 3, sizeof *lists);
    struct cache_request request = {.command = argv[0]};
    struct hs_cache cache;

    if (!lists) {
        return TOOL_NO;
    }
    request.sources = lists;
    request.options = (const char **)lists + argc + 1;
    request.expressions = request.options + argc + 1;
    argp_parse(&tool_cache_argp, argc, argv, 0, NULL, &request);
    hs_cache_open(&cache);
    int status = request.action->run(&request, &cache);

    hs_cache_close(&cache);
    free(lists);
    return status;
}
