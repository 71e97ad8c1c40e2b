/* SPDX-License-Identifier: MIT */
/* Checks of the devices: the kernel driver's file, the render nodes, the GPUs. */
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read.h"
#include "tool/doctor/doctor.h"
#include "tool/tool.h"

#define KFD          "/dev/kfd"
#define RENDER_NODES "/dev/dri/renderD*"

/* The loopback has GPUs of its own, and in WSL the GPU is behind /dev/dxg. */
static bool needs_devices(const struct doctor *doctor)
{
    return !doctor->has_loopback && access("/dev/dxg", F_OK) != 0;
}

static void add_permission(struct doctor *doctor, const char *id, const char *path)
{
    struct stat status = {.st_gid = (gid_t)-1};
    char group[64];

    stat(path, &status);
    const struct group *named = getgrgid(status.st_gid);
    if (named) {
        snprintf(group, sizeof group, "%s", named->gr_name);
    } else {
        snprintf(group, sizeof group, "%u", (unsigned)status.st_gid);
    }
    doctor_report(
        doctor, DOCTOR_ERROR, id,
        doctor_text("%s: this user may not read and write it; its group is %s", path, group),
        "HIP opens it for reading and writing, and finds no device otherwise",
        doctor->is_container
            ? doctor_text("start the container with --group-add=%s, or with the number of the "
                          "group if the image has no such name",
                          group)
            : doctor_text("add the user to that group (sudo usermod -a -G %s USER; most systems "
                          "have the groups render and video for it), and log in again",
                          group));
}

void doctor_check_kfd(struct doctor *doctor)
{
    bool is_container = doctor->is_container;
    struct stat status;

    if (!needs_devices(doctor)) {
        return;
    }
    if (stat(KFD, &status) != 0) {
        doctor_report(
            doctor, DOCTOR_ERROR, is_container ? "container-devices" : "kfd-missing",
            is_container ? KFD " is not there, and this is a container" : KFD " is not there",
            "HIP reaches GPUs through this file of the driver amdgpu only",
            is_container
                ? "start the container with --device=/dev/kfd --device=/dev/dri"
                : "load the driver (sudo modprobe amdgpu; `sudo dmesg` says why it refuses "
                  "a GPU); `hipshim run --loopback` runs programs without a GPU");
    } else if (!S_ISCHR(status.st_mode)) {
        doctor_report(doctor, DOCTOR_ERROR, "kfd-odd", KFD " is no character device",
                      "HIP reaches GPUs through the device of the driver amdgpu only",
                      "remove what is there and load the driver (sudo modprobe amdgpu); in a "
                      "container, pass the device by --device=/dev/kfd and not as a volume");
    } else if (eaccess(KFD, R_OK | W_OK) != 0) {
        add_permission(doctor, "kfd-permission", KFD);
    }
}

/* Without /dev/kfd there is one cause for both, and one finding. */
void doctor_check_render_nodes(struct doctor *doctor)
{
    if (!needs_devices(doctor) || access(KFD, F_OK) != 0) {
        return;
    }
    glob_t nodes = doctor_glob(doctor, RENDER_NODES);
    bool is_permitted = false;
    for (size_t i = 0; i < nodes.gl_pathc; i++) {
        is_permitted |= eaccess(nodes.gl_pathv[i], R_OK | W_OK) == 0;
    }
    if (nodes.gl_pathc == 0) {
        doctor_report(doctor, DOCTOR_ERROR, "render-missing",
                      RENDER_NODES ": there is no such file",
                      "HIP needs the render node of a GPU besides " KFD,
                      doctor->is_container
                          ? "start the container with --device=/dev/dri too"
                          : "look in `sudo dmesg` for the reason why the driver amdgpu made none");
    } else if (!is_permitted) {
        add_permission(doctor, "render-permission", nodes.gl_pathv[0]);
    }
    globfree(&nodes);
}

/* --- GPUs --- */

/* The GPUs in AMD's system requirements of the releases 6 and 7, and MI50 and its kin of HIP 5. */
static const char *const supported[] = {
    "gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",  "gfx1030",
    "gfx1100", "gfx1101", "gfx1150", "gfx1151", "gfx1200", "gfx1201",
};

/* 99 major versions of two digits each; there are 12. */
enum { VERSION_LIMIT = 999999 };

/* Writes the GPU of a node's properties, or "" for an absurd number; false for a processor. */
static bool read_gpu(const char *path, char name[32])
{
    /* 90010 is 9, 00, 10 in decimal and names gfx90a. */
    long version = hs_read_number(path, "gfx_target_version ");
    unsigned long number = version > 0 && version <= VERSION_LIMIT ? (unsigned long)version : 0;

    snprintf(name, 32, "gfx%lu%lx%lx", number / 10000, number / 100 % 100, number % 100);
    if (number == 0) {
        *name = '\0';
    }
    return version > 0;
}

static bool is_supported(const char *name)
{
    for (size_t i = 0; i < sizeof supported / sizeof supported[0]; i++) {
        if (strcmp(name, supported[i]) == 0) {
            return true;
        }
    }
    return false;
}

void doctor_check_gpus(struct doctor *doctor)
{
    if (!needs_devices(doctor) || access(KFD, F_OK) != 0) {
        return;
    }
    glob_t files = doctor_glob(doctor, "/sys/class/kfd/kfd/topology/nodes/*/properties");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[32];
        if (!read_gpu(files.gl_pathv[i], name)) {
            continue;
        }
        doctor->gpu_count++;
        if (!*name) {
            doctor_report(doctor, DOCTOR_WARNING, "gpu-odd",
                          doctor_text("%s: gfx_target_version names no GPU", files.gl_pathv[i]),
                          "HIP chooses the code for the GPU by this number",
                          "look in `sudo dmesg` for errors of the driver amdgpu");
        } else if (!is_supported(name)) {
            doctor_report(
                doctor, DOCTOR_WARNING, "gpu-unsupported",
                doctor_text("the GPU %s is not in AMD's list of supported GPUs", name),
                "libraries such as rocBLAS may have no kernels for it, and programs then fail with "
                "hipErrorNoBinaryForGpu or in the library",
                doctor_text("use libraries that were built for %s, for example those of a "
                            "distribution",
                            name));
        }
    }
    if (files.gl_pathc > 0 && doctor->gpu_count == 0) {
        doctor_report(doctor, DOCTOR_ERROR, "gpu-missing",
                      KFD " is there, but the driver lists no GPU", "programs find no device",
                      "look in `sudo dmesg` for the reason why the driver amdgpu refuses the GPU");
    }
    globfree(&files);
}
