/* SPDX-License-Identifier: MIT */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "engine/search.h"

#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "engine/api.h"
#include "engine/loaded_runtimes.h"
#include "engine/search_log.h"
#include "engine/tables.h"
#include "engine/used.h"

/*
 * Tests define a directory of their own here, and for the dynamic linker a name that no machine has
 * a library of.
 */
#ifndef HIPSHIM_LINKER_STEM
#define HIPSHIM_LINKER_STEM hs_api.libraries[0].stem
#endif
#ifndef HIPSHIM_NIXOS_DRIVERS
#define HIPSHIM_NIXOS_DRIVERS "/run/opengl-driver"
#endif
#ifndef HIPSHIM_CONFIGURED_LIBDIR
#define HIPSHIM_CONFIGURED_LIBDIR ""
#endif
#ifndef HIPSHIM_CONFIGURED_PREFIX
#define HIPSHIM_CONFIGURED_PREFIX ""
#endif

/* Majors beyond the newest known one are looked for too, so that the log can name them. */
enum { MAJORS_AHEAD = 3, MAJOR_ROOM = 16, VERSION_ROOM = 16 };

/*
 * The buffers are here because a thread with the smallest stack, 16 KB, may make the first call,
 * and the dynamic linker takes most of that.  Each is used by one function at a time.
 */
struct search {
    hs_search_open open;
    void *context;
    hipshim_search_source_t source;
    const char *origin;
    unsigned majors[MAJOR_ROOM]; /* in the order to try */
    unsigned major_count;
    unsigned offered; /* candidates given to `open` since this was last set to 0 */
    char file[PATH_MAX], directory[PATH_MAX], prefix[PATH_MAX], packages[PATH_MAX];
    char subject[HS_SEARCH_LOG_TEXT], listed[256];
    char versions[VERSION_ROOM][HS_PATH_NAME], wheels[VERSION_ROOM][HS_PATH_NAME];
    struct hs_loaded_runtime loaded[HS_LOADED_RUNTIMES_ROOM];
};

/* Functions that return a bool return true if the search is over. */

static void list_majors(struct search *search)
{
    unsigned previous = UINT_MAX;
    for (unsigned i = hs_release_count;
         i-- > 0 && search->major_count < MAJOR_ROOM - MAJORS_AHEAD;) {
        if (hs_releases[i].soname != previous) {
            previous = hs_releases[i].soname;
            search->majors[search->major_count++] = previous;
        }
    }
    unsigned newest = search->major_count ? search->majors[0] : 0;
    for (unsigned i = MAJORS_AHEAD; i > 0; i--) {
        search->majors[search->major_count++] = newest + i;
    }
}

static void begin_source(struct search *search, hipshim_search_source_t source)
{
    search->source = source;
    search->origin = NULL;
    search->offered = 0;
}

static bool offer(struct search *search, struct hs_candidate candidate)
{
    candidate.source = search->source;
    candidate.origin = search->origin;
    search->offered++;
    return search->open(search->context, &candidate);
}

/* Offers a file that exists; a dangling link exists too, as a fault to report. */
static bool try_file(struct search *search, const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && offer(search, (struct hs_candidate){.path = path});
}

/* False if the path would be too long. */
__attribute__((format(printf, 2, 3))) static bool make_path(char path[PATH_MAX], const char *format,
                                                            ...)
{
    va_list parts;
    va_start(parts, format);
    int length = vsnprintf(path, PATH_MAX, format, parts);
    va_end(parts);
    return length > 0 && length < PATH_MAX;
}

static bool try_directory(struct search *search, const char *directory)
{
    char *path = search->file;

    if (!hs_path_is_directory(directory)) {
        return false;
    }
    for (unsigned i = 0; i < search->major_count; i++) {
        if (make_path(path, "%s/%s.so.%u", directory, hs_api.libraries[0].stem,
                      search->majors[i]) &&
            try_file(search, path)) {
            return true;
        }
    }
    /* The bare name is most often a link to an offered file. */
    return search->offered == 0 &&
           make_path(path, "%s/%s.so", directory, hs_api.libraries[0].stem) &&
           try_file(search, path);
}

static bool offer_prefix(struct search *search, const char *prefix)
{
    search->offered = 0;
    for (const char *const *place = hs_api.prefix_places; *place; place++) {
        if (make_path(search->directory, "%s/%s", prefix, *place) &&
            try_directory(search, search->directory)) {
            return true;
        }
    }
    return false;
}

/* "lib, lib64 or lib/name" in search->listed. */
static const char *list_prefix_places(struct search *search)
{
    const char *const *place = hs_api.prefix_places;
    char *end = search->listed, *const past = end + sizeof search->listed;

    *end = '\0';
    for (; *place && end < past; place++) {
        const char *before = place == hs_api.prefix_places ? "" : place[1] ? ", " : " or ";
        end += snprintf(end, (size_t)(past - end), "%s%s", before, *place);
    }
    return search->listed;
}

/* The same, and records the prefix itself if it had nothing to offer. */
static bool try_prefix(struct search *search, const char *prefix)
{
    bool is_done = offer_prefix(search, prefix);
    if (!is_done && search->offered == 0) {
        snprintf(search->subject, sizeof search->subject, "%s%s%s",
                 search->origin ? search->origin : "", search->origin ? "=" : "", prefix);
        bool is_there = hs_path_is_directory(prefix);
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_ABSENT, search->subject,
                          is_there ? "no %s in its %s" : "no such directory",
                          hs_api.libraries[0].stem, list_prefix_places(search));
    }
    return is_done;
}

/* The variable's value, or NULL, which is recorded with its reason. */
static const char *variable(const struct search *search, const char *name)
{
    const char *value = secure_getenv(name);
    if (value && *value) {
        return value;
    }
    hs_search_log_add(search->source, HIPSHIM_OUTCOME_SKIPPED, name, "%s",
                      value          ? "set but empty, which counts as not set"
                      : getenv(name) ? "ignored, because this process runs with raised privileges"
                                     : "not set");
    return NULL;
}

static bool search_pinned_file(struct search *search, const char *pin)
{
    struct stat status;
    bool has_slash = strchr(pin, '/') != NULL;
    if (has_slash || lstat(pin, &status) != 0) {
        return offer(search, (struct hs_candidate){.path = pin, .by_name = !has_slash});
    }
    /* For a name without a slash dlopen would look everywhere but in the working directory. */
    snprintf(search->file, sizeof search->file, "./%s", pin);
    return offer(search, (struct hs_candidate){.path = search->file});
}

static bool search_pin(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_PIN);
    const char *pin = variable(search, hs_api.pin);
    if (!pin) {
        return false;
    }
    search->origin = hs_api.pin;
    if (!hs_path_is_directory(pin)) {
        search_pinned_file(search, pin);
    } else if (!try_directory(search, pin) && search->offered == 0 && !offer_prefix(search, pin) &&
               search->offered == 0) {
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_REJECTED, pin,
                          "no %s in this directory, nor in its %s (from %s)",
                          hs_api.libraries[0].stem, list_prefix_places(search), hs_api.pin);
    }
    return true;
}

static bool search_loaded(struct search *search)
{
    struct hs_loaded_runtime *found = search->loaded;
    bool in_program;
    unsigned count = hs_loaded_runtimes_find(&hs_api.libraries[0], found, &in_program);

    begin_source(search, HIPSHIM_SEARCH_SOURCE_LOADED);
    if (in_program) {
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_SKIPPED, "the program itself",
                          "it defines %s, but cannot be opened as a library",
                          hs_api.libraries[0].probe);
    }
    /* Recorded first, because the step of the runtime that is used ends the log. */
    for (unsigned i = 1; i < count; i++) {
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_SKIPPED, found[i].path,
                          "a second %s in this process, next to %s; %s chooses", hs_api.noun,
                          found[0].path, hs_api.pin);
    }
    bool is_done = false;
    for (unsigned i = 0; i < count && !is_done; i++) {
        is_done = offer(search, (struct hs_candidate){.path = found[i].path, .is_loaded = true});
    }
    if (count == 0 && !in_program) {
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_ABSENT, "this process", "no %s is loaded",
                          hs_api.noun);
    }
    return is_done;
}

/* What is installed with the library of another API that the process uses. */
static bool search_beside_used(struct search *search)
{
    char *path = search->packages;

    begin_source(search, HIPSHIM_SEARCH_SOURCE_DIRECTORY);
    if (!hs_used_find(search->loaded, path, PATH_MAX)) {
        return false;
    }
    if (hs_path_is_directory(path)) {
        return try_directory(search, path) || offer_prefix(search, path);
    }
    /* The file may be a link from another directory. */
    char *target = realpath(path, NULL);
    *strrchr(path, '/') = '\0';
    bool is_done = try_directory(search, path);
    if (!is_done && target) {
        *strrchr(target, '/') = '\0';
        is_done = strcmp(target, path) != 0 && try_directory(search, target);
    }
    free(target);
    return is_done;
}

static bool search_configured(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_CONFIGURED);
    return (HIPSHIM_CONFIGURED_LIBDIR[0] && try_directory(search, HIPSHIM_CONFIGURED_LIBDIR)) ||
           (HIPSHIM_CONFIGURED_PREFIX[0] && try_prefix(search, HIPSHIM_CONFIGURED_PREFIX));
}

/* The directories of packages of Python, which are no prefixes. */
static bool try_wheels(struct search *search, const char *packages)
{
    char *directory = search->directory;
    unsigned count =
        hs_path_newest(packages, hs_api.package_stem, search->wheels, VERSION_ROOM / 2);

    for (unsigned i = 0; hs_api.packages[i] && count < VERSION_ROOM; i++) {
        snprintf(search->wheels[count++], HS_PATH_NAME, "%s", hs_api.packages[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        search->offered = 0;
        if (make_path(directory, "%s/%s/lib", packages, search->wheels[i]) &&
            try_directory(search, directory)) {
            return true;
        }
    }
    return false;
}

static bool try_python(struct search *search, const char *prefix)
{
    char *path = search->packages;
    snprintf(path, PATH_MAX, "%s/lib", prefix);
    unsigned count = hs_path_newest(path, "python", search->versions, VERSION_ROOM);

    for (unsigned i = 0; i < count; i++) {
        if (make_path(path, "%s/lib/%s/site-packages", prefix, search->versions[i]) &&
            try_wheels(search, path)) {
            return true;
        }
    }
    return false;
}

static bool try_variable(struct search *search, const struct hs_variable *named)
{
    const char *prefix = variable(search, named->name);
    unsigned steps = hs_search_log_count();

    search->origin = named->name;
    bool is_done = prefix && ((named->is_prefix && try_prefix(search, prefix)) ||
                              (named->is_packaged && try_python(search, prefix)));
    if (prefix && !is_done && hs_search_log_count() == steps) {
        snprintf(search->subject, sizeof search->subject, "%s=%s", search->origin, prefix);
        hs_search_log_add(search->source, HIPSHIM_OUTCOME_ABSENT, search->subject,
                          "no wheel of this Python has a %s", hs_api.libraries[0].stem);
    }
    return is_done;
}

static bool search_environment(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_ENVIRONMENT);
    for (const struct hs_variable *named = hs_api.variables; named->name; named++) {
        if (try_variable(search, named)) {
            return true;
        }
    }
    return false;
}

/*
 * Keeps the first directory that an object in this process lies in and that Python installs wheels
 * in.  The Python of Debian has another name for it.
 */
static int note_packages(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const names[] = {"/site-packages/", "/dist-packages/"};
    char *packages = context;

    (void)size;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *at = info->dlpi_name ? strstr(info->dlpi_name, names[i]) : NULL;
        size_t length = at ? (size_t)(at - info->dlpi_name) + strlen(names[i]) - 1 : 0;
        if (length > 0 && length < PATH_MAX) {
            memcpy(packages, info->dlpi_name, length);
            packages[length] = '\0';
            return 1;
        }
    }
    return 0;
}

/* Wheels beside a library that a Python program has loaded, such as PyTorch's. */
static bool search_beside_loaded(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_DIRECTORY);
    return dl_iterate_phdr(note_packages, search->packages) && try_wheels(search, search->packages);
}

static bool search_linker(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_LINKER);
    for (unsigned i = 0; i < search->major_count; i++) {
        char soname[64];
        snprintf(soname, sizeof soname, "%s.so.%u", HIPSHIM_LINKER_STEM, search->majors[i]);
        if (offer(search, (struct hs_candidate){.path = soname, .by_name = true})) {
            return true;
        }
    }
    return false;
}

static bool try_versions(struct search *search, const char *parent, const char *stem)
{
    char *prefix = search->prefix;
    unsigned count = hs_path_newest(parent, stem, search->versions, VERSION_ROOM);

    for (unsigned i = 0; i < count; i++) {
        if (make_path(prefix, "%s/%s", parent, search->versions[i]) && try_prefix(search, prefix)) {
            return true;
        }
    }
    return false;
}

static bool try_place(struct search *search, const struct hs_place *place)
{
    if (place->newest) {
        return try_versions(search, place->path, place->newest);
    }
    if (place->is_directory) {
        search->offered = 0;
        return try_directory(search, place->path);
    }
    return (!place->may_be_missing || hs_path_is_directory(place->path)) &&
           try_prefix(search, place->path);
}

static bool search_directories(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_DIRECTORY);
    for (const struct hs_place *place = hs_api.places; place->path; place++) {
        if (try_place(search, place)) {
            return true;
        }
    }
    return false;
}

/* Tries a list of prefixes, separated by blanks, from the last one on. */
static bool try_profiles(struct search *search, const char *profiles)
{
    char *prefix = search->prefix;
    size_t end = strlen(profiles);

    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && profiles[begin - 1] != ' ') {
            begin--;
        }
        if (make_path(prefix, "%.*s", (int)(end - begin), profiles + begin) &&
            try_prefix(search, prefix)) {
            return true;
        }
        end = begin > 0 ? begin - 1 : 0;
    }
    return false;
}

/*
 * The dynamic linker of Nix searches no directory of the machine.  Elsewhere, what the machine
 * has comes before what a user's profile has.
 */
static bool search_nix(struct search *search)
{
    begin_source(search, HIPSHIM_SEARCH_SOURCE_ENVIRONMENT);
    const char *profiles = variable(search, "NIX_PROFILES");
    search->origin = "NIX_PROFILES";
    if (profiles && try_profiles(search, profiles)) {
        return true;
    }
    begin_source(search, HIPSHIM_SEARCH_SOURCE_DIRECTORY);
    return offer_prefix(search, HIPSHIM_NIXOS_DRIVERS);
}

bool hs_search_run(hs_search_open open, void *context)
{
    static bool (*const sources[])(struct search *) = {
        search_pin,        search_loaded,      search_beside_used,
        search_configured, search_environment, search_beside_loaded,
        search_linker,     search_directories, search_nix,
    };
    struct search *search = calloc(1, sizeof *search);
    if (!search) {
        return false;
    }
    search->open = open;
    search->context = context;
    list_majors(search);
    bool is_done = false;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0] && !is_done; i++) {
        is_done = sources[i](search);
    }
    free(search);
    return true;
}
