/* SPDX-License-Identifier: MIT */
/* hipshim doctor: what is wrong with the HIP of this machine, why it matters and what helps. */
#include "tool/doctor/doctor.h"

#include <argp.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sysexits.h>

#include "tool/devices.h"
#include "tool/tool.h"

/* 2 is the status of warnings, so an error of usage has the status of sysexits(3). */
enum { DOCTOR_SOUND = 0, DOCTOR_STOPS = 1, DOCTOR_WARNS = 2, DOCTOR_USAGE = EX_USAGE };

enum { OPTION_ROOT = 256 };

struct request {
    bool json;
    const char *root;
};

/* In the order of the report: the library, the devices, the process. */
static void (*const checks[])(struct doctor *doctor) = {
    doctor_check_search,      doctor_check_release,  doctor_check_foreign,
    doctor_check_hiprtc,      doctor_check_headers,  doctor_check_sonames,
    doctor_check_several,     doctor_check_kfd,      doctor_check_render_nodes,
    doctor_check_gpus,        doctor_check_cache,    doctor_check_locked_memory,
    doctor_check_environment, doctor_check_prefixes, doctor_check_preload,
    doctor_check_tmpdir,      doctor_check_trial,
};

static int examine(const struct request *request)
{
    bool is_incomplete = false;
    struct doctor doctor = {.root = request->root,
                            .runtime = {.size = sizeof doctor.runtime},
                            .is_incomplete = &is_incomplete};

    doctor.has_loopback = dlsym(RTLD_DEFAULT, "loopback_dispatches") != NULL;
    doctor.gpu_count = doctor.has_loopback ? tool_devices_of_loopback() : 0;
    doctor.is_container =
        doctor_exists(&doctor, "/.dockerenv") || doctor_exists(&doctor, "/run/.containerenv");
    doctor_find_libraries(&doctor);
    if (*doctor.root) {
        doctor_read_image(&doctor);
    } else {
        hipshim_runtime_info(&doctor.runtime);
    }
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        checks[i](&doctor);
    }
    if (request->json) {
        doctor_write_json(&doctor);
    } else {
        doctor_write_text(&doctor);
    }
    int status = doctor.error_count     ? DOCTOR_STOPS
                 : doctor.finding_count ? DOCTOR_WARNS
                                        : DOCTOR_SOUND;
    if (is_incomplete) {
        tool_complain("hipshim doctor", "out of memory, so findings are missing");
        status = DOCTOR_STOPS;
    }
    doctor_free(&doctor);
    return status;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case OPTION_ROOT:
        request->root = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN; /* argp itself refuses arguments that are no options */
    }
}

static const struct argp_option options[] = {
    TOOL_JSON_OPTION,
    {"root", OPTION_ROOT, "DIR", 0,
     "Look for installations, devices and groups below DIR, such as the image of a container; "
     "files there are only read",
     0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = parse,
    .doc = "Find out why HIP does not work: each finding says what is wrong, why it matters and "
           "what to do.\v"
           "Exit status: 0 if nothing is wrong, 1 if a finding stops programs, 2 if there are "
           "warnings only, 3 if the output cannot be written, 64 if the command line is wrong.",
};

/* The root in absolute form, because findings name paths; NULL after a message. */
static char *resolve_root(const char *root)
{
    char directory[TOOL_PATH_ROOM];

    snprintf(directory, sizeof directory, "%s/.", root);
    char *resolved = realpath(directory, NULL);
    if (!resolved) {
        tool_complain("hipshim doctor", "--root=%s: %m; name a directory", root);
    } else if (resolved[1] == '\0') {
        resolved[0] = '\0';
    }
    return resolved;
}

int tool_doctor_run(int argc, char **argv)
{
    struct request request = {.root = ""};

    argp_err_exit_status = DOCTOR_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &request);
    if (!*request.root) {
        return examine(&request);
    }
    char *root = resolve_root(request.root);
    if (!root) {
        return DOCTOR_USAGE;
    }
    request.root = root;
    int status = examine(&request);

    free(root);
    return status;
}
