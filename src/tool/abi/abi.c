/* SPDX-License-Identifier: MIT */
/* hipshim abi: how HIP's ABI changed and how hipshim handles it. */
#include "tool/abi/abi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

#define COMMAND "hipshim abi"

struct request {
    struct tool_words words; /* first, for tool_words_option */
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

static int list(const void *context, char **arguments)
{
    const struct request *request = context;
    struct tool_json json = {.stream = request->words.json ? stdout : NULL};
    char text[TOOL_RELEASE_TEXT];

    (void)arguments;
    tool_json_write(&json, "[");
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        unsigned on[TOOL_ABI_KINDS] = {0}; /* the number of releases, by kind */
        hipshim_release_t since, removed;

        hipshim_function_availability(name, &since, &removed);
        for (unsigned r = 0; r < hipshim_release_count(); r++) {
            on[tool_abi_kind(name, r)]++;
        }
        tool_json_write(&json, "{name:s since:r direct:u converted:u emulated:u missing:u}", name,
                        since, on[HIPSHIM_KIND_DIRECT], on[HIPSHIM_KIND_CONVERTED],
                        on[HIPSHIM_KIND_EMULATED], on[HIPSHIM_KIND_MISSING]);
        if (!json.stream) {
            printf("%-52s since %-10s direct on %2u, converted %2u, emulated %2u, missing %2u\n",
                   name, tool_release_text(text, since), on[HIPSHIM_KIND_DIRECT],
                   on[HIPSHIM_KIND_CONVERTED], on[HIPSHIM_KIND_EMULATED], on[HIPSHIM_KIND_MISSING]);
        }
    }
    tool_json_write(&json, "]");
    return TOOL_OK;
}

/* --- show --- */

/* In JSON each release, and else a line for each run of releases that are alike. */
static void write_runs(struct tool_json *json, const char *name)
{
    static const char *const texts[TOOL_ABI_KINDS] = {
        [HIPSHIM_KIND_DIRECT] = "the runtime's own function",
        [HIPSHIM_KIND_CONVERTED] = "arguments converted",
        [HIPSHIM_KIND_EMULATED] = "answered by hipshim",
        [HIPSHIM_KIND_MISSING] = "missing",
    };
    char from[TOOL_RELEASE_TEXT], to[TOOL_RELEASE_TEXT] = "";

    tool_json_write(json, "{name:s releases:[", name);
    if (!json->stream) {
        puts(name);
    }
    for (unsigned i = 0, first = 0; i < hipshim_release_count(); i++) {
        hipshim_kind_t kind = tool_abi_kind(name, i);
        bool is_last = i + 1 == hipshim_release_count() || tool_abi_kind(name, i + 1) != kind;

        tool_json_write(json, "{release:r kind:s}", tool_release_at(i).release,
                        tool_abi_kind_words[kind]);
        if (is_last && !json->stream) {
            tool_release_text(from, tool_release_at(first).release);
            tool_release_text(to, tool_release_at(i).release);
            printf("  %-10s to %-10s  %s\n", from, to, texts[kind]);
        }
        first = is_last ? i + 1 : first;
    }
    tool_json_write(json, "] changes:[");
}

static int show(const void *context, char **arguments)
{
    const struct request *request = context;
    struct tool_json json = {.stream = request->words.json ? stdout : NULL};
    const char *name = arguments[0];
    char renamed[96], text[TOOL_RELEASE_TEXT];

    /* HIP 6 renamed functions whose structures changed, behind a macro of the former name. */
    snprintf(renamed, sizeof renamed, "%sR0600", name);
    if (is_function(renamed)) {
        name = renamed;
    }
    if (!is_function(name)) {
        tool_complain(COMMAND, "%s: no such function; `hipshim abi list` names all of them", name);
        return TOOL_NO;
    }
    write_runs(&json, name);
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);

        if (strcmp(change.function, name) == 0) {
            tool_json_write(&json, "{release:r text:s}", change.api_set, change.text);
            if (!json.stream) {
                printf("  changed in %s: %s\n", tool_release_text(text, change.api_set),
                       change.text);
            }
        }
    }
    tool_json_write(&json, "]}");
    return TOOL_OK;
}

/* --- diff --- */

/* Writes the functions that `to` has and `from` has not. */
static unsigned write_new(struct tool_json *json, char mark, int from, int to)
{
    unsigned count = 0;

    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);

        if (!tool_abi_has(name, from) && tool_abi_has(name, to)) {
            tool_json_write(json, "s", name);
            if (!json->stream) {
                printf("  %c %s\n", mark, name);
            }
            count++;
        }
    }
    return count;
}

static void write_change(struct tool_json *json, const hipshim_change_t *change)
{
    tool_json_write(json, "{name:s release:r text:s}", change->function, change->api_set,
                    change->text);
}

/*
 * Writes the changes between two releases, whichever is the older one.  `is_breaking` gets true if
 * a program that was built for `from` may call one of the functions.
 */
static unsigned write_changes(struct tool_json *json, int from, int to, bool *is_breaking)
{
    unsigned count = 0;

    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);
        int at = tool_release_index(change.api_set);
        char text[TOOL_RELEASE_TEXT];

        if (at > (from < to ? from : to) && at <= (from < to ? to : from)) {
            write_change(json, &change);
            if (!json->stream) {
                printf("  * %s, in %s: %s\n", change.function,
                       tool_release_text(text, change.api_set), change.text);
            }
            *is_breaking |= tool_abi_has(change.function, from);
            count++;
        }
    }
    return count;
}

static int diff(const void *context, char **arguments)
{
    const struct request *request = context;
    int from = find_release(arguments[0]);
    int to = from < 0 ? -1 : find_release(arguments[1]);
    if (to < 0) {
        return request->fail_on == FAIL_NEVER ? TOOL_NO : TOOL_USAGE;
    }
    struct tool_json json = {.stream = request->words.json ? stdout : NULL};
    hipshim_release_t a = tool_release_at((unsigned)from).release;
    hipshim_release_t b = tool_release_at((unsigned)to).release;

    if (!json.stream) {
        printf("HIP %u.%u.%u to %u.%u.%u\n", a.major, a.minor, a.patch, b.major, b.minor, b.patch);
    }
    tool_json_write(&json, "{from:r to:r added:[", a, b);
    unsigned added = write_new(&json, '+', from, to);
    tool_json_write(&json, "] removed:[");
    unsigned removed = write_new(&json, '-', to, from);
    bool is_breaking = removed > 0;
    tool_json_write(&json, "] changed:[");
    unsigned changed = write_changes(&json, from, to, &is_breaking);
    tool_json_write(&json, "] breaking:b}", is_breaking);
    bool fails = request->fail_on == FAIL_ON_ANY ? added + removed + changed > 0 : is_breaking;
    return request->fail_on != FAIL_NEVER && fails ? TOOL_NO : TOOL_OK;
}

/* --- export: all tables as JSON.  doc/abi-json.md describes the form --- */

/* Changes if a member gets another meaning or is removed, and not if one is added. */
enum { FORMAT = 1 };

/* Writes the releases in a row on which the function is the same. */
static void write_ranges(struct tool_json *json, const char *name)
{
    unsigned count = hipshim_release_count();

    for (unsigned from = 0, to; from < count; from = to) {
        hipshim_kind_t kind = tool_abi_kind(name, from);
        bool has = tool_abi_has(name, (int)from);

        for (to = from + 1;
             to < count && tool_abi_kind(name, to) == kind && tool_abi_has(name, (int)to) == has;) {
            to++;
        }
        tool_json_write(json, "{from:r to:r declared:b kind:s}", tool_release_at(from).release,
                        tool_release_at(to - 1).release, has, tool_abi_kind_words[kind]);
    }
}

static int export(const void *request, char **arguments)
{
    struct tool_json json = {.stream = stdout};

    (void)request;
    (void)arguments;
    tool_json_write(&json, "{format:u releases:[", FORMAT);
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        hipshim_release_info_t info = tool_release_at(i);

        tool_json_write(&json, "{release:r api_set:r rocm:s}", info.release, info.api_set,
                        info.rocm);
    }
    tool_json_write(&json, "] functions:[");
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        tool_json_write(&json, "{name:s on:[", hipshim_function_name(i));
        write_ranges(&json, hipshim_function_name(i));
        tool_json_write(&json, "]}");
    }
    tool_json_write(&json, "] changes:[");
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);

        write_change(&json, &change);
    }
    tool_json_write(&json, "]}");
    return TOOL_OK;
}

/* --- the command --- */

enum { OPTION_FAIL_ON = 1 }; /* no character, so there is no short option */

static const struct tool_action actions[] = {
    {"list", "", 0, "j", list},
    {"show", "FUNCTION", 1, "j", show},
    {"diff", "A B", 2, "j\1", diff},
    {"export", "", 0, "j", export},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    if (key == OPTION_FAIL_ON) {
        if (strcmp(argument, "breaking") != 0 && strcmp(argument, "any") != 0) {
            argp_error(state, "--fail-on=%s: not breaking and not any", argument);
        }
        request->fail_on = strcmp(argument, "any") == 0 ? FAIL_ON_ANY : FAIL_ON_BREAKING;
    }
    return tool_words_option(key, argument, state);
}

static const struct argp_option options[] = {
    TOOL_JSON_OPTION,
    {"fail-on", OPTION_FAIL_ON, "breaking|any", 0,
     "diff: exit with status 1 if a program for A needs a conversion on B or calls what B lacks "
     "(breaking), or if there is any difference",
     0},
    {0},
};
static const struct argp parser = {
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

int tool_abi_run(int argc, char **argv)
{
    struct request request = {0};

    argp_parse(&parser, argc, argv, 0, NULL, &request);
    return tool_action_run(COMMAND, &parser, actions, sizeof actions / sizeof actions[0],
                           &request.words);
}
