/* SPDX-License-Identifier: MIT */
/*
 * hipshim run: warns if there is no HIP runtime for the settings.  Without a warning, a program
 * that uses libhipshim would only report that there are no devices.
 */
#include <hipshim/hipshim.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/run.h"
#include "tool/scan.h"
#include "tool/tool.h"

/* A library that is there counts, because it may be of use to the program and not to this process.
 */
static bool has_candidate(void)
{
    hipshim_step_t step = {.size = sizeof step};
    struct stat status;

    for (unsigned i = 0; hipshim_step_info(i, &step) == HIPSHIM_OK; i++) {
        bool is_file = step.outcome == HIPSHIM_OUTCOME_REJECTED &&
                       (!strchr(step.subject, '/') || /* found by the dynamic linker */
                        (stat(step.subject, &status) == 0 && S_ISREG(status.st_mode)));

        if (is_file || step.outcome == HIPSHIM_OUTCOME_USED) {
            return true;
        }
    }
    return false;
}

/* Whether hipshim will look for the runtime.  For other programs the dynamic linker does. */
static bool needs_hipshim(const struct tool_run *run, const char *path)
{
    struct tool_scan scan;
    char reason[256];

    if (run->abi || !tool_scan_file(path, &scan, reason, sizeof reason)) {
        return run->abi;
    }
    bool needs = scan.kind == TOOL_SCAN_HIPSHIM || scan.kind == TOOL_SCAN_HOLDS;

    tool_scan_free(&scan);
    return needs;
}

/*
 * In a process of its own, because a runtime starts threads and may end its process.  The
 * loopback comes first, as in the program, since runtimes need a library of its name.
 */
static void look(const struct tool_run *run, const char *loopback)
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};

    unsetenv("HIPSHIM_TRACE");
    if (loopback) {
        dlopen(loopback, RTLD_NOW | RTLD_GLOBAL);
    }
    if (hipshim_runtime_info(&runtime) == HIPSHIM_OK || has_candidate()) {
        return;
    }
    if (run->hip) {
        tool_complain(run->command, "warning: --hip=%s: %s", run->hip, runtime.no_runtime_text);
    } else {
        tool_complain(run->command,
                      "warning: --loopback needs a HIP runtime, and hipshim finds none: %s",
                      runtime.no_runtime_text);
    }
}

void tool_run_check_runtime(const struct tool_run *run, const char *path, const char *loopback)
{
    if (!run->hip && !(run->loopback && needs_hipshim(run, path))) {
        return;
    }
    fflush(NULL);
    pid_t child = fork();

    if (child == 0) {
        look(run, loopback);
        _exit(0); /* without exit handlers, because those of some runtimes hang without a GPU */
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}
