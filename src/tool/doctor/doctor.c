/* SPDX-License-Identifier: MIT */
/* hipshim doctor: what is wrong with the HIP of this machine, why it matters and what helps. */
#include "tool/doctor/doctor.h"

#include <argp.h>
#include <dlfcn.h>
#include <unistd.h>

#include "tool/devices.h"
#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

enum { DOCTOR_SOUND = 0, DOCTOR_STOPS = 1, DOCTOR_WARNS = 2 };

/* In the order of the report: the library, the devices, the process. */
static void (*const checks[])(struct doctor *doctor) = {
    doctor_check_search,      doctor_check_release,  doctor_check_foreign,
    doctor_check_hiprtc,      doctor_check_headers,  doctor_check_sonames,
    doctor_check_several,     doctor_check_kfd,      doctor_check_render_nodes,
    doctor_check_gpus,        doctor_check_cache,    doctor_check_locked_memory,
    doctor_check_environment, doctor_check_prefixes, doctor_check_preload,
    doctor_check_tmpdir,      doctor_check_trial,
};

static const char *const severity_words[] = {
    [DOCTOR_WARNING] = "warning",
    [DOCTOR_ERROR] = "error",
};

static void write_text(const struct doctor *doctor)
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

static void write_json(const struct doctor *doctor)
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

static const struct argp_option options[] = {TOOL_JSON_OPTION, {0}};
static const struct argp parser = {
    .options = options,
    .parser = tool_words_option,
    .doc = "Find out why HIP does not work: each finding says what is wrong, why it matters and "
           "what to do.\v"
           "Exit status: 0 if nothing is wrong, 1 if a finding stops programs, 2 if there are "
           "warnings only or the command line is wrong, 3 if the output cannot be written.",
};

int tool_doctor_run(int argc, char **argv)
{
    struct tool_words words = {.is_closed = true};
    /* Static, because nothing is freed before the process ends. */
    static struct doctor doctor = {.runtime = {.size = sizeof doctor.runtime}};

    argp_parse(&parser, argc, argv, 0, NULL, &words);
    doctor.has_loopback = dlsym(RTLD_DEFAULT, "loopback_code_objects") != NULL;
    doctor.gpu_count = doctor.has_loopback ? tool_devices_of_loopback() : 0;
    doctor.is_container =
        access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
    doctor_find_libraries(&doctor);
    hipshim_runtime_info(&doctor.runtime);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        checks[i](&doctor);
    }
    if (words.json) {
        write_json(&doctor);
    } else {
        write_text(&doctor);
    }
    int status = doctor.error_count     ? DOCTOR_STOPS
                 : doctor.finding_count ? DOCTOR_WARNS
                                        : DOCTOR_SOUND;
    if (doctor.is_incomplete) {
        tool_complain("hipshim doctor", "out of memory, so findings are missing");
        status = DOCTOR_STOPS;
    }
    return status;
}
