/* SPDX-License-Identifier: MIT */
/* hipshim which: the file of the runtime that programs use, for scripts. */
#include <hipshim/hipshim.h>

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

static void write_json(const hipshim_runtime_t *runtime)
{
    struct tool_json json = {.stream = stdout};
    char text[TOOL_RELEASE_TEXT];

    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "library", runtime->path);
    tool_json_text(&json, "hiprtc", runtime->hiprtc_path);
    tool_json_text(&json, "hip_version", tool_release_text(text, runtime->release));
    tool_json_close(&json, '}');
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, for programs: the runtime, its hiprtc and its release", 0},
    {0},
};
const struct argp tool_which_argp = {
    .options = options,
    .parser = tool_json_option,
    .doc = "Print the file of the HIP runtime in use, and nothing else.\v"
           "Exit status: 0 with a runtime; 1 without, and then the reason is on standard error; 2 "
           "if the command line is wrong; 3 if the output cannot be written.",
};

int tool_which_run(int argc, char **argv)
{
    bool json = false;

    argp_parse(&tool_which_argp, argc, argv, 0, NULL, &json);
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    bool found = hipshim_runtime_info(&runtime) == HIPSHIM_OK;
    if (json) {
        write_json(&runtime);
    } else if (found) {
        puts(runtime.path);
    }
    if (!found) {
        tool_complain(argv[0], "%s", runtime.no_runtime_text);
    }
    return found ? TOOL_OK : TOOL_NO;
}
