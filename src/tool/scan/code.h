/* SPDX-License-Identifier: MIT */
/*
 * What the bytes of a file hold besides its symbols: code objects for GPUs, and names by which the
 * file opens HIP at run time.
 */
#ifndef HIPSHIM_SRC_TOOL_SCAN_CODE_H
#define HIPSHIM_SRC_TOOL_SCAN_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/file.h"

enum {
    TOOL_CODE_NEWEST = 7, /* the newest version of code objects that is told apart */
    TOOL_CODE_FORMATS = 3,
    TOOL_CODE_MACHINES = 256,
    TOOL_CODE_NAMES = 4,
    TOOL_CODE_NAME = 48
};

struct tool_scan_code {
    bool has[TOOL_CODE_NEWEST + 1][TOOL_CODE_MACHINES]; /* by version and number of the GPU */
    bool is_packed[TOOL_CODE_FORMATS + 1];              /* compressed bundles, by format */
    char names[TOOL_CODE_NAMES][TOOL_CODE_NAME];        /* such as "libamdhip64.so", or "" */
};

/*
 * Reads a file once, from its begin to its end.  NULL, or why it cannot be read.  Its bytes may
 * have any content.
 */
const char *tool_scan_code_read(const struct hs_elf_source *source, struct tool_scan_code *code);

/* The oldest HIP that reads code objects or bundles, such as "6.0"; NULL if all known ones do. */
extern const char *const tool_scan_code_readers[TOOL_CODE_NEWEST + 1];
extern const char *const tool_scan_code_unpackers[TOOL_CODE_FORMATS + 1];

/* "gfx90a", or "machine 0xff" for a number without a known name. */
enum { TOOL_CODE_GPU = 24 };
const char *tool_scan_code_gpu(unsigned machine, char room[TOOL_CODE_GPU]);

/* Whether there are code objects of that version, or of any if that is 0. */
bool tool_scan_code_has(const struct tool_scan_code *code, unsigned version);

#endif
