/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of hipshim/kernel.h.
 *
 * This part uses libhipshim by its public headers only, and by base/error.h,
 * which libhipshim exports so that both libraries have one error text.
 */
#ifndef HIPSHIM_SRC_KERNEL_KERNEL_H
#define HIPSHIM_SRC_KERNEL_KERNEL_H

#include <hipshim/kernel.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/cache.h"

/* Room for every architecture's name; "gfx90a:sramecc+:xnack-" is among the longest. */
enum { HS_ARCH_ROOM = 64, HS_KERNEL_RELEASE = 40 };

/* Why the output of a compiler in a process of its own is not in the cache. */
#define HS_KERNEL_BY_HIPCC "output of clang++ or hipcc is not cached"

/* A compilation whose arguments were checked.  The caller owns all that it points to. */
struct hs_kernel_job {
    hipshim_kernel_options_t options; /* complete, whatever size the caller's has */
    char arch[HS_ARCH_ROOM];
    char release[HS_KERNEL_RELEASE]; /* "7.2.53211": given, or the runtime's; "" if none is known */
    bool is_release_given;           /* not the runtime's own */
    const char *runtime;             /* its file; NULL if there is none */
    bool reads_hip;                  /* includes headers of HIP that hiprtc has not built in */
};

/* The result of a compiler; from malloc, or NULL. */
struct hs_kernel_output {
    void *code;
    size_t code_size;
    char *log;
    char *names; /* as in cache/entry.h */
    size_t names_size;
};

void hs_kernel_output_free(struct hs_kernel_output *output);

/* --- options.c --- */

/*
 * Copies and checks the caller's options, and HIPSHIM_HIP_VERSION; HIPSHIM_ERROR_INVALID with the
 * error text set.
 */
hipshim_status_t hs_kernel_options_read(struct hs_kernel_job *job,
                                        const hipshim_kernel_options_t *given);

/* True if a header of that name, which has `length` bytes, is among `headers`. */
bool hs_kernel_options_give(const hipshim_kernel_options_t *options, const char *name,
                            size_t length);

/* --- compile.c --- */

/* Reads the options, then finds architecture and runtime. */
hipshim_status_t hs_kernel_job_read(struct hs_kernel_job *job,
                                    const hipshim_kernel_options_t *given);

/* Adds the beginning of the kernel's log to the error text, if there is a log. */
void hs_kernel_error_add_log(const hipshim_kernel_t *kernel);

/* --- arch.c --- */

/*
 * Whether a text looks like an architecture: "gfx" and what may follow it, and
 * features, or "amdgcnspirv".  It becomes part of an option and of a file name.
 */
bool hs_arch_is_name(const char *text);

/* The architecture of the first GPU in .../topology/nodes; false if there is none. */
bool hs_arch_of_topology(const char *nodes, char arch[HS_ARCH_ROOM]);

/* --- hiprtc.c: the hiprtc of the runtime --- */

/*
 * hiprtc has the declarations of this header built in.  Some releases still look
 * for the file when a source includes it, and fail, so an empty one is given.
 */
#define HS_KERNEL_BUILT_IN "hip/hip_runtime.h"

hipshim_status_t hs_hiprtc_compile(const struct hs_kernel_job *job,
                                   struct hs_kernel_output *output);

/* --- offline.c: clang++ or hipcc, in a process of its own --- */

/* HIPSHIM_ERROR_NO_COMPILER if neither is found.  Sets the error text on failure. */
hipshim_status_t hs_offline_compile(const struct hs_kernel_job *job,
                                    struct hs_kernel_output *output);

/* --- driver.c: finds clang++ or hipcc --- */

struct hs_driver {
    char program[PATH_MAX];
    char rocm[PATH_MAX];        /* prefix of ROCm; "" with hipcc, which finds it */
    char device_libs[PATH_MAX]; /* directory, or "" if clang++ finds it */
    bool is_hipcc;
};

bool hs_driver_find(const struct hs_kernel_job *job, struct hs_driver *driver);

/* Whether hipcc may hand a word to a shell without quoting it; `before` is the word before. */
bool hs_driver_is_risky(const char *word, const char *before);

/* --- log_paths.c --- */

/*
 * A log of hiprtc without the paths of the compiler's temporary files, and with
 * `name` for the source, which hiprtc knows as `inner`.  From malloc; NULL without
 * memory.
 */
char *hs_log_paths_rename(const char *log, const char *inner, const char *name);

/* --- hermetic.c --- */

/*
 * The reason why the result may depend on the time, or on files that the job does not
 * list, or NULL if it cannot.  In doubt there is a reason.  Sets `reads_hip` to whether
 * a header of HIP is included that hiprtc has not built in.  hs_compiler_environment_may_read()
 * asks the same of the environment.
 */
const char *hs_hermetic_refusal(const hipshim_kernel_options_t *options, bool *reads_hip);

/* --- compiler_id.c: identifies the compiler that hiprtc uses --- */

enum { HS_COMPILER_ID = HS_CACHE_HEX };
#define HS_COMPILER_GROUP "compilers" /* the cache's group of records about compilers */

/*
 * The identity in hex, a digest of names, build-ids and sizes of the libraries: the one that this
 * process uses, or that of a record which still holds.  False if there is none.
 */
bool hs_compiler_id_recall(struct hs_cache *cache, const struct hs_kernel_job *job,
                           char id[HS_COMPILER_ID]);

/* Compiles an empty kernel to have the libraries mapped.  False with a note in the cache. */
bool hs_compiler_id_probe(struct hs_cache *cache, const struct hs_kernel_job *job,
                          char id[HS_COMPILER_ID]);

/*
 * Whether the compiler that is mapped has this identity; to be asked after a
 * compilation.  If it has not, the record is replaced.
 */
bool hs_compiler_id_verify(struct hs_cache *cache, const struct hs_kernel_job *job, const char *id);

/* --- key.c --- */

/* The key of the job in the cache; false with a note if a file cannot be read. */
bool hs_kernel_key(const struct hs_kernel_job *job, const char *compiler, struct hs_cache *cache,
                   unsigned char key[HS_CACHE_KEY]);

/* --- place.c --- */

/* Where a module is loaded. */
struct hs_place {
    int device;
    uintptr_t context; /* 0 if the release has no contexts */
    uint64_t reset_id; /* changes with each reset of the device, 0 if unknown */
};

/* The place of this thread.  May allocate a byte on the device.  Keeps HIP's last error. */
hipshim_status_t hs_place_find(struct hs_place *place);

/* --- module.c --- */

struct hs_module_content {
    struct ihipModule_t *handle;
    hipshim_kernel_t *kernel; /* NULL if the code was embedded */
};

/* Loads a module for the current device; on failure sets the error text. */
typedef hipshim_status_t (*hs_module_load)(const void *context, struct hs_module_content *content);

/*
 * The module with that digest of its content for the current device.  Calls `load` if no other
 * thread did so.  hipshim_module_release() gives it back.
 */
hipshim_status_t hs_module_share(const unsigned char digest[HS_CACHE_KEY], hs_module_load load,
                                 const void *context, hipshim_module_t **module);

/* hipModuleLoadData; HIPSHIM_ERROR_SYSTEM with the error text if the runtime refuses the code. */
hipshim_status_t hs_module_load_code(const char *name, const char *arch, const void *code,
                                     struct ihipModule_t **handle);

#endif
