/* SPDX-License-Identifier: MIT */
/* The list of findings, and what all checks use. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool/doctor/doctor.h"

char *doctor_text(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

void doctor_add(struct doctor *doctor, struct doctor_finding finding)
{
    struct doctor_finding *findings =
        realloc(doctor->findings, (doctor->finding_count + 1) * sizeof *findings);

    if (findings) {
        doctor->findings = findings;
    }
    if (!findings || !finding.what || !finding.remedy) {
        free(finding.what);
        free(finding.remedy);
        doctor->is_incomplete = true;
        return;
    }
    findings[doctor->finding_count++] = finding;
    doctor->error_count += finding.severity == DOCTOR_ERROR;
}

void doctor_report(struct doctor *doctor, enum doctor_severity severity, const char *id, char *what,
                   const char *why, char *remedy)
{
    doctor_add(doctor, (struct doctor_finding){severity, id, what, why, remedy});
}

void doctor_free(struct doctor *doctor)
{
    for (size_t i = 0; i < doctor->finding_count; i++) {
        free(doctor->findings[i].what);
        free(doctor->findings[i].remedy);
    }
    for (size_t i = 0; i < doctor->library_count; i++) {
        free(doctor->libraries[i].path);
    }
    free(doctor->findings);
}

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

glob_t doctor_glob(struct doctor *doctor, const char *pattern)
{
    glob_t found = {0};

    if (glob(pattern, GLOB_BRACE | GLOB_NOSORT, NULL, &found) == GLOB_NOSPACE) {
        doctor->is_incomplete = true;
    }
    if (found.gl_pathc > 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_versions);
    }
    return found;
}
