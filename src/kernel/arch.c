/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <hip/hip_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read.h"

/* A test defines a directory of its own. */
#ifndef HIPSHIM_TOPOLOGY
#define HIPSHIM_TOPOLOGY "/sys/class/kfd/kfd/topology/nodes"
#endif

enum { NODES = 256 };

static const char *skip_words(const char *at)
{
    return at + strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
}

bool hs_arch_is_name(const char *text)
{
    const char *at = text, *word;

    if (strlen(text) >= HS_ARCH_ROOM) {
        return false;
    }
    if (strcmp(text, "amdgcnspirv") == 0) {
        return true;
    }
    if (strncmp(text, "gfx", 3) != 0 || text[3] < '0' || text[3] > '9') {
        return false;
    }
    for (at = skip_words(at); *at == '-'; at = word) {
        word = skip_words(at + 1);
        if (word == at + 1) {
            return false;
        }
    }
    while (*at == ':') {
        word = skip_words(at + 1);
        if (word == at + 1 || (*word != '+' && *word != '-')) {
            return false;
        }
        at = word + 1;
    }
    return *at == '\0';
}

bool hs_arch_of_topology(const char *nodes, char arch[HS_ARCH_ROOM])
{
    char path[4096];

    /* By number, because HIP numbers the devices so, and a listing has another order. */
    for (unsigned node = 0; node < NODES; node++) {
        snprintf(path, sizeof path, "%s/%u/properties", nodes, node);
        /* 90010 is 9, 00, 10 in decimal and names gfx90a; CPUs have 0. */
        long version = hs_read_number(path, "gfx_target_version ");

        if (version >= 10000 && version < 1000000 && version / 100 % 100 < 16 &&
            version % 100 < 16) {
            snprintf(arch, HS_ARCH_ROOM, "gfx%ld%lx%lx", version / 10000,
                     (unsigned long)version / 100 % 100, (unsigned long)version % 100);
            return true;
        }
    }
    return false;
}

/*
 * Leaves no HIP error of its own, unless there was one before.  That one stays on HIP 7;
 * before, every call that succeeds replaces it, and no call can set it again.
 */
static bool ask_device(char arch[HS_ARCH_ROOM])
{
    hipDeviceProp_t properties;
    int device = 0;

    if (!hipshim_runtime_path()) {
        return false;
    }
    hipError_t before = hipPeekAtLastError();
    bool found = hipGetDevice(&device) == hipSuccess &&
                 hipGetDeviceProperties(&properties, device) == hipSuccess;

    if (found) {
        properties.gcnArchName[sizeof properties.gcnArchName - 1] = '\0';
        found = hs_arch_is_name(properties.gcnArchName);
    }
    if (found) {
        memcpy(arch, properties.gcnArchName, strlen(properties.gcnArchName) + 1);
    } else if (before == hipSuccess) {
        (void)hipGetLastError();
    }
    return found;
}

static hipshim_arch_source_t search(const char *wanted, char arch[HS_ARCH_ROOM])
{
    const char *variable = secure_getenv("HIPSHIM_ARCH");

    if (wanted && *wanted) {
        snprintf(arch, HS_ARCH_ROOM, "%s", hs_arch_is_name(wanted) ? wanted : "");
        return HIPSHIM_ARCH_SOURCE_ARGUMENT;
    }
    if (variable && *variable) {
        snprintf(arch, HS_ARCH_ROOM, "%s", hs_arch_is_name(variable) ? variable : "");
        return HIPSHIM_ARCH_SOURCE_ENVIRONMENT;
    }
    if (ask_device(arch)) {
        return HIPSHIM_ARCH_SOURCE_DEVICE;
    }
    return hs_arch_of_topology(HIPSHIM_TOPOLOGY, arch) ? HIPSHIM_ARCH_SOURCE_TOPOLOGY
                                                       : HIPSHIM_ARCH_SOURCE_NONE;
}

static hipshim_status_t refuse_name(hipshim_arch_source_t source, const char *wanted)
{
    bool is_argument = source == HIPSHIM_ARCH_SOURCE_ARGUMENT;

    hs_error_set("\"%.100s\"%s is not an architecture, such as gfx90a or gfx90a:sramecc+:xnack-",
                 is_argument ? wanted : secure_getenv("HIPSHIM_ARCH"),
                 is_argument ? "" : " in HIPSHIM_ARCH");
    return HIPSHIM_ERROR_INVALID;
}

hipshim_status_t hipshim_arch_detect(const char *wanted, char *arch, size_t size,
                                     hipshim_arch_source_t *found)
{
    char name[HS_ARCH_ROOM] = "";

    if (found) {
        *found = HIPSHIM_ARCH_SOURCE_NONE;
    }
    if (!arch || size == 0) {
        hs_error_set("hipshim_arch_detect: `arch` is NULL or `size` is 0");
        return HIPSHIM_ERROR_INVALID;
    }
    *arch = '\0';
    hipshim_arch_source_t source = search(wanted, name);

    if (source == HIPSHIM_ARCH_SOURCE_NONE) {
        hs_error_set("no GPU was found whose architecture could be read; name one, such as "
                     "gfx90a, in the call or in HIPSHIM_ARCH");
        return HIPSHIM_ERROR_NO_ARCH;
    }
    if (!*name) {
        return refuse_name(source, wanted);
    }
    if (strlen(name) >= size) {
        hs_error_set("hipshim_arch_detect: %zu bytes are too few for %s", size, name);
        return HIPSHIM_ERROR_INVALID;
    }
    memcpy(arch, name, strlen(name) + 1);
    if (found) {
        *found = source;
    }
    return HIPSHIM_OK;
}
