/* SPDX-License-Identifier: MIT */
/*
 * `hipshim embed` for build scripts in C.  Link with the static library
 * libhipshim-embed.a (pkg-config hipshim-embed).
 *
 * The rules of hipshim/hipshim.h hold here too.
 */
#ifndef HIPSHIM_EMBED_BUILD_H
#define HIPSHIM_EMBED_BUILD_H

#include <hipshim/hipshim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of hipshim_embed_options_t.flags.  Since 0.1. */
typedef enum hipshim_embed_flags {
    HIPSHIM_EMBED_SOURCE = 1,    /* --source: embed the sources, too */
    HIPSHIM_EMBED_COMPRESS = 2,  /* --compress: compress the code objects */
    HIPSHIM_EMBED_ASSEMBLER = 4, /* --asm: also OUTPUT.S and OUTPUT.bin */
    HIPSHIM_EMBED_HIPCC = 8,     /* --with=hipcc */
    HIPSHIM_EMBED_FORCE = 16,    /* --force: compile without the kernel cache */
    HIPSHIM_EMBED_RUST = 32      /* --rust: also OUTPUT.rs and OUTPUT.bin */
} hipshim_embed_flags_t;

/*
 * The options of `hipshim embed`, which hipshim-embed(1) describes.  Members that
 * are not needed, or that the library does not know, are 0.  Since 0.1.
 */
typedef struct hipshim_embed_options {
    size_t size;                /* sizeof(hipshim_embed_options_t) */
    const char *const *sources; /* .hip and .cu files, and directories with such files */
    size_t source_count;
    const char *output;       /* path without suffix: writes output.h and output.c */
    const char *const *archs; /* --arch; none: that of this machine */
    size_t arch_count;
    const char *const *options; /* --option: passed to the compiler unchanged */
    size_t option_count;
    const char *const *directories; /* --include */
    size_t directory_count;
    const char *rocm;    /* --rocm; NULL: hipshim searches for it */
    const char *hipcc;   /* --with=hipcc=...; implies HIPSHIM_EMBED_HIPCC */
    const char *hipify;  /* --hipify; NULL: hipify-perl if there is one */
    const char *name;    /* --name of the variable in C; NULL: from output */
    const char *depfile; /* --depfile; NULL: none */
    unsigned flags;      /* of hipshim_embed_flags_t */
    unsigned jobs;       /* --jobs; 0: one for each processor, at most 16 */
    /*
     * Called for each line of the command's output, without its end: errors,
     * warnings, the compiler's log, and at last the names of the outputs.  The
     * calls come from the thread that called hipshim_kernels_embed().  NULL: the
     * lines go to standard error.
     */
    void (*message)(void *context, const char *line);
    void *context;
    const char *tool; /* path of the command; NULL: HIPSHIM_TOOL, the place of
                         installation, PATH */
} hipshim_embed_options_t;

/*
 * Runs `hipshim embed` with these options, in a process of its own.
 *
 * Returns HIPSHIM_OK if the outputs are up to date, changed or not; or, with the
 * first error in hipshim_error_text():
 *   HIPSHIM_ERROR_COMPILATION  a kernel does not compile, or there is no compiler;
 *                              the text names the file, and the lines before it
 *                              are the compiler's own log
 *   HIPSHIM_ERROR_INVALID      the options contradict each other, or a source
 *                              does not exist
 *   HIPSHIM_ERROR_SYSTEM       the command cannot be run, or cannot write
 * Any thread; waits for the process.  No runtime is opened in this process.
 * Since 0.1.
 */
hipshim_status_t hipshim_kernels_embed(const hipshim_embed_options_t *options);

#ifdef __cplusplus
}
#endif

#endif
