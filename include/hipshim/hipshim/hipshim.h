/* SPDX-License-Identifier: MIT */
/*
 * hipshim's own interface: which HIP runtime was found and how, what each
 * function of the stable interface is on it, and what went wrong last.
 *
 * Rules that hold for everything below, unless a function says otherwise:
 *
 * - Threads: every function may be called from any thread at any time, also
 *   from constructors.  What they report is settled by the first use and does
 *   not change afterwards; only hipshim_error_text() is per thread.
 * - Ownership: every string handed out belongs to hipshim, is never freed and
 *   never changes; hipshim_error_text() is the one exception.
 * - First use: functions marked "opens the runtime" look for the runtime and
 *   open it if no earlier call did, which takes as long as the runtime's own
 *   dlopen.  The others touch nothing.
 * - Structures begin with `size`.  Set it to sizeof the structure before the
 *   call; hipshim fills at most that many bytes and sets the rest to zero, so
 *   a program and a library of different ages understand each other.
 *   Structures only ever grow at their end.
 * - Nothing here prints, exits or aborts.
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
 * The number of the binary interface this header describes.  Additions keep
 * it; a library with another number cannot be used with this header.
 */
#define HIPSHIM_ABI_VERSION 0

/* What the functions below return: 0, or a negative number.  Since 0.1. */
typedef enum hipshim_status {
    HIPSHIM_OK = 0,
    HIPSHIM_ERROR_NO_RUNTIME = -1,       /* no usable HIP runtime was found */
    HIPSHIM_ERROR_INVALID = -2,          /* NULL, or a size too small */
    HIPSHIM_ERROR_UNKNOWN_FUNCTION = -3, /* not in the stable interface */
    HIPSHIM_ERROR_COMPILATION = -4,      /* the compiler refused a kernel */
    HIPSHIM_ERROR_NO_COMPILER = -5,      /* neither hiprtc nor hipcc */
    HIPSHIM_ERROR_NO_ARCH = -6,          /* no GPU architecture is known */
    HIPSHIM_ERROR_NO_MEMORY = -7,
    HIPSHIM_ERROR_SYSTEM = -8, /* the operating system refused something */
    HIPSHIM_ERROR_NO_CODE = -9 /* nothing embedded fits the device */
} hipshim_status_t;

/* Which part of the search found the runtime, in the order of the search. */
typedef enum hipshim_search_source {
    HIPSHIM_SEARCH_SOURCE_NONE = 0,
    HIPSHIM_SEARCH_SOURCE_PIN = 1, /* HIPSHIM_LIBRARY */
    HIPSHIM_SEARCH_SOURCE_LOADED = 2,          /* was in the process already */
    HIPSHIM_SEARCH_SOURCE_CONFIGURED = 3,      /* the prefix given to configure */
    HIPSHIM_SEARCH_SOURCE_ENVIRONMENT = 4,     /* HIP_PATH, ROCM_PATH and the like */
    HIPSHIM_SEARCH_SOURCE_LINKER = 5,          /* the dynamic linker, by soname */
    HIPSHIM_SEARCH_SOURCE_DIRECTORY = 6        /* /opt/rocm and its relatives */
} hipshim_search_source_t;

/* What became of one step of the search. */
typedef enum hipshim_outcome {
    HIPSHIM_OUTCOME_USED = 0,     /* this is the runtime */
    HIPSHIM_OUTCOME_ABSENT = 1,   /* nothing is there */
    HIPSHIM_OUTCOME_REJECTED = 2, /* something is there and cannot be used */
    HIPSHIM_OUTCOME_SKIPPED = 3   /* not looked at: variable unset, ... */
} hipshim_outcome_t;

/* How the runtime's release relates to those hipshim was generated for. */
typedef enum hipshim_match {
    HIPSHIM_MATCH_NONE = 0,   /* no runtime, or its release was refused */
    HIPSHIM_MATCH_EXACT = 1,  /* this very release is known */
    HIPSHIM_MATCH_OLDER = 2,  /* the nearest older known release stands in */
    HIPSHIM_MATCH_NEWER = 3,  /* only newer ones are known; the nearest */
    HIPSHIM_MATCH_UNKNOWN = 4 /* unknown major, HIPSHIM_ALLOW_UNKNOWN=1 */
} hipshim_match_t;

/* What a function of the stable interface is on the runtime in use. */
typedef enum hipshim_kind {
    HIPSHIM_KIND_DIRECT = 0,    /* the runtime's own function, no cost */
    HIPSHIM_KIND_CONVERTED = 1, /* the runtime's, through a conversion */
    HIPSHIM_KIND_EMULATED = 2,  /* answered by hipshim with other means */
    HIPSHIM_KIND_MISSING = 3    /* returns hipErrorNotSupported */
} hipshim_kind_t;

/* A HIP release: HIP_VERSION_MAJOR, _MINOR and _PATCH; major 0 means none. */
typedef struct hipshim_release {
    unsigned major;
    unsigned minor;
    unsigned patch;
} hipshim_release_t;

/* The runtime in use.  Since 0.1. */
typedef struct hipshim_runtime {
    size_t size;                 /* in: sizeof(hipshim_runtime_t) */
    hipshim_release_t release;   /* what hipRuntimeGetVersion says */
    hipshim_release_t used_as;   /* the known release it is treated as */
    hipshim_release_t api_set;   /* the first release with the same
                                    declarations as used_as */
    hipshim_release_t stable;    /* HIP_VERSION of the stable headers */
    hipshim_match_t match;       /* how used_as was chosen for release */
    hipshim_search_source_t found_by;    /* which part of the search found it */
    unsigned kinds[4];           /* functions per hipshim_kind_t */
    const char *match_text;      /* the choice in words; never NULL */
    const char *path;            /* file of the runtime; NULL: no runtime */
    const char *soname;          /* its DT_SONAME, NULL if it has none */
    const char *hiprtc_path;     /* file that serves hiprtc, or NULL */
    const char *hiprtc_text;     /* why not, if hiprtc_path is NULL */
    const char *no_runtime_text; /* why not, if path is NULL; else NULL */
} hipshim_runtime_t;

/* One step of the search.  Since 0.1. */
typedef struct hipshim_step {
    size_t size;               /* in: sizeof(hipshim_step_t) */
    hipshim_search_source_t part;      /* the part of the search it belongs to */
    hipshim_outcome_t outcome; /* what became of it */
    const char *subject;       /* the path, soname or variable looked at */
    const char *reason;        /* in words; never NULL, "" if all is said */
} hipshim_step_t;

/* One function of the stable interface.  Since 0.1. */
typedef struct hipshim_function {
    size_t size;               /* in: sizeof(hipshim_function_t) */
    hipshim_kind_t kind;       /* on the runtime in use */
    hipshim_release_t since;   /* first known release that declares it */
    hipshim_release_t removed; /* first known one that no longer does, or 0 */
    const char *name;          /* as HIP spells it */
} hipshim_function_t;

/* A release that hipshim was generated for.  Since 0.1. */
typedef struct hipshim_release_info {
    size_t size; /* in: sizeof(hipshim_release_info_t) */
    hipshim_release_t release;
    hipshim_release_t api_set; /* the first release that declares the same */
    const char *rocm;          /* the ROCm releases that carry it */
} hipshim_release_info_t;

/* A function whose ABI differs from that of the API set before.  Since 0.1. */
typedef struct hipshim_change {
    size_t size;               /* in: sizeof(hipshim_change_t) */
    hipshim_release_t api_set; /* the first release that has it so */
    const char *function;
    const char *text; /* the parameter and what became of its type */
} hipshim_change_t;

/* The library's version, such as "0.1.0".  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_version(void);

/* HIPSHIM_ABI_VERSION of the library that is loaded.  Since 0.1. */
HIPSHIM_PUBLIC int hipshim_abi_version(void);

/*
 * Opens the runtime now rather than on the first HIP call, and says whether
 * there is one.  Needed by nobody; useful to choose the moment and to test.
 *
 * Returns HIPSHIM_OK or HIPSHIM_ERROR_NO_RUNTIME; the latter leaves the reason
 * in hipshim_error_text().  Any number of calls give the same answer.
 * Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_init(void);

/*
 * One short sentence, in English, for a status; a number that is no status
 * gives "unknown status".  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_status_text(hipshim_status_t status);

/*
 * Describes the runtime in use; opens the runtime, and hiprtc with it.
 *
 * Without a runtime the structure is filled too: path is NULL,
 * no_runtime_text says why, the functions count as missing (or as emulated, the
 * few that answer all the same), and the result is HIPSHIM_ERROR_NO_RUNTIME.  HIPSHIM_ERROR_INVALID
 * if `runtime` is NULL or its size is smaller than the `size` field.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_runtime_info(hipshim_runtime_t *runtime);

/*
 * How many steps the search took, up to the one that succeeded; opens the
 * runtime.  Since 0.1.
 */
HIPSHIM_PUBLIC unsigned hipshim_step_count(void);

/*
 * Describes step `index`, counted from 0 in the order they were taken; opens
 * the runtime.  HIPSHIM_ERROR_INVALID if there is no such step, `step` is NULL
 * or its size too small.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_step_info(unsigned index, hipshim_step_t *step);

/*
 * Describes a function by HIP's own name ("hipMalloc"); opens the runtime.
 *
 * Works without a runtime too, see hipshim_runtime_info().
 * HIPSHIM_ERROR_UNKNOWN_FUNCTION if no known release declares the name,
 * HIPSHIM_ERROR_INVALID if an argument is NULL or the size too small.
 * Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_info(const char *name,
                                                      hipshim_function_t *function);

/* A function of any type: cast it to its own before the call. */
typedef void (*hipshim_address_t)(void);

/*
 * Where a call of the function ends up: the runtime's own function where the
 * ABI is the same, else what converts for it; a function that the runtime
 * lacks gives the stub that says so.  Takes what the stable header declares
 * and may be called instead of it, for as long as the process lives.
 *
 * name    as HIP spells it, "hipMalloc".
 * Returns NULL for NULL or a name the stable interface does not have.
 * Opens the runtime if that has not happened.  Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_address_t hipshim_function_address(const char *name);

/* How many functions the stable interface has.  Since 0.1. */
HIPSHIM_PUBLIC unsigned hipshim_function_count(void);

/*
 * HIP's name of function `index`, in alphabetical (strcmp) order from 0; NULL
 * from hipshim_function_count() on.  The numbers of one library version mean
 * nothing to another.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_function_name(unsigned index);

/*
 * The last error hipshim itself met on the calling thread, as a sentence that
 * says what would help; "" if there was none.  It covers what HIP's own error
 * codes cannot say: no runtime, a function or field the runtime lacks.  Errors
 * of the runtime are not repeated here.  Success does not clear it.
 *
 * The text is the thread's own: it changes with the thread's next error and
 * goes away with the thread.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_error_text(void);

/*
 * The releases hipshim was generated for, oldest first, and what a function is
 * on each: from tables, without looking for a runtime.  Strings are static.
 * HIPSHIM_ERROR_INVALID for an index out of range, NULL, or a size that is too
 * small; HIPSHIM_ERROR_UNKNOWN_FUNCTION for a name the stable interface does not
 * have.  Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC unsigned hipshim_release_count(void);
HIPSHIM_PUBLIC hipshim_status_t hipshim_release_info(unsigned index, hipshim_release_info_t *info);
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_kind_on_release(const char *name, unsigned release,
                                                    hipshim_kind_t *kind);

/*
 * The first release that declares a function, and the first after it that no
 * longer does, major 0 where there is none.  As above.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_function_availability(const char *name, hipshim_release_t *since,
                                                      hipshim_release_t *removed);

/* How functions changed from one API set to the next, by function.  As above. */
HIPSHIM_PUBLIC unsigned hipshim_change_count(void);
HIPSHIM_PUBLIC hipshim_status_t hipshim_change_info(unsigned index, hipshim_change_t *change);

#ifdef __cplusplus
}
#endif

#endif
