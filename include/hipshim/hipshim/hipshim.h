/* SPDX-License-Identifier: MIT */
/*
 * hipshim's own interface: the HIP runtime in use, how it was found, how each function of the
 * stable interface is served on it, and the last error.
 *
 * These rules hold for every function below, unless its comment says otherwise:
 *
 * - Threads: every function may be called from any thread at any time, also from constructors.
 *   Only hipshim_error_text() is per thread.
 * - Ownership: every returned string belongs to hipshim.  The caller must not free it, and it
 *   never changes; hipshim_error_text() is the one exception.
 * - First use: a function whose comment says "opens the runtime" searches for the runtime and
 *   opens it, unless an earlier call did.  That takes as long as the runtime's own dlopen.  The
 *   result is final, unless the process had no memory or no file descriptor for the search.  The
 *   other functions read tables only.
 * - Structures begin with `size`.  The caller sets it to sizeof the structure before the call.
 *   hipshim writes at most that many bytes and sets members that it does not know to zero, so a
 *   program and a library of different ages understand each other.  In a structure that the caller
 *   fills, a member that the library does not know has to be zero, or the call returns
 *   HIPSHIM_ERROR_INVALID.  Structures only grow at their end.
 * - Errors: a function that fails returns a negative status and sets hipshim_error_text().
 *   Nothing here exits or aborts.  Only the search prints, to standard error: one line about a
 *   release that it does not know, and its steps if HIPSHIM_TRACE is set.
 * - End: a runtime that hipshim opened ends in an exit handler that is registered when it is
 *   opened.  Handlers and destructors that were registered earlier run later, and each HIP call in
 *   them returns hipErrorDeinitialized.
 */
#ifndef HIPSHIM_HIPSHIM_H
#define HIPSHIM_HIPSHIM_H

#include <stddef.h>

#if defined(__GNUC__)
#define HIPSHIM_PUBLIC __attribute__((visibility("default")))
#else
#define HIPSHIM_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The number of the binary interface that this header describes.  Additions keep the number; a
 * library with another number cannot be used with this header.
 */
#define HIPSHIM_ABI_VERSION 0

/* The result of the functions below: 0, or a negative number.  Since 0.1. */
typedef enum hipshim_status {
    HIPSHIM_OK = 0,
    HIPSHIM_ERROR_NO_RUNTIME = -1,       /* no usable HIP runtime was found */
    HIPSHIM_ERROR_INVALID = -2,          /* an argument is NULL, out of range or without a size */
    HIPSHIM_ERROR_UNKNOWN_FUNCTION = -3, /* the stable interface has no such function */
    HIPSHIM_ERROR_COMPILATION = -4,      /* the compiler refused a kernel */
    HIPSHIM_ERROR_NO_COMPILER = -5,      /* there is neither hiprtc nor a HIP compiler */
    HIPSHIM_ERROR_NO_ARCH = -6,          /* no GPU architecture was given or found */
    HIPSHIM_ERROR_NO_MEMORY = -7,        /* out of memory */
    HIPSHIM_ERROR_SYSTEM = -8,           /* the operating system refused a request */
    HIPSHIM_ERROR_NO_CODE = -9           /* no embedded code object fits the device */
} hipshim_status_t;

/* The parts of the search for a runtime; doc/search.md has their order.  Since 0.1. */
typedef enum hipshim_search_source {
    HIPSHIM_SEARCH_SOURCE_NONE = 0,        /* there is no runtime */
    HIPSHIM_SEARCH_SOURCE_PIN = 1,         /* the variable HIPSHIM_LIBRARY */
    HIPSHIM_SEARCH_SOURCE_LOADED = 2,      /* a runtime that was in the process already */
    HIPSHIM_SEARCH_SOURCE_CONFIGURED = 3,  /* the prefix given to configure */
    HIPSHIM_SEARCH_SOURCE_ENVIRONMENT = 4, /* HIP_PATH, ROCM_PATH, CONDA_PREFIX and others */
    HIPSHIM_SEARCH_SOURCE_LINKER = 5,      /* the dynamic linker, by soname */
    HIPSHIM_SEARCH_SOURCE_DIRECTORY = 6    /* /opt/rocm and others, wheels beside a library */
} hipshim_search_source_t;

/* The result of one step of the search.  Since 0.1. */
typedef enum hipshim_outcome {
    HIPSHIM_OUTCOME_USED = 0,     /* this is the runtime */
    HIPSHIM_OUTCOME_ABSENT = 1,   /* nothing is there */
    HIPSHIM_OUTCOME_REJECTED = 2, /* the library is there and cannot be used */
    HIPSHIM_OUTCOME_SKIPPED = 3   /* not looked at, for example because a variable is not set */
} hipshim_outcome_t;

/* How the runtime's release relates to the releases that hipshim knows.  Since 0.1. */
typedef enum hipshim_match {
    HIPSHIM_MATCH_NONE = 0,   /* there is no runtime, or its release was refused */
    HIPSHIM_MATCH_EXACT = 1,  /* exactly this release is known */
    HIPSHIM_MATCH_OLDER = 2,  /* an older one of its major, the most similar, is used */
    HIPSHIM_MATCH_NEWER = 3,  /* a newer one of its major, the most similar, is used */
    HIPSHIM_MATCH_UNKNOWN = 4 /* the major is unknown, and HIPSHIM_ALLOW_UNKNOWN is 1 */
} hipshim_match_t;

/* How a function of the stable interface is served on the runtime in use.  Since 0.1. */
typedef enum hipshim_kind {
    HIPSHIM_KIND_DIRECT = 0,    /* the runtime's own function */
    HIPSHIM_KIND_CONVERTED = 1, /* the runtime's own function, called through a conversion */
    HIPSHIM_KIND_EMULATED = 2,  /* answered by hipshim by other means */
    HIPSHIM_KIND_MISSING = 3    /* returns hipErrorNotSupported */
} hipshim_kind_t;

/* A HIP release: HIP_VERSION_MAJOR, _MINOR and _PATCH.  Major 0 means no release. */
typedef struct hipshim_release {
    unsigned major;
    unsigned minor;
    unsigned patch;
} hipshim_release_t;

/* The runtime in use.  Since 0.1. */
typedef struct hipshim_runtime {
    size_t size;                      /* in: sizeof(hipshim_runtime_t) */
    hipshim_release_t release;        /* the answer of hipRuntimeGetVersion */
    hipshim_release_t used_as;        /* the known release that it is treated as */
    hipshim_release_t api_set;        /* the first release with the declarations of used_as */
    hipshim_release_t stable;         /* HIP_VERSION of the stable headers */
    hipshim_match_t match;            /* how used_as was chosen for release */
    hipshim_search_source_t found_by; /* the part of the search that found it */
    unsigned kinds[4];                /* numbers of functions, by hipshim_kind_t */
    const char *match_text;           /* the choice in words; never NULL */
    const char *path;                 /* file of the runtime; NULL if there is no runtime */
    const char *soname;               /* its DT_SONAME, or NULL */
    const char *hiprtc_path;          /* file that serves hiprtc, or NULL */
    const char *hiprtc_text;          /* the reason if hiprtc_path is NULL, else NULL */
    const char *no_runtime_text;      /* the reason if path is NULL, else NULL */
} hipshim_runtime_t;

/* One step of the search.  Since 0.1. */
typedef struct hipshim_step {
    size_t size;                    /* in: sizeof(hipshim_step_t) */
    hipshim_search_source_t source; /* the part of the search that took the step */
    hipshim_outcome_t outcome;
    const char *subject; /* the path, soname or variable */
    const char *reason;  /* the reason of the outcome; never NULL, "" if there is none */
} hipshim_step_t;

/* One function of the stable interface.  Since 0.1. */
typedef struct hipshim_function {
    size_t size;               /* in: sizeof(hipshim_function_t) */
    hipshim_kind_t kind;       /* on the runtime in use */
    hipshim_release_t since;   /* the first known release that declares it */
    hipshim_release_t removed; /* the first later release that does not; major 0 if none */
    const char *name;          /* as HIP spells it */
} hipshim_function_t;

/* A release that hipshim was generated for.  Since 0.1. */
typedef struct hipshim_known_release {
    size_t size; /* in: sizeof(hipshim_release_info_t) */
    hipshim_release_t release;
    hipshim_release_t api_set; /* the first release with the same declarations */
    const char *rocm;          /* the ROCm releases that carry it */
} hipshim_release_info_t;

/* A function whose ABI differs from that of the API set before.  Since 0.1. */
typedef struct hipshim_change {
    size_t size;               /* in: sizeof(hipshim_change_t) */
    hipshim_release_t api_set; /* the first release with the new ABI */
    const char *function;
    const char *text; /* the parameter and the change of its type */
} hipshim_change_t;

/* The library's version, such as "0.1.0".  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_version(void);

/* HIPSHIM_ABI_VERSION of the library that is loaded.  Since 0.1. */
HIPSHIM_PUBLIC int hipshim_abi_version(void);

/*
 * Opens the runtime now instead of at the first HIP call, so that a program chooses the moment or
 * tests for a runtime.
 *
 * Returns HIPSHIM_OK or HIPSHIM_ERROR_NO_RUNTIME.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_init(void);

/*
 * One short sentence, in English, for a status; "unknown status" for any other number.
 * Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_status_text(hipshim_status_t status);

/*
 * Describes the runtime in use; opens the runtime, and hiprtc with it.
 *
 * Without a runtime the structure is filled too: path is NULL, no_runtime_text gives the reason,
 * the functions count as missing or, for the few that work without a runtime, as emulated, and the
 * result is HIPSHIM_ERROR_NO_RUNTIME.
 *
 * Returns HIPSHIM_ERROR_INVALID, and writes nothing, if `runtime` is NULL or `runtime->size` is
 * less than sizeof(size_t).  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_runtime_info(hipshim_runtime_t *runtime);

/*
 * The file of the runtime in use; NULL if there is no runtime.  Opens the runtime, but not hiprtc
 * as hipshim_runtime_info() does.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_runtime_path(void);

/* The number of steps that the search took; opens the runtime.  Since 0.1. */
HIPSHIM_PUBLIC unsigned hipshim_step_count(void);

/*
 * Describes step `index`, counted from 0 in the order of the search; opens the runtime.
 *
 * Returns HIPSHIM_ERROR_INVALID if there is no such step, if `step` is NULL, or if `step->size` is
 * less than sizeof(size_t).  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_step_info(unsigned index, hipshim_step_t *step);

/*
 * Describes a function by HIP's own name ("hipMalloc"); opens the runtime.  It works without a
 * runtime too, as hipshim_runtime_info() describes.  Here and below, a name that HIP's headers
 * define as a macro, such as hipGetDeviceProperties, stands for the function that the macro names,
 * hipGetDevicePropertiesR0600.
 *
 * Returns HIPSHIM_ERROR_UNKNOWN_FUNCTION if no known release declares the name, and
 * HIPSHIM_ERROR_INVALID if an argument is NULL or `function->size` is less than sizeof(size_t).
 * Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_info(const char *name,
                                                      hipshim_function_t *function);

/* A function of any type; cast it to its own type before the call. */
typedef void (*hipshim_address_t)(void);

/*
 * The address where a call of the function ends: the runtime's own function if the ABI is the
 * same, else the adapter that converts for it, else the stub that reports the missing function.
 * The address has the type that the stable header declares, and is valid as long as the process
 * lives.
 *
 * `name` is as HIP spells it ("hipMalloc").  Returns NULL if `name` is NULL or the stable interface
 * does not have it.  Opens the runtime.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_address_t hipshim_function_address(const char *name);

/* The number of functions in the stable interface.  Since 0.1. */
HIPSHIM_PUBLIC unsigned hipshim_function_count(void);

/*
 * HIP's name of function `index`, in strcmp order from 0; NULL from hipshim_function_count() on.
 * Another version of the library may number the functions otherwise.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_function_name(unsigned index);

/*
 * The last error that hipshim itself met on the calling thread, as a sentence that says what would
 * help; "" if there was none.  It covers what HIP's own error codes cannot express: no runtime, or
 * a function or member that the runtime lacks.  Errors of the runtime are not repeated here.
 * Success does not clear it.
 *
 * The text is valid until the thread's next error or the thread's end.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_error_text(void);

/*
 * The releases that hipshim was generated for, oldest first, and the kind of a function on each of
 * them.  `release` is the index of a release, from 0.
 *
 * They return HIPSHIM_ERROR_INVALID if an index is out of range, a pointer is NULL, or the member
 * `size` is less than sizeof(size_t), and HIPSHIM_ERROR_UNKNOWN_FUNCTION if the stable interface
 * does not have the name.  Since 0.1.
 */
HIPSHIM_PUBLIC unsigned hipshim_release_count(void);
HIPSHIM_PUBLIC hipshim_status_t hipshim_release_info(unsigned index, hipshim_release_info_t *info);
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_kind_on_release(const char *name, unsigned release,
                                                                 hipshim_kind_t *kind);

/*
 * The first release that declares a function, and the first later release that does not; major 0
 * if there is none.  Errors are as above.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_availability(const char *name,
                                                              hipshim_release_t *since,
                                                              hipshim_release_t *removed);

/*
 * The changes of functions from one API set to the next, by function.  Errors are as above.
 * Since 0.1.
 */
HIPSHIM_PUBLIC unsigned hipshim_change_count(void);
HIPSHIM_PUBLIC hipshim_status_t hipshim_change_info(unsigned index, hipshim_change_t *change);

#ifdef __cplusplus
}
#endif

#endif
