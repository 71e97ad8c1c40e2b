/* SPDX-License-Identifier: MIT */
/* Checks of the runtime that the search found and of its headers, or why it found none. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/read.h"
#include "tool/doctor/doctor.h"
#include "tool/foreign.h"
#include "tool/release_text.h"
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

static void add_missing_library(struct doctor *doctor, const char *user, const char *library)
{
    char *directory = find_directory(doctor, user, library);

    doctor_report(doctor, doctor->runtime.path ? DOCTOR_WARNING : DOCTOR_ERROR, "library-missing",
                  directory ? doctor_text("%s needs %s, which is in %s, where the dynamic linker "
                                          "does not look",
                                          user, library, directory)
                            : doctor_text("%s needs %s, which is not there", user, library),
                  "the dynamic linker refuses a library without those that it needs",
                  directory ? doctor_text("add %s to LD_LIBRARY_PATH, or to a file in "
                                          "/etc/ld.so.conf.d and run ldconfig",
                                          directory)
                            : describe_package(library));
    free(directory);
}

/*
 * Takes the library's name from the message of the dynamic linker.  False if the message is about
 * something else, or about the runtime itself.
 */
static bool read_missing_library(const hipshim_step_t *step, char name[NAME_MAX + 1])
{
    size_t length = strcspn(step->reason, ":");
    static const char text[] = ": cannot open shared object file";

    if (strncmp(step->reason + length, text, sizeof text - 1) != 0 || length > NAME_MAX ||
        memchr(step->reason, '/', length)) {
        return false;
    }
    snprintf(name, NAME_MAX + 1, "%.*s", (int)length, step->reason);
    return strcmp(name, step->subject) != 0;
}

static void check_step(struct doctor *doctor, const hipshim_step_t *step)
{
    char library[NAME_MAX + 1];
    bool is_second = step->source == HIPSHIM_SEARCH_SOURCE_LOADED &&
                     step->outcome == HIPSHIM_OUTCOME_SKIPPED && strchr(step->subject, '/');

    if (is_second) {
        doctor_report(doctor, DOCTOR_WARNING, "runtime-twice",
                      doctor_text("%s: %s", step->subject, step->reason),
                      "two runtimes in one process do not know each other's memory and streams",
                      "remove one of them from LD_PRELOAD");
    } else if (step->outcome != HIPSHIM_OUTCOME_REJECTED) {
        return;
    } else if (read_missing_library(step, library)) {
        add_missing_library(doctor, step->subject, library);
    } else {
        doctor_report(
            doctor, doctor->runtime.path ? DOCTOR_WARNING : DOCTOR_ERROR, "runtime-rejected",
            doctor_text("%s cannot be used: %s", step->subject, step->reason),
            "programs cannot use a runtime that does not load",
            strstr(step->reason, "hipshim itself")
                ? "let the variable name AMD's runtime; `hipshim run --hip` and HIPSHIM_LIBRARY do "
                  "that for one program"
                : "install the package that owns this file again or remove the file; "
                  "HIPSHIM_LIBRARY can name another runtime");
    }
}

void doctor_check_search(struct doctor *doctor)
{
    hipshim_step_t step = {.size = sizeof step};

    for (unsigned i = 0; hipshim_step_info(i, &step) == HIPSHIM_OK; i++) {
        check_step(doctor, &step);
    }
    if (!doctor->runtime.path && doctor->error_count == 0) {
        doctor_report(doctor, DOCTOR_ERROR, "runtime-missing",
                      doctor_text("%s", doctor->runtime.no_runtime_text),
                      "programs find no device, and calls return hipErrorInsufficientDriver",
                      "install the HIP runtime (hip-runtime-amd of ROCm, libamdhip64-N of Debian, "
                      "rocm-hip of Fedora), or set HIPSHIM_LIBRARY to a libamdhip64.so.N");
    }
}

/* --- releases --- */

void doctor_check_release(struct doctor *doctor)
{
    const hipshim_runtime_t *runtime = &doctor->runtime;

    if (!runtime->path || runtime->match == HIPSHIM_MATCH_EXACT) {
        return;
    }
    doctor_report(doctor, DOCTOR_WARNING, "release-unknown",
                  doctor_text("%s: %s", runtime->path, runtime->match_text),
                  "if that release changed a structure or a function, hipshim does not convert it",
                  "install a hipshim that knows the release, or a release that "
                  "`hipshim abi list` knows");
}

void doctor_check_foreign(struct doctor *doctor)
{
    const hipshim_runtime_t *runtime = &doctor->runtime;
    char text[TOOL_FOREIGN_TEXT];

    if (runtime->path && tool_foreign_describe_file(runtime->path, runtime->release.major, text)) {
        doctor_report(
            doctor, DOCTOR_WARNING, "runtime-foreign", doctor_text("%s: %s", runtime->path, text),
            "hipshim knows the layouts and the behaviour of AMD's releases only, and calls that a "
            "runtime lacks return hipErrorNotSupported",
            "if programs fail, install AMD's runtime or name it in HIPSHIM_LIBRARY");
    }
}

/* What follows ".so." in the name of the file itself; false if that is a major alone. */
static bool read_file_version(const char *path, char version[NAME_MAX + 1])
{
    char *file = realpath(path, NULL);
    const char *at = file ? strrchr(file, '/') : NULL;

    at = at ? strstr(at, ".so.") : NULL;
    snprintf(version, NAME_MAX + 1, "%s", at ? at + 4 : "");
    free(file);
    return strchr(version, '.') != NULL;
}

void doctor_check_hiprtc(struct doctor *doctor)
{
    const hipshim_runtime_t *runtime = &doctor->runtime;
    char ours[NAME_MAX + 1], theirs[NAME_MAX + 1];

    if (!runtime->path) {
        return;
    }
    if (!runtime->hiprtc_path) {
        doctor_report(
            doctor, DOCTOR_WARNING, "hiprtc-missing",
            doctor_text("%s has no usable hiprtc: %s", runtime->path, runtime->hiprtc_text),
            "programs that compile kernels at run time fail",
            "install libhiprtc of the same release beside the runtime");
    } else if (read_file_version(runtime->path, ours) &&
               read_file_version(runtime->hiprtc_path, theirs) && strcmp(ours, theirs) != 0) {
        doctor_report(doctor, DOCTOR_WARNING, "hiprtc-release",
                      doctor_text("%s is of release %s, but its hiprtc %s is of release %s",
                                  runtime->path, ours, runtime->hiprtc_path, theirs),
                      "kernels are compiled with the headers and for the code object format of "
                      "another release than the one that runs them",
                      "install both libraries from one release of ROCm");
    }
}

/* --- headers --- */

/* The header of the prefix that has the library, from malloc; NULL if there is none. */
static char *find_header(const char *library)
{
    static const char *const steps[] = {"..", "../.."};
    const char *slash = strrchr(library, '/');
    char path[TOOL_PATH_ROOM];

    for (size_t i = 0; slash && i < sizeof steps / sizeof steps[0]; i++) {
        snprintf(path, sizeof path, "%.*s/%s/include/hip/hip_version.h", (int)(slash - library),
                 library, steps[i]);
        char *header = realpath(path, NULL);
        if (header) {
            return header;
        }
    }
    return NULL;
}

void doctor_check_headers(struct doctor *doctor)
{
    hipshim_release_t release = doctor->runtime.release;
    char *header = doctor->runtime.path ? find_header(doctor->runtime.path) : NULL;
    long major = header ? hs_read_number(header, "#define HIP_VERSION_MAJOR ") : -1;

    if (major >= 0) {
        long minor = hs_read_number(header, "#define HIP_VERSION_MINOR ");
        long patch = hs_read_number(header, "#define HIP_VERSION_PATCH ");
        if (major != release.major || minor != release.minor || patch != release.patch) {
            doctor_report(
                doctor, DOCTOR_WARNING, "headers-release",
                doctor_text("%s belongs to HIP %ld.%ld.%ld, but %s is HIP %u.%u.%u", header, major,
                            minor, patch, doctor->runtime.path, release.major, release.minor,
                            release.patch),
                "programs that are compiled with these headers may pass structures of another "
                "layout to the library",
                "install the development package of the runtime's own release");
        }
    }
    free(header);
}
