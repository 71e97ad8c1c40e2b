/* SPDX-License-Identifier: MIT */
/*
 * Kernels inside a program: `hipshim embed` compiles them for several
 * architectures into a C source and a header; these functions load the one that
 * fits the device.  Link with libhipshim-kernel (pkg-config hipshim-kernel).
 *
 *   #include "kernels.h"                    // from hipshim embed -o kernels
 *
 *   struct ihipModule_t *module;            // the type of hipModule_t
 *   if (hipshim_embedded_load(&kernels, "axpy", NULL, &module) != HIPSHIM_OK) {
 *       fprintf(stderr, "%s\n", hipshim_error_text());
 *   }
 *
 * The rules of hipshim/hipshim.h hold here too, and these:
 *
 * - Ownership: arguments are only read.  A module belongs to the caller, who
 *   unloads it by hipModuleUnload.
 * - Structures: `hipshim embed` writes them.  `version` and `size` are those of
 *   the header that the program was compiled with.
 */
#ifndef HIPSHIM_EMBED_H
#define HIPSHIM_EMBED_H

#include <hipshim/hipshim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hipModule_t points to the first, hipshim_module_t is the second; no header is needed for them. */
struct ihipModule_t;
struct hipshim_module;

#define HIPSHIM_EMBEDDED_VERSION 1

/* One code object.  Since 0.1. */
typedef struct hipshim_embedded_code {
    const char *kernel; /* name of its file, "blas/axpy" for blas/axpy.hip */
    const char *arch;   /* "gfx90a", "gfx90a:xnack-", "gfx11-generic" */
    const void *code;
    size_t code_size;  /* in bytes, as it is in the program */
    size_t plain_size; /* 0, or the size to which the zstd frame in `code` unpacks */
} hipshim_embedded_code_t;

/* A source to compile if no code object fits; --source embeds it.  Since 0.1. */
typedef struct hipshim_embedded_source {
    const char *kernel;
    const char *name; /* its name in messages, "axpy.hip" */
    const char *text;
    const char *const *options;
    size_t option_count;
    const char *const *headers; /* name, text, name, text, ... */
    size_t header_count;
} hipshim_embedded_source_t;

/* The output of one run of `hipshim embed`.  Since 0.1. */
typedef struct hipshim_embedded {
    size_t size;      /* sizeof(hipshim_embedded_t) */
    unsigned version; /* HIPSHIM_EMBEDDED_VERSION */
    const hipshim_embedded_code_t *codes;
    size_t code_count;
    const hipshim_embedded_source_t *sources;
    size_t source_count;
} hipshim_embedded_t;

/*
 * Finds the code object that fits an architecture best: first the same
 * architecture with the most features (gfx90a:xnack-), then without features, then
 * the generic one of its family (gfx10-3-generic for gfx1030).  The architecture
 * must have all features that a code object names.
 *
 * arch   NULL or "": the result of hipshim_arch_detect(), which may open the runtime.
 * code   set to an element of embedded->codes; NULL on failure.
 *
 * Returns HIPSHIM_OK, or with the reason in hipshim_error_text():
 *   HIPSHIM_ERROR_NO_CODE  nothing fits; the text lists the architectures that
 *                          are embedded, and names the one that was looked for
 *   HIPSHIM_ERROR_NO_ARCH  no architecture was given, and none could be found
 *   HIPSHIM_ERROR_INVALID  an argument is NULL, there is no such kernel (the text
 *                          lists the kernels), or the program was compiled with
 *                          a newer format or for a newer hipshim
 * Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_embedded_find(const hipshim_embedded_t *embedded,
                                                      const char *kernel, const char *arch,
                                                      const hipshim_embedded_code_t **code);

/*
 * Finds a code object as hipshim_embedded_find() does, and loads it for the
 * current device.  If the runtime rejects it, the next best is tried.  If none is
 * left, hipshim_kernel_compile() compiles the source, if it was embedded, and keeps
 * the result in its cache.  Compressed code objects need libzstd.so.1, opened on
 * demand; without it they count as rejected.
 *
 * module  set to the hipModule_t; NULL on failure.
 *
 * Returns a status of hipshim_embedded_find(), for a source one of
 * hipshim_kernel_compile(), or HIPSHIM_ERROR_SYSTEM if everything that fits was
 * rejected; then the text has the reason, such as HIP's name of the error.
 * Opens the runtime.  Any thread.  HIP 5.0 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_embedded_load(const hipshim_embedded_t *embedded,
                                                      const char *kernel, const char *arch,
                                                      struct ihipModule_t **module);

/*
 * The same module for all threads: hipshim_embedded_load() for the first call, and
 * the module of that for the calls that follow, with the rules of hipshim_module_get()
 * in hipshim/kernel.h.  Modules are the same if the code objects and the source of the
 * kernel have the same content; each call reads all of it.
 *
 * module  set to a hipshim_module_t, given back by hipshim_module_release(); NULL on
 *         failure.
 *
 * Returns a status of hipshim_embedded_load(), or HIPSHIM_ERROR_SYSTEM if there is no
 * device, or it has no memory.  Any thread.  HIP 5.0 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_embedded_module_get(const hipshim_embedded_t *embedded,
                                                            const char *kernel, const char *arch,
                                                            struct hipshim_module **module);

#ifdef __cplusplus
}
#endif

#endif
