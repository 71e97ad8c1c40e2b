/* SPDX-License-Identifier: MIT */
/* Checks of the runtime that the search found, or why it found none. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/doctor/doctor.h"
#include "tool/foreign.h"
#include "tool/release_text.h"
#include "tool/tool.h"

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

static void add_no_runtime(struct doctor *doctor)
{
    doctor_report(
        doctor, DOCTOR_ERROR, "runtime-missing", doctor_text("%s", doctor->runtime.no_runtime_text),
        "programs find no device, and calls return hipErrorInsufficientDriver",
        doctor_text("install the HIP runtime (hip-runtime-amd of ROCm, libamdhip64-N of Debian, "
                    "rocm-hip of Fedora), or set HIPSHIM_LIBRARY to a libamdhip64.so.N"));
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
                      doctor_text("remove one of them from LD_PRELOAD"));
    } else if (step->outcome != HIPSHIM_OUTCOME_REJECTED) {
        return;
    } else if (read_missing_library(step, library)) {
        doctor_add_missing_library(doctor, step->subject, library);
    } else {
        doctor_add_rejected(doctor, step->subject, step->reason);
    }
}

void doctor_check_search(struct doctor *doctor)
{
    hipshim_step_t step = {.size = sizeof step};

    for (unsigned i = 0; hipshim_step_info(i, &step) == HIPSHIM_OK; i++) {
        check_step(doctor, &step);
    }
    if (!doctor->runtime.path && doctor->error_count == 0) {
        add_no_runtime(doctor);
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
                  doctor_text("install a hipshim that knows the release, or a release that "
                              "`hipshim abi list` knows"));
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
            doctor_text("if programs fail, install AMD's runtime or name it in HIPSHIM_LIBRARY"));
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
    struct doctor_finding finding = {.severity = DOCTOR_WARNING};

    if (!runtime->path) {
        return;
    }
    if (!runtime->hiprtc_path) {
        finding.id = "hiprtc-missing";
        finding.what =
            doctor_text("%s has no usable hiprtc: %s", runtime->path, runtime->hiprtc_text);
        finding.why = "programs that compile kernels at run time fail";
        finding.remedy = doctor_text("install libhiprtc of the same release beside the runtime");
    } else if (read_file_version(runtime->path, ours) &&
               read_file_version(runtime->hiprtc_path, theirs) && strcmp(ours, theirs) != 0) {
        finding.id = "hiprtc-release";
        finding.what = doctor_text("%s is of release %s, but its hiprtc %s is of release %s",
                                   runtime->path, ours, runtime->hiprtc_path, theirs);
        finding.why = "kernels are compiled with the headers and for the code object format of "
                      "another release than the one that runs them";
        finding.remedy = doctor_text("install both libraries from one release of ROCm");
    } else {
        return;
    }
    doctor_add(doctor, finding);
}
