/* SPDX-License-Identifier: MIT */
/*
 * The description that `hipshim scan` makes of a program or library; scan.c prints it.
 */
#ifndef HIPSHIM_SRC_TOOL_SCAN_H
#define HIPSHIM_SRC_TOOL_SCAN_H

#include <stdbool.h>

#include "elf/file.h"
#include "tool/foreign.h"
#include "tool/json.h"
#include "tool/scan/code.h"

/* How a file uses HIP. */
enum tool_scan_kind {
    TOOL_SCAN_NONE,    /* it does not use HIP */
    TOOL_SCAN_STATIC,  /* it loads no libraries */
    TOOL_SCAN_USES,    /* it was linked to HIP */
    TOOL_SCAN_UNNAMED, /* it calls HIP; the program that loads it chooses which */
    TOOL_SCAN_HIPSHIM, /* it was linked to libhipshim */
    TOOL_SCAN_HOLDS,   /* libhipshim is in it */
    TOOL_SCAN_BUNDLED, /* it was linked to a HIP that its package brings */
    TOOL_SCAN_OPENS,   /* it opens HIP by name at run time */
    TOOL_SCAN_RUNTIME, /* it is a HIP runtime */
    TOOL_SCAN_DROP_IN, /* it is one of hipshim's drop-ins */
    TOOL_SCAN_EMPTY    /* a directory or package without any that uses HIP */
};

/* What happens to a call on a release, through a drop-in. */
enum tool_scan_fate {
    TOOL_SCAN_DIRECT,
    TOOL_SCAN_CONVERTED,
    TOOL_SCAN_EMULATED,
    TOOL_SCAN_MISSING,
    TOOL_SCAN_FATES
};

enum { TOOL_SCAN_RELEASES = 64 };

struct tool_scan_call {
    const struct hs_elf_symbol *symbol;
    char name[96];                        /* as HIP spells it; of a C++ name the function */
    bool known;                           /* the tables have it */
    bool served;                          /* the drop-ins export it */
    unsigned char on[TOOL_SCAN_RELEASES]; /* enum tool_scan_fate, by release */
};

struct tool_scan {
    struct hs_elf_file elf;
    struct tool_scan_code code;
    enum tool_scan_kind kind;
    bool is_bundled;    /* `soname` is one that auditwheel gave: libamdhip64-1a2b3c4d.so.7 */
    int major;          /* of the HIP that it was built for, or 0 */
    const char *soname; /* of the library that it needs or is, or NULL */
    const char *node;   /* the newest version node that it needs or has, or NULL */
    struct tool_scan_call *calls; /* by name */
    unsigned call_count;
    unsigned unserved;
    int oldest, newest;              /* releases it runs on as it is; -1: none */
    char foreign[TOOL_FOREIGN_TEXT]; /* why a runtime is not AMD's, or "" */
    char no_drop_in[512];            /* why the drop-ins cannot be examined, or "" */
};

/* False with one line in `reason`.  Free the result after true only. */
bool tool_scan_file(const char *path, struct tool_scan *scan, char *reason, size_t size);
/* The same of a source.  By its name a file is a program, or a text such as a Python program, of
 * which only the names that it opens are read. */
bool tool_scan_source(const char *name, const struct hs_elf_source *source, struct tool_scan *scan,
                      char *reason, size_t size);
void tool_scan_free(struct tool_scan *scan);

/* scan_needs.c: what the file needs besides HIP's symbols. */
void tool_scan_print_needs(const struct tool_scan *scan);
void tool_scan_write_needs(struct tool_json *json, const struct tool_scan *scan);

/*
 * Gets each description in the order of the members and files.  `member` is the name in the
 * package `file`, or NULL.  `scan` is NULL if that program or library cannot be read, with one
 * line in `reason`.
 */
struct tool_scan_listener {
    void (*found)(void *context, const char *file, const char *member, const struct tool_scan *scan,
                  const char *reason);
    void *context;
};

/* Scans a file, or what uses HIP in a directory or package; without any, the listener gets none. */
void tool_scan_place(const char *path, const struct tool_scan_listener *listener);

#endif
