/* SPDX-License-Identifier: MIT */
/*
 * The runtime below a root, such as the image of a container, from its files alone.  None of them
 * is opened as a library: their code must not run here, and they may need another libc than ours.
 */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/file.h"
#include "tool/doctor/doctor.h"
#include "tool/release_text.h"
#include "tool/tool.h"

enum { WALK_ROOM = 256 };

/* The libraries that the runtime needs, directly or not, by name. */
struct walk {
    struct doctor *doctor;
    char names[WALK_ROOM][NAME_MAX + 1];
    size_t count;
};

/* Libraries of the compiler and of libc; an image without them runs no program at all. */
static bool is_basic(const char *name)
{
    static const char *const stems[] = {"ld-linux", "libc.so",       "libdl.so", "libgcc_s.so",
                                        "libm.so",  "libpthread.so", "librt.so", "libstdc++.so"};

    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        if (strncmp(name, stems[i], strlen(stems[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The path of the library in one entry of a DT_RUNPATH, if it is there. */
static bool try_entry(const struct doctor *doctor, const char *entry, const char *origin,
                      const char *name, char path[TOOL_PATH_ROOM])
{
    static const char *const forms[] = {"$ORIGIN", "${ORIGIN}"};

    snprintf(path, TOOL_PATH_ROOM, "%s%s/%s", doctor->root, entry, name);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t length = strlen(forms[i]);
        if (strncmp(entry, forms[i], length) == 0) {
            snprintf(path, TOOL_PATH_ROOM, "%s%s/%s", origin, entry + length, name);
        }
    }
    return access(path, R_OK) == 0;
}

/* As the dynamic linker of the image finds a library that `user` needs. */
static bool find_library(const struct doctor *doctor, const char *user, const char *runpath,
                         const char *name, char path[TOOL_PATH_ROOM])
{
    char *copy = strdup(user), *list = strdup(runpath ? runpath : ""), *rest = list;
    const char *origin = copy ? dirname(copy) : ".";
    bool found = false;

    for (char *entry; !found && (entry = strsep(&rest, ":")) != NULL;) {
        found = *entry && try_entry(doctor, entry, origin, name, path);
    }
    free(list);
    free(copy);
    return found || doctor_find_for_linker(doctor, name, path);
}

static bool is_visited(const struct walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->count; i++) {
        if (strcmp(walk->names[i], name) == 0) {
            return true;
        }
    }
    return walk->count == WALK_ROOM;
}

static void visit(struct walk *walk, const char *path)
{
    struct hs_elf_file elf;
    char reason[256], next[TOOL_PATH_ROOM];

    if (!hs_elf_file_read(path, &elf, reason, sizeof reason)) {
        return;
    }
    for (size_t i = 0; i < elf.needed_count; i++) {
        const char *name = elf.needed[i];
        if (is_basic(name) || is_visited(walk, name)) {
            continue;
        }
        snprintf(walk->names[walk->count++], NAME_MAX + 1, "%s", name);
        if (find_library(walk->doctor, path, elf.runpath ? elf.runpath : elf.rpath, name, next)) {
            visit(walk, next);
        } else {
            doctor_add_missing_library(walk->doctor, path, name);
        }
    }
    hs_elf_file_free(&elf);
}

/* The release is in the name of the file in most packages, but AMD's have that of ROCm there. */
static hipshim_release_t read_release(const char *path)
{
    hipshim_release_t release = {0};
    char text[TOOL_RELEASE_TEXT], *file = realpath(path, NULL);
    const char *version = file ? strstr(basename(file), ".so.") : NULL;

    for (unsigned i = 0; version && i < hipshim_release_count(); i++) {
        hipshim_release_t known = tool_release_at(i).release;
        if (strcmp(version + strlen(".so."), tool_release_text(text, known)) == 0) {
            release = known;
        }
    }
    free(file);
    return release;
}

static char *find_hiprtc(const char *runtime, unsigned major)
{
    char *copy = strdup(runtime);
    char *path = copy ? doctor_text("%s/libhiprtc.so.%u", dirname(copy), major) : NULL;

    free(copy);
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    return path;
}

void doctor_read_image(struct doctor *doctor)
{
    const struct doctor_library *library = doctor->libraries;
    const struct doctor_library *end = library + doctor->library_count;

    while (library < end && library->is_damaged) {
        library++;
    }
    if (library == end) {
        return;
    }
    doctor->runtime.path = library->path;
    doctor->runtime.match = HIPSHIM_MATCH_EXACT;
    doctor->runtime.release = read_release(library->path);
    doctor->hiprtc = find_hiprtc(library->path, library->name_major);
    doctor->runtime.hiprtc_path = doctor->hiprtc;
    if (!doctor->hiprtc) {
        /* HIP 5 and 6 may have it in the runtime itself. */
        doctor->runtime.hiprtc_path = library->has_hiprtc ? library->path : NULL;
        doctor->runtime.hiprtc_text = "no libhiprtc beside the runtime";
    }
}

void doctor_check_image(struct doctor *doctor)
{
    struct walk walk = {.doctor = doctor};

    for (size_t i = 0; !doctor->runtime.path && i < doctor->library_count; i++) {
        struct hs_elf_file elf;
        char reason[256];
        if (hs_elf_file_read(doctor->libraries[i].path, &elf, reason, sizeof reason)) {
            hs_elf_file_free(&elf); /* it was replaced since */
        } else {
            doctor_add_rejected(doctor, doctor->libraries[i].path, reason);
        }
    }
    if (doctor->runtime.path) {
        visit(&walk, doctor->runtime.path);
    }
}
