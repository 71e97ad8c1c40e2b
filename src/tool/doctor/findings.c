/* SPDX-License-Identifier: MIT */
/* The list of findings, and what all checks use. */
#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tool/doctor/doctor.h"
#include "tool/tool.h"

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
        *doctor->is_incomplete = true;
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
    free(doctor->hiprtc);
    free(doctor->findings);
}

bool doctor_exists(const struct doctor *doctor, const char *path)
{
    char whole[TOOL_PATH_ROOM];
    struct stat status;

    snprintf(whole, sizeof whole, "%s%s", doctor->root, path);
    return stat(whole, &status) == 0;
}

/* Writes a path so that a pattern matches it alone. */
static void write_literal(FILE *stream, const char *path)
{
    for (; *path; path++) {
        if (strchr("*?[]{},\\~", *path)) {
            putc('\\', stream);
        }
        putc(*path, stream);
    }
}

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

char **doctor_glob(const struct doctor *doctor, const char *pattern)
{
    char *whole = NULL, **files = NULL;
    size_t size, count = 0;
    FILE *stream = open_memstream(&whole, &size);
    glob_t found;

    if (!stream) {
        *doctor->is_incomplete = true;
        return NULL;
    }
    write_literal(stream, doctor->root);
    fputs(pattern, stream);
    int status =
        fclose(stream) == 0 ? glob(whole, GLOB_BRACE | GLOB_NOSORT, NULL, &found) : GLOB_NOSPACE;
    if (status == 0) {
        files = calloc(found.gl_pathc + 1, sizeof *files);
        while (files && count < found.gl_pathc &&
               (files[count] = strdup(found.gl_pathv[count])) != NULL) {
            count++;
        }
        *doctor->is_incomplete |= count < found.gl_pathc;
        qsort(files ? files : found.gl_pathv, count, sizeof *files, compare_versions);
        globfree(&found);
    }
    *doctor->is_incomplete |= status == GLOB_NOSPACE;
    free(whole);
    return files;
}

void doctor_free_files(char **files)
{
    for (char **file = files; file && *file; file++) {
        free(*file);
    }
    free(files);
}
