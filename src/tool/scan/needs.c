/* SPDX-License-Identifier: MIT */
/* What a file needs besides HIP's symbols, as text and as JSON. */
#include "tool/scan/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"
#include "tool/dropins.h"
#include "tool/scan/siblings.h"

/* The row of a library such as "libhipblas.so.2"; NULL if it is none of these. */
static const struct tool_sibling *find_sibling(const char *library)
{
    for (const struct tool_sibling *one = tool_siblings; one->stem; one++) {
        size_t length = strlen(one->stem);

        if (strncmp(library, one->stem, length) == 0 && strncmp(library + length, ".so", 3) == 0) {
            return one;
        }
    }
    return NULL;
}

/* --- sets of majors: a bit for each, by index --- */

enum { ALL_MAJORS = (1 << TOOL_SIBLINGS_MAJORS) - 1 };

/* The majors that have a library of this name. */
static unsigned majors_with(const struct tool_sibling *sibling, const char *library)
{
    const char *number = library + strlen(sibling->stem) + 3;
    unsigned majors = 0;

    number = *number == '.' ? number + 1 : "-";
    for (unsigned i = 0; i < TOOL_SIBLINGS_MAJORS; i++) {
        for (const char *at = sibling->numbers[i]; *at; at += strcspn(at, " ")) {
            at += *at == ' ';
            if (strlen(number) == strcspn(at, " ") && hs_text_begins(at, number)) {
                majors |= 1u << i;
            }
        }
    }
    return majors;
}

/* The majors with another ABI than the one before. */
static unsigned majors_changing(const struct tool_sibling *sibling)
{
    unsigned majors = 0;

    for (unsigned i = 0; i < TOOL_SIBLINGS_MAJORS; i++) {
        majors |= (unsigned)sibling->has_other_abi[i] << i;
    }
    return majors;
}

/* Writes "5, 6 and 7" and returns it; "" for no major. */
static const char *list_majors(char text[32], unsigned majors)
{
    char *at = text;

    *text = '\0';
    for (unsigned i = 0; majors >> i; i++) {
        unsigned rest = majors >> i >> 1;

        if (majors >> i & 1) {
            at += snprintf(at, 8, "%u%s", tool_siblings_majors[i],
                           rest & (rest - 1) ? ", "
                           : rest            ? " and "
                                             : "");
        }
    }
    return text;
}

/* --- text --- */

static void print_sibling(const struct tool_sibling *sibling, const char *library)
{
    char with[32], without[32], broken[32];

    list_majors(with, majors_with(sibling, library));
    list_majors(without, ALL_MAJORS & ~majors_with(sibling, library));
    list_majors(broken, majors_changing(sibling));
    printf("  %-14s %s", "needs", library);
    if (!*with) {
        printf(", which no ROCm known to hipshim has\n");
        return;
    }
    if (*without) {
        printf(" of ROCm %s, which ROCm %s %s not have", with, without,
               strchr(without, ' ') ? "do" : "does");
    } else {
        printf(", which ROCm %s have", with);
    }
    printf("; its ABI %s%s%s\n", *broken ? "changes with " : "stays the same", broken,
           tool_dropins_find(library) ? "; `hipshim run --abi` serves it" : "");
}

static void print_code(const struct tool_scan_code *code)
{
    char gpu[TOOL_CODE_GPU];

    for (unsigned version = TOOL_CODE_NEWEST; version > 0; version--) {
        const char *before = " (", *reader = tool_scan_code_readers[version];

        if (!tool_scan_code_has(code, version)) {
            continue;
        }
        printf("  %-14s version %u", "code objects", version);
        for (unsigned i = 0; i < TOOL_CODE_MACHINES; i++) {
            if (code->has[version][i]) {
                printf("%s%s", before, tool_scan_code_gpu(i, gpu));
                before = ", ";
            }
        }
        printf("): read by %s%s%s%s\n", reader ? "HIP " : "every known HIP", reader ? reader : "",
               reader ? " and later" : "",
               version == 6 ? "; from 5.3 on through hipshim, unless the target is generic" : "");
    }
    for (unsigned format = 1; format <= TOOL_CODE_FORMATS; format++) {
        if (code->is_packed[format]) {
            printf(
                "  %-14s compressed in format %u: read by HIP %s and later; hipshim unpacks it for "
                "others\n",
                "code objects", format, tool_scan_code_unpackers[format]);
        }
    }
}

static void print_name(const char *name)
{
    const char *number = strstr(name, ".so") + 3;

    if (*number) {
        printf("  %-14s %s by name: `hipshim run --abi %.*s` serves it\n", "opens", name,
               (int)strcspn(number + 1, "."), number + 1);
    } else {
        printf("  %-14s %s by name: `hipshim run --abi N` chooses its HIP\n", "opens", name);
    }
}

void tool_scan_print_needs(const struct tool_scan *scan)
{
    if (scan->kind == TOOL_SCAN_BUNDLED) {
        printf("  %-14s on none: a drop-in cannot replace a library that the package brings under "
               "a name of its own\n",
               "with drop-ins");
    } else if (scan->is_bundled) {
        printf("  %-14s its package brings this library under a name of its own, which a drop-in "
               "cannot replace\n",
               "bundled");
    }
    for (size_t i = 0; i < scan->elf.needed_count; i++) {
        const char *library = scan->elf.needed[i];
        const struct tool_sibling *sibling = find_sibling(library);

        if (sibling && (scan->kind != TOOL_SCAN_NONE || tool_dropins_find(library))) {
            print_sibling(sibling, library);
        }
    }
    for (unsigned i = 0; i < TOOL_CODE_NAMES; i++) {
        if (*scan->code.names[i]) {
            print_name(scan->code.names[i]);
        }
    }
    print_code(&scan->code);
}

/* --- JSON --- */

static void write_majors(struct tool_json *json, unsigned majors)
{
    for (unsigned i = 0; i < TOOL_SIBLINGS_MAJORS; i++) {
        if (majors >> i & 1) {
            tool_json_write(json, "u", tool_siblings_majors[i]);
        }
    }
}

static void write_sibling(struct tool_json *json, const struct tool_sibling *sibling,
                          const char *library)
{
    tool_json_write(json, "{library:s rocm:[", library);
    write_majors(json, majors_with(sibling, library));
    tool_json_write(json, "] abi_changes:[");
    write_majors(json, majors_changing(sibling));
    tool_json_write(json, "] drop_in:b}", tool_dropins_find(library) != NULL);
}

static void write_objects(struct tool_json *json, const struct tool_scan_code *code)
{
    char gpu[TOOL_CODE_GPU];

    for (unsigned version = 1; version <= TOOL_CODE_NEWEST; version++) {
        if (tool_scan_code_has(code, version)) {
            tool_json_write(json, "{version:u targets:[", version);
            for (unsigned i = 0; i < TOOL_CODE_MACHINES; i++) {
                if (code->has[version][i]) {
                    tool_json_write(json, "s", tool_scan_code_gpu(i, gpu));
                }
            }
            tool_json_write(json, "] read_from:s}", tool_scan_code_readers[version]);
        }
    }
}

void tool_scan_write_needs(struct tool_json *json, const struct tool_scan *scan)
{
    const struct hs_elf_file *elf = &scan->elf;

    tool_json_write(json, "bundled:b opens:[", scan->is_bundled);
    for (unsigned i = 0; i < TOOL_CODE_NAMES; i++) {
        if (*scan->code.names[i]) {
            tool_json_write(json, "s", scan->code.names[i]);
        }
    }
    tool_json_write(json, "] siblings:[");
    for (size_t i = 0; i < elf->needed_count; i++) {
        const struct tool_sibling *sibling = find_sibling(elf->needed[i]);

        if (sibling) {
            write_sibling(json, sibling, elf->needed[i]);
        }
    }
    tool_json_write(json, "] code_objects:[");
    write_objects(json, &scan->code);
    tool_json_write(json, "] compressed_bundles:[");
    for (unsigned format = 1; format <= TOOL_CODE_FORMATS; format++) {
        if (scan->code.is_packed[format]) {
            tool_json_write(json, "{format:u read_from:s}", format,
                            tool_scan_code_unpackers[format]);
        }
    }
    tool_json_write(json, "]");
}
