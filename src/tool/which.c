/* SPDX-License-Identifier: MIT */
/* hipshim which: the file of the runtime, or of another library, that programs use, for scripts. */
#include <hipshim/hipshim.h>

#include <argp.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "elf/notes.h"
#include "tool/dropins.h"
#include "tool/json.h"
#include "tool/tool.h"

struct request {
    struct tool_words words;         /* first, for tool_words_option */
    const struct tool_dropin *other; /* of another API; NULL for HIP */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    if (key != ARGP_KEY_ARG) {
        return tool_words_option(key, argument, state);
    }
    const struct tool_dropin *one = tool_dropins;
    while (one->stem && strcasecmp(argument, one->api) != 0) {
        one++;
    }
    if (!one->stem) {
        argp_error(state, "%s: no such drop-in; there are %s", argument, tool_dropins_apis);
    }
    request->other = strcmp(one->api, tool_dropins->api) != 0 ? one : NULL;
    return 0;
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, for programs: the runtime, its hiprtc and its release", 0},
    {0},
};
static const struct argp parser = {
    .options = options,
    .parser = parse,
    .args_doc = "[API]",
    .doc =
        "Print the file of the HIP runtime in use, and nothing else; with API, such as roctx, that "
        "of its library, which the drop-ins use.\v"
        "Exit status: 0 with a runtime; 1 without, and then the reason is on standard error; 2 "
        "if the command line is wrong; 3 if the output cannot be written.",
};

struct walk {
    const char *file;
    struct hs_dropin found;
};

static int find_loaded(struct dl_phdr_info *info, size_t size, void *context)
{
    struct walk *walk = context;

    (void)size;
    return strcmp(info->dlpi_name, walk->file) == 0 && hs_dropin_of_object(info, &walk->found);
}

/* Asks a drop-in, which prints the reason if it has no library; NULL then. */
static const char *ask_dropin(const struct tool_dropin *dropin, const char *command)
{
    char file[TOOL_PATH_ROOM];
    struct walk walk = {.file = file};

    hipshim_runtime_path(); /* the library beside the HIP runtime comes first */
    if (!tool_dropins_library(dropin, file)) {
        tool_complain(command, "%s", hs_error_get());
    } else if (!dlopen(file, RTLD_NOW | RTLD_LOCAL) || !dl_iterate_phdr(find_loaded, &walk)) {
        tool_complain(command, "%s: cannot be opened", file);
    } else {
        return walk.found.library(true);
    }
    return NULL;
}

int tool_which_run(int argc, char **argv)
{
    struct request request = {.words.is_closed = true};
    hipshim_runtime_t runtime = {.size = sizeof runtime};

    argp_parse(&parser, argc, argv, 0, NULL, &request);
    if (!request.other && hipshim_runtime_info(&runtime) != HIPSHIM_OK) {
        tool_complain(argv[0], "%s", runtime.no_runtime_text);
    }
    struct tool_json json = {.stream = request.words.json ? stdout : NULL};
    const char *path = request.other ? ask_dropin(request.other, argv[0]) : runtime.path;
    tool_json_write(&json, "{library:s", path);
    if (!request.other) {
        tool_json_write(&json, "hiprtc:s hip_version:r", runtime.hiprtc_path, runtime.release);
    }
    tool_json_write(&json, "}");
    if (path && !json.stream) {
        puts(path);
    }
    return path ? TOOL_OK : TOOL_NO;
}
