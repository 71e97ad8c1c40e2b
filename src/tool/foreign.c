/* SPDX-License-Identifier: MIT */
#include "tool/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/abi/abi.h"
#include "tool/release_text.h"

/* AMD's libraries lack a few declared functions; a tenth is far more than any of them. */
enum { TENTH = 10 };

static int by_name(const void *a, const void *b)
{
    const struct hs_elf_symbol *one = a, *other = b;

    return strcmp(one->name, other->name);
}

/* True for a function of the runtime that all known releases of the major have. */
static bool is_common(const char *name, unsigned major)
{
    bool has_release = false;

    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        if (tool_release_at(i).release.major == major) {
            has_release = true;
            if (!tool_abi_has(name, (int)i)) {
                return false;
            }
        }
    }
    return has_release && strncmp(name, "hiprtc", 6) != 0;
}

static bool has_versions(const struct hs_elf_file *elf)
{
    for (size_t i = 0; i < elf->export_count; i++) {
        if (elf->exports[i].version && strncmp(elf->exports[i].version, "hip_", 4) == 0) {
            return true;
        }
    }
    return false;
}

bool tool_foreign_describe(const struct hs_elf_file *elf, unsigned major,
                           char text[TOOL_FOREIGN_TEXT])
{
    unsigned common = 0, exported = 0;
    bool is_versioned = has_versions(elf);

    *text = '\0';
    qsort(elf->exports, elf->export_count, sizeof *elf->exports, by_name);
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        struct hs_elf_symbol wanted = {.name = hipshim_function_name(i)};

        if (is_common(wanted.name, major)) {
            common++;
            exported +=
                bsearch(&wanted, elf->exports, elf->export_count, sizeof wanted, by_name) != NULL;
        }
    }
    if ((common - exported) * TENTH > common) {
        snprintf(text, TOOL_FOREIGN_TEXT,
                 "it exports %u of the %u functions that every known HIP %u has%s, so it is not "
                 "AMD's runtime",
                 exported, common, major, is_versioned ? "" : ", none with a version node of HIP");
    } else if (common > 0 && !is_versioned) {
        snprintf(text, TOOL_FOREIGN_TEXT,
                 "its functions have no version nodes of HIP, so it is not AMD's runtime");
    }
    return *text != '\0';
}

bool tool_foreign_describe_file(const char *path, unsigned major, char text[TOOL_FOREIGN_TEXT])
{
    struct hs_elf_file elf;
    char reason[256];
    bool is_foreign = false;

    *text = '\0';
    if (hs_elf_file_read(path, &elf, reason, sizeof reason)) {
        is_foreign = tool_foreign_describe(&elf, major, text);
        hs_elf_file_free(&elf);
    }
    return is_foreign;
}
