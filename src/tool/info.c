/* SPDX-License-Identifier: MIT */
/* hipshim info: the runtime in use, the search for it, and the functions it has. */
#include <hipshim/hipshim.h>

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/variable.h"
#include "tool/abi/abi.h"
#include "tool/foreign.h"
#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

/* The words of --json.  Programs compare with them, so they never change. */
static const struct {
    const char *word, *text; /* for programs, and for people */
} sources[] = {
    [HIPSHIM_SEARCH_SOURCE_NONE] = {NULL, "nothing"},
    [HIPSHIM_SEARCH_SOURCE_PIN] = {"HIPSHIM_LIBRARY", "the variable HIPSHIM_LIBRARY"},
    [HIPSHIM_SEARCH_SOURCE_LOADED] = {"loaded", "a look at the libraries of this process"},
    [HIPSHIM_SEARCH_SOURCE_CONFIGURED] = {"configured", "the prefix given to configure"},
    [HIPSHIM_SEARCH_SOURCE_ENVIRONMENT] = {"environment", "the environment"},
    [HIPSHIM_SEARCH_SOURCE_LINKER] = {"linker", "the dynamic linker"},
    [HIPSHIM_SEARCH_SOURCE_DIRECTORY] = {"directory", "the well-known directories"},
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

/* --- JSON --- */

/* Why the runtime is not AMD's, or NULL. */
static const char *foreign_text(const hipshim_runtime_t *runtime, char text[TOOL_FOREIGN_TEXT])
{
    return runtime->path && tool_foreign_describe_file(runtime->path, runtime->release.major, text)
               ? text
               : NULL;
}

/* Which release a drop-in answers over another major; src/hip/semantics.c reads it, too. */
static bool answers_installed(void)
{
    const char *wanted = getenv("HIPSHIM_DROPIN_VERSION");
    bool is_installed = wanted && strcmp(wanted, "installed") == 0;

    if (wanted && *wanted && !is_installed) {
        hs_variable_refuse("HIPSHIM_DROPIN_VERSION", wanted, "`installed`; it counts as not set");
    }
    return is_installed;
}

static void write_json(const hipshim_runtime_t *runtime)
{
    struct tool_json json = {.stream = stdout};
    char foreign[TOOL_FOREIGN_TEXT];
    hipshim_step_t step = {.size = sizeof step};

    tool_json_write(&json, "{hipshim_version:s abi_version:u stable_hip_version:r hip_version:r",
                    hipshim_version(), hipshim_abi_version(), runtime->stable, runtime->release);
    tool_json_write(&json, "library:s soname:s used_as:r api_set:r", runtime->path, runtime->soname,
                    runtime->used_as, runtime->api_set);
    tool_json_write(&json, "exact:b match:s match_text:s foreign:s",
                    runtime->match == HIPSHIM_MATCH_EXACT, match_words[runtime->match],
                    runtime->match_text, foreign_text(runtime, foreign));
    tool_json_write(&json, "found_by:s dropin_version:s hiprtc:s hiprtc_text:s",
                    sources[runtime->found_by].word, answers_installed() ? "installed" : "own",
                    runtime->hiprtc_path, runtime->hiprtc_text);
    tool_json_write(&json, "functions:{direct:u converted:u emulated:u missing:u} error:s steps:[",
                    runtime->kinds[HIPSHIM_KIND_DIRECT], runtime->kinds[HIPSHIM_KIND_CONVERTED],
                    runtime->kinds[HIPSHIM_KIND_EMULATED], runtime->kinds[HIPSHIM_KIND_MISSING],
                    runtime->no_runtime_text);
    for (unsigned i = 0; hipshim_step_info(i, &step) == HIPSHIM_OK; i++) {
        tool_json_write(&json, "{source:s outcome:s subject:s reason:s}", sources[step.source].word,
                        outcome_words[step.outcome], step.subject, step.reason);
    }
    tool_json_write(&json, "]}");
}

/* --- text --- */

static void print_steps(void)
{
    hipshim_step_t step = {.size = sizeof step};

    puts("\nLooked at:");
    for (unsigned i = 0; hipshim_step_info(i, &step) == HIPSHIM_OK; i++) {
        printf("  %-9s %s%s%s\n", outcome_words[step.outcome], step.subject,
               *step.reason ? ": " : "", step.reason);
    }
}

static void print_functions(const hipshim_runtime_t *runtime)
{
    printf("functions   %u known:", hipshim_function_count());
    for (unsigned i = 0; i < HIPSHIM_KIND_MISSING; i++) {
        printf("%s %u %s", i ? "," : "", runtime->kinds[i], tool_abi_kind_words[i]);
    }
    printf("; %u are not in this HIP\n", runtime->kinds[HIPSHIM_KIND_MISSING]);
}

static void print_match(const hipshim_runtime_t *runtime)
{
    char text[TOOL_RELEASE_TEXT];
    int known = tool_release_index(runtime->used_as);

    printf("treated as  %s", tool_release_text(text, runtime->used_as));
    if (runtime->match == HIPSHIM_MATCH_EXACT && known >= 0) {
        printf(", an exact match (ROCm %s)\n", tool_release_at((unsigned)known).rocm);
    } else {
        printf("; %s\n", runtime->match_text);
    }
}

static void print_runtime(const hipshim_runtime_t *runtime)
{
    char text[TOOL_RELEASE_TEXT], foreign[TOOL_FOREIGN_TEXT];

    printf("HIP         %s\n", tool_release_text(text, runtime->release));
    printf("library     %s (soname %s)\n", runtime->path,
           runtime->soname ? runtime->soname : "none");
    printf("found by    %s\n", sources[runtime->found_by].text);
    print_match(runtime);
    if (foreign_text(runtime, foreign)) {
        printf("beware      %s\n", foreign);
    }
    printf("drop-ins    those of other majors answer %s to hipRuntimeGetVersion; programs choose "
           "by it "
           "(HIPSHIM_DROPIN_VERSION)\n",
           answers_installed() ? "this release" : "the release of their own ABI");
    if (runtime->hiprtc_path) {
        printf("hiprtc      %s\n", runtime->hiprtc_path);
    } else {
        printf("hiprtc      none: %s\n", runtime->hiprtc_text);
    }
    print_functions(runtime);
}

static void print_help(void)
{
    puts("\nWhat helps:\n"
         "  - install the HIP runtime (hip-runtime-amd of ROCm, libamdhip64-N of Debian,\n"
         "    rocm-hip of Fedora), or\n"
         "  - set HIPSHIM_LIBRARY to a libamdhip64.so.N or to the prefix of an installation.\n"
         "Until then programs find no device, and calls return hipErrorInsufficientDriver.");
}

static void write_text(const hipshim_runtime_t *runtime)
{
    char text[TOOL_RELEASE_TEXT];

    printf("hipshim %s, with the interface of HIP %s\n\n", hipshim_version(),
           tool_release_text(text, runtime->stable));
    if (runtime->path) {
        print_runtime(runtime);
        print_steps();
    } else {
        printf("%s\n", runtime->no_runtime_text);
        print_steps();
        print_help();
    }
}

/* --- the command --- */

static const struct argp_option options[] = {TOOL_JSON_OPTION, {0}};
static const struct argp parser = {
    .options = options,
    .parser = tool_words_option,
    .doc = "Show the HIP runtime in use, how it was found, and its functions.\v"
           "Exit status: 0 with a runtime, 1 without, 2 if the command line is wrong, 3 if the "
           "output cannot be written.",
};

int tool_info_run(int argc, char **argv)
{
    struct tool_words words = {.is_closed = true};

    argp_parse(&parser, argc, argv, 0, NULL, &words);
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    hipshim_status_t status = hipshim_runtime_info(&runtime);
    if (words.json) {
        write_json(&runtime);
    } else {
        write_text(&runtime);
    }
    return status == HIPSHIM_OK ? TOOL_OK : TOOL_NO;
}
