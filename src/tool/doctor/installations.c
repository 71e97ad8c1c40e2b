/* SPDX-License-Identifier: MIT */
/* The HIP runtimes that are installed, whether the search looks at them or not. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/program.h"
#include "base/read.h"
#include "elf/file.h"
#include "tool/doctor/doctor.h"
#include "tool/tool.h"

static const char stem[] = "libamdhip64";

/* True if the library has the file and the major of another one; notes if it has the file. */
static bool is_known(const struct doctor *doctor, struct doctor_library *library)
{
    bool is_known = false;

    for (size_t i = 0; i < doctor->library_count; i++) {
        const struct doctor_library *one = &doctor->libraries[i];
        bool is_same = one->device == library->device && one->inode == library->inode;
        library->is_repeated |= is_same;
        is_known |= is_same && one->name_major == library->name_major;
    }
    return is_known;
}

/* Adds a library, unless it is a drop-in, which only calls the runtime. */
static void add_library(struct doctor *doctor, const char *path)
{
    struct doctor_library library = {0};
    struct hs_elf_file elf;
    struct stat status;
    char reason[256];
    int major = hs_elf_file_major(hs_program_base(path), stem);

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
        hs_elf_file_free(&elf);
    }
    if (!is_drop_in && (library.path = strdup(path)) != NULL) {
        doctor->libraries[doctor->library_count++] = library;
    }
}

static void add_matches(struct doctor *doctor, const char *pattern)
{
    glob_t files = doctor_glob(doctor, pattern);

    for (size_t i = 0; i < files.gl_pathc; i++) {
        add_library(doctor, files.gl_pathv[i]);
    }
    globfree(&files);
}

#define FILES "libamdhip64.so.[0-9]*"

/* Adds those in a list of directories; only an absolute name is one. */
static void add_list(struct doctor *doctor, char *list, const char *separators)
{
    char pattern[TOOL_PATH_ROOM], *rest = list;

    for (char *name; (name = strsep(&rest, separators)) != NULL;) {
        snprintf(pattern, sizeof pattern, "%s/" FILES, name);
        if (*name == '/') {
            add_matches(doctor, pattern);
        }
    }
    free(list);
}

void doctor_find_libraries(struct doctor *doctor)
{
    const char *variable = getenv("LD_LIBRARY_PATH");
    glob_t configured = doctor_glob(doctor, "/etc/ld.so.conf{,.d/*.conf}");
    size_t size;

    add_list(doctor, variable ? strdup(variable) : NULL, ":;");
    add_matches(doctor, DOCTOR_ROCM_PREFIXES DOCTOR_PLACES FILES);
    for (size_t i = 0; i < configured.gl_pathc; i++) {
        add_list(doctor, hs_read_file(configured.gl_pathv[i], &size), " \t\r\n");
    }
    globfree(&configured);
    add_matches(doctor, DOCTOR_SYSTEM_PREFIXES DOCTOR_PLACES FILES);
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

void doctor_check_several(struct doctor *doctor)
{
    const char *used = doctor->runtime.path;
    size_t size, count = 0;
    char *list = NULL;
    FILE *stream = open_memstream(&list, &size);

    for (size_t i = 0; stream && i < doctor->library_count; i++) {
        const struct doctor_library *one = &doctor->libraries[i];
        if (!one->is_damaged && !one->is_repeated) {
            fprintf(stream, "%s%s", count++ ? ", " : "", one->path);
        }
    }
    if (!stream || fclose(stream) != 0) {
        doctor->is_incomplete = true;
    } else if (count > 1) {
        doctor_report(doctor, DOCTOR_WARNING, "runtime-several",
                      doctor_text("there are %zu HIP runtimes: %s; hipshim uses %s", count, list,
                                  used ? used : "none of them"),
                      "programs linked to libamdhip64 may use another runtime than programs of "
                      "hipshim do, and a process may load two of them",
                      "remove those that are not wanted, or choose one by "
                      "HIPSHIM_LIBRARY and LD_LIBRARY_PATH");
    }
    free(list);
}
