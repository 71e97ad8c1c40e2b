/* SPDX-License-Identifier: MIT */
/* Asks HIP for its devices, in a process of its own, because that may crash or never return. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/doctor/doctor.h"

/* A machine with eight GPUs needs two or three seconds. */
enum { LIMIT_SECONDS = 15, NO_DEVICE = 100 };

struct answer {
    int error; /* of hipInit, or else of hipGetDeviceCount */
    int count;
};

/* The child's part.  What the runtime prints is about the finding and would hide it. */
static void ask(int to)
{
    const struct rlimit none = {0, 0};
    struct answer answer = {0, 0};
    int (*init)(unsigned) = (int (*)(unsigned))hipshim_function_address("hipInit");
    int (*count)(int *) = (int (*)(int *))hipshim_function_address("hipGetDeviceCount");
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    setrlimit(RLIMIT_CORE, &none);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    answer.error = init(0);
    answer.error = answer.error ? answer.error : count(&answer.count);
    _exit(write(to, &answer, sizeof answer) == sizeof answer ? 0 : 1);
}

/* NULL, or why there is no answer, from malloc. */
static char *wait_for(pid_t child, int from, struct answer *answer)
{
    struct pollfd wait = {.fd = from, .events = POLLIN};
    int status = 0, ready = poll(&wait, 1, LIMIT_SECONDS * 1000);
    bool is_given = ready > 0 && read(from, answer, sizeof *answer) == sizeof *answer;

    if (!is_given && ready <= 0) {
        kill(child, SIGKILL);
    }
    waitpid(child, &status, 0);
    if (is_given) {
        return NULL;
    }
    if (ready <= 0) {
        return doctor_text("did not return within %d seconds", LIMIT_SECONDS);
    }
    return WIFSIGNALED(status)
               ? doctor_text("ended the process by signal %d (%s)", WTERMSIG(status),
                             strsignal(WTERMSIG(status)))
               : doctor_text("ended the process with status %d", WEXITSTATUS(status));
}

static void add_failure(struct doctor *doctor, char *what)
{
    doctor_add(doctor,
               (struct doctor_finding){
                   .severity = DOCTOR_ERROR,
                   .id = "hip-fails",
                   .what = what,
                   .why = "every HIP program begins with these calls",
                   .remedy = doctor_text(
                       "run `rocminfo`, or this command with AMD_LOG_LEVEL=4 in front of `hipshim "
                       "run`; look in `sudo dmesg` for amdgpu; in a container, give it /dev/kfd "
                       "and /dev/dri by --device"),
               });
}

static bool hides_devices(void)
{
    return getenv("HIP_VISIBLE_DEVICES") || getenv("ROCR_VISIBLE_DEVICES") ||
           getenv("GPU_DEVICE_ORDINAL");
}

static void judge(struct doctor *doctor, const struct answer *answer, bool expects_devices)
{
    const char *path = doctor->runtime.path;

    if (answer->error && (expects_devices || answer->error != NO_DEVICE)) {
        add_failure(doctor, doctor_text("%s: hipInit or hipGetDeviceCount returns %d, and the "
                                        "driver lists %u GPUs",
                                        path, answer->error, doctor->gpu_count));
    } else if (expects_devices && (unsigned)answer->count != doctor->gpu_count) {
        doctor_add(doctor,
                   (struct doctor_finding){
                       .severity = answer->count ? DOCTOR_WARNING : DOCTOR_ERROR,
                       .id = "device-count",
                       .what = doctor_text("%s: hipGetDeviceCount gives %d, and the driver lists "
                                           "%u GPUs",
                                           path, answer->count, doctor->gpu_count),
                       .why = "programs do not find the other GPUs",
                       .remedy = doctor_text("install a HIP release that knows all GPUs, and give "
                                             "this user every /dev/dri/renderD*"),
                   });
    }
}

/* A finding about the devices explains why HIP finds none, so only a crash is one more then. */
void doctor_check_trial(struct doctor *doctor)
{
    struct answer answer = {0, 0};
    int ends[2];

    if (*doctor->root || !doctor->runtime.path || pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    bool is_explained = doctor->error_count > 0;
    pid_t child = fork();

    if (child == 0) {
        ask(ends[1]);
    }
    close(ends[1]);
    char *failure = child > 0 ? wait_for(child, ends[0], &answer) : NULL;
    close(ends[0]);
    if (failure) {
        add_failure(doctor, doctor_text("%s: hipInit or hipGetDeviceCount %s", doctor->runtime.path,
                                        failure));
        free(failure);
    } else if (child > 0 && !is_explained) {
        judge(doctor, &answer, doctor->gpu_count > 0 && !doctor->has_loopback && !hides_devices());
    }
}
