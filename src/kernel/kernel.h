/* SPDX-License-Identifier: MIT */
/*
 * What the files of hipshim/kernel.h share.
 */
#ifndef HIPSHIM_SRC_KERNEL_KERNEL_H
#define HIPSHIM_SRC_KERNEL_KERNEL_H

#include <hipshim/kernel.h>

#include "cache/cache.h"
#include "kernel/arch.h"
#include "loader/loader.h"

#include <link.h>
#include <stdio.h>

/* Whether a list that a caller gives has a NULL in it, or is one though it has a length. */
int hs_kernel_has_null(const char *const *list, size_t count);

/* Why a result is not in the cache, where hipcc made it. */
#define HS_KERNEL_BY_HIPCC "what hipcc makes is not kept"

enum { HS_KERNEL_RELEASE = 40 };

/* A compilation whose arguments were checked; all is lent by the caller. */
struct hs_kernel_job {
    hipshim_kernel_options_t options; /* whole, whatever the caller's size was */
    char arch[HS_ARCH_ROOM];
    char release[HS_KERNEL_RELEASE]; /* of the runtime, "7.2.53211"; "" without */
};

/* What a compiler made of it; from malloc, or NULL. */
struct hs_kernel_output {
    void *code;
    size_t code_size;
    char *log;
    char *names; /* as in cache_entry.h */
    size_t names_size;
};

void hs_kernel_output_free(struct hs_kernel_output *output);

/*
 * A log of hiprtc with names that the caller knows: without the paths of the
 * compiler's temporary files, and with `name' for the source, which hiprtc knows by
 * `inner'.  From malloc, NULL without memory.
 */
char *hs_log_paths_rename(const char *log, const char *inner, const char *name);

/*
 * kernel_rtc.c: by the hiprtc of the runtime; kernel_hipcc.c: by hipcc, if it is
 * found, else HIPSHIM_ERROR_NO_COMPILER.  Both set the error text on failure.
 */
hipshim_status_t hs_hiprtc_compile(const struct hs_kernel_job *job,
                                       struct hs_kernel_output *output);
hipshim_status_t hs_hipcc_compile(const struct hs_kernel_job *job,
                                         struct hs_kernel_output *output);

/*
 * kernel_reads.c: why the result may depend on files that the job does not
 * list, in words, or NULL if it cannot.  Errs on the side of a reason.
 */
const char *hs_hermetic_refusal(const hipshim_kernel_options_t *options);

/*
 * kernel_identity.c: the compiler that hiprtc uses, in hex: a sum over the names,
 * build-ids and sizes of its libraries.
 *
 * To know them they must be mapped, which takes as long as a compilation.  So
 * what was found is kept in the cache beside the files' inodes and times, and
 * believed as long as those are the same.
 */
enum { HS_COMPILER_ID = HS_CACHE_HEX };

/* 0, or -1 with a note in the cache.  May compile something small. */
int hs_compiler_id_get(struct hs_cache *cache, const struct hs_runtime *runtime, const char *arch,
                       char identity[HS_COMPILER_ID]);

/* Writes the files by which the cache knows that identity; -1 if it does not, or no more. */
int hs_kernel_identity_print(struct hs_cache *cache, const struct hs_runtime *runtime,
                             const char *identity, FILE *stream);

/*
 * After a compilation: whether the compiler is the one of that identity.  If it
 * is not, the identity is forgotten.
 */
int hs_compiler_id_holds(struct hs_cache *cache, const struct hs_runtime *runtime,
                             const char *identity);

/*
 * kernel.c: takes the lock of a key, waiting while somebody else has it, with an
 * end in case it is never given back.  Returns HS_CACHE_BUSY as soon as the
 * entry is found, if `found` is not NULL: then no lock was taken.
 */
enum hs_cache_turn hs_kernel_wait(struct hs_cache *cache, const char *group,
                                  const unsigned char key[HS_CACHE_KEY], struct hs_cache_lock *lock,
                                  struct hs_cache_found *found);

/*
 * kernel_memo.c: what the cache knows beside kernels, in a group of its own: an
 * entry whose log is lines of describe.h.
 */
#define HS_KERNEL_MEMOS "compilers"

void hs_kernel_memo_keep(struct hs_cache *cache, const unsigned char key[HS_CACHE_KEY],
                         const char *name, const char *release, const char *identity,
                         const char *text);

/* Whether every file is as these lines describe it. */
int hs_kernel_memo_holds(const char *files);

/* Which runtime hs_loader_open would open in this process, which has not called it yet. */
struct hs_kernel_memo {
    int has_key; /* it can be remembered */
    int is_true; /* its release and its compiler are those */
    char release[HS_KERNEL_RELEASE], identity[HS_COMPILER_ID];
    unsigned char key[HS_CACHE_KEY];
};

/*
 * `is_true` only if the search, done for real, could come to nothing else:
 * nothing is guessed, and what is not certain is not known.
 */
void hs_kernel_memo_recall(struct hs_cache *cache, struct hs_kernel_memo *memo);

/*
 * After the runtime was opened, and its compiler is known: keeps that, if it is
 * not what the memo of before says.
 */
void hs_kernel_memo_remember(struct hs_cache *cache, const struct hs_kernel_memo *memo,
                             const struct hs_runtime *runtime, const char *identity);

/*
 * kernel_needs.c: writes lines of describe.h for the files that the dynamic
 * linker read to open the runtime, and for the directories where it looked.
 * -1 if these are not all, or if one changed since.
 */
int hs_kernel_needs_print(const struct hs_runtime *runtime, FILE *stream);

/* Whether an object of the process is the one that this library is in. */
int hs_kernel_needs_is_self(const struct dl_phdr_info *info);

/* Gives the directories in which the dynamic linker looks for this program; 0, or -1. */
int hs_kernel_needs_path(void (*visit)(void *context, const char *path), void *context);

/* kernel.c: "7.2.53211". */
void hs_kernel_release(const struct hs_runtime *runtime, char release[HS_KERNEL_RELEASE]);

/* kernel_key.c: what makes two jobs the same; -1 with a note if a file cannot be read. */
int hs_kernel_key(const struct hs_kernel_job *job, const char *identity, struct hs_cache *cache,
                  unsigned char key[HS_CACHE_KEY]);

#endif
