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
    char text[TOOL_RELEASE_TEXT];

    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "library", doctor->runtime.path);
    tool_json_text(&json, "hip_version", tool_release_text(text, doctor->runtime.release));
    tool_json_bool(&json, "loopback", doctor->has_loopback);
    tool_json_bool(&json, "container", doctor->is_container);
    tool_json_open(&json, "findings", '[');
    for (size_t i = 0; i < doctor->finding_count; i++) {
        const struct doctor_finding *finding = &doctor->findings[i];
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "id", finding->id);
        tool_json_text(&json, "severity", severity_words[finding->severity]);
        tool_json_text(&json, "what", finding->what);
        tool_json_text(&json, "why", finding->why);
        tool_json_text(&json, "do", finding->remedy);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}
