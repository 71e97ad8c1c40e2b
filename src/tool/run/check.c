/* SPDX-License-Identifier: MIT */
/*
 * hipshim run: warns if the settings lead to no HIP runtime or to no device.  Without a warning, a
 * program would only report that there are no devices, and a test would skip itself.
 */
#include <hipshim/hipshim.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/devices.h"
#include "tool/run/run.h"
#include "tool/scan/scan.h"
#include "tool/tool.h"

/* How the program comes to its HIP runtime. */
struct program {
    bool needs_hipshim; /* hipshim looks for it; for other programs the dynamic linker does */
    char library[64];   /* that the program was linked to, without a path of its own; or "" */
};

static struct program read_program(const struct tool_run *run, const char *path)
{
    struct program program = {.needs_hipshim = run->abi};
    struct tool_scan scan;
    char reason[256];

    if (run->abi || !tool_scan_file(path, &scan, reason, sizeof reason)) {
        return program;
    }
    program.needs_hipshim = scan.kind == TOOL_SCAN_HIPSHIM || scan.kind == TOOL_SCAN_HOLDS;
    if (scan.kind == TOOL_SCAN_USES && !scan.elf.rpath && !scan.elf.runpath) {
        snprintf(program.library, sizeof program.library, "%s", scan.soname);
    }
    if (scan.kind == TOOL_SCAN_STATIC && run->loopback) {
        tool_complain(RUN_COMMAND,
                      "warning: %s is a static program; only programs that it starts get the "
                      "loopback",
                      path);
    }
    tool_scan_free(&scan);
    return program;
}

/* A runtime that is opened finds a GPU of the loopback, unless a setting hides it. */
static bool lacks_device(const struct tool_run *run, const hipshim_runtime_t *runtime, char *text)
{
    if (!run->loopback || tool_devices_of_loopback() == 0 || tool_devices_hidden()) {
        return false;
    }
    struct tool_devices devices = tool_devices_ask();
    bool has_none = tool_devices_none(&devices);

    if (has_none) {
        tool_devices_lack_compiler(runtime, text);
    }
    return has_none;
}

/* Writes why the program will find no HIP runtime or no device; false if it will. */
static bool find_fault(const struct tool_run *run, const char *path, const struct program *program,
                       char text[TOOL_PATH_ROOM])
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};

    /* The dynamic linker itself reports another library that this one needs. */
    if (*program->library && !dlopen(program->library, RTLD_LAZY) &&
        strncmp(dlerror(), program->library, strlen(program->library)) == 0) {
        snprintf(text, TOOL_PATH_ROOM, "%s needs %s, which is not found; try --abi=auto", path,
                 program->library);
        return true;
    }
    if (*program->library) {
        unsetenv("HIPSHIM_LIBRARY"); /* so that hipshim takes the library that is open */
    }
    if (hipshim_runtime_info(&runtime) == HIPSHIM_OK) {
        return lacks_device(run, &runtime, text);
    }
    if (!run->hip && !program->needs_hipshim) {
        return false;
    }
    snprintf(text, TOOL_PATH_ROOM, "%s%s: %s",
             run->hip ? "--hip=" : "--loopback needs a HIP runtime, and hipshim finds none",
             run->hip ? run->hip : "", runtime.no_runtime_text);
    return true;
}

/*
 * In a process of its own, because a runtime starts threads and may end its process.  The
 * loopback comes first, as in the program, since runtimes need a library of its name.  The program
 * prints the messages of the loopback and the runtime again, so this process does not.
 */
static void look(const struct tool_run *run, const char *path, const struct program *program,
                 const char *loopback)
{
    char text[TOOL_PATH_ROOM];
    int messages = tool_devices_silence();

    alarm(TOOL_DEVICES_SECONDS);
    unsetenv("HIPSHIM_TRACE");
    if (loopback) {
        dlopen(loopback, RTLD_NOW | RTLD_GLOBAL);
    }
    if (find_fault(run, path, program, text)) {
        dup2(messages, STDERR_FILENO);
        tool_complain(RUN_COMMAND, "warning: %s", text);
    }
}

/* Settings with which the loopback would test something else, or the runtime would crash. */
static void check_settings(void)
{
    static const char known[] = "LOOPBACK_GPUS, LOOPBACK_ISA, LOOPBACK_LOG, LOOPBACK_STRICT, "
                                "LOOPBACK_GUARD, LOOPBACK_CHECK, LOOPBACK_FAULT";
    char room[TOOL_PATH_ROOM];
    const char *bad = tool_devices_bad_tmpdir(room);

    for (char **entry = environ; *entry; entry++) {
        size_t length = strcspn(*entry, "=");
        const char *at = memmem(known, sizeof known, *entry, length);
        if (strncmp(*entry, "LOOPBACK_", 9) == 0 && (!at || !strchr(",", at[length]))) {
            tool_complain(RUN_COMMAND,
                          "warning: %.*s: the loopback reads no such variable; it reads %s",
                          (int)length, *entry, known);
        }
    }
    if (bad) {
        tool_complain(RUN_COMMAND,
                      "warning: %s is not writable; AMD's runtime compiles there and crashes "
                      "without it",
                      bad);
    }
}

void tool_run_check_runtime(const struct tool_run *run, const char *path, const char *loopback)
{
    if (run->loopback) {
        check_settings();
    }
    struct program program = read_program(run, path);
    if (!run->hip && !*program.library && !(run->loopback && program.needs_hipshim)) {
        return;
    }
    fflush(NULL);
    pid_t child = fork();

    if (child == 0) {
        look(run, path, &program, loopback);
        _exit(0); /* without exit handlers, because those of some runtimes hang without a GPU */
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}
