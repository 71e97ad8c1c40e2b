/* SPDX-License-Identifier: MIT */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "loader/search.h"

#include "base/file_stamp.h"
#include "base/directory.h"
#include "loader/loaded_runtimes.h"
#include "loader/search_log.h"
#include "tables/tables.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The tests put directories of their own here, and to ask the dynamic linker
 * for, a name that no machine has a library of.
 */
#ifndef HIPSHIM_SONAME
#define HIPSHIM_SONAME "libamdhip64.so"
#endif
#ifndef HIPSHIM_OPT_ROCM
#define HIPSHIM_OPT_ROCM "/opt/rocm"
#endif
#ifndef HIPSHIM_COMPAT_ROCM
#define HIPSHIM_COMPAT_ROCM "/usr/lib64/rocm"
#endif

#ifndef HIPSHIM_MULTIARCH
#if defined(__x86_64__)
#define HIPSHIM_MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define HIPSHIM_MULTIARCH "aarch64-linux-gnu"
#elif defined(__powerpc64__)
#define HIPSHIM_MULTIARCH "powerpc64le-linux-gnu"
#elif defined(__riscv)
#define HIPSHIM_MULTIARCH "riscv64-linux-gnu"
#else
#define HIPSHIM_MULTIARCH "multiarch"
#endif
#endif

/* Majors looked for beyond the newest known, to say that they were there. */
enum { MAJORS_AHEAD = 3, MAJOR_ROOM = 16, NEWEST_ROOM = 16 };

struct search {
    hs_search_open open;
    void *context;
    hipshim_search_source_t part;
    const char *origin;
    unsigned majors[MAJOR_ROOM]; /* in the order to try */
    unsigned major_count;
    unsigned offered; /* candidates given to open since last looked at */
};

static void list_majors(struct search *search)
{
    unsigned i, newest, previous = 0;

    for (i = hs_release_count; i-- > 0 && search->major_count < MAJOR_ROOM - MAJORS_AHEAD;) {
        if (hs_releases[i].major != previous) {
            previous = hs_releases[i].major;
            search->majors[search->major_count++] = previous;
        }
    }
    newest = search->major_count ? search->majors[0] : 0;
    for (i = MAJORS_AHEAD; i > 0; i--) {
        search->majors[search->major_count++] = newest + i;
    }
}

static enum hs_search_answer offer(struct search *search, const char *path, int by_name, int mapped)
{
    struct hs_candidate candidate = {search->part, path, search->origin, by_name, mapped};

    search->offered++;
    return search->open(search->context, &candidate);
}

/* A file that is there; a link that leads nowhere is there, and a fault. */
static enum hs_search_answer try_file(struct search *search, const char *path)
{
    struct stat status;

    if (lstat(path, &status) != 0) {
        return HS_SEARCH_NEXT;
    }
    return offer(search, path, 0, 0);
}

static enum hs_search_answer try_directory(struct search *search, const char *directory)
{
    char path[PATH_MAX];
    unsigned i;

    if (!hs_path_is_directory(directory)) {
        return HS_SEARCH_NEXT;
    }
    for (i = 0; i <= search->major_count; i++) {
        int length =
            i < search->major_count
                ? snprintf(path, sizeof path, "%s/libamdhip64.so.%u", directory, search->majors[i])
                : snprintf(path, sizeof path, "%s/libamdhip64.so", directory);

        if (length < 0 || (size_t)length >= sizeof path) {
            return HS_SEARCH_NEXT;
        }
        /* The bare name is most often a link to one already offered. */
        if (i == search->major_count && search->offered > 0) {
            return HS_SEARCH_NEXT;
        }
        if (try_file(search, path) == HS_SEARCH_STOP) {
            return HS_SEARCH_STOP;
        }
    }
    return HS_SEARCH_NEXT;
}

static enum hs_search_answer offer_prefix(struct search *search, const char *prefix)
{
    static const char multiarch[] = "lib/" HIPSHIM_MULTIARCH;
    static const char *const places[] = {"lib", "lib64", multiarch, "hip/lib"};
    char directory[PATH_MAX];
    size_t i;

    search->offered = 0;
    for (i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(directory, sizeof directory, "%s/%s", prefix, places[i]);

        if (length > 0 && (size_t)length < sizeof directory &&
            try_directory(search, directory) == HS_SEARCH_STOP) {
            return HS_SEARCH_STOP;
        }
    }
    return HS_SEARCH_NEXT;
}

/* The same, recording the prefix itself if it had nothing to offer. */
static enum hs_search_answer try_prefix(struct search *search, const char *prefix)
{
    char subject[HS_SEARCH_LOG_TEXT];

    if (offer_prefix(search, prefix) == HS_SEARCH_STOP) {
        return HS_SEARCH_STOP;
    }
    if (search->offered == 0) {
        snprintf(subject, sizeof subject, "%s%s%s", search->origin ? search->origin : "",
                 search->origin ? "=" : "", prefix);
        hs_search_log_add(search->part, HIPSHIM_OUTCOME_ABSENT, subject,
                     hs_path_is_directory(prefix)
                         ? "no libamdhip64 in its lib, lib64, lib/" HIPSHIM_MULTIARCH " or hip/lib"
                         : "no such directory");
    }
    return HS_SEARCH_NEXT;
}

static const char *variable(struct search *search, const char *name)
{
    const char *value = secure_getenv(name);
    const char *plain = getenv(name);

    if (value && *value) {
        return value;
    }
    hs_search_log_add(search->part, HIPSHIM_OUTCOME_SKIPPED, name, "%s",
                 !plain   ? "not set"
                 : !value ? "ignored, because this process runs with raised privileges"
                          : "set but empty, which counts as not set");
    return NULL;
}

static enum hs_search_answer search_pin(struct search *search)
{
    char here[PATH_MAX];
    const char *pin;
    struct stat status;

    search->part = HIPSHIM_SEARCH_SOURCE_PIN;
    pin = variable(search, "HIPSHIM_LIBRARY");
    if (!pin) {
        return HS_SEARCH_NEXT;
    }
    search->origin = "HIPSHIM_LIBRARY";
    search->offered = 0;
    if (!hs_path_is_directory(pin)) {
        int by_name = !strchr(pin, '/') && lstat(pin, &status) != 0;

        /* dlopen would look everywhere but here for a name without a slash. */
        snprintf(here, sizeof here, "./%s", pin);
        offer(search, by_name || strchr(pin, '/') ? pin : here, by_name, 0);
    } else if (try_directory(search, pin) == HS_SEARCH_NEXT && search->offered == 0 &&
               offer_prefix(search, pin) == HS_SEARCH_NEXT && search->offered == 0) {
        hs_search_log_add(search->part, HIPSHIM_OUTCOME_REJECTED, pin,
                     "no libamdhip64 in this directory, nor in its lib, lib64, "
                     "lib/" HIPSHIM_MULTIARCH " or hip/lib (from HIPSHIM_LIBRARY)");
    }
    return HS_SEARCH_STOP;
}

static enum hs_search_answer search_mapped(struct search *search)
{
    struct hs_loaded_runtime found[HS_LOADED_RUNTIMES_ROOM];
    int in_program;
    unsigned i, count = hs_loaded_runtimes_find(found, &in_program);
    enum hs_search_answer answer = HS_SEARCH_NEXT;

    search->part = HIPSHIM_SEARCH_SOURCE_LOADED;
    search->origin = NULL;
    if (in_program) {
        hs_search_log_add(search->part, HIPSHIM_OUTCOME_SKIPPED, "the program itself",
                     "it defines hipRuntimeGetVersion, but not as a library that can be opened");
    }
    /* Said first: the step that is used ends the record. */
    for (i = 1; i < count; i++) {
        hs_search_log_add(search->part, HIPSHIM_OUTCOME_SKIPPED, found[i].path,
                     "a second HIP runtime in this process, next to %s; HIPSHIM_LIBRARY chooses",
                     found[0].path);
    }
    for (i = 0; i < count && answer == HS_SEARCH_NEXT; i++) {
        answer = offer(search, found[i].path, 0, 1);
    }
    if (count == 0 && !in_program) {
        hs_search_log_add(search->part, HIPSHIM_OUTCOME_ABSENT, "this process",
                     "no HIP runtime is mapped");
    }
    return answer;
}

static enum hs_search_answer search_configured(struct search *search)
{
    search->part = HIPSHIM_SEARCH_SOURCE_CONFIGURED;
    search->origin = NULL;
    search->offered = 0;
#ifdef HIPSHIM_CONFIGURED_LIBDIR
    if (HIPSHIM_CONFIGURED_LIBDIR[0] &&
        try_directory(search, HIPSHIM_CONFIGURED_LIBDIR) == HS_SEARCH_STOP) {
        return HS_SEARCH_STOP;
    }
#endif
#ifdef HIPSHIM_CONFIGURED_PREFIX
    if (HIPSHIM_CONFIGURED_PREFIX[0]) {
        return try_prefix(search, HIPSHIM_CONFIGURED_PREFIX);
    }
#endif
    return HS_SEARCH_NEXT;
}

static enum hs_search_answer search_environment(struct search *search)
{
    static const char *const names[] = {"HIP_PATH", "ROCM_PATH", "ROCM_HOME", "CONDA_PREFIX"};
    size_t i;

    search->part = HIPSHIM_SEARCH_SOURCE_ENVIRONMENT;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *prefix = variable(search, names[i]);

        search->origin = names[i];
        if (prefix && try_prefix(search, prefix) == HS_SEARCH_STOP) {
            return HS_SEARCH_STOP;
        }
    }
    return HS_SEARCH_NEXT;
}

static enum hs_search_answer search_linker(struct search *search)
{
    char soname[64];
    unsigned i;

    search->part = HIPSHIM_SEARCH_SOURCE_LINKER;
    search->origin = NULL;
    for (i = 0; i < search->major_count; i++) {
        snprintf(soname, sizeof soname, HIPSHIM_SONAME ".%u", search->majors[i]);
        if (offer(search, soname, 1, 0) == HS_SEARCH_STOP) {
            return HS_SEARCH_STOP;
        }
    }
    return HS_SEARCH_NEXT;
}

static enum hs_search_answer try_versions(struct search *search, const char *parent,
                                          const char *stem)
{
    char names[NEWEST_ROOM][HS_PATH_NAME], prefix[PATH_MAX];
    unsigned i, count = hs_path_newest(parent, stem, names, NEWEST_ROOM);

    for (i = 0; i < count; i++) {
        int length = snprintf(prefix, sizeof prefix, "%s/%s", parent, names[i]);

        if (length > 0 && (size_t)length < sizeof prefix &&
            try_prefix(search, prefix) == HS_SEARCH_STOP) {
            return HS_SEARCH_STOP;
        }
    }
    return HS_SEARCH_NEXT;
}

static enum hs_search_answer search_directories(struct search *search)
{
    char parent[] = HIPSHIM_OPT_ROCM;
    char *slash = strrchr(parent, '/');

    search->part = HIPSHIM_SEARCH_SOURCE_DIRECTORY;
    search->origin = NULL;
    if (hs_path_is_directory(HIPSHIM_OPT_ROCM "/core") &&
        try_prefix(search, HIPSHIM_OPT_ROCM "/core") == HS_SEARCH_STOP) {
        return HS_SEARCH_STOP;
    }
    if (try_versions(search, HIPSHIM_OPT_ROCM, "core-") == HS_SEARCH_STOP ||
        try_prefix(search, HIPSHIM_OPT_ROCM) == HS_SEARCH_STOP) {
        return HS_SEARCH_STOP;
    }
    if (slash) {
        *slash = '\0'; /* "/opt" */
    }
    if (try_versions(search, slash ? parent : ".", "rocm-") == HS_SEARCH_STOP) {
        return HS_SEARCH_STOP;
    }
    return try_versions(search, HIPSHIM_COMPAT_ROCM, "rocm-");
}

void hs_search_run(hs_search_open open, void *context)
{
    static enum hs_search_answer (*const parts[])(struct search *) = {
        search_pin,         search_mapped, search_configured,
        search_environment, search_linker, search_directories,
    };
    struct search search = {.open = open, .context = context};
    size_t i;

    list_majors(&search);
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i](&search) == HS_SEARCH_STOP) {
            return;
        }
    }
}

int hs_search_line(const struct hs_candidate *candidate, struct timespec *changed, char *line,
                   size_t room)
{
    int start = snprintf(line, room, "%d ", (int)candidate->part), length;

    if (candidate->mapped || start < 0 || (size_t)start >= room) {
        return -1;
    }
    if (candidate->by_name) {
        *changed = (struct timespec){0};
        length = snprintf(line + start, room - (size_t)start, "%s\tby name\n", candidate->path);
        return length > 0 && (size_t)length < room - (size_t)start ? start + length : -1;
    }
    length = candidate->path[0] == '/'
                 ? hs_file_stamp_line(candidate->path, changed, line + start, room - (size_t)start)
                 : -1;
    return length > 0 ? start + length : -1;
}
