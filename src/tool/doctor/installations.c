/* SPDX-License-Identifier: MIT */
/* The HIP runtimes that are installed, whether the search looks at them or not. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/read.h"
#include "elf/file.h"
#include "tool/doctor/doctor.h"
#include "tool/tool.h"

static const char stem[] = "libamdhip64";

static bool is_known(const struct doctor *doctor, const struct doctor_library *library)
{
    for (size_t i = 0; i < doctor->library_count; i++) {
        const struct doctor_library *one = &doctor->libraries[i];
        if (one->device == library->device && one->inode == library->inode &&
            one->name_major == library->name_major) {
            return true;
        }
    }
    return false;
}

static bool exports(const struct hs_elf_file *elf, const char *function)
{
    for (size_t i = 0; i < elf->export_count; i++) {
        if (strcmp(elf->exports[i].name, function) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a library, unless it is a drop-in, which only calls the runtime. */
static void add_library(struct doctor *doctor, const char *path)
{
    struct doctor_library library = {0};
    struct hs_elf_file elf;
    struct stat status;
    char reason[256];
    const char *name = strrchr(path, '/');
    int major = hs_elf_file_major(name ? name + 1 : path, stem);

    if (major <= 0 || stat(path, &status) != 0 || doctor->library_count == DOCTOR_LIBRARIES) {
        return;
    }
    library.name_major = (unsigned)major;
    library.device = status.st_dev;
    library.inode = status.st_ino;
    if (is_known(doctor, &library)) {
        return;
    }
    library.is_damaged = !hs_elf_file_read(path, &elf, reason, sizeof reason);
    bool is_drop_in = !library.is_damaged && elf.is_drop_in;
    if (!library.is_damaged) {
        int soname_major = elf.soname ? hs_elf_file_major(elf.soname, stem) : 0;
        library.soname_major = soname_major > 0 ? (unsigned)soname_major : 0;
        library.has_hiprtc = exports(&elf, "hiprtcCreateProgram");
        hs_elf_file_free(&elf);
    }
    if (!is_drop_in && (library.path = strdup(path)) != NULL) {
        doctor->libraries[doctor->library_count++] = library;
    }
}

static void add_matches(struct doctor *doctor, const char *pattern)
{
    char **files = doctor_glob(doctor, pattern);

    for (char **file = files; file && *file; file++) {
        add_library(doctor, *file);
    }
    doctor_free_files(files);
}

/* --- the directories of the dynamic linker --- */

/* Called with the pattern of a library in one directory; the search ends if it returns true. */
typedef bool (*visit_pattern)(void *context, const char *pattern);

/* Only an absolute name in the list is a directory. */
static bool visit_directories(char *list, const char *separators, const char *file,
                              visit_pattern visit, void *context)
{
    char pattern[TOOL_PATH_ROOM], *rest = list;

    for (char *name; (name = strsep(&rest, separators)) != NULL;) {
        snprintf(pattern, sizeof pattern, "%s/%s", name, file);
        if (*name == '/' && visit(context, pattern)) {
            return true;
        }
    }
    return false;
}

/* The directories of the dynamic linker's configuration. */
static bool visit_configured(const struct doctor *doctor, const char *file, visit_pattern visit,
                             void *context)
{
    char **files = doctor_glob(doctor, "/etc/ld.so.conf{,.d/*.conf}");
    bool is_done = false;

    for (char **one = files; one && *one && !is_done; one++) {
        size_t size;
        char *text = hs_read_file(*one, &size);
        is_done = text && visit_directories(text, " \t\r\n", file, visit, context);
        free(text);
    }
    doctor_free_files(files);
    return is_done;
}

struct lookup {
    const struct doctor *doctor;
    char *path;
};

static bool take_first(void *context, const char *pattern)
{
    struct lookup *lookup = context;
    char **files = doctor_glob(lookup->doctor, pattern);
    bool found = files && files[0];

    if (found) {
        snprintf(lookup->path, TOOL_PATH_ROOM, "%s", files[0]);
    }
    doctor_free_files(files);
    return found;
}

bool doctor_find_for_linker(const struct doctor *doctor, const char *name, char *path)
{
    struct lookup lookup = {doctor, path};
    char pattern[TOOL_PATH_ROOM];

    snprintf(pattern, sizeof pattern, "{,/usr}/{lib,lib64,lib/*-linux-gnu}/%s", name);
    return visit_configured(doctor, name, take_first, &lookup) || take_first(&lookup, pattern);
}

static bool add_to_libraries(void *context, const char *pattern)
{
    add_matches(context, pattern);
    return false;
}

void doctor_find_libraries(struct doctor *doctor)
{
    static const char file[] = "libamdhip64.so.[0-9]*";
    const char *variable = getenv("LD_LIBRARY_PATH");
    char *list = *doctor->root || !variable ? NULL : strdup(variable);

    if (list) {
        visit_directories(list, ":;", file, add_to_libraries, doctor);
        free(list);
    }
    add_matches(doctor, DOCTOR_ROCM_PREFIXES DOCTOR_PLACES "libamdhip64.so.[0-9]*");
    visit_configured(doctor, file, add_to_libraries, doctor);
    add_matches(doctor, DOCTOR_SYSTEM_PREFIXES DOCTOR_PLACES "libamdhip64.so.[0-9]*");
}

/* --- checks --- */

void doctor_check_sonames(struct doctor *doctor)
{
    for (size_t i = 0; i < doctor->library_count; i++) {
        const struct doctor_library *library = &doctor->libraries[i];
        if (library->soname_major == 0 || library->soname_major == library->name_major) {
            continue;
        }
        doctor_report(
            doctor, DOCTOR_ERROR, "soname-link",
            doctor_text("%s is a library of HIP %u", library->path, library->soname_major),
            "a program that needs the other major gets structures of another layout, and fails or "
            "computes nonsense",
            doctor_text("remove the link %s; `hipshim run --abi auto PROGRAM` runs programs of HIP "
                        "%u over HIP %u",
                        library->path, library->name_major, library->soname_major));
    }
}

/* The paths of the files that differ, from malloc; `count` is their number. */
static char *list_different(const struct doctor *doctor, size_t *count)
{
    char *list = NULL;
    size_t size;
    FILE *stream = open_memstream(&list, &size);

    *count = 0;
    for (size_t i = 0; stream && i < doctor->library_count; i++) {
        const struct doctor_library *one = &doctor->libraries[i];
        bool is_repeated = one->is_damaged;
        for (size_t j = 0; j < i; j++) {
            is_repeated |= one->device == doctor->libraries[j].device &&
                           one->inode == doctor->libraries[j].inode;
        }
        if (!is_repeated) {
            fprintf(stream, "%s%s", *count ? ", " : "", one->path);
            ++*count;
        }
    }
    return stream && fclose(stream) == 0 ? list : NULL;
}

void doctor_check_several(struct doctor *doctor)
{
    size_t count;
    char *list = list_different(doctor, &count);

    if (count > 1) {
        const char *used = doctor->runtime.path;
        doctor_report(doctor, DOCTOR_WARNING, "runtime-several",
                      doctor_text("there are %zu HIP runtimes: %s; hipshim uses %s", count,
                                  list ? list : "?", used ? used : "none of them"),
                      "programs linked to libamdhip64 may use another runtime than programs of "
                      "hipshim do, and a process may load two of them",
                      doctor_text("remove those that are not wanted, or choose one by "
                                  "HIPSHIM_LIBRARY and LD_LIBRARY_PATH"));
    }
    free(list);
}
