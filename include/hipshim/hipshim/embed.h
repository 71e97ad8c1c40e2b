/* SPDX-License-Identifier: MIT */
/*
 * Kernels inside a program: `hipshim embed' compiles them, for several
 * architectures, into a C source and a header; this picks the one that fits.
 *
 *   #include "kernels.h"                    // from hipshim embed -o kernels
 *
 *   struct ihipModule_t *module;            // a hipModule_t
 *   if (hipshim_embedded_load(&kernels, "axpy", NULL, &module) != HIPSHIM_OK) {
 *       fprintf(stderr, "%s\n", hipshim_error_text());
 *   }
 *
 * The rules of hipshim/hipshim.h hold here too, and these:
 *
 * - Ownership: what is passed in is only read.  A module belongs to the caller,
 *   who ends it by hipModuleUnload.
 * - The structures are what `hipshim embed' writes; nobody else need fill one.
 *   What the program has was made with its own header: `version` and `size` tell
 *   a library of another age.
 */
#ifndef HIPSHIM_EMBED_H
#define HIPSHIM_EMBED_H

#include <hipshim/hipshim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a hipModule_t points to: this header needs none of HIP's. */
struct ihipModule_t;

#define HIPSHIM_EMBEDDED_VERSION 1

/* One code object.  Since 0.1. */
typedef struct hipshim_embedded_code {
    const char *kernel; /* of the file, "blas/axpy" for blas/axpy.hip */
    const char *arch;   /* "gfx90a", "gfx90a:xnack-", "gfx11-generic" */
    const void *code;
    size_t code_size;  /* in bytes, as it is in the program */
    size_t plain_size; /* 0, or code is a zstd frame of this many bytes */
} hipshim_embedded_code_t;

/* A source to fall back to, of --source.  Since 0.1. */
typedef struct hipshim_embedded_source {
    const char *kernel;
    const char *name; /* what messages call it, "axpy.hip" */
    const char *text;
    const char *const *options;
    size_t option_count;
    const char *const *headers; /* name, text, name, text, ... */
    size_t header_count;
} hipshim_embedded_source_t;

/* All that one run of `hipshim embed' wrote.  Since 0.1. */
typedef struct hipshim_embedded {
    size_t size;      /* sizeof(hipshim_embedded_t) */
    unsigned version; /* HIPSHIM_EMBEDDED_VERSION */
    const hipshim_embedded_code_t *codes;
    size_t code_count;
    const hipshim_embedded_source_t *sources;
    size_t source_count;
} hipshim_embedded_t;

/*
 * Which code object fits an architecture best: the same with the most features
 * named (gfx90a:xnack-), the same without features, then the generic one of its
 * family (gfx10-3-generic for gfx1030).  Features that a code object names must
 * be the architecture's; those it does not name do not matter.
 *
 * arch   NULL or "": as hipshim_arch_detect() finds, which opens the runtime.
 * code   set to an element of embedded->codes, or NULL.
 *
 * Returns HIPSHIM_OK, or with the reason in hipshim_error_text():
 *   HIPSHIM_ERROR_NO_CODE  nothing fits: the text lists what there is, and says
 *                          what is needed
 *   HIPSHIM_ERROR_NO_ARCH  no architecture was given, and none could be found
 *   HIPSHIM_ERROR_INVALID  NULL, there is no such kernel (the text lists those
 *                          there are), or the program is newer than hipshim
 * Any thread.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_embedded_find(const hipshim_embedded_t *embedded,
                                                      const char *kernel, const char *arch,
                                                      const hipshim_embedded_code_t **code);

/*
 * Loads it into the current device's context.  If the runtime refuses what fits
 * best, what fits second is tried; if nothing fits, the source is compiled by
 * hipshim_kernel_compile(), cached, if there is one.  What is compressed needs
 * libzstd.so.1, which is opened then; it is as good as refused without.
 *
 * module  where the hipModule_t goes; NULL if it failed.
 *
 * Returns what hipshim_embedded_find() does, what hipshim_kernel_compile() does
 * of a source, or HIPSHIM_ERROR_SYSTEM if the runtime refuses all that fits; the
 * text has HIP's own name of the error then.
 * Opens the runtime.  Any thread.  HIP 5.2 or later.  Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_embedded_load(const hipshim_embedded_t *embedded,
                                                      const char *kernel, const char *arch,
                                                      struct ihipModule_t **module);

/* --- for build scripts in C: what the program `hipshim embed' does --- */

/* What hipshim_embed_options_t has in `flags`.  Since 0.1. */
typedef enum hipshim_embed_flags {
    HIPSHIM_EMBED_SOURCE = 1,    /* --source: to compile for other devices */
    HIPSHIM_EMBED_COMPRESS = 2,  /* --compress: the code objects, by libzstd */
    HIPSHIM_EMBED_ASSEMBLER = 4, /* --asm: also OUTPUT.S and OUTPUT.bin */
    HIPSHIM_EMBED_HIPCC = 8,     /* --with=hipcc */
    HIPSHIM_EMBED_FORCE = 16     /* --force: compile though nothing changed */
} hipshim_embed_flags_t;

/*
 * What to embed, and how; all that has no meaning is 0.  The options of the
 * program that are named here say more: `hipshim embed --help', doc/embed.md.
 * Since 0.1.
 */
typedef struct hipshim_embed_options {
    size_t size;                /* sizeof(hipshim_embed_options_t) */
    const char *const *sources; /* .hip and .cu files, and directories with such */
    size_t source_count;
    const char *output;       /* directory and name: writes output.h and output.c */
    const char *const *archs; /* --arch; none: the machine's own */
    size_t arch_count;
    const char *const *options; /* --option: for the compiler, each as it is */
    size_t option_count;
    const char *const *directories; /* --include */
    size_t directory_count;
    const char *rocm;    /* --rocm; NULL: the one that is found */
    const char *hipcc;   /* --with=hipcc=..., implies HIPSHIM_EMBED_HIPCC; NULL: looked for */
    const char *hipify;  /* --hipify; NULL: hipify-perl if it is there */
    const char *name;    /* --name: of the index in C; NULL: from output */
    const char *depfile; /* --depfile; NULL: none */
    unsigned flags;      /* of hipshim_embed_flags_t */
    unsigned jobs;       /* --jobs; 0: one a processor */
    /*
     * Called for each line that the program has to say, without its end: errors,
     * warnings, the compiler's own log, and at last what was written.  Before the
     * function returns, by the same thread.  NULL: they go to standard error.
     */
    void (*message)(void *context, const char *line);
    void *context;
    /* The program; NULL: HIPSHIM_TOOL, else where it is installed, else by PATH. */
    const char *tool;
} hipshim_embed_options_t;

/*
 * Runs `hipshim embed' with what the options say: compilers end processes, and
 * take locks, and this one has other things to do.
 *
 * Returns HIPSHIM_OK if all is as it should be, changed or not; or, with the first
 * thing that was wrong in hipshim_error_text():
 *   HIPSHIM_ERROR_COMPILATION  a kernel does not compile, or there is no compiler;
 *                              the text names the file, and the lines before it
 *                              are the compiler's own log
 *   HIPSHIM_ERROR_INVALID      what was asked for makes no sense, or a source is
 *                              not there
 *   HIPSHIM_ERROR_SYSTEM       the program cannot be run, or cannot write
 * Any thread; starts a process and waits for it.  No runtime is opened here.
 * Since 0.1.
 */
HIPSHIM_PUBLIC hipshim_status_t hipshim_kernels_embed(const hipshim_embed_options_t *options);

#ifdef __cplusplus
}
#endif

#endif
