/* SPDX-License-Identifier: MIT */
/*
 * The command line of `hipshim cache`.  The files of the cache are compiled into
 * the program, because the library exports nothing of them.
 */
#include "tool/cache/cache.h"

#include <argp.h>

/* There is no default action, so that a mistyped command removes nothing. */
static const struct tool_action actions[] = {
    {"list", "", 0, "j", cache_list},
    {"info", "", 0, "j", cache_info},
    {"verify", "", 0, "j", cache_verify},
    {"clear", "", 0, "", cache_clear},
    {"warm", "SOURCE...", -1, "anoe", cache_warm},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cache_request *request = state->input;

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
    static struct cache_request request; /* nothing is freed before the process ends */
    struct hs_cache cache;

    argp_parse(&parser, argc, argv, 0, NULL, &request);
    hs_cache_open(&cache);
    request.cache = &cache;
    int status = tool_action_run(CACHE_COMMAND, &parser, actions,
                                 sizeof actions / sizeof actions[0], &request.words);

    hs_cache_close(&cache);
    return status;
}
