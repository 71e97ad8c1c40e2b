/* SPDX-License-Identifier: MIT */
/*
 * The command line of `hipshim embed`.
 */
#include "tool/embed/embed.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "tool/tool.h"

enum {
    MOST_JOBS = 256,
    KEY_WITH = 256,
    KEY_DEPFILE,
    KEY_NAME,
    KEY_ROCM,
    KEY_HIPIFY,
    KEY_OPTION,
    KEY_RUST
};

/* The command line; the sources are not yet known. */
struct arguments {
    struct embed_request request;
    struct hs_words paths;
};

static void set_jobs(struct embed_request *request, const char *text, struct argp_state *state)
{
    char *end;
    long jobs = strtol(text, &end, 10);

    if (*end || end == text || jobs < 1 || jobs > MOST_JOBS) {
        argp_error(state, "--jobs is a number from 1 to %d", MOST_JOBS);
    }
    request->jobs = (unsigned)jobs;
}

static void set_with(struct embed_request *request, const char *text, struct argp_state *state)
{
    if (strncmp(text, "hipcc=", 6) == 0 && text[6]) {
        request->hipcc = text + 6;
    } else if (strcmp(text, "hipcc") == 0) {
        request->hipcc = "";
    } else if (strcmp(text, "hiprtc") == 0) {
        request->hipcc = NULL;
    } else {
        argp_error(state, "--with is hiprtc, hipcc or hipcc=PATH");
    }
}

/* Sets the member of an option that is one; false for other keys. */
static bool parse_member(int key, const char *argument, struct embed_request *request)
{
    const char **const texts[] = {['o'] = &request->output,
                                  [KEY_DEPFILE] = &request->depfile,
                                  [KEY_NAME] = &request->symbol,
                                  [KEY_ROCM] = &request->rocm,
                                  [KEY_HIPIFY] = &request->hipify};
    int *const flags[] = {
        ['S'] = &request->assembler, ['s'] = &request->with_source, ['z'] = &request->compress,
        ['f'] = &request->force,     ['q'] = &request->quiet,       [KEY_RUST] = &request->rust};
    size_t index = key < 0 ? SIZE_MAX : (size_t)key;

    if (index < sizeof texts / sizeof texts[0] && texts[index]) {
        *texts[index] = argument;
        return true;
    }
    if (index < sizeof flags / sizeof flags[0] && flags[index]) {
        *flags[index] = 1;
        return true;
    }
    return false;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct embed_request *request = &arguments->request;

    switch (key) {
    case 'j':
        set_jobs(request, argument, state);
        return 0;
    case KEY_WITH:
        set_with(request, argument, state);
        return 0;
    case 'a':
        tool_list_take_architectures(&request->architectures, argument, state);
        return 0;
    case 'D':
        hs_words_add(&request->options, "-D%s", argument);
        return 0;
    case KEY_OPTION:
        /* Headers are looked for in the directories of -I, whichever way it is given. */
        if (strncmp(argument, "-I", 2) != 0 || !argument[2]) {
            tool_list_take(&request->options, argument, state);
            return 0;
        }
        argument += 2; /* fall through */
    case 'I':
        tool_list_take(&request->directories, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        tool_list_take(&arguments->paths, argument, state);
        return 0;
    case ARGP_KEY_END:
        if (!request->output || !*request->output) {
            argp_error(state, "--output is needed");
        } else if (arguments->paths.count == 0) {
            argp_error(state, "a source or a directory is needed");
        }
        return request->options.is_incomplete ? ENOMEM : 0;
    default:
        return parse_member(key, argument, request) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static void print_outcome(const struct embed_request *request)
{
    const struct hs_words *archs = &request->architectures;

    if (request->quiet) {
        return;
    }
    printf("%s.c: %zu kernel%s", request->output, request->source_count,
           request->source_count == 1 ? "" : "s");
    for (size_t i = 0; i < archs->count; i++) {
        printf("%s %s", i ? "," : " for",
               *archs->items[i] ? archs->items[i] : request->results[i].arch);
    }
    printf("%s: written\n", archs->count ? "" : " as source");
}

/* "" stands for the architecture of this machine; "none" for no compilation. */
static bool settle_architectures(struct embed_request *request)
{
    struct hs_words *archs = &request->architectures;

    if (archs->count == 0) {
        return tool_list_add(archs, "");
    }
    if (tool_list_has(archs, "amdgcnspirv")) {
        return tool_fail(
            "--arch=amdgcnspirv: code is chosen by the architecture of the device, and "
            "no device has this one; --source embeds the sources for other devices");
    }
    if (!tool_list_has(archs, "none")) {
        return true;
    }
    if (archs->count > 1) {
        return tool_fail("--arch=none stands alone");
    }
    archs->count = 0;
    return request->with_source || tool_fail("--arch=none without --source embeds nothing");
}

/* The name must be one for a variable in both C and C++; their compilers know their keywords. */
static bool check_symbol(const struct embed_request *request)
{
    char symbol[EMBED_SYMBOL];

    embed_symbol(request, symbol);
    if (request->symbol && (!*symbol || strcmp(request->symbol, symbol) != 0)) {
        return tool_fail("--name=%s is no name of a variable in C; letters, digits and _ are "
                         "allowed, and no digit at first",
                         request->symbol);
    }
    return *symbol || tool_fail("--output ends in the name of a directory; add that "
                                "of the files");
}

/* The C that is written includes its header, and the assembler's file, by this name. */
static bool check_output(const struct embed_request *request)
{
    for (const char *at = request->output; *at; at++) {
        if (*at == '"' || (unsigned char)*at < ' ') {
            return tool_fail("--output has a %s in it, which C cannot include; give "
                             "it another name",
                             *at == '"' ? "quote" : "control character");
        }
    }
    return true;
}

/* The steps until a source is compiled. */
static bool prepare(struct embed_request *request, const struct hs_words *paths)
{
    bool done = settle_architectures(request) && check_symbol(request) && check_output(request);

    if (request->rocm) {
        setenv("HIPSHIM_LIBRARY", request->rocm, 1);
        setenv("ROCM_PATH", request->rocm, 1);
        setenv("HIP_PATH", request->rocm, 1);
    }
    for (size_t i = 0; i < paths->count && done; i++) {
        done = embed_find(request, paths->items[i]);
    }
    return done && embed_sort(request) && (!request->rust || embed_check_rust(request));
}

/* Returns the exit status, with the error text of the thread. */
static int work(struct embed_request *request, const struct hs_words *paths)
{
    if (!prepare(request, paths)) {
        return TOOL_USAGE;
    }
    if (!embed_check_outputs(request)) {
        return TOOL_OUTPUT;
    }
    if (!embed_compile(request)) {
        return TOOL_NO;
    }
    if (!embed_report(request)) {
        hs_error_set("%s", "");
        return TOOL_NO;
    }
    return embed_write(request) ? TOOL_OK : TOOL_OUTPUT;
}

/* Returns the exit status. */
static int act(struct embed_request *request, const struct hs_words *paths)
{
    int status = work(request, paths);

    if (status == TOOL_OK) {
        print_outcome(request);
    } else if (*hs_error_get()) {
        tool_complain(EMBED_COMMAND, "%s", hs_error_get());
    }
    return status;
}

static const struct argp_option options[] = {
    {"output", 'o', "PATH", 0, "Write PATH.h and PATH.c; required", 0},
    {"arch", 'a', "NAME,...", 0,
     "Architectures, such as gfx90a,gfx1030 or gfx11-generic; by default the machine's; none: only "
     "the sources, which needs no compiler",
     0},
    {"jobs", 'j', "N", 0,
     "Number of compilations at once; by default one for each processor, at most 16", 0},
    {"define", 'D', "NAME[=VALUE]", 0, "A macro for the compiler", 0},
    {"include", 'I', "DIR", 0, "A directory with headers", 0},
    {"option", KEY_OPTION, "OPTION", 0, "One option for the compiler, passed on unchanged", 0},
    {"with", KEY_WITH, "COMPILER", 0,
     "hiprtc, which is the default; hipcc, which is ROCm's clang++ or hipcc; or hipcc=PATH", 0},
    {"rocm", KEY_ROCM, "PATH", 0, "The ROCm whose compiler is used", 0},
    {"hipify", KEY_HIPIFY, "PATH", 0,
     "hipify-perl, for .cu files; none: hipshim's own table of names", 0},
    {"asm", 'S', NULL, 0, "Code objects by .incbin: also PATH.S, to assemble, and PATH.bin", 0},
    {"compress", 'z', NULL, 0,
     "Compress the code objects with libzstd, which is also needed to load them", 0},
    {"source", 's', NULL, 0, "Embed the sources, too, to compile them for other devices", 0},
    {"rust", KEY_RUST, NULL, 0,
     "Also write PATH.rs, with names and checksums as constants of Rust, and PATH.bin with the "
     "code objects",
     0},
    {"name", KEY_NAME, "NAME", 0, "Name of the variable in C; by default made from PATH", 0},
    {"depfile", KEY_DEPFILE, "FILE", 0,
     "Write the files that PATH.c depends on, for make and ninja", 0},
    {"force", 'f', NULL, 0, "Compile without the kernel cache", 0},
    {"quiet", 'q', NULL, 0, "Print only warnings and errors", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = parse,
    .args_doc = "SOURCE-OR-DIRECTORY...",
    .doc = "Compile kernels (.hip and .cu files, named or below named directories) for several "
           "architectures, and write them as C, for hipshim_embedded_load().\v"
           "What did not change since an earlier run comes from the kernel cache.\n\n"
           "Exit status: 0; 1 if a source does not compile; 2 if the command line is wrong or "
           "a source cannot be read; 3 if an output cannot be written.",
};

int tool_embed_run(int argc, char **argv)
{
    /* Static, because nothing is freed before the process ends. */
    static struct arguments arguments;
    struct embed_request *request = &arguments.request;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    request->jobs = processors < 1 ? 1 : processors > 16 ? 16 : (unsigned)processors;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    signal(SIGCHLD, SIG_DFL); /* with SIGCHLD ignored waitpid would find no child */
    return act(request, &arguments.paths);
}
