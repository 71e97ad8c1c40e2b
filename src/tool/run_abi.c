/* SPDX-License-Identifier: MIT */
/*
 * hipshim run --abi: lets a program find hipshim's drop-ins in the place of the
 * HIP libraries that it was linked to.
 */
#include "tool/tool.h"
#include "tool/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/dropin_note.h"
#include "tool/dropins.h"
#include "elf/file.h"

static const char *const stems[] = {"libamdhip64", "libhiprtc"};
enum { STEMS = sizeof stems / sizeof stems[0], MAJORS = 10, FIRST = 5, LAST = 7 };

/* What the program's file asks for. */
struct wants {
    int library[STEMS][MAJORS]; /* 1: of this major */
    int major;                  /* the first of them, or 0 */
    int several;
};

static void find_wants(const struct hs_elf_file *elf, struct wants *wants)
{
    for (size_t i = 0; i < elf->needed_count; i++) {
        for (int s = 0; s < STEMS; s++) {
            int major = hs_elf_file_major(elf->needed[i], stems[s]);

            if (major > 0 && major < MAJORS) {
                wants->library[s][major] = 1;
                wants->several |= wants->major != 0 && wants->major != major;
                wants->major = wants->major ? wants->major : major;
            }
        }
    }
}

static void say_wants(const char *command, const char *path, const struct wants *wants, int asked)
{
    if (wants->major == 0) {
        tool_complain(command,
                      "%s: needs no HIP library itself; what it loads or starts finds the drop-ins",
                      path);
    } else if (wants->several) {
        for (int major = 1; major < MAJORS; major++) {
            if (wants->library[0][major] || wants->library[1][major]) {
                tool_complain(command, "%s: needs HIP %d, among others; its drop-in is there", path,
                              major);
            }
        }
    } else if (asked && asked != wants->major) {
        tool_complain(command, "%s: needs HIP %d, not %d; its drop-in is there too", path,
                      wants->major, asked);
    }
}

static int check_library(const char *command, const char *stem, int major,
                         char library[TOOL_PATH_ROOM])
{
    char reason[TOOL_PATH_ROOM + 128];

    if (tool_dropins_library(stem, major, library, reason, sizeof reason) != 0) {
        tool_complain(command, "%s", reason);
        return -1;
    }
    return 0;
}

/* A DT_RPATH comes before LD_LIBRARY_PATH; a name that is loaded already before both. */
static int preload(const char *command, const struct wants *wants)
{
    char library[TOOL_PATH_ROOM];

    for (int s = STEMS - 1; s >= 0; s--) {
        for (int major = 1; major < MAJORS; major++) {
            if (!wants->library[s][major]) {
                continue;
            }
            if (check_library(command, stems[s], major, library) != 0) {
                return -1;
            }
            if (strpbrk(library, " :;$")) {
                tool_complain(command, "%s: not a name that LD_PRELOAD can hold", library);
                return -1;
            }
            if (tool_run_extend("LD_PRELOAD", library, 1) != 0) {
                tool_complain(command, "%s", strerror(errno));
                return -1;
            }
        }
    }
    return 0;
}

static int set_directory(const char *command)
{
    char room[TOOL_PATH_ROOM], whole[PATH_MAX];
    const char *directory = tool_dropins_directory(room);

    if (!realpath(directory, whole)) {
        tool_complain(command, "%s: %s; HIPSHIM_DROPIN can name another directory", directory,
                      strerror(errno));
        return -1;
    }
    if (strpbrk(whole, ":;$")) {
        tool_complain(command, "%s: not a name that LD_LIBRARY_PATH can hold", whole);
        return -1;
    }
    if (tool_run_extend("LD_LIBRARY_PATH", whole, 1) != 0) {
        tool_complain(command, "%s", strerror(errno));
        return -1;
    }
    return 0;
}

/* Early and in words: the program itself would only get an error number. */
static int set_hip(const char *command, const char *hip)
{
    char whole[PATH_MAX];

    if (!realpath(hip, whole)) {
        tool_complain(command, "--hip=%s: %s", hip, strerror(errno));
        return -1;
    }
    if (hs_dropin_note_of_file(whole) != 0) {
        tool_complain(command, "--hip=%s: is one of hipshim's drop-ins, not a HIP runtime", hip);
        return -1;
    }
    if (setenv("HIPSHIM_LIBRARY", whole, 1) != 0) {
        tool_complain(command, "%s", strerror(errno));
        return -1;
    }
    return 0;
}

static int set_drop_ins(const char *command, const char *abi, const char *path)
{
    struct wants wants = {{{0}}, 0, 0};
    struct hs_elf_file elf;
    char reason[256], library[TOOL_PATH_ROOM];
    int asked = abi[0] == 'a' ? 0 : abi[0] - '0', has_rpath = 0;

    /* What is no ELF file is a script, whose interpreter knows better. */
    if (hs_elf_file_read(path, &elf, reason, sizeof reason) == 0) {
        if (elf.is_static) {
            tool_complain(command, "%s: is a static program, which loads no drop-in", path);
            hs_elf_file_free(&elf);
            return -1;
        }
        find_wants(&elf, &wants);
        has_rpath = elf.rpath && !elf.runpath;
        hs_elf_file_free(&elf);
    }
    if (!asked || wants.major) {
        say_wants(command, path, &wants, asked);
    }
    for (int major = FIRST; major <= LAST; major++) {
        if ((major == asked || wants.library[0][major]) &&
            check_library(command, stems[0], major, library) != 0) {
            return -1;
        }
    }
    return (has_rpath && preload(command, &wants) != 0) ? -1 : set_directory(command);
}

int tool_run_set_abi(const char *command, const char *abi, const char *hip, const char *path)
{
    if (hip && set_hip(command, hip) != 0) {
        return -1;
    }
    return abi ? set_drop_ins(command, abi, path) : 0;
}
