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

void doctor_report(struct doctor *doctor, enum doctor_severity severity, const char *id,
                   const char *what, const char *why, const char *remedy)
{
    struct doctor_finding *findings =
        realloc(doctor->findings, (doctor->finding_count + 1) * sizeof *findings);

    if (findings) {
        doctor->findings = findings;
    }
    if (!findings || !what || !remedy) {
        doctor->is_incomplete = true;
        return;
    }
    findings[doctor->finding_count++] = (struct doctor_finding){severity, id, what, why, remedy};
    doctor->error_count += severity == DOCTOR_ERROR;
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
