/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#include "tool/json.h"

#include <hipshim/hipshim.h>

#include <argp.h>
#include <stdio.h>

/* Room for any three unsigned numbers. */
enum { RELEASE_TEXT = 40 };

/* The words of --json, which programs compare with: they never change. */
static const char *const found_words[] = {
    [HIPSHIM_SEARCH_SOURCE_NONE] = NULL,
    [HIPSHIM_SEARCH_SOURCE_PIN] = "HIPSHIM_LIBRARY",
    [HIPSHIM_SEARCH_SOURCE_LOADED] = "mapped",
    [HIPSHIM_SEARCH_SOURCE_CONFIGURED] = "configured",
    [HIPSHIM_SEARCH_SOURCE_ENVIRONMENT] = "environment",
    [HIPSHIM_SEARCH_SOURCE_LINKER] = "linker",
    [HIPSHIM_SEARCH_SOURCE_DIRECTORY] = "directory",
};
static const char *const outcome_words[] = {
    [HIPSHIM_OUTCOME_USED] = "used",
    [HIPSHIM_OUTCOME_ABSENT] = "absent",
    [HIPSHIM_OUTCOME_REJECTED] = "rejected",
    [HIPSHIM_OUTCOME_SKIPPED] = "skipped",
};
static const char *const match_words[] = {
    [HIPSHIM_MATCH_NONE] = "none",       [HIPSHIM_MATCH_EXACT] = "exact",
    [HIPSHIM_MATCH_OLDER] = "older",     [HIPSHIM_MATCH_NEWER] = "newer",
    [HIPSHIM_MATCH_UNKNOWN] = "unknown",
};
static const char *const kind_words[] = {
    [HIPSHIM_KIND_DIRECT] = "direct",
    [HIPSHIM_KIND_CONVERTED] = "converted",
    [HIPSHIM_KIND_EMULATED] = "emulated",
    [HIPSHIM_KIND_MISSING] = "missing",
};
enum { KIND_COUNT = sizeof kind_words / sizeof kind_words[0] };

/* The same for people. */
static const char *const found_texts[] = {
    [HIPSHIM_SEARCH_SOURCE_NONE] = "nothing",
    [HIPSHIM_SEARCH_SOURCE_PIN] = "the variable HIPSHIM_LIBRARY",
    [HIPSHIM_SEARCH_SOURCE_LOADED] = "being in the process already",
    [HIPSHIM_SEARCH_SOURCE_CONFIGURED] = "the prefix given to configure",
    [HIPSHIM_SEARCH_SOURCE_ENVIRONMENT] = "the environment",
    [HIPSHIM_SEARCH_SOURCE_LINKER] = "the dynamic linker",
    [HIPSHIM_SEARCH_SOURCE_DIRECTORY] = "the well-known directories",
};

/* NULL for "no release". */
static const char *release_text(char text[RELEASE_TEXT], hipshim_release_t release)
{
    snprintf(text, RELEASE_TEXT, "%u.%u.%u", release.major, release.minor, release.patch);
    return release.major ? text : NULL;
}

static void json_step(struct tool_json *json, unsigned index)
{
    hipshim_step_t step = {.size = sizeof step};

    if (hipshim_step_info(index, &step) != HIPSHIM_OK) {
        return;
    }
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "part", found_words[step.part]);
    tool_json_text(json, "outcome", outcome_words[step.outcome]);
    tool_json_text(json, "subject", step.subject);
    tool_json_text(json, "reason", step.reason);
    tool_json_close(json, '}');
}

static void print_json(const hipshim_runtime_t *runtime)
{
    struct tool_json json = {stdout, 0, 0};
    char text[RELEASE_TEXT];
    unsigned i, steps = hipshim_step_count();

    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "hipshim_version", hipshim_version());
    tool_json_number(&json, "abi_version", hipshim_abi_version());
    tool_json_text(&json, "stable_hip_version", release_text(text, runtime->stable));
    tool_json_text(&json, "hip_version", release_text(text, runtime->release));
    tool_json_text(&json, "library", runtime->path);
    tool_json_text(&json, "soname", runtime->soname);
    tool_json_text(&json, "used_as", release_text(text, runtime->used_as));
    tool_json_text(&json, "api_set", release_text(text, runtime->api_set));
    tool_json_truth(&json, "exact", runtime->match == HIPSHIM_MATCH_EXACT);
    tool_json_text(&json, "match", match_words[runtime->match]);
    tool_json_text(&json, "match_text", runtime->match_text);
    tool_json_text(&json, "found_by", found_words[runtime->found_by]);
    tool_json_text(&json, "hiprtc", runtime->hiprtc_path);
    tool_json_text(&json, "hiprtc_text", runtime->hiprtc_text);
    tool_json_open(&json, "functions", '{');
    for (i = 0; i < KIND_COUNT; i++) {
        tool_json_number(&json, kind_words[i], (long)runtime->kinds[i]);
    }
    tool_json_close(&json, '}');
    tool_json_text(&json, "error", runtime->no_runtime_text);
    tool_json_open(&json, "steps", '[');
    for (i = 0; i < steps; i++) {
        json_step(&json, i);
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

static void print_steps(void)
{
    unsigned i, steps = hipshim_step_count();

    puts("\nLooked at:");
    for (i = 0; i < steps; i++) {
        hipshim_step_t step = {.size = sizeof step};

        if (hipshim_step_info(i, &step) == HIPSHIM_OK) {
            printf("  %-9s %s%s%s\n", outcome_words[step.outcome], step.subject,
                   *step.reason ? ": " : "", step.reason);
        }
    }
}

static void print_functions(const hipshim_runtime_t *runtime)
{
    unsigned i;

    printf("functions   %u:", hipshim_function_count());
    for (i = 0; i < KIND_COUNT; i++) {
        printf("%s %u %s", i ? "," : "", runtime->kinds[i], kind_words[i]);
    }
    putchar('\n');
}

static void print_runtime(const hipshim_runtime_t *runtime)
{
    char text[RELEASE_TEXT];

    printf("HIP         %s\n", release_text(text, runtime->release));
    printf("library     %s (soname %s)\n", runtime->path,
           runtime->soname ? runtime->soname : "none");
    printf("found by    %s\n", found_texts[runtime->found_by]);
    printf("api_set     %s; %s\n", release_text(text, runtime->api_set), runtime->match_text);
    if (runtime->hiprtc_path) {
        printf("hiprtc      %s\n", runtime->hiprtc_path);
    } else {
        printf("hiprtc      none: %s\n", runtime->hiprtc_text);
    }
    print_functions(runtime);
    print_steps();
}

static void print_absence(const hipshim_runtime_t *runtime)
{
    printf("%s\n", runtime->no_runtime_text);
    print_steps();
    puts("\nWhat helps:\n"
         "  - install the HIP runtime (ROCm's hip-runtime-amd, Debian's libamdhip64-5 or later,\n"
         "    Fedora's rocm-hip), or\n"
         "  - set HIPSHIM_LIBRARY to a libamdhip64.so.N or to the prefix it is installed in.\n"
         "Programs see no device until then, and hipErrorInsufficientDriver.");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    int *json = state->input;

    (void)argument;
    switch (key) {
    case 'j':
        *json = 1;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN; /* argp itself refuses stray arguments */
    }
}

int tool_info_run(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {.name = "json", .key = 'j', .doc = "Write JSON, for programs"},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .doc = "Say which HIP runtime is used, how it was found, and what works on it.\v"
               "Exit status: 0 with a runtime, 1 without.",
    };
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    hipshim_status_t status;
    char text[RELEASE_TEXT];
    int json = 0;

    argp_parse(&parser, argc, argv, 0, NULL, &json);
    status = hipshim_runtime_info(&runtime);
    if (json) {
        print_json(&runtime);
    } else {
        printf("hipshim %s, with the interface of HIP %s\n\n", hipshim_version(),
               release_text(text, runtime.stable));
        if (status == HIPSHIM_OK) {
            print_runtime(&runtime);
        } else {
            print_absence(&runtime);
        }
    }
    return status == HIPSHIM_OK ? TOOL_OK : TOOL_NO;
}
