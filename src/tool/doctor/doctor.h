/* SPDX-License-Identifier: MIT */
/* Shared by the files of `hipshim doctor`: the machine as it was found, and the findings. */
#ifndef HIPSHIM_SRC_TOOL_DOCTOR_DOCTOR_H
#define HIPSHIM_SRC_TOOL_DOCTOR_DOCTOR_H

#include <hipshim/hipshim.h>

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum doctor_severity {
    DOCTOR_WARNING, /* programs run, perhaps not as their user expects */
    DOCTOR_ERROR    /* programs do not run, or find no device */
};

struct doctor_finding {
    enum doctor_severity severity;
    const char *id; /* for programs; it never changes */
    const char *what, *why, *remedy;
};

/* A libamdhip64.so.N of an installation.  Two names of one file are two of them. */
struct doctor_library {
    char *path;
    unsigned name_major, soname_major; /* 0: its soname is another one, or cannot be read */
    bool is_damaged, is_repeated;      /* repeated: another one before it has the same file */
    dev_t device;
    ino_t inode;
};

enum { DOCTOR_LIBRARIES = 64 };

struct doctor {
    bool has_loopback;
    bool is_container;
    unsigned gpu_count; /* of the driver's list, or of the loopback */
    hipshim_runtime_t runtime;
    struct doctor_library libraries[DOCTOR_LIBRARIES];
    size_t library_count;
    struct doctor_finding *findings;
    size_t finding_count, error_count;
    bool is_incomplete; /* memory was short */
};

/* --- findings.c --- */

/* A text from malloc, which nothing frees before the process ends; or NULL. */
__attribute__((format(printf, 1, 2))) char *doctor_text(const char *format, ...);

/*
 * Adds a finding: what is wrong, why that matters, and what helps.  A text that is NULL, because
 * memory was short, makes the report incomplete.
 */
void doctor_report(struct doctor *doctor, enum doctor_severity severity, const char *id,
                   const char *what, const char *why, const char *remedy);

/*
 * The files that a pattern of glob(3) with braces matches, the newest version first.  The caller
 * frees them with globfree.
 */
glob_t doctor_glob(struct doctor *doctor, const char *pattern);

/* --- installations.c --- */

/* Where installations have their libraries, as a pattern without the file's name. */
#define DOCTOR_PLACES          "/{lib,lib64,lib/*-linux-gnu,hip/lib}/"
#define DOCTOR_ROCM_PREFIXES   "{/opt/rocm,/opt/rocm/core,/opt/rocm/core-*,/opt/rocm-*}"
#define DOCTOR_SYSTEM_PREFIXES "{/usr,/usr/local,/usr/lib64/rocm/rocm-*,/run/opengl-driver}"

/* Fills `libraries`, those of ROCm's own directories first. */
void doctor_find_libraries(struct doctor *doctor);

/* --- the checks; each adds its findings --- */

void doctor_check_search(struct doctor *doctor);
void doctor_check_release(struct doctor *doctor);
void doctor_check_foreign(struct doctor *doctor);
void doctor_check_hiprtc(struct doctor *doctor);
void doctor_check_headers(struct doctor *doctor);
void doctor_check_sonames(struct doctor *doctor);
void doctor_check_several(struct doctor *doctor);
void doctor_check_kfd(struct doctor *doctor);
void doctor_check_render_nodes(struct doctor *doctor);
void doctor_check_gpus(struct doctor *doctor);
void doctor_check_trial(struct doctor *doctor); /* after all that explain why HIP fails */
void doctor_check_environment(struct doctor *doctor);
void doctor_check_prefixes(struct doctor *doctor);
void doctor_check_preload(struct doctor *doctor);
void doctor_check_cache(struct doctor *doctor);
void doctor_check_tmpdir(struct doctor *doctor);
void doctor_check_locked_memory(struct doctor *doctor);

#endif
