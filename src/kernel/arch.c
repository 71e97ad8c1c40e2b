/* SPDX-License-Identifier: MIT */
#include "kernel/arch.h"

#include "dispatch/dispatch.h"
#include "base/error.h"

#include <hip/hip_runtime_api.h>
#include <hipshim/kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests have one of their own. */
#ifndef HIPSHIM_TOPOLOGY
#define HIPSHIM_TOPOLOGY "/sys/class/kfd/kfd/topology/nodes"
#endif

enum { NODES = 256, PROPERTIES = 8192 };

static const char *skip_words(const char *at)
{
    return at + strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
}

int hs_arch_is_name(const char *text)
{
    const char *at = text, *word;

    if (strlen(text) >= HS_ARCH_ROOM) {
        return 0;
    }
    if (strcmp(text, "amdgcnspirv") == 0) {
        return 1;
    }
    if (strncmp(text, "gfx", 3) != 0 || text[3] < '0' || text[3] > '9') {
        return 0;
    }
    for (at = skip_words(at); *at == '-'; at = word) {
        word = skip_words(at + 1);
        if (word == at + 1) {
            return 0;
        }
    }
    while (*at == ':') {
        word = skip_words(at + 1);
        if (word == at + 1 || (*word != '+' && *word != '-')) {
            return 0;
        }
        at = word + 1;
    }
    return *at == '\0';
}

static unsigned long read_version(const char *path)
{
    static const char key[] = "gfx_target_version ";
    char text[PROPERTIES];
    FILE *file = fopen(path, "re");
    const char *at;
    size_t size;

    if (!file) {
        return 0;
    }
    size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    for (at = text; (at = strstr(at, key)) != NULL; at++) {
        if (at == text || at[-1] == '\n') {
            return strtoul(at + sizeof key - 1, NULL, 10);
        }
    }
    return 0;
}

int hs_arch_of_topology(const char *nodes, char arch[HS_ARCH_ROOM])
{
    char path[4096];

    /* By number: the order of a listing is not that of the devices. */
    for (unsigned node = 0; node < NODES; node++) {
        unsigned long version; /* of 90010 the digits mean 9, 00, 10: gfx90a; CPUs have 0 */

        snprintf(path, sizeof path, "%s/%u/properties", nodes, node);
        version = read_version(path);
        if (version >= 10000 && version < 1000000 && version / 100 % 100 < 16 &&
            version % 100 < 16) {
            snprintf(arch, HS_ARCH_ROOM, "gfx%lu%lx%lx", version / 10000, version / 100 % 100,
                     version % 100);
            return 0;
        }
    }
    return -1;
}

/* Leaves the thread's last HIP error as it was. */
static int ask_device(char arch[HS_ARCH_ROOM])
{
    hipError_t before;
    hipDeviceProp_t properties;
    int device = 0, result = -1;

    if (!hs_dispatch_runtime()->handle) {
        return -1;
    }
    before = hipPeekAtLastError();
    if (hipGetDevice(&device) == hipSuccess &&
        hipGetDeviceProperties(&properties, device) == hipSuccess) {
        properties.gcnArchName[sizeof properties.gcnArchName - 1] = '\0';
        if (hs_arch_is_name(properties.gcnArchName)) {
            memcpy(arch, properties.gcnArchName, strlen(properties.gcnArchName) + 1);
            result = 0;
        }
    }
    if (before == hipSuccess && result != 0) {
        (void)hipGetLastError();
    }
    return result;
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
    if (ask_device(arch) == 0) {
        return HIPSHIM_ARCH_SOURCE_DEVICE;
    }
    return hs_arch_of_topology(HIPSHIM_TOPOLOGY, arch) == 0 ? HIPSHIM_ARCH_SOURCE_TOPOLOGY
                                                                : HIPSHIM_ARCH_SOURCE_NONE;
}

hipshim_status_t hipshim_arch_detect(const char *wanted, char *arch, size_t size,
                                     hipshim_arch_source_t *found)
{
    char name[HS_ARCH_ROOM] = "";
    hipshim_arch_source_t by;

    if (found) {
        *found = HIPSHIM_ARCH_SOURCE_NONE;
    }
    if (!arch || size == 0) {
        hs_error_set("hipshim_arch_detect needs room for the name");
        return HIPSHIM_ERROR_INVALID;
    }
    *arch = '\0';
    by = search(wanted, name);
    if (by == HIPSHIM_ARCH_SOURCE_NONE) {
        hs_error_set("no GPU was found whose architecture could be asked; name one, such as "
                     "gfx90a, in the call or in HIPSHIM_ARCH");
        return HIPSHIM_ERROR_NO_ARCH;
    }
    if (!*name) {
        hs_error_set("\"%.100s\"%s is no architecture; they look like gfx90a or "
                     "gfx90a:sramecc+:xnack-",
                     by == HIPSHIM_ARCH_SOURCE_ARGUMENT ? wanted : secure_getenv("HIPSHIM_ARCH"),
                     by == HIPSHIM_ARCH_SOURCE_ARGUMENT ? "" : " in HIPSHIM_ARCH");
        return HIPSHIM_ERROR_INVALID;
    }
    if (strlen(name) >= size) {
        hs_error_set("hipshim_arch_detect: %zu bytes are too few for %s", size, name);
        return HIPSHIM_ERROR_INVALID;
    }
    memcpy(arch, name, strlen(name) + 1);
    if (found) {
        *found = by;
    }
    return HIPSHIM_OK;
}
