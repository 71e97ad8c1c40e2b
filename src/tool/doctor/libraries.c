/* SPDX-License-Identifier: MIT */
/* Findings about a runtime that does not load, and about a library that it needs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/doctor/doctor.h"
#include "tool/tool.h"

/* Where the libraries that HIP runtimes need come from. */
static const struct package {
    const char *library, *debian, *amd;
} packages[] = {
    {"libhsa-runtime64.so.1", "libhsa-runtime64-1", "hsa-rocr"},
    {"libamd_comgr.so.2", "libamd-comgr2", "comgr"},
    {"libamd_comgr.so.3", "libamd-comgr3", "comgr"},
    {"librocprofiler-register.so.0", "librocprofiler-register0", "rocprofiler-register"},
    {"libhsakmt.so.1", "libhsakmt1", "hsa-rocr"},
    {"libnuma.so.1", "libnuma1", NULL},
    {"libdrm_amdgpu.so.1", "libdrm-amdgpu1", NULL},
    {"libdrm.so.2", "libdrm2", NULL},
    {"libelf.so.1", "libelf1 or libelf1t64", NULL},
};

static char *describe_package(const char *library)
{
    for (size_t i = 0; i < sizeof packages / sizeof packages[0]; i++) {
        if (strcmp(packages[i].library, library) == 0) {
            return packages[i].amd
                       ? doctor_text("install the package %s of Debian or Ubuntu, or %s "
                                     "of AMD's repository",
                                     packages[i].debian, packages[i].amd)
                       : doctor_text("install the package %s of Debian or Ubuntu, or "
                                     "the one of your distribution that has %s",
                                     packages[i].debian, library);
        }
    }
    return doctor_text("install the package of your distribution or of ROCm that has %s", library);
}

/* The directory that has the library, from malloc; NULL if none has. */
static char *find_directory(struct doctor *doctor, const char *runtime, const char *library)
{
    static const char prefixes[] = "{/opt/rocm,/opt/rocm/core,/opt/rocm/core-*,/opt/rocm-*,/usr,"
                                   "/usr/local}" DOCTOR_PLACES;
    const char *slash = strrchr(runtime, '/');
    char *directory = NULL, path[TOOL_PATH_ROOM];

    snprintf(path, sizeof path, "%.*s/%s", slash ? (int)(slash - runtime) : 0, runtime, library);
    if (slash && access(path, F_OK) == 0) {
        return strndup(runtime, (size_t)(slash - runtime));
    }
    snprintf(path, sizeof path, "%s%s", prefixes, library);
    glob_t files = doctor_glob(doctor, path);
    if (files.gl_pathc > 0) {
        const char *first = files.gl_pathv[0];
        directory = strndup(first, (size_t)(strrchr(first, '/') - first));
    }
    globfree(&files);
    return directory;
}

void doctor_add_missing_library(struct doctor *doctor, const char *user, const char *library)
{
    char *directory = find_directory(doctor, user, library);
    struct doctor_finding finding = {
        .severity = doctor->runtime.path ? DOCTOR_WARNING : DOCTOR_ERROR,
        .id = "library-missing",
        .why = "the dynamic linker refuses a library without those that it needs",
    };

    if (!directory) {
        finding.what = doctor_text("%s needs %s, which is not there", user, library);
        finding.remedy = describe_package(library);
    } else {
        finding.what = doctor_text("%s needs %s, which is in %s, where the dynamic linker does "
                                   "not look",
                                   user, library, directory);
        finding.remedy = doctor_text("add %s to LD_LIBRARY_PATH, or to a file in "
                                     "/etc/ld.so.conf.d and run ldconfig",
                                     directory);
    }
    free(directory);
    doctor_add(doctor, finding);
}

void doctor_add_rejected(struct doctor *doctor, const char *path, const char *reason)
{
    doctor_report(doctor, doctor->runtime.path ? DOCTOR_WARNING : DOCTOR_ERROR, "runtime-rejected",
                  doctor_text("%s cannot be used: %s", path, reason),
                  "programs cannot use a runtime that does not load",
                  strstr(reason, "hipshim itself")
                      ? doctor_text("let the variable name AMD's runtime; `hipshim run --hip` and "
                                    "HIPSHIM_LIBRARY do that for one program")
                      : doctor_text("install the package that owns this file again or remove the "
                                    "file; HIPSHIM_LIBRARY can name another runtime"));
}
