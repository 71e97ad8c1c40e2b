/* SPDX-License-Identifier: MIT */
#include "tool/devices.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/read.h"
#include "elf/file.h"
#include "tool/release_text.h"

int tool_devices_silence(void)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    return kept;
}

struct tool_devices tool_devices_ask(void)
{
    const struct rlimit none = {0, 0};
    struct tool_devices devices = {0};
    int (*init)(unsigned) = (int (*)(unsigned))hipshim_function_address("hipInit");
    int (*count)(int *) = (int (*)(int *))hipshim_function_address("hipGetDeviceCount");

    setrlimit(RLIMIT_CORE, &none);
    devices.error = init(0);
    devices.error = devices.error ? devices.error : count(&devices.count);
    return devices;
}

bool tool_devices_hidden(void)
{
    return getenv("HIP_VISIBLE_DEVICES") || getenv("ROCR_VISIBLE_DEVICES") ||
           getenv("GPU_DEVICE_ORDINAL");
}

unsigned tool_devices_of_loopback(void)
{
    const char *gpus = getenv("LOOPBACK_GPUS");
    return gpus && *gpus ? (unsigned)strtoul(gpus, NULL, 10) : 1;
}

/*
 * HIP 5.2, 6.4 and 7.2 open the library by the name that is written to `name`, and that only for a
 * GPU that they know, so the dynamic linker does not report its absence.  A runtime with a path of
 * its own finds it there.
 */
static bool has_compiler(const char *path, char name[32])
{
    struct hs_elf_file elf;
    size_t size;
    char *bytes = hs_read_file(path, &size);
    const char *at = bytes ? memmem(bytes, size, "libamd_comgr.so", 15) : NULL;

    snprintf(name, 32, "%s", at ? at : "");
    free(bytes);
    if (!at || dlopen(name, RTLD_LAZY) || !hs_elf_file_read(path, &elf, (char[256]){0}, 256)) {
        return true;
    }
    bool has_path = elf.rpath || elf.runpath;
    hs_elf_file_free(&elf);
    return has_path;
}

bool tool_devices_lack_compiler(const hipshim_runtime_t *runtime, char text[TOOL_DEVICES_TEXT])
{
    const char *isa = getenv("LOOPBACK_ISA");
    char version[TOOL_RELEASE_TEXT], name[32];
    bool lacks = !has_compiler(runtime->path, name);

    tool_release_text(version, runtime->release);
    if (lacks) {
        snprintf(text, TOOL_DEVICES_TEXT,
                 "HIP %s finds no device, because it cannot open its compiler library, %s; add the "
                 "directory of that library to LD_LIBRARY_PATH",
                 version, name);
    } else {
        snprintf(text, TOOL_DEVICES_TEXT,
                 "HIP %s does not know %.64s, so programs find no device; name another processor "
                 "by --arch, such as gfx90a, gfx942 or gfx1100",
                 version, isa && *isa ? isa : "gfx90a");
    }
    return lacks;
}

/* The order is LLVM's, which takes an empty value for the working directory. */
const char *tool_devices_bad_tmpdir(char room[TOOL_PATH_ROOM])
{
    static const char *const names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    const char *directory = NULL;
    size_t i = 0;

    while (i < 4 && !(directory = getenv(names[i]))) {
        i++;
    }
    directory = !directory ? "/tmp" : *directory ? directory : ".";
    int prefix = snprintf(room, TOOL_PATH_ROOM, "%s%s", i < 4 ? names[i] : "", i < 4 ? "=" : "");
    snprintf(room + prefix, (size_t)(TOOL_PATH_ROOM - prefix), "%s/.", directory);
    if (eaccess(room + prefix, W_OK | X_OK) == 0) {
        return NULL;
    }
    room[strlen(room) - 2] = '\0';
    return room;
}
