/* SPDX-License-Identifier: MIT */
/* hipshim abi: how HIP's ABI changed and how hipshim handles it. */
#include "tool/abi/abi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/release_text.h"
#include "tool/tool.h"

#define COMMAND "hipshim abi"

struct request {
    struct tool_words words; /* first, for tool_words_option */
    const struct tool_abi_writer *writer;
    enum { FAIL_NEVER, FAIL_ON_BREAKING, FAIL_ON_ANY } fail_on;
};

static bool is_function(const char *name)
{
    hipshim_kind_t kind;
    return hipshim_function_kind_on_release(name, 0, &kind) == HIPSHIM_OK;
}

/* --- releases on the command line --- */

enum { PART_COUNT = 3 };

/* Reads "6.2.3", or "10.0" as "10.0.0"; returns its end, or NULL if the text does not begin so. */
static const char *read_version(const char *text, unsigned long parts[PART_COUNT])
{
    memset(parts, 0, PART_COUNT * sizeof *parts);
    for (int i = 0; i < PART_COUNT; i++) {
        char *end;
        parts[i] = strtoul(text, &end, 10);
        if (end == text || *end != '.' || i == PART_COUNT - 1) {
            return end == text ? NULL : end;
        }
        text = end + 1;
    }
    return text;
}

/* True if "6.2.3" is in "6.2.1 to 6.2.4" or "6.4.2 and 6.4.3", as the table lists ROCm releases. */
static bool is_in_rocm_list(const char *text, const char *list)
{
    unsigned long wanted[PART_COUNT], from[PART_COUNT], to[PART_COUNT];
    const char *end = read_version(text, wanted);
    const char *rest = read_version(list, from);
    if (!end || *end || !rest || wanted[0] != from[0] || wanted[1] != from[1]) {
        return false;
    }
    if (strncmp(rest, " to ", 4) == 0 && read_version(rest + 4, to)) {
        return wanted[2] >= from[2] && wanted[2] <= to[2];
    }
    bool has_second = strncmp(rest, " and ", 5) == 0 && read_version(rest + 5, to);
    return wanted[2] == from[2] || (has_second && wanted[2] == to[2]);
}

/* True for "6.2.41134", "41134", "6.2" and "6", and for a ROCm release that carries it. */
static bool names_release(const char *text, const hipshim_release_info_t *info)
{
    hipshim_release_t r = info->release;
    char whole[TOOL_RELEASE_TEXT], part[TOOL_RELEASE_TEXT];

    snprintf(part, sizeof part, "%u", r.major);
    if (strcmp(text, part) == 0 || strcmp(text, tool_release_text(whole, r)) == 0) {
        return true;
    }
    snprintf(part, sizeof part, "%u.%u", r.major, r.minor);
    if (strcmp(text, part) == 0) {
        return true;
    }
    snprintf(part, sizeof part, "%u", r.patch);
    return strcmp(text, part) == 0 || is_in_rocm_list(text, info->rocm);
}

/* The index of the newest release that the text names; -1 after a message. */
static int find_release(const char *text)
{
    for (unsigned i = hipshim_release_count(); i-- > 0;) {
        hipshim_release_info_t info = tool_release_at(i);
        if (names_release(text, &info)) {
            return (int)i;
        }
    }
    fprintf(stderr, COMMAND ": %s: no known release of HIP or ROCm; known are\n", text);
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        const hipshim_release_info_t info = tool_release_at(i);
        char known[TOOL_RELEASE_TEXT];
        fprintf(stderr, "  %-11s (ROCm %s)\n", tool_release_text(known, info.release), info.rocm);
    }
    return -1;
}

/* --- list --- */

static int out_of_memory(void)
{
    tool_complain(COMMAND, "out of memory");
    return TOOL_NO;
}

static int list(const void *context, char **arguments)
{
    const struct request *request = context;
    unsigned count = hipshim_function_count();
    struct tool_abi_row *rows = calloc(count, sizeof *rows);

    (void)arguments;
    if (!rows) {
        return out_of_memory();
    }
    for (unsigned i = 0; i < count; i++) {
        hipshim_release_t removed;
        rows[i].name = hipshim_function_name(i);
        hipshim_function_availability(rows[i].name, &rows[i].since, &removed);
        for (unsigned r = 0; r < hipshim_release_count(); r++) {
            rows[i].releases[tool_abi_kind(rows[i].name, r)]++;
        }
    }
    request->writer->list(rows, count);
    free(rows);
    return TOOL_OK;
}

/* --- show --- */

/* The function whose name differs in case only, or NULL. */
static const char *other_case(const char *name)
{
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        if (strcasecmp(hipshim_function_name(i), name) == 0) {
            return hipshim_function_name(i);
        }
    }
    return NULL;
}

static int describe_function(struct tool_abi_function *function, const char *name)
{
    function->name = name;
    function->release_count = hipshim_release_count();
    function->kinds = calloc(function->release_count, sizeof *function->kinds);
    function->changes = calloc(hipshim_change_count() + 1, sizeof *function->changes);
    if (!function->kinds || !function->changes) {
        return -1;
    }
    for (unsigned r = 0; r < function->release_count; r++) {
        function->kinds[r] = tool_abi_kind(name, r);
    }
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};
        if (hipshim_change_info(i, &change) == HIPSHIM_OK && strcmp(change.function, name) == 0) {
            function->changes[function->change_count++] = change;
        }
    }
    return 0;
}

static int show(const void *context, char **arguments)
{
    const struct request *request = context;
    const char *name = arguments[0];
    char renamed[96];

    /* HIP 6 renamed functions whose structures changed, behind a macro of the former name. */
    snprintf(renamed, sizeof renamed, "%sR0600", name);
    if (is_function(renamed)) {
        name = renamed;
    }
    if (!is_function(name)) {
        const char *meant = other_case(name);
        tool_complain(COMMAND, "%s: no such function; %s%s", name, meant ? "there is " : "",
                      meant ? meant : "`hipshim abi list` names all of them");
        return TOOL_NO;
    }
    struct tool_abi_function function = {0};
    int failed = describe_function(&function, name);
    if (!failed) {
        request->writer->show(&function);
    }
    free(function.kinds);
    free(function.changes);
    return failed ? out_of_memory() : TOOL_OK;
}

/* --- diff --- */

/* The functions that `to` has and `from` has not. */
static size_t find_new(const char **names, int from, int to)
{
    size_t count = 0;
    for (unsigned i = 0; names && i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        if (!tool_abi_has(name, from) && tool_abi_has(name, to)) {
            names[count++] = name;
        }
    }
    return count;
}

/* The changes after release `low` up to release `high`. */
static size_t find_changes(hipshim_change_t *changes, int low, int high)
{
    size_t count = 0;
    for (unsigned i = 0; changes && i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};
        hipshim_change_info(i, &change);
        int at = tool_release_index(change.api_set);
        if (at > low && at <= high) {
            changes[count++] = change;
        }
    }
    return count;
}

/* True if a program that was built for `from` and calls what it has breaks on `to`. */
static bool is_breaking(const struct tool_abi_difference *difference, int from)
{
    for (size_t i = 0; i < difference->change_count; i++) {
        if (tool_abi_has(difference->changes[i].function, from)) {
            return true;
        }
    }
    return difference->removed_count > 0;
}

static void compare(struct tool_abi_difference *difference, int from, int to)
{
    difference->added_count = find_new(difference->added, from, to);
    difference->removed_count = find_new(difference->removed, to, from);
    /* A change is between neighbours, so the order of A and B does not matter. */
    difference->change_count =
        find_changes(difference->changes, from < to ? from : to, from < to ? to : from);
    difference->is_breaking = is_breaking(difference, from);
}

static int exit_status(const struct request *request, const struct tool_abi_difference *difference)
{
    bool is_any =
        difference->added_count + difference->removed_count + difference->change_count > 0;
    bool fails = (request->fail_on == FAIL_ON_BREAKING && difference->is_breaking) ||
                 (request->fail_on == FAIL_ON_ANY && is_any);
    return fails ? TOOL_NO : TOOL_OK;
}

static int diff(const void *context, char **arguments)
{
    const struct request *request = context;
    int from = find_release(arguments[0]);
    int to = from < 0 ? -1 : find_release(arguments[1]);
    if (to < 0) {
        return request->fail_on == FAIL_NEVER ? TOOL_NO : TOOL_USAGE;
    }
    unsigned functions = hipshim_function_count();
    struct tool_abi_difference difference = {
        .from = tool_release_at((unsigned)from).release,
        .to = tool_release_at((unsigned)to).release,
        .added = calloc(functions, sizeof *difference.added),
        .removed = calloc(functions, sizeof *difference.removed),
        .changes = calloc(hipshim_change_count() + 1, sizeof *difference.changes),
    };
    int status = TOOL_NO;
    if (difference.added && difference.removed && difference.changes) {
        compare(&difference, from, to);
        request->writer->diff(&difference);
        status = exit_status(request, &difference);
    } else {
        out_of_memory();
    }
    free(difference.added);
    free(difference.removed);
    free(difference.changes);
    return status;
}

/* --- the command --- */

enum { OPTION_FAIL_ON = 256 };

static const struct tool_action actions[] = {
    {"list", "", 0, list},
    {"show", "FUNCTION", 1, show},
    {"diff", "A B", 2, diff},
    {"export", "", 0, tool_abi_export},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    switch (key) {
    case OPTION_FAIL_ON:
        if (strcmp(argument, "breaking") != 0 && strcmp(argument, "any") != 0) {
            argp_error(state, "--fail-on=%s: not breaking and not any", argument);
        }
        request->fail_on = strcmp(argument, "any") == 0 ? FAIL_ON_ANY : FAIL_ON_BREAKING;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (request->fail_on != FAIL_NEVER && request->words.count > 0 &&
            strcmp(request->words.words[0], "diff") != 0) {
            argp_error(state, "%s does not take --fail-on, only diff does",
                       request->words.words[0]);
        }
        return 0;
    default:
        return tool_words_option(key, argument, state);
    }
}

static const struct argp_option options[] = {
    TOOL_JSON_OPTION,
    {"fail-on", OPTION_FAIL_ON, "breaking|any", 0,
     "diff: exit with status 1 if a program for A needs a conversion on B or calls what B lacks "
     "(breaking), or if there is any difference",
     0},
    {0},
};
const struct argp tool_abi_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "list\nshow FUNCTION\ndiff A B\nexport",
    .doc = "Show since when HIP has a function, how its ABI changed, and how hipshim handles that. "
           " The answers come from tables; no runtime is needed.\v"
           "A and B are releases: 6.2.41134, its patch number 41134, 6.2 or 6 for the last known "
           "release of a minor or major, or a release of ROCm such as 6.2.3 or 10.0.  "
           "export writes all tables as JSON, the content of share/hipshim/abi.json.\n\n"
           "Exit status: 0; 1 if there is no such function or release, or a difference that "
           "--fail-on names; 2 if the command line is wrong.",
};

const char *tool_abi_action(size_t index)
{
    return index < sizeof actions / sizeof actions[0] ? actions[index].name : NULL;
}

int tool_abi_run(int argc, char **argv)
{
    struct request request = {.writer = &tool_abi_text};

    argp_parse(&tool_abi_argp, argc, argv, 0, NULL, &request);
    if (request.words.json) {
        request.writer = &tool_abi_json;
    }
    return tool_action_run(COMMAND, actions, sizeof actions / sizeof actions[0],
                           request.words.words, request.words.count, &request);
}
