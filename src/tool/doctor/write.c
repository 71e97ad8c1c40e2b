/* SPDX-License-Identifier: MIT */
/* The two writers of `hipshim doctor`: for people and for programs. */
#include "tool/doctor/doctor.h"
#include "tool/json.h"
#include "tool/release_text.h"

static const char *const severity_words[] = {
    [DOCTOR_WARNING] = "warning",
    [DOCTOR_ERROR] = "error",
};

void doctor_write_text(const struct doctor *doctor)
{
    char text[TOOL_RELEASE_TEXT];

    for (size_t i = 0; i < doctor->finding_count; i++) {
        const struct doctor_finding *finding = &doctor->findings[i];
        printf("%s%s: %s [%s]\n  why: %s\n  do:  %s\n", i ? "\n" : "",
               severity_words[finding->severity], finding->what, finding->id, finding->why,
               finding->remedy);
    }
    if (doctor->finding_count == 0) {
        const char *release = tool_release_text(text, doctor->runtime.release);
        printf("HIP%s%s, %s: nothing wrong was found\n", release ? " " : "", release ? release : "",
               doctor->runtime.path);
    }
}

void doctor_write_json(const struct doctor *doctor)
{
    struct tool_json json = {.stream = stdout};

    tool_json_write(&json, "{library:s hip_version:r loopback:b container:b findings:[",
                    doctor->runtime.path, doctor->runtime.release, doctor->has_loopback,
                    doctor->is_container);
    for (size_t i = 0; i < doctor->finding_count; i++) {
        const struct doctor_finding *finding = &doctor->findings[i];
        tool_json_write(&json, "{id:s severity:s what:s why:s do:s}", finding->id,
                        severity_words[finding->severity], finding->what, finding->why,
                        finding->remedy);
    }
    tool_json_write(&json, "]}");
}
