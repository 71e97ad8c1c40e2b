/* SPDX-License-Identifier: MIT */
/* The check of the headers that are installed with the runtime. */
#include <stdlib.h>
#include <string.h>

#include "base/read.h"
#include "tool/doctor/doctor.h"
#include "tool/tool.h"

/* The number after `#define NAME`, or -1. */
static long read_define(const char *text, const char *name)
{
    char line[64];

    snprintf(line, sizeof line, "#define %s ", name);
    const char *at = strstr(text, line);
    return at ? strtol(at + strlen(line), NULL, 10) : -1;
}

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
    size_t size;
    char *text = header ? hs_read_file(header, &size) : NULL;
    long major = text ? read_define(text, "HIP_VERSION_MAJOR") : -1;

    if (major >= 0) {
        long minor = read_define(text, "HIP_VERSION_MINOR");
        long patch = read_define(text, "HIP_VERSION_PATCH");
        if (major != release.major || minor != release.minor || patch != release.patch) {
            doctor_report(
                doctor, DOCTOR_WARNING, "headers-release",
                doctor_text("%s belongs to HIP %ld.%ld.%ld, but %s is HIP %u.%u.%u", header, major,
                            minor, patch, doctor->runtime.path, release.major, release.minor,
                            release.patch),
                "programs that are compiled with these headers may pass structures of another "
                "layout to the library",
                doctor_text("install the development package of the runtime's own release"));
        }
    }
    free(text);
    free(header);
}
