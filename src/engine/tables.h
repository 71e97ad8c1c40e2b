/* SPDX-License-Identifier: MIT */
/*
 * The generated tables: the known releases, and what each function needs on each of them.
 *
 * bindings/stable/tables.c defines the data and bindings/stable/functions.h numbers the functions.
 * Nothing here is ever written to, so every thread may read it.
 */
#ifndef HIPSHIM_SRC_ENGINE_TABLES_H
#define HIPSHIM_SRC_ENGINE_TABLES_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stdint.h>

/* One release of the API, by the version of its headers. */
struct hs_release {
    uint16_t major;
    uint16_t minor;
    uint32_t patch;
    uint16_t api_set;     /* index into hs_api_sets */
    uint16_t soname;      /* N of the first library's file, STEM.so.N */
    const char *carriers; /* the releases of the distribution that carry it, "6.2.1 to 6.2.4" */
};

/* One set of declarations, named after the first release that has it. */
struct hs_api_set {
    uint16_t major;
    uint16_t minor;
    uint32_t patch;
    uint16_t soname; /* as that of its releases */
};

/* Ascending by major, minor, patch. */
extern const struct hs_release hs_releases[];
extern const unsigned hs_release_count;

/* Oldest first. */
extern const struct hs_api_set hs_api_sets[];
extern const unsigned hs_api_set_count;

/* N of the first library STEM.so.N that this library stands in for as a drop-in; -1 in others. */
extern const int hs_dropin_number;

/*
 * The plan of a function on an API set.  HS_PLAN_DIRECT is the runtime's own address; a number
 * below HS_PLAN_MISSING is an index into hs_adapters; HS_PLAN_MISSING says that the API set does
 * not declare the function and that nothing can replace it.
 */
enum { HS_PLAN_DIRECT = 0, HS_PLAN_MISSING = 0xffff };

/* A function of any type; cast it to its own type before the call. */
typedef void (*hs_function)(void);

enum hs_adapter_kind {
    HS_ADAPTER_CONVERT, /* calls the runtime's function with mapped arguments */
    HS_ADAPTER_EMULATE  /* answers by other means */
};

struct hs_adapter {
    hs_function entry;  /* NULL: the runtime's function, which only has another name */
    const char *symbol; /* the runtime's symbol that it calls, or NULL */
    enum hs_adapter_kind kind;
};

/* hs_adapters[0] is unused, because 0 means "direct" in a plan. */
extern const struct hs_adapter hs_adapters[];

/* hipshim's own functions in the place of the runtime's; the last entry is NULL. */
struct hs_substitute {
    uint16_t function;
    hs_function entry;
};
extern const struct hs_substitute hs_substitutes_without_runtime[];
/* After the runtime has ended, while the process exits. */
extern const struct hs_substitute hs_substitutes_after_end[];
/* Where a runtime does not export the function, whatever its release declares. */
extern const struct hs_substitute hs_substitutes_without_export[];

/* Indexed by enum hs_function_id. */
struct hs_function_entry {
    uint16_t name; /* offset in hs_names */
    uint8_t first; /* the first and the last API set that declare it */
    uint8_t last;
    uint8_t library;             /* index in the API's libraries */
    uint8_t own_first, own_last; /* those that declare it by this name, not by another one of it */
};
extern const struct hs_function_entry hs_function_entries[];
extern const unsigned hs_function_count;
extern const unsigned hs_sign_count; /* entries behind: functions that only tell releases apart */
extern const char hs_names[];

/*
 * The functions that a library need not export if its headers declare them, or the other way
 * round: some known library shows so.  Ends with hs_function_count.
 */
extern const uint16_t hs_unreliable_exports[];

/* By API set, then function; hs_tables_plan reads it. */
extern const uint16_t hs_plans[];

/* A function whose ABI differs from that of the API set before. */
struct hs_change {
    uint16_t function;
    uint16_t api_set;
    const char *text;
};
extern const struct hs_change hs_changes[]; /* by function, then API set */
extern const unsigned hs_change_count;

/* HS_PLAN_DIRECT, HS_PLAN_MISSING or the index of an adapter. */
unsigned hs_tables_plan(unsigned api_set, unsigned function);

/* The same as hipshim_kind_t, for a function that the runtime exports. */
hipshim_kind_t hs_tables_kind(unsigned api_set, unsigned function);

/* The API's own name of a function; the numbers are in strcmp order of the names. */
const char *hs_tables_name(unsigned function);

/* The release that an API set is named after; 0.0.0 past the last. */
hipshim_release_t hs_tables_api_set(unsigned api_set);

/* The number of a function by the API's own name, or -1. */
int hs_tables_find(const char *name);

/* The number of the function that a name from an older release stands for, or -1. */
int hs_names_alias(const char *name);

/*
 * The other symbols under which a library may export a function, each with a NUL after it; an empty
 * one ends the list.
 */
const char *hs_names_exported(unsigned function);

#endif
