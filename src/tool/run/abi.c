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
#include "tool/tool.h"

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
        tool_complain(RUN_COMMAND,
                      "%s: needs no HIP library itself; libraries and programs that it loads or "
                      "starts find the drop-ins by names such as libamdhip64.so.6, but "
                      "libamdhip64.so stays the installed one: for modules of an interpreter name "
                      "their major (%s) by --abi=MAJOR",
                      path, tool_release_majors(known, sizeof known));
    } else if (needs->several) {
        for (unsigned major = 1; major < MAJOR_LIMIT; major++) {
            if (needs->major[major]) {
                tool_complain(RUN_COMMAND, "%s: needs HIP %u, among others; its drop-in is found",
                              path, major);
            }
        }
    } else if (run->major && needs->first && run->major != needs->first) {
        tool_complain(RUN_COMMAND, "%s: needs HIP %u, not %u; its drop-in is found too", path,
                      needs->first, run->major);
    }
}

bool tool_run_extend(const char *variable, const char *text, bool before)
{
    const char *old = getenv(variable);
    bool is_first = !old || !*old;
    char *list = NULL;

    if (strpbrk(text, strcmp(variable, "LD_PRELOAD") == 0 ? " :;$" : ":;$")) {
        return tool_fail("%s: %s cannot hold this name", text, variable);
    }
    bool done = asprintf(&list, "%s%s%s", is_first || before ? text : old, is_first ? "" : ":",
                         is_first ? ""
                         : before ? old
                                  : text) >= 0 &&
                setenv(variable, list, 1) == 0;

    free(list);
    return done || tool_fail("%s: %s", variable, strerror(errno));
}

/* A DT_RPATH comes before LD_LIBRARY_PATH; a library that is preloaded comes before both. */
static bool preload(const struct needs *needs)
{
    char library[TOOL_PATH_ROOM];

    for (unsigned i = TOOL_DROPINS_ROOM; i-- > 0;) {
        if (needs->dropin[i] && (!tool_dropins_library(&tool_dropins[i], library) ||
                                 !tool_run_extend("LD_PRELOAD", library, true))) {
            return false;
        }
    }
    return true;
}

/* Puts a directory first into LD_LIBRARY_PATH; `hint` says what helps if it is not there. */
static bool set_directory(const char *directory, const char *hint)
{
    char whole[PATH_MAX];

    return (realpath(directory, whole) ||
            tool_fail("%s: %s%s", directory, strerror(errno), hint)) &&
           tool_run_extend("LD_LIBRARY_PATH", whole, true);
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
        return tool_fail("--with=%s: needs the major of these libraries, by --abi=MAJOR",
                         run->with);
    }
    if (!run->hip && !(pin && *pin) && holds_runtime(run->with, path)) {
        return tool_fail("--with=%s: has a HIP runtime, too (%s); name the one to use by --hip",
                         run->with, path);
    }
    return set_directory(run->with, "");
}

/* The list of directories, the last one first.  `major` is 0 if the program's is not known. */
static bool set_directories(const struct tool_run *run, unsigned major)
{
    static const char hint[] = "; HIPSHIM_DROPIN can name another directory";
    char room[TOOL_PATH_ROOM], siblings[TOOL_PATH_ROOM + sizeof "/siblings"];

    sprintf(siblings, "%s/siblings", tool_dropins_directory(room));
    if ((access(siblings, X_OK) == 0 && !set_directory(siblings, "")) ||
        (run->with && !set_with(run, major)) || !set_directory(room, hint)) {
        return false;
    }
    return major == 0 || (tool_dropins_tree(major, room) && set_directory(room, hint));
}

/* Checked here, because the program itself would only get an error number. */
static bool set_hip(const struct tool_run *run)
{
    char whole[PATH_MAX];

    if (!realpath(run->hip, whole)) {
        return tool_fail("--hip=%s: %s", run->hip, strerror(errno));
    }
    if (hs_dropin_of_file(whole, NULL)) {
        return tool_fail("--hip=%s: is one of hipshim's drop-ins, not a HIP runtime", run->hip);
    }
    return setenv("HIPSHIM_LIBRARY", whole, 1) == 0 ||
           tool_fail("HIPSHIM_LIBRARY: %s", strerror(errno));
}

static bool set_dropins(const struct tool_run *run, const char *path)
{
    struct hs_elf_file elf;
    struct needs needs = {0};
    char text[TOOL_PATH_ROOM];
    bool has_rpath = false, is_static = false;

    /* A file that is not ELF is a script, which needs no HIP itself. */
    if (hs_elf_file_read(path, &elf, text, 256)) {
        is_static = elf.is_static;
        has_rpath = elf.rpath && !elf.runpath;
        find_needs(&elf, &needs);
        hs_elf_file_free(&elf);
    }
    if (is_static) {
        return tool_fail("%s: is a static program, which loads no drop-in", path);
    }
    if (needs.first || (!run->major && !needs.hipshim)) {
        report_needs(run, path, &needs);
    }
    for (const struct tool_dropin *one = tool_dropins; one->stem; one++) {
        bool is_chosen = one->number == run->major && strcmp(one->stem, tool_dropins->stem) == 0;
        if ((is_chosen || needs.dropin[one - tool_dropins]) && !tool_dropins_library(one, text)) {
            return false;
        }
    }
    unsigned own = needs.several ? 0 : needs.first;
    return (!has_rpath || preload(&needs)) && set_directories(run, run->major ? run->major : own);
}

bool tool_run_set_abi(const struct tool_run *run, const char *path)
{
    return (!run->hip || set_hip(run)) && (!run->abi || set_dropins(run, path));
}
