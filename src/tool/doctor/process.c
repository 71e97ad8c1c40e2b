/* SPDX-License-Identifier: MIT */
/* Checks of what a process inherits: variables, limits, and the kernel cache. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cache/cache.h"
#include "tool/devices.h"
#include "tool/doctor/doctor.h"

/* Variables of ROCm that change what programs see, with the value that changes nothing. */
static const struct {
    const char *name, *harmless, *why;
} variables[] = {
    {"HSA_OVERRIDE_GFX_VERSION", NULL,
     "HIP takes the GPU for another one, whose code may crash on it or compute nonsense"},
    {"HIP_VISIBLE_DEVICES", NULL, "HIP shows these GPUs only, under new numbers"},
    {"ROCR_VISIBLE_DEVICES", NULL, "HSA shows these GPUs only, under new numbers"},
    {"GPU_DEVICE_ORDINAL", NULL, "HIP shows these GPUs only, under new numbers"},
    {"HIP_LAUNCH_BLOCKING", "0", "each launch waits for its kernel, which costs time"},
    {"AMD_SERIALIZE_KERNEL", "0", "kernels run one after the other, which costs time"},
    {"HSA_ENABLE_SDMA", "1", "without the copy engines, copies run as kernels"},
    {"HSA_XNACK", NULL, "code objects for the other setting of xnack do not load"},
    {"GPU_MAX_HW_QUEUES", NULL, "the number of hardware queues limits kernels that run at once"},
    {"AMD_LOG_LEVEL", "0", "HIP prints a log, which costs time"},
};

void doctor_check_environment(struct doctor *doctor)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *name = variables[i].name, *value = getenv(name);
        const char *harmless = variables[i].harmless;
        if (!value || !*value || (harmless && strcmp(value, harmless) == 0)) {
            continue;
        }
        /* A list of devices ends at the first number that is no device. */
        bool hides_all = strstr(name, "_VISIBLE_DEVICES") && *value == '-';

        doctor_report(doctor, hides_all ? DOCTOR_ERROR : DOCTOR_WARNING,
                      hides_all ? "devices-hidden" : "environment",
                      doctor_text("%s=%s is set", name, value),
                      hides_all ? "it hides every GPU from programs" : variables[i].why,
                      doctor_text("run `unset %s` if that is not wanted", name));
    }
}

void doctor_check_prefixes(struct doctor *doctor)
{
    static const char *const names[] = {"HIP_PATH", "ROCM_PATH", "ROCM_HOME"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value && access(value, F_OK) != 0) {
            doctor_report(
                doctor, DOCTOR_WARNING, "prefix-missing",
                doctor_text("%s=%s is set and not there", names[i], value),
                "compilers and build systems stop at it; the search for the runtime goes on",
                doctor_text("run `unset %s`, or set it to the prefix of an installation",
                            names[i]));
        }
    }
}

void doctor_check_preload(struct doctor *doctor)
{
    const char *value = getenv("LD_PRELOAD");

    if (doctor->has_loopback || !value || !strstr(value, "libhsa-runtime64")) {
        return;
    }
    doctor_report(doctor, DOCTOR_WARNING, "hsa-preloaded",
                  doctor_text("LD_PRELOAD=%s has an HSA library", value),
                  "it replaces the HSA library of the HIP runtime, which may be of another release",
                  "run `unset LD_PRELOAD` if that is not wanted");
}

void doctor_check_cache(struct doctor *doctor)
{
    struct hs_cache cache;

    hs_cache_open(&cache);
    if (!cache.is_disabled && !hs_cache_is_writable(&cache)) {
        doctor_report(
            doctor, DOCTOR_WARNING, "cache-unwritable",
            doctor_text("the kernel cache cannot be written: %s", cache.note),
            "programs of libhipshim-kernel compile their kernels anew each time they start",
            "set HIPSHIM_CACHE_DIR to an absolute directory of this user, or "
            "HIPSHIM_CACHE=0 for no cache");
    }
    hs_cache_close(&cache);
}

void doctor_check_tmpdir(struct doctor *doctor)
{
    char room[TOOL_PATH_ROOM];
    const char *bad = tool_devices_bad_tmpdir(room);

    if (bad) {
        doctor_report(doctor, DOCTOR_ERROR, "tmpdir-unwritable",
                      doctor_text("%s is not writable", bad),
                      "AMD's runtime compiles there, and crashes without it",
                      "set TMPDIR to a directory of this user, or give a container --tmpfs /tmp");
    }
}

/* The default of current kernels and of systemd; older ones had 64 KiB. */
enum { LOCKED_KIB = 8192 };

void doctor_check_locked_memory(struct doctor *doctor)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur / 1024 >= LOCKED_KIB) {
        return;
    }
    doctor_report(doctor, DOCTOR_WARNING, "locked-memory",
                  doctor_text("the limit of locked memory is %llu KiB",
                              (unsigned long long)limit.rlim_cur / 1024),
                  "pinned host memory and transfers by RDMA may fail when they reach it",
                  "raise it: `ulimit -l unlimited`, memlock in "
                  "/etc/security/limits.conf, or --ulimit memlock=-1 for a container");
}
