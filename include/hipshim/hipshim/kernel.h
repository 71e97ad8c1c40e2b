/* SPDX-License-Identifier: MIT */
/*
 * Kernels from source, on any ROCm release: source, options and architecture
 * in; code object, log and lowered names out, from a cache that is right.
 *
 *   hipshim_kernel_options_t options = {.size = sizeof options, .source = text};
 *   hipshim_kernel_t *kernel;
 *
 *   if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
 *       fprintf(stderr, "%s\n%s", hipshim_error_text(), hipshim_kernel_log(kernel));
 *   } else {
 *       hipModuleLoadData(&module, hipshim_kernel_code(kernel, NULL));
 *   }
 *   hipshim_kernel_free(kernel);
 *
 * The rules of hipshim/hipshim.h hold here too, and these:
 *
 * - Compiler: the hiprtc that belongs to the runtime in use, so that the
 *   runtime can load what comes out.  No GPU is needed when an architecture is
 *   given, no shell ever, and another process (hipcc) only when asked for or
 *   when there is no hiprtc.
 * - Ownership: what is passed in is only read, and not kept.  A kernel owns all
 *   that it hands out, until hipshim_kernel_free().
 * - Threads: every function may be called from any thread at any time.  A
 *   kernel does not change: several threads may read one.
 * - Releases: all that hipshim knows, HIP 5.2 and later.  A release's compiler
 *   may end the process on an architecture it does not know (HIP 5.2's does on
 *   gfx1100); hipshim cannot prevent that.
 *
 * The cache
 *
 * A result is kept in a file and the same call answered from it.  The same
 * means: equal source, headers, options, expressions, name and architecture;
 * the same HIP release; the same compiler, by build-id of the libraries that it
 * consists of.  Processes and threads that want one result at once compile it
 * once.  Damaged, foreign and outdated files are never served but replaced.
 *
 * - Where: $XDG_CACHE_HOME/hipshim, or else $HOME/.cache/hipshim, with a
 *   directory for each architecture and release, "gfx90a-7.2.53211".
 * - HIPSHIM_CACHE_DIR: a list of absolute paths, separated by colons, instead.
 *   Results are written to the first; the others are only read.
 * - HIPSHIM_CACHE=0: no cache.
 * - HIPSHIM_CACHE_SIZE: at most that many bytes, with K, M or G for 1024 and
 *   its powers; 1G if not set.  What was not used for longest goes first.
 *
 * Directories are created with mode 0700.  One that is a link, belongs to
 * neither this user nor root, or that others may write to, is not used.  All
 * the variables are ignored in a process that runs with more rights than its
 * user (AT_SECURE); there is no cache in it, since HOME would choose its place.
 *
 * Not cached, because hipshim cannot know when it is outdated: what hipcc made,
 * and what reads files: a source that includes something that is not among the
 * headers given, or options that name directories or files, unless `files`
 * lists what is read.  Headers whose name begins with "hip/" count as part of
 * the HIP release.
 *
 * A cache that cannot be used (no HOME, a full disk, ...) is no error: the
 * result is HIPSHIM_OK, and hipshim_kernel_cache_message() and hipshim_error_text() say
 * why it was not kept.
 */
#ifndef HIPSHIM_KERNEL_H
#define HIPSHIM_KERNEL_H

#include <hipshim/hipshim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a compilation; opaque, freed by hipshim_kernel_free(). */
typedef struct hipshim_kernel hipshim_kernel_t;

/* A header that the source may include by its name.  Since 0.1. */
typedef struct hipshim_kernel_header {
    const char *name; /* as the source spells it, "my/types.h" */
    const char *text;
} hipshim_kernel_header_t;

/* Bits of hipshim_kernel_options_t.flags.  Since 0.1. */
typedef enum hipshim_kernel_flags {
    HIPSHIM_KERNEL_NO_CACHE = 1, /* neither look in the cache nor write to it */
    HIPSHIM_KERNEL_HIPCC = 2     /* compile with hipcc, though there may be hiprtc */
} hipshim_kernel_flags_t;

/* What to compile.  All but size and source may be zero.  Since 0.1. */
typedef struct hipshim_kernel_options {
    size_t size;                /* in: sizeof(hipshim_kernel_options_t) */
    const char *source;         /* text in HIP C++ */
    const char *name;           /* what messages call the source; "kernel.hip" */
    const char *arch;           /* "gfx90a", "gfx90a:sramecc+:xnack-", "gfx11-generic";
                                   NULL or "": as hipshim_arch_detect() finds */
    const char *const *options; /* of the compiler, such as "-O3"; the
                                   architecture is not among them */
    size_t option_count;
    const hipshim_kernel_header_t *headers; /* a name that is absolute or has
                                               a ".." among its directories is
                                               HIPSHIM_ERROR_INVALID */
    size_t header_count;
    const char *const *expressions; /* whose lowered names are wanted, such as
                                       "axpy<float>"; not with hipcc */
    size_t expression_count;
    const char *const *files; /* every file that the compilation reads beside
                                 what is given here; part of what "the same"
                                 means, by content */
    size_t file_count;
    unsigned flags;    /* of hipshim_kernel_flags_t */
    const char *hipcc; /* path of hipcc; NULL: in HIP_PATH, ROCM_PATH, beside the
                          runtime, in PATH */
} hipshim_kernel_options_t;

/* Where the code came from.  Since 0.1. */
typedef enum hipshim_kernel_origin {
    HIPSHIM_KERNEL_NONE = 0,     /* there is no code */
    HIPSHIM_KERNEL_COMPILED = 1, /* hiprtc made it just now */
    HIPSHIM_KERNEL_CACHED = 2,   /* hiprtc made it earlier */
    HIPSHIM_KERNEL_BY_HIPCC = 3  /* hipcc made it just now */
} hipshim_kernel_origin_t;

/* What named the architecture, in the order asked.  Since 0.1. */
typedef enum hipshim_arch_source {
    HIPSHIM_ARCH_SOURCE_NONE = 0,
    HIPSHIM_ARCH_SOURCE_ARGUMENT = 1,
    HIPSHIM_ARCH_SOURCE_ENVIRONMENT = 2, /* HIPSHIM_ARCH, unless AT_SECURE */
    HIPSHIM_ARCH_SOURCE_DEVICE = 3,      /* gcnArchName of the thread's current device */
    HIPSHIM_ARCH_SOURCE_TOPOLOGY = 4     /* what the kernel driver says in sysfs */
} hipshim_arch_source_t;

/*
 * Compiles, or finds in the cache.  Opens the runtime; hiprtc and the compiler
 * only if nothing is found.
 *
 * kernel   set to the outcome, also when it failed: then there is no code, but
 *          there may be a log.  NULL only with HIPSHIM_ERROR_INVALID and
 *          HIPSHIM_ERROR_NO_MEMORY.
 *
 * Returns HIPSHIM_OK, or with a reason and what would help in
 * hipshim_error_text():
 *   HIPSHIM_ERROR_COMPILATION  the compiler refused it; its log says why
 *   HIPSHIM_ERROR_NO_ARCH      none was given and none could be found
 *   HIPSHIM_ERROR_NO_RUNTIME   there is neither a runtime nor hipcc
 *   HIPSHIM_ERROR_NO_COMPILER  the runtime has no hiprtc, and no hipcc is there
 *   HIPSHIM_ERROR_SYSTEM       hipcc could not be run, or would hand an option
 *                              with a shell's characters to a shell
 *   HIPSHIM_ERROR_NO_MEMORY
 *   HIPSHIM_ERROR_INVALID      NULL where something is needed, a size too small,
 *                              an unknown flag, or what is no architecture
 * Any thread.  HIP 5.2 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_kernel_compile(const hipshim_kernel_options_t *options,
                                                       hipshim_kernel_t **kernel);

/* Frees a kernel and all it handed out.  NULL is allowed.  Since 0.1. */
HIPSHIM_PUBLIC void hipshim_kernel_free(hipshim_kernel_t *kernel);

/*
 * What the following functions return belongs to the kernel.  All of them take
 * NULL for a kernel, which has no code, and texts that are "".
 */

/*
 * The code object, for hipModuleLoadData; NULL if there is none.  From hiprtc
 * an ELF file for the architecture, from hipcc a bundle with it.  Its bytes are
 * counted in `size`, which may be NULL.  Since 0.1.
 */
HIPSHIM_PUBLIC const void *hipshim_kernel_code(const hipshim_kernel_t *kernel, size_t *size);

/* What the compiler said, also in success (warnings), and when cached.  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_kernel_log(const hipshim_kernel_t *kernel);

/* The architecture it was compiled for.  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_kernel_arch(const hipshim_kernel_t *kernel);

/* Why it was not kept in the cache; "" if it was or none was wanted.  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_kernel_cache_message(const hipshim_kernel_t *kernel);

/* Since 0.1. */
HIPSHIM_PUBLIC hipshim_kernel_origin_t hipshim_kernel_origin(const hipshim_kernel_t *kernel);

/*
 * The symbol of an expression, for hipModuleGetFunction; NULL, with the error
 * text set, if it is not one of those the kernel was compiled with, spelled as
 * it was there.  Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_kernel_lowered_name(const hipshim_kernel_t *kernel,
                                                  const char *expression);

/*
 * Which architecture to compile for; asked in order: `wanted`, HIPSHIM_ARCH,
 * the current device, the topology in sysfs, where the first GPU counts.  The
 * device is asked through the runtime, which this opens then; the topology
 * needs no runtime, and knows no features such as xnack.
 *
 * wanted  NULL or "" to ask the others.
 * arch    where its name goes, of `size` bytes; 64 are enough for all names.
 * found   set to what named it; may be NULL.
 *
 * HIPSHIM_OK, HIPSHIM_ERROR_NO_ARCH, or HIPSHIM_ERROR_INVALID for a name that is
 * none, NULL, or too little room.  Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_arch_detect(const char *wanted, char *arch, size_t size,
                                                    hipshim_arch_source_t *found);

#ifdef __cplusplus
}
#endif

#endif
