/* SPDX-License-Identifier: MIT */
/*
 * Compiles kernels on any ROCm release: from source, options and architecture to
 * code object, log and lowered names.  Results are kept in a cache.  Link with
 * libhipshim-kernel (pkg-config hipshim-kernel).
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
 * - Compiler: the hiprtc that belongs to the runtime in use, so that the runtime
 *   can load the result.  With HIPSHIM_KERNEL_HIPCC, and where there is no hiprtc,
 *   it is ROCm's clang++, or hipcc, in a process of its own and without a shell.
 *   Only hiprtc compiles a source that does not include <hip/hip_runtime.h>; it accepts
 *   that line, too.  No GPU is needed if an architecture is given.
 * - Ownership: arguments are only read, and not kept.  A kernel owns everything that
 *   its functions return, until hipshim_kernel_free().
 * - Threads: every function may be called from any thread at any time.  A kernel
 *   does not change, so several threads may read one.
 * - Releases: all that hipshim knows, HIP 5.0 and later.  The compiler of a release
 *   may end the process on an architecture that it does not know (HIP 5.2 does on
 *   gfx1100); hipshim cannot prevent that.
 *
 * The cache
 *
 * A result is kept in a file, and a later call with the same key gets it from there.
 * The key is made of source, headers, options, expressions, name, architecture, HIP
 * release and compiler; the build-ids of its libraries identify the compiler.  The
 * release is that of the runtime, unless `hip_version` in the options or the variable
 * HIPSHIM_HIP_VERSION (ignored with AT_SECURE) names another one.
 * Processes and threads that need one result at the same time compile it once.  A file
 * that is damaged, or that others can write, is not used but replaced.
 *
 * The files are in $XDG_CACHE_HOME/hipshim, or else in $HOME/.cache/hipshim, with a
 * directory for each architecture and release, "gfx90a-7.2.53211".  doc/environment.md
 * has the variables that choose other directories, limit the size (1G) or disable the
 * cache.  Entries used longest ago are removed first.  A process with raised privileges
 * (AT_SECURE) has no cache.
 *
 * A result that may depend on more than the key is not kept: the output of clang++ or
 * hipcc, and that of a source, option or variable that may name another file, unless
 * `files` lists all other files that the compilation reads.  doc/kernel.md has the list.
 *
 * A cache that cannot be used (no HOME, a full disk, ...) is not an error.  The
 * status is HIPSHIM_OK, and hipshim_kernel_cache_message() and hipshim_error_text()
 * have the reason why the result was not kept.
 */
#ifndef HIPSHIM_KERNEL_H
#define HIPSHIM_KERNEL_H

#include <hipshim/hipshim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a compilation; opaque, freed by hipshim_kernel_free(). */
typedef struct hipshim_kernel hipshim_kernel_t;

/* A header that the source may include by its name.  Since 0.1. */
typedef struct hipshim_kernel_header {
    const char *name; /* as the source spells it, "my/types.h" */
    const char *text;
} hipshim_kernel_header_t;

/* Bits of hipshim_kernel_options_t.flags.  Since 0.1. */
typedef enum hipshim_kernel_flags {
    HIPSHIM_KERNEL_NO_CACHE = 1, /* neither look in the cache nor write to it */
    HIPSHIM_KERNEL_HIPCC = 2     /* use clang++ or hipcc, even if there is hiprtc */
} hipshim_kernel_flags_t;

/*
 * The arguments.  All members but size and source may be zero, and those that the library does not
 * know have to be.  Since 0.1.
 */
typedef struct hipshim_kernel_options {
    size_t size;                /* in: sizeof(hipshim_kernel_options_t) */
    const char *source;         /* text in HIP C++ */
    const char *name;           /* of the source in messages; "kernel.hip" */
    const char *arch;           /* "gfx90a", "gfx90a:sramecc+:xnack-", "gfx11-generic";
                                   NULL or "": by hipshim_arch_detect() */
    const char *const *options; /* of the compiler, such as "-O3", without
                                   the architecture */
    size_t option_count;
    const hipshim_kernel_header_t *headers; /* an absolute name, or one with
                                               a directory "..", gives
                                               HIPSHIM_ERROR_INVALID */
    size_t header_count;
    const char *const *expressions; /* for hipshim_kernel_lowered_name(), such
                                       as "axpy<float>"; only with hiprtc */
    size_t expression_count;
    const char *const *files; /* all other files that the compilation reads;
                                 their content is part of the key */
    size_t file_count;
    unsigned flags;          /* of hipshim_kernel_flags_t */
    const char *hipcc;       /* path of hipcc; NULL: clang++ or hipcc in HIP_PATH,
                                ROCM_PATH, ROCM_HOME, beside the runtime, PATH, /usr */
    const char *hip_version; /* "6.4" or "6.4.43484": the HIP release in the cache's
                                key, and for the compiler (--hip-version); NULL
                                or "": HIPSHIM_HIP_VERSION, or else the runtime's */
} hipshim_kernel_options_t;

/* The origin of the code.  Since 0.1. */
typedef enum hipshim_kernel_origin {
    HIPSHIM_KERNEL_NONE = 0,     /* there is no code */
    HIPSHIM_KERNEL_COMPILED = 1, /* hiprtc made it in this call */
    HIPSHIM_KERNEL_CACHED = 2,   /* hiprtc made it earlier */
    HIPSHIM_KERNEL_BY_HIPCC = 3  /* clang++ or hipcc made it in this call */
} hipshim_kernel_origin_t;

/* The source of an architecture, in the order of the search.  Since 0.1. */
typedef enum hipshim_arch_source {
    HIPSHIM_ARCH_SOURCE_NONE = 0,
    HIPSHIM_ARCH_SOURCE_ARGUMENT = 1,
    HIPSHIM_ARCH_SOURCE_ENVIRONMENT = 2, /* HIPSHIM_ARCH, unless AT_SECURE */
    HIPSHIM_ARCH_SOURCE_DEVICE = 3,      /* gcnArchName of the thread's current device */
    HIPSHIM_ARCH_SOURCE_TOPOLOGY = 4     /* the kernel driver's in sysfs */
} hipshim_arch_source_t;

/*
 * Compiles a kernel, or finds it in the cache.  Opens the runtime; opens hiprtc and
 * the compiler only if the cache has no entry.
 *
 * kernel   set to the result, also on failure: then it has no code, but may have a
 *          log.  NULL only with HIPSHIM_ERROR_INVALID and HIPSHIM_ERROR_NO_MEMORY.
 *
 * Returns HIPSHIM_OK, or with the reason and a remedy in hipshim_error_text():
 *   HIPSHIM_ERROR_COMPILATION  the source does not compile; the log has the reason
 *   HIPSHIM_ERROR_NO_ARCH      no architecture was given, and none was found
 *   HIPSHIM_ERROR_NO_RUNTIME   there is neither a runtime nor clang++ or hipcc
 *   HIPSHIM_ERROR_NO_COMPILER  the runtime has no hiprtc, and there is no clang++ or
 *                              hipcc; or `expressions` are given to clang++ or hipcc,
 *                              also by HIPSHIM_KERNEL_HIPCC, because only hiprtc has
 *                              lowered names
 *   HIPSHIM_ERROR_SYSTEM       the compiler cannot be run, or it is a hipcc that
 *                              would hand an option to a shell
 *   HIPSHIM_ERROR_NO_MEMORY
 *   HIPSHIM_ERROR_INVALID      an argument or member is NULL that must not be,
 *                              the size is not set, a flag or a member that is not
 *                              zero is unknown, `arch` is not the name of an
 *                              architecture, or `hip_version` or HIPSHIM_HIP_VERSION
 *                              is not a version
 * Any thread.  HIP 5.0 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_kernel_compile(const hipshim_kernel_options_t *options,
                                                       hipshim_kernel_t **kernel);

/* Frees a kernel and everything that its functions returned.  NULL is allowed.  Since 0.1. */
HIPSHIM_PUBLIC void hipshim_kernel_free(hipshim_kernel_t *kernel);

/*
 * The results of the following functions belong to the kernel.  All of them accept
 * NULL, as a kernel without code whose texts are "".
 */

/*
 * The code object, for hipModuleLoadData; NULL if there is none.  hiprtc
 * makes an ELF file for the architecture; clang++ and hipcc make a bundle that contains one.
 * `size` is set to the number of bytes; it may be NULL.  Since 0.1.
 */
HIPSHIM_PUBLIC const void *hipshim_kernel_code(const hipshim_kernel_t *kernel, size_t *size);

/* The log of the compiler, also on success (warnings) and from the cache.  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_kernel_log(const hipshim_kernel_t *kernel);

/* The architecture that the kernel was compiled for.  Since 0.1. */
HIPSHIM_PUBLIC const char *hipshim_kernel_arch(const hipshim_kernel_t *kernel);

/*
 * The reason why the result was not kept in the cache; "" if it was, or if no cache was wanted.
 * Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_kernel_cache_message(const hipshim_kernel_t *kernel);

/* The origin of the code.  Since 0.1. */
HIPSHIM_PUBLIC hipshim_kernel_origin_t hipshim_kernel_origin(const hipshim_kernel_t *kernel);

/*
 * The symbol of an expression, for hipModuleGetFunction; NULL, with the error text
 * set, unless the kernel was compiled with an expression of the same spelling.
 * Since 0.1.
 */
HIPSHIM_PUBLIC const char *hipshim_kernel_lowered_name(const hipshim_kernel_t *kernel,
                                                       const char *expression);

/*
 * Finds the architecture to compile for, in this order: `wanted`, HIPSHIM_ARCH, the
 * current device, the first GPU in the topology in sysfs.  A look at the device opens
 * the runtime, and on releases before HIP 7 the calls that succeed replace the thread's
 * last HIP error by hipSuccess.  The topology needs no runtime, and has no features
 * such as xnack.
 *
 * wanted  the name itself; NULL or "" to begin with HIPSHIM_ARCH.
 * arch    receives the name; `size` is its room, and 64 bytes are enough.
 * found   set to the source of the name; may be NULL.
 *
 * HIPSHIM_OK, HIPSHIM_ERROR_NO_ARCH, or HIPSHIM_ERROR_INVALID if a name is not an
 * architecture, `arch` is NULL, or `size` is too small.  Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_arch_detect(const char *wanted, char *arch, size_t size,
                                                    hipshim_arch_source_t *found);

/*
 * Modules that threads share
 *
 *   hipshim_module_t *module;
 *
 *   if (hipshim_module_get(&options, &module) == HIPSHIM_OK) {
 *       hipModuleGetFunction(&function, hipshim_module_handle(module), "axpy");
 *       ...
 *       hipshim_module_release(module);
 *   }
 *
 * The first call for a kernel, device and context compiles the kernel, or finds it in the
 * cache, and loads it.  The calls that follow get the same module, from any thread, until
 * each of them has released it; the last release unloads it.
 *
 * - While one thread compiles or loads, others that want the same module wait for it, for a
 *   minute at most, since a thread in the constructor of a library may hold a lock that the
 *   compiler needs.  After that they load it themselves; the first result is for all.
 * - If the first thread fails, those that wait get its status and error text.  The next
 *   call tries again.
 * - Modules are the same if all members of the options but `size` and the flag
 *   HIPSHIM_KERNEL_NO_CACHE have the same content, and the files of `files`, HIP's headers
 *   and the variables that compilers read did not change.  A file that `files` does not list
 *   may change unnoticed as long as the module is held.
 * - The device is that of hipGetDevice, the context that of hipCtxGetCurrent.  HIP has one
 *   context for each device, so the second counts only where a runtime has more.  On a
 *   runtime without hipCtxGetCurrent the device alone counts.
 * - hipDeviceReset ends the modules of a device, also if another library calls it: the next
 *   call loads a new one.  The old one is to be released as any other, and not to be used.
 *   hipDevicePrimaryCtxReset has no effect in HIP, so modules stay.  To notice a reset, the
 *   first call allocates one byte on each device, which stays until the process ends or the
 *   device is reset.  A runtime that knows no HIP_POINTER_ATTRIBUTE_BUFFER_ID resets
 *   unnoticed; all with which hipshim is tested, from 5.2 to 7.2, know it.
 * - A process may end with modules that it holds.  A child of fork may release those of its
 *   parent, which unloads nothing, and not use them.
 */

/* hipModule_t points to this; declared here so that no header of HIP is needed. */
struct ihipModule_t;

/* A loaded module; opaque, given back by hipshim_module_release(). */
typedef struct hipshim_module hipshim_module_t;

/*
 * Gets the module of a kernel for the current device of the thread.
 *
 * module  set to the module; NULL on failure.
 *
 * Returns a status of hipshim_kernel_compile(), where the error text also has the beginning
 * of the compiler's log, or:
 *   HIPSHIM_ERROR_NO_RUNTIME  there is no runtime, even if there is clang++ or hipcc
 *   HIPSHIM_ERROR_SYSTEM      there is no device, the device has no memory, the runtime
 *                             refuses the code, or a file of `files` cannot be read
 *   HIPSHIM_ERROR_INVALID     also if `module` is NULL
 * Any thread; not while a stream of the thread captures, because HIP forbids hipMalloc then.
 * HIP 5.0 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_module_get(const hipshim_kernel_options_t *options,
                                                   hipshim_module_t **module);

/* The hipModule_t, which stays the module's: do not unload it.  NULL for NULL.  Since 0.1. */
HIPSHIM_PUBLIC struct ihipModule_t *hipshim_module_handle(const hipshim_module_t *module);

/*
 * The kernel that was loaded, for its lowered names and its log.  It is the module's, and lives as
 * long.  NULL for NULL and for a module of hipshim_embedded_module_get().  Since 0.1.
 */
HIPSHIM_PUBLIC const hipshim_kernel_t *hipshim_module_kernel(const hipshim_module_t *module);

/*
 * Gives back what one call of hipshim_module_get() or hipshim_embedded_module_get() gave; the last
 * one unloads the module.  Its kernels must have ended.  Any device may be current.  NULL is
 * allowed.  Any thread, also in exit handlers and destructors.  Since 0.1.
 */
HIPSHIM_PUBLIC void hipshim_module_release(hipshim_module_t *module);

#ifdef __cplusplus
}
#endif

#endif
