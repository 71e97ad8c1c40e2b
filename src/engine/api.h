/* SPDX-License-Identifier: MIT */
/*
 * What the engine has to know of the API that it serves: one constant, generated from
 * generator/apis/NAME/api.toml.  The engine has no other name of an API.
 *
 * The first library is searched for (search.h).  The others are its companions: they lie beside the
 * first library, or inside it.  A function has the number of its library (tables.h).
 */
#ifndef HIPSHIM_SRC_ENGINE_API_H
#define HIPSHIM_SRC_ENGINE_API_H

#include <stdbool.h>

#include "engine/by_caller.h"
#include "engine/hooks.h"
#include "engine/loader.h"

#ifndef HIPSHIM_MULTIARCH
#if defined(__x86_64__)
#define HIPSHIM_MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define HIPSHIM_MULTIARCH "aarch64-linux-gnu"
#elif defined(__powerpc64__)
#define HIPSHIM_MULTIARCH "powerpc64le-linux-gnu"
#elif defined(__riscv)
#define HIPSHIM_MULTIARCH "riscv64-linux-gnu"
#else
#define HIPSHIM_MULTIARCH "multiarch"
#endif
#endif

enum { HS_LIBRARY_ROOM = 4 };

struct hs_library {
    const char *stem;  /* of the file name, before ".so.N" */
    const char *probe; /* every such library defines this function */

    /* Of the first library. */
    const char *second_probe; /* a library of another name counts only if it defines it, too */
    const char *scope_probe;  /* plain look-ups of it reach the library that programs use */

    /* Of companions. */
    const char *name;       /* in the search log */
    int inside_first_until; /* up to this major it is inside the first library, if it is there */
    int inside_until;       /* up to this one the first library will do if no file is beside it */
    struct hs_companion no_runtime, lacking; /* the answers without a runtime and without memory */
    const char *absent;                      /* why there is none, if no file was found */
};

/* Another API, whose first library is installed with that of this one. */
struct hs_used_api {
    const char *name, *pin; /* as below */
    struct hs_library library;
};

/* A variable of the environment that names a prefix. */
struct hs_variable {
    const char *name;
    bool is_prefix;   /* the library may be in its prefix_places */
    bool is_packaged; /* the library may be in the packages of a Python in it */
};

/* A directory of installations. */
struct hs_place {
    const char *path;
    const char *newest;  /* NULL, or how the names of its subdirectories begin that are prefixes */
    bool is_directory;   /* it has the libraries itself; else it is a prefix */
    bool may_be_missing; /* that it does not exist is not worth a step of the log */
};

struct hs_api {
    const char *name;         /* of the API */
    const char *noun;         /* for its runtime */
    const char *pin;          /* the variable that names the library, or its prefix or directory */
    const char *install_hint; /* how to get one */
    const char *carrier;      /* the distribution whose releases carry it */

    const struct hs_library *libraries;
    unsigned library_count; /* at most HS_LIBRARY_ROOM */

    const struct hs_used_api *uses; /* or NULL */
    bool registers_kernels;         /* with the API that it uses */

    /*
     * int F(int *) of the first library gives major * per_major + minor * per_minor + patch.  NULL
     * if there is none: the soname and the exports then tell the release.
     */
    const char *version_function;
    int per_major, per_minor;

    /* Each list ends with NULL. */
    const char *const *prefix_places; /* the directories of a prefix that may have the library */
    const char *package_stem;    /* how the names of packages begin that have a directory lib */
    const char *const *packages; /* other packages that have one */
    const struct hs_variable *variables;
    const struct hs_place *places;

    struct hs_runtime not_open, no_memory; /* the answers before and instead of a search */

    const struct hs_hooks *hooks;
    const struct hs_routing *routing;
};

extern const struct hs_api hs_api;

#endif
