/* SPDX-License-Identifier: MIT */
/* Asks HIP for its devices, in a process of its own, because that may crash or never return. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/devices.h"
#include "tool/doctor/doctor.h"

/* The child's part.  What the runtime prints is about the finding and would hide it. */
static void ask(struct tool_devices *answer)
{
    alarm(TOOL_DEVICES_SECONDS);
    tool_devices_silence();
    *answer = tool_devices_ask();
    _exit(0); /* without exit handlers, because those of some runtimes hang without a GPU */
}

/* NULL, or why there is no answer, from malloc. */
static char *describe_end(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return NULL;
    }
    if (WIFEXITED(status)) {
        return doctor_text("ended the process with status %d", WEXITSTATUS(status));
    }
    if (WTERMSIG(status) == SIGALRM) {
        return doctor_text("did not return within %d seconds", TOOL_DEVICES_SECONDS);
    }
    return doctor_text("ended the process by signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
}

static void add_failure(struct doctor *doctor, char *what)
{
    doctor_report(doctor, DOCTOR_ERROR, "hip-fails", what,
                  "every HIP program begins with these calls",
                  "run `rocminfo`, or this command with AMD_LOG_LEVEL=4 in front of "
                  "`hipshim run`; look in `sudo dmesg` for amdgpu; in a container, "
                  "give it /dev/kfd and /dev/dri by --device");
}

/* False if the reason is unknown, which only the processor of the loopback is not. */
static bool add_reason(struct doctor *doctor)
{
    char text[TOOL_DEVICES_TEXT];
    bool lacks_compiler = tool_devices_lack_compiler(&doctor->runtime, text);

    if (!lacks_compiler && !doctor->has_loopback) {
        return false;
    }
    char *remedy = strstr(text, "; ");
    *remedy = '\0';
    doctor_report(doctor, DOCTOR_ERROR, lacks_compiler ? "library-missing" : "device-count",
                  doctor_text("%s: %s", doctor->runtime.path, text),
                  "programs find no device, and tests skip themselves",
                  doctor_text("%s", remedy + 2));
    return true;
}

static void add_result(struct doctor *doctor, const struct tool_devices *answer,
                       bool expects_devices)
{
    const char *path = doctor->runtime.path;
    const char *lister = doctor->has_loopback ? "loopback" : "driver";

    if (expects_devices && tool_devices_none(answer) && add_reason(doctor)) {
        return;
    }
    if (answer->error && (expects_devices || answer->error != TOOL_NO_DEVICE)) {
        add_failure(doctor, doctor_text("%s: hipInit or hipGetDeviceCount returns %d, and the "
                                        "%s lists %u GPUs",
                                        path, answer->error, lister, doctor->gpu_count));
    } else if (expects_devices && (unsigned)answer->count != doctor->gpu_count) {
        doctor_report(doctor, answer->count ? DOCTOR_WARNING : DOCTOR_ERROR, "device-count",
                      doctor_text("%s: hipGetDeviceCount gives %d, and the %s lists %u GPUs", path,
                                  answer->count, lister, doctor->gpu_count),
                      "programs do not find the other GPUs",
                      "install a HIP release that knows all GPUs, and give this user "
                      "every /dev/dri/renderD*");
    }
}

/* A finding about the devices explains why HIP finds none, so only a crash is one more then. */
void doctor_check_trial(struct doctor *doctor)
{
    struct tool_devices *answer =
        mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool is_explained = doctor->error_count > 0;
    int status;

    if (!doctor->runtime.path || answer == MAP_FAILED) {
        return;
    }
    fflush(NULL);
    pid_t child = fork();

    if (child == 0) {
        ask(answer);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return;
    }
    char *failure = describe_end(status);

    if (failure) {
        add_failure(doctor, doctor_text("%s: hipInit or hipGetDeviceCount %s", doctor->runtime.path,
                                        failure));
        free(failure);
    } else if (!is_explained) {
        add_result(doctor, answer, doctor->gpu_count > 0 && !tool_devices_hidden());
    }
}
