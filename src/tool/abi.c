/* SPDX-License-Identifier: MIT */
/* hipshim abi: what changed in HIP and what hipshim does about it. */
#include "tool/tool.h"

#include <hipshim/hipshim.h>

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/json.h"

enum { RELEASE_TEXT = 40 };

struct request {
    char **words; /* list | show FUNCTION | diff A B */
    int count;
    int json;
};

static const char *const kind_words[] = {"direct", "converted", "emulated", "missing"};

static const char *text_of(char text[RELEASE_TEXT], hipshim_release_t release)
{
    snprintf(text, RELEASE_TEXT, "%u.%u.%u", release.major, release.minor, release.patch);
    return text;
}

static int same(hipshim_release_t a, hipshim_release_t b)
{
    return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
}

static hipshim_release_info_t release_at(unsigned index)
{
    hipshim_release_info_t info = {.size = sizeof info};
    hipshim_release_info(index, &info);
    return info;
}

static hipshim_kind_t kind_on(const char *name, unsigned release)
{
    hipshim_kind_t kind = HIPSHIM_KIND_MISSING;
    hipshim_function_kind_on_release(name, release, &kind);
    return kind;
}

enum { PARTS = 3 };

/* "6.2.3" as numbers; where it ends, or NULL if it is none. */
static const char *read_version(const char *text, unsigned long parts[PARTS])
{
    char *end;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = strtoul(text, &end, 10);
        if (end == text || (i < PARTS - 1 && *end != '.')) {
            return NULL;
        }
        text = i < PARTS - 1 ? end + 1 : end;
    }
    return text;
}

/* Whether "6.2.3" is among "6.2.1 to 6.2.4", which is how a table names ROCm's releases. */
static int is_of_rocm(const char *text, const char *list)
{
    unsigned long wanted[PARTS], from[PARTS], to[PARTS];
    const char *end = read_version(text, wanted);
    const char *rest = read_version(list, from);
    if (!end || *end || !rest || wanted[0] != from[0] || wanted[1] != from[1]) {
        return 0;
    }
    if (strncmp(rest, " to ", 4) == 0 && read_version(rest + 4, to)) {
        return wanted[2] >= from[2] && wanted[2] <= to[2];
    }
    int last = strncmp(rest, " and ", 5) == 0 && read_version(rest + 5, to);
    return wanted[2] == from[2] || (last && wanted[2] == to[2]);
}

/* 6.2.41134, 41134, ROCm's 6.2.3, or 6.2 for the last of its releases; -1 if there is none. */
static int find_release(const char *text)
{
    int found = -1;
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        hipshim_release_t r = release_at(i).release;
        char whole[RELEASE_TEXT], minor[RELEASE_TEXT], patch[RELEASE_TEXT];
        snprintf(minor, sizeof minor, "%u.%u", r.major, r.minor);
        snprintf(patch, sizeof patch, "%u", r.patch);
        if (strcmp(text, text_of(whole, r)) == 0 || strcmp(text, minor) == 0 ||
            strcmp(text, patch) == 0 || is_of_rocm(text, release_at(i).rocm)) {
            found = (int)i;
        }
    }
    return found;
}

static int list(const struct request *request)
{
    struct tool_json json = {stdout, 0, 0};
    if (request->json) {
        tool_json_open(&json, NULL, '[');
    }
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        unsigned kinds[4] = {0};
        char since[RELEASE_TEXT];
        hipshim_release_t first = {0}, removed = {0};
        hipshim_function_availability(name, &first, &removed);
        text_of(since, first);
        for (unsigned r = 0; r < hipshim_release_count(); r++) {
            kinds[kind_on(name, r)]++;
        }
        if (request->json) {
            tool_json_open(&json, NULL, '{');
            tool_json_text(&json, "name", name);
            tool_json_text(&json, "since", since);
            for (int k = 0; k < 4; k++) {
                tool_json_number(&json, kind_words[k], (long)kinds[k]);
            }
            tool_json_close(&json, '}');
        } else {
            printf("%-52s since %-10s direct on %2u, converted %2u, emulated %2u, missing %2u\n",
                   name, since, kinds[0], kinds[1], kinds[2], kinds[3]);
        }
    }
    if (request->json) {
        tool_json_close(&json, ']');
    }
    return TOOL_OK;
}

static void show_json(const char *name)
{
    struct tool_json json = {stdout, 0, 0};
    char text[RELEASE_TEXT];
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "name", name);
    tool_json_open(&json, "releases", '[');
    for (unsigned r = 0; r < hipshim_release_count(); r++) {
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "release", text_of(text, release_at(r).release));
        tool_json_text(&json, "kind", kind_words[kind_on(name, r)]);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_open(&json, "changes", '[');
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};
        if (hipshim_change_info(i, &change) == HIPSHIM_OK && strcmp(change.function, name) == 0) {
            tool_json_open(&json, NULL, '{');
            tool_json_text(&json, "release", text_of(text, change.api_set));
            tool_json_text(&json, "text", change.text);
            tool_json_close(&json, '}');
        }
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

/* One line for each stretch of releases that are alike. */
static void show_text(const char *name)
{
    static const char *const texts[] = {"the runtime's own function", "arguments converted",
                                        "answered by hipshim", "missing"};
    char from[RELEASE_TEXT], to[RELEASE_TEXT];
    unsigned count = hipshim_release_count();
    printf("%s\n", name);
    for (unsigned r = 0; r < count;) {
        unsigned end = r;
        while (end + 1 < count && kind_on(name, end + 1) == kind_on(name, r)) {
            end++;
        }
        printf("  %-10s to %-10s  %s\n", text_of(from, release_at(r).release),
               text_of(to, release_at(end).release), texts[kind_on(name, r)]);
        r = end + 1;
    }
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};
        if (hipshim_change_info(i, &change) == HIPSHIM_OK && strcmp(change.function, name) == 0) {
            printf("  changed in %s: %s\n", text_of(from, change.api_set), change.text);
        }
    }
}

static int show(const struct request *request)
{
    hipshim_kind_t kind;
    const char *name = request->words[1];
    char renamed[96];
    /* HIP 6 gave functions whose structs changed such a name, behind a macro. */
    snprintf(renamed, sizeof renamed, "%sR0600", name);
    if (hipshim_function_kind_on_release(name, 0, &kind) != HIPSHIM_OK &&
        hipshim_function_kind_on_release(renamed, 0, &kind) == HIPSHIM_OK) {
        name = renamed;
    }
    if (hipshim_function_kind_on_release(name, 0, &kind) != HIPSHIM_OK) {
        fprintf(stderr, "hipshim abi: %s (`hipshim abi list' names them all)\n",
                hipshim_error_text());
        return TOOL_NO;
    }
    if (request->json) {
        show_json(name);
    } else {
        show_text(name);
    }
    return TOOL_OK;
}

/* The API set of a release as a place in the order of releases. */
static int place_of(hipshim_release_t api_set)
{
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        if (same(release_at(i).release, api_set)) {
            return (int)i;
        }
    }
    return -1;
}

/* Does the release have the function, by its own means? */
static int has(const char *name, int release)
{
    hipshim_release_t since = {0}, removed = {0};
    hipshim_function_availability(name, &since, &removed);
    return release >= place_of(since) && (removed.major == 0 || release < place_of(removed)) &&
           kind_on(name, (unsigned)release) != HIPSHIM_KIND_MISSING;
}

static void print_difference(struct tool_json *json, const char *title, int from, int to)
{
    if (json) {
        tool_json_open(json, title, '[');
    }
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        if (has(name, from) || !has(name, to)) {
            continue;
        }
        if (json) {
            tool_json_text(json, NULL, name);
        } else {
            printf("  %c %s\n", strcmp(title, "added") == 0 ? '+' : '-', name);
        }
    }
    if (json) {
        tool_json_close(json, ']');
    }
}

static void print_changes(struct tool_json *json, int from, int to)
{
    char text[RELEASE_TEXT];
    if (json) {
        tool_json_open(json, "changed", '[');
    }
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};
        hipshim_change_info(i, &change);
        int place = place_of(change.api_set);
        if (place <= from || place > to) {
            continue;
        }
        text_of(text, change.api_set);
        if (json) {
            tool_json_open(json, NULL, '{');
            tool_json_text(json, "name", change.function);
            tool_json_text(json, "release", text);
            tool_json_text(json, "text", change.text);
            tool_json_close(json, '}');
        } else {
            printf("  * %s, in %s: %s\n", change.function, text, change.text);
        }
    }
    if (json) {
        tool_json_close(json, ']');
    }
}

static int diff(const struct request *request)
{
    struct tool_json json = {stdout, 0, 0}, *out = request->json ? &json : NULL;
    char a[RELEASE_TEXT], b[RELEASE_TEXT];
    int places[2];
    for (int i = 0; i < 2; i++) {
        places[i] = find_release(request->words[1 + i]);
        if (places[i] < 0) {
            fprintf(stderr, "hipshim abi: %s: no known release; known are", request->words[1 + i]);
            for (unsigned r = 0; r < hipshim_release_count(); r++) {
                fprintf(stderr, " %s", text_of(a, release_at(r).release));
            }
            fputs("\n", stderr);
            return TOOL_NO;
        }
    }
    int from = places[0], to = places[1];
    text_of(a, release_at((unsigned)from).release);
    text_of(b, release_at((unsigned)to).release);
    if (out) {
        tool_json_open(out, NULL, '{');
        tool_json_text(out, "from", a);
        tool_json_text(out, "to", b);
    } else {
        printf("HIP %s to %s\n", a, b);
    }
    print_difference(out, "added", from, to);
    print_difference(out, "removed", to, from);
    /* A change is one between neighbours; it reads the same both ways. */
    print_changes(out, from < to ? from : to, from < to ? to : from);
    if (out) {
        tool_json_close(out, '}');
    }
    return TOOL_OK;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    (void)argument;
    switch (key) {
    case 'j':
        request->json = 1;
        return 0;
    case ARGP_KEY_ARGS:
        request->words = state->argv + state->next;
        request->count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int tool_abi_run(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Print JSON, for programs", 0},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "list\nshow FUNCTION\ndiff A B",
        .doc = "Says since when HIP has a function, how its ABI changed and what hipshim does "
               "about it, from tables: no runtime is needed.\v"
               "A and B are releases: 6.2.41134, its patch number 41134, or 6.2 for the last "
               "known of its kind.",
    };
    struct request request = {NULL, 0, 0};
    argp_parse(&parser, argc, argv, 0, NULL, &request);
    if (request.count == 1 && strcmp(request.words[0], "list") == 0) {
        return list(&request);
    }
    if (request.count == 2 && strcmp(request.words[0], "show") == 0) {
        return show(&request);
    }
    if (request.count == 3 && strcmp(request.words[0], "diff") == 0) {
        return diff(&request);
    }
    argp_help(&parser, stderr, ARGP_HELP_STD_USAGE, argv[0]);
    return TOOL_USAGE;
}
