/* SPDX-License-Identifier: MIT */
/*
 * hipshim run --abi: lets a program find hipshim's drop-ins in place of the HIP libraries that it
 * was linked to.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/file.h"
#include "elf/notes.h"
#include "tool/dropins.h"
#include "tool/release_text.h"
#include "tool/run/run.h"

enum { MAJOR_LIMIT = 32 };

/* The libraries with a drop-in that the program's file needs. */
struct needs {
    bool dropin[TOOL_DROPINS_ROOM]; /* by index in tool_dropins */
    bool any;
    bool major[MAJOR_LIMIT]; /* of HIP's */
    unsigned first;          /* the first of these, or 0 */
    bool several;            /* they have several majors */
    bool hipshim;            /* it was linked to libhipshim, which needs no drop-in */
};

static void find_needs(const struct hs_elf_file *elf, struct needs *needs)
{
    for (size_t i = 0; i < elf->needed_count; i++) {
        const struct tool_dropin *found = tool_dropins_find(elf->needed[i]);
        needs->hipshim |= strncmp(elf->needed[i], "libhipshim.so", 13) == 0;
        if (found) {
            needs->any = needs->dropin[found - tool_dropins] = true;
        }
        for (int s = 0; s < TOOL_DROPINS_STEMS; s++) {
            int major = hs_elf_file_major(elf->needed[i], tool_dropins_stems[s]);
            if (major > 0 && major < MAJOR_LIMIT) {
                needs->any = needs->major[major] = true;
                needs->several |= needs->first != 0 && needs->first != (unsigned)major;
                needs->first = needs->first ? needs->first : (unsigned)major;
            }
        }
    }
}

static void report_needs(const struct tool_run *run, const char *path, const struct needs *needs)
{
    if (!needs->any) {
        char known[64];
        tool_complain(run->command,
                      "%s: needs no HIP library itself; libraries and programs that it loads or "
                      "starts find the drop-ins by names such as libamdhip64.so.6, but "
                      "libamdhip64.so stays the installed one: for modules of an interpreter name "
                      "their major (%s) by --abi=MAJOR",
                      path, tool_release_majors(known, sizeof known));
    } else if (needs->several) {
        for (unsigned major = 1; major < MAJOR_LIMIT; major++) {
            if (needs->major[major]) {
                tool_complain(run->command, "%s: needs HIP %u, among others; its drop-in is found",
                              path, major);
            }
        }
    } else if (run->major && needs->first && run->major != needs->first) {
        tool_complain(run->command, "%s: needs HIP %u, not %u; its drop-in is found too", path,
                      needs->first, run->major);
    }
}

static bool find_library(const struct tool_run *run, const struct tool_dropin *dropin,
                         char library[TOOL_PATH_ROOM])
{
    char reason[TOOL_PATH_ROOM + 128];

    if (!tool_dropins_library(dropin->stem, dropin->number, library, reason, sizeof reason)) {
        tool_complain(run->command, "%s", reason);
        return false;
    }
    return true;
}

static bool preload_library(const struct tool_run *run, const struct tool_dropin *dropin)
{
    char library[TOOL_PATH_ROOM];

    if (!find_library(run, dropin, library)) {
        return false;
    }
    if (strpbrk(library, " :;$")) {
        tool_complain(run->command, "%s: LD_PRELOAD cannot hold this name", library);
        return false;
    }
    if (!tool_run_extend("LD_PRELOAD", library, true)) {
        tool_complain(run->command, "LD_PRELOAD: %s", strerror(errno));
        return false;
    }
    return true;
}

/* A DT_RPATH comes before LD_LIBRARY_PATH; a library that is preloaded comes before both. */
static bool preload(const struct tool_run *run, const struct needs *needs)
{
    for (unsigned i = TOOL_DROPINS_ROOM; i-- > 0;) {
        if (needs->dropin[i] && !preload_library(run, &tool_dropins[i])) {
            return false;
        }
    }
    return true;
}

/* Puts a directory first into LD_LIBRARY_PATH; `hint` says what helps if it is not there. */
static bool set_directory(const struct tool_run *run, const char *directory, const char *hint)
{
    char whole[PATH_MAX];

    if (!realpath(directory, whole)) {
        tool_complain(run->command, "%s: %s%s", directory, strerror(errno), hint);
        return false;
    }
    if (strpbrk(whole, ":;$")) {
        tool_complain(run->command, "%s: LD_LIBRARY_PATH cannot hold this name", whole);
        return false;
    }
    if (!tool_run_extend("LD_LIBRARY_PATH", whole, true)) {
        tool_complain(run->command, "LD_LIBRARY_PATH: %s", strerror(errno));
        return false;
    }
    return true;
}

/* True if the directory of --with has a HIP runtime, which hipshim could take for the installed
 * one. */
static bool holds_runtime(const char *directory, char path[TOOL_PATH_ROOM])
{
    for (unsigned major = tool_release_next_major(0); major != 0;
         major = tool_release_next_major(major)) {
        snprintf(path, TOOL_PATH_ROOM, "%s/%s.so.%u", directory, tool_dropins_stems[0], major);
        if (access(path, F_OK) == 0 && !hs_dropin_of_file(path, NULL)) {
            return true;
        }
    }
    return false;
}

/* Libraries of the program's own ROCm need the drop-ins that come before them. */
static bool set_with(const struct tool_run *run, unsigned major)
{
    char path[TOOL_PATH_ROOM];
    const char *pin = getenv("HIPSHIM_LIBRARY");

    if (major == 0) {
        tool_complain(run->command, "--with=%s: needs the major of these libraries, by --abi=MAJOR",
                      run->with);
        return false;
    }
    if (!run->hip && !(pin && *pin) && holds_runtime(run->with, path)) {
        tool_complain(run->command,
                      "--with=%s: has a HIP runtime, too (%s); name the one to use by --hip",
                      run->with, path);
        return false;
    }
    return set_directory(run, run->with, "");
}

/* The list of directories, the last one first.  `major` is 0 if the program's is not known. */
static bool set_directories(const struct tool_run *run, unsigned major)
{
    static const char hint[] = "; HIPSHIM_DROPIN can name another directory";
    char room[TOOL_PATH_ROOM];

    if ((run->with && !set_with(run, major)) ||
        !set_directory(run, tool_dropins_directory(room), hint)) {
        return false;
    }
    return major == 0 || (tool_dropins_tree(major, room) && set_directory(run, room, hint));
}

/* Checked here, because the program itself would only get an error number. */
static bool set_hip(const struct tool_run *run)
{
    char whole[PATH_MAX];

    if (!realpath(run->hip, whole)) {
        tool_complain(run->command, "--hip=%s: %s", run->hip, strerror(errno));
        return false;
    }
    if (hs_dropin_of_file(whole, NULL)) {
        tool_complain(run->command, "--hip=%s: is one of hipshim's drop-ins, not a HIP runtime",
                      run->hip);
        return false;
    }
    if (setenv("HIPSHIM_LIBRARY", whole, 1) != 0) {
        tool_complain(run->command, "HIPSHIM_LIBRARY: %s", strerror(errno));
        return false;
    }
    return true;
}

/* Reads the program's file.  A file that is not ELF is a script, which needs no HIP itself. */
static bool read_program(const struct tool_run *run, const char *path, struct needs *needs,
                         bool *has_rpath)
{
    struct hs_elf_file elf;
    char reason[256];

    if (!hs_elf_file_read(path, &elf, reason, sizeof reason)) {
        return true;
    }
    bool is_static = elf.is_static;
    if (is_static) {
        tool_complain(run->command, "%s: is a static program, which loads no drop-in", path);
    }
    find_needs(&elf, needs);
    *has_rpath = elf.rpath && !elf.runpath;
    hs_elf_file_free(&elf);
    return !is_static;
}

static bool set_dropins(const struct tool_run *run, const char *path)
{
    struct needs needs = {0};
    bool has_rpath = false;

    if (!read_program(run, path, &needs, &has_rpath)) {
        return false;
    }
    if (needs.first || (!run->major && !needs.hipshim)) {
        report_needs(run, path, &needs);
    }
    for (const struct tool_dropin *one = tool_dropins; one->stem; one++) {
        char library[TOOL_PATH_ROOM];
        bool is_chosen = one->number == run->major && strcmp(one->stem, tool_dropins->stem) == 0;
        if ((is_chosen || needs.dropin[one - tool_dropins]) && !find_library(run, one, library)) {
            return false;
        }
    }
    unsigned own = needs.several ? 0 : needs.first;
    return (!has_rpath || preload(run, &needs)) &&
           set_directories(run, run->major ? run->major : own);
}

bool tool_run_set_abi(const struct tool_run *run, const char *path)
{
    return (!run->hip || set_hip(run)) && (!run->abi || set_dropins(run, path));
}
