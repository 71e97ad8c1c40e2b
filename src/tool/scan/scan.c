/* SPDX-License-Identifier: MIT */
/* hipshim scan: the HIP that a program or library was built for, and the releases it runs on. */
#include "tool/scan/scan.h"

#include <hipshim/hipshim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/abi/abi.h"
#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/terminal.h"
#include "tool/tool.h"

static const struct {
    const char *word; /* in JSON */
    const char *text; /* of the file, up to what it was built for */
} kinds[] = {
    [TOOL_SCAN_NONE] = {"none", "does not use HIP"},
    [TOOL_SCAN_STATIC] = {"static", "loads no libraries, so it loads no HIP"},
    [TOOL_SCAN_USES] = {"uses", "was built for"},
    [TOOL_SCAN_UNNAMED] = {"unnamed",
                           "calls HIP and names no release; the program that loads it does"},
    [TOOL_SCAN_HIPSHIM] = {"libhipshim", "uses libhipshim, so it starts on every release"},
    [TOOL_SCAN_HOLDS] = {"holds-libhipshim", "holds libhipshim, and so starts on every release"},
    [TOOL_SCAN_BUNDLED] = {"bundled", "uses"},
    [TOOL_SCAN_OPENS] = {"opens", "opens HIP by name"},
    [TOOL_SCAN_RUNTIME] = {"runtime", "is a real runtime of"},
    [TOOL_SCAN_DROP_IN] = {"drop-in", "is hipshim's drop-in for"},
    [TOOL_SCAN_EMPTY] =
        {"none",
         "has no file that is linked to HIP or names it; scan the packages that it needs, too"},
};

/* The fates of a call that are printed with the releases they hold on. */
static const struct {
    enum tool_scan_fate fate;
    const char *word, *form; /* in text and in JSON */
} fates[] = {
    {TOOL_SCAN_CONVERTED, "converted", "converted:["},
    {TOOL_SCAN_EMULATED, "emulated", "emulated:["},
    {TOOL_SCAN_MISSING, "missing", "missing:["},
};
enum { REPORTED_FATES = sizeof fates / sizeof fates[0] };

static const char *release_text(char text[TOOL_RELEASE_TEXT], int index)
{
    return tool_release_text(text, tool_release_at((unsigned)index).release);
}

static unsigned release_count(void)
{
    unsigned count = hipshim_release_count();
    return count < TOOL_SCAN_RELEASES ? count : TOOL_SCAN_RELEASES;
}

/* Finds the next run of releases with that fate, from *from on; false if there is none. */
static bool next_run(const struct tool_scan_call *call, enum tool_scan_fate fate, unsigned *from,
                     unsigned *to)
{
    while (*from < release_count() && call->on[*from] != fate) {
        ++*from;
    }
    *to = *from;
    while (*to + 1 < release_count() && call->on[*to + 1] == fate) {
        ++*to;
    }
    return *from < release_count();
}

/* --- text --- */

static void print_fate(const struct tool_scan *scan, unsigned fate)
{
    for (unsigned i = 0; i < scan->call_count; i++) {
        const struct tool_scan_call *call = &scan->calls[i];
        char a[TOOL_RELEASE_TEXT], b[TOOL_RELEASE_TEXT];
        unsigned from = 0, to;

        while (next_run(call, fates[fate].fate, &from, &to)) {
            printf("  %-14s %s on %s", fates[fate].word, call->name, release_text(a, (int)from));
            if (to > from) {
                printf(" to %s", release_text(b, (int)to));
            }
            putchar('\n');
            from = to + 1;
        }
    }
}

static void print_unserved(const struct tool_scan *scan)
{
    for (unsigned i = 0; i < scan->call_count; i++) {
        const struct hs_elf_symbol *symbol = scan->calls[i].symbol;

        if (!scan->calls[i].served) {
            printf("  %-14s %s%s%s\n", "not served", symbol->name, symbol->version ? "@" : "",
                   symbol->version ? symbol->version : "");
        }
    }
}

/* Within a major nothing is converted; the program meets the change on its runtime. */
static void print_own_changes(const struct tool_scan *scan)
{
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);
        bool is_own = change.api_set.major == (unsigned)scan->major && change.api_set.minor != 0;

        for (unsigned c = 0; is_own && c < scan->call_count; c++) {
            if (strcmp(scan->calls[c].name, change.function) == 0) {
                printf("  %-14s %s in %u.%u.%u: %s\n", "beware", change.function,
                       change.api_set.major, change.api_set.minor, change.api_set.patch,
                       change.text);
            }
        }
    }
}

static void print_uses(const struct tool_scan *scan)
{
    char a[TOOL_RELEASE_TEXT], b[TOOL_RELEASE_TEXT];

    if (scan->oldest < 0) {
        printf("  %-14s on no release known to hipshim\n", "as it is");
    } else {
        printf("  %-14s on %s", "as it is", release_text(a, scan->oldest));
        if (scan->newest > scan->oldest) {
            printf(" to %s", release_text(b, scan->newest));
        }
        putchar('\n');
    }
    if (*scan->no_drop_in) {
        printf("  %-14s %s\n", "with drop-ins", scan->no_drop_in);
    } else if (scan->unserved) {
        printf("  %-14s on none: of the %u symbols it needs, %u are not served\n", "with drop-ins",
               scan->call_count, scan->unserved);
    } else {
        printf("  %-14s on %s to %s, all %u symbols it needs are served\n", "with drop-ins",
               release_text(a, 0), release_text(b, (int)release_count() - 1), scan->call_count);
    }
    print_unserved(scan);
    print_own_changes(scan);
    for (unsigned i = 0; i < REPORTED_FATES; i++) {
        print_fate(scan, i);
    }
}

static void print_text(const char *file, const char *member, const struct tool_scan *scan)
{
    printf("%s%s%s: %s", file, member ? ":" : "", member ? member : "", kinds[scan->kind].text);
    if (scan->kind == TOOL_SCAN_BUNDLED) {
        printf(" %s, the HIP that its package brings", scan->soname);
    } else if (scan->major > 0) {
        printf(" HIP %d (%s", scan->major, scan->soname);
        /* A node of an older major says nothing. */
        if (scan->node && strtol(scan->node + sizeof "hip_" - 1, NULL, 10) >= scan->major) {
            printf(", %s %s", scan->kind == TOOL_SCAN_USES ? "not before" : "up to", scan->node);
        }
        putchar(')');
    } else if (scan->kind == TOOL_SCAN_DROP_IN) {
        printf(" %s", scan->soname);
    } else if (scan->kind == TOOL_SCAN_UNNAMED && scan->soname && scan->node) {
        printf(" (%s, not before %s)", scan->soname, scan->node);
    }
    putchar('\n');
    if (scan->kind == TOOL_SCAN_USES) {
        print_uses(scan);
    }
    if (*scan->foreign) {
        printf("  %-14s %s\n", "beware", scan->foreign);
    }
    tool_scan_print_needs(scan);
}

/* --- JSON --- */

static void write_call(struct tool_json *json, const struct tool_scan_call *call)
{
    tool_json_write(json, "{name:s symbol:s version:s served:b", call->name, call->symbol->name,
                    call->symbol->version, call->served);
    for (unsigned fate = 0; fate < REPORTED_FATES; fate++) {
        tool_json_write(json, fates[fate].form);
        for (unsigned r = 0; r < release_count(); r++) {
            if (call->on[r] == fates[fate].fate) {
                tool_json_write(json, "r", tool_release_at(r).release);
            }
        }
        tool_json_write(json, "]");
    }
    tool_json_write(json, "}");
}

/* The release of that index, or none for -1. */
static hipshim_release_t release_at(int index)
{
    const hipshim_release_t none = {0};

    return index < 0 ? none : tool_release_at((unsigned)index).release;
}

static void write_scan(struct tool_json *json, const struct tool_scan *scan)
{
    tool_json_write(json, "kind:s major:u library:s version:s foreign:s", kinds[scan->kind].word,
                    scan->major > 0 ? (unsigned)scan->major : 0, scan->soname, scan->node,
                    *scan->foreign ? scan->foreign : NULL);
    tool_scan_write_needs(json, scan);
    if (scan->kind == TOOL_SCAN_USES) {
        bool served = !*scan->no_drop_in && scan->unserved == 0;

        tool_json_write(json, "as_it_is:{oldest:r newest:r} with_drop_ins:{oldest:r newest:r}",
                        release_at(scan->oldest), release_at(scan->newest),
                        release_at(served ? 0 : -1),
                        release_at(served ? (int)release_count() - 1 : -1));
        tool_json_write(json, "no_drop_in:s functions:[",
                        *scan->no_drop_in ? scan->no_drop_in : NULL);
        for (unsigned i = 0; i < scan->call_count; i++) {
            write_call(json, &scan->calls[i]);
        }
        tool_json_write(json, "]");
    }
}

/* --- the command --- */

/* How the findings are written, and what was found. */
struct report {
    struct tool_json json;
    bool is_empty; /* the current argument has no finding yet */
    int status;
};

static void write_finding(void *context, const char *file, const char *member,
                          const struct tool_scan *scan, const char *reason)
{
    struct report *report = context;

    report->is_empty = false;
    tool_progress_end();
    tool_json_write(&report->json, "{file:s member:s error:s", file, member, scan ? NULL : reason);
    if (scan && report->json.stream) {
        write_scan(&report->json, scan);
    } else if (scan) {
        print_text(file, member, scan);
    }
    tool_json_write(&report->json, "}");
    if (!scan) {
        /* The reports on the files before come before the message. */
        fflush(stdout);
        tool_complain("hipshim scan", "%s%s%s: %s", file, member ? ":" : "", member ? member : "",
                      reason);
        report->status = TOOL_NO;
    }
}

static const struct argp_option options[] = {TOOL_JSON_OPTION, {0}};
static const struct argp parser = {
    .options = options,
    .parser = tool_words_option,
    .args_doc = "FILE|DIRECTORY|PACKAGE...",
    .doc =
        "Show the HIP that programs and libraries were built for, the releases on which they "
        "run as they are and with hipshim's drop-ins (hipshim run --abi), and the calls that are "
        "then converted, answered by hipshim (emulated) or missing.\v"
        "Of a directory, and of a wheel, zip file, Debian or RPM package or tar archive, it shows "
        "what uses HIP.\n\n"
        "\"beware\" marks functions that changed within their major: without a drop-in the "
        "program meets its runtime's behaviour, with a drop-in that of the newest release of the "
        "major.\n\n"
        "Exit status: 0 if all files were read, 1 if one cannot be read as a program, library or "
        "package, 2 if the command line is wrong, 3 if the output cannot be written.",
};

int tool_scan_run(int argc, char **argv)
{
    struct tool_words files = {0};
    struct report report = {.status = TOOL_OK};
    const struct tool_scan_listener listener = {write_finding, &report};
    const struct tool_scan nothing = {.kind = TOOL_SCAN_EMPTY};

    argp_parse(&parser, argc, argv, 0, NULL, &files);
    if (files.count == 0) {
        tool_complain("hipshim scan", "a file is needed");
        return TOOL_USAGE;
    }
    report.json.stream = files.json ? stdout : NULL;
    tool_json_write(&report.json, "[");
    if (!files.json) {
        tool_print_plainly(); /* names of files, symbols and libraries are anybody's */
    }
    for (int i = 0; i < files.count; i++) {
        report.is_empty = true;
        tool_scan_place(files.words[i], &listener);
        if (report.is_empty) {
            write_finding(&report, files.words[i], NULL, &nothing, NULL);
        }
    }
    tool_json_write(&report.json, "]");
    return report.status;
}
