/* SPDX-License-Identifier: MIT */
/*
 * hipshim cache list, info, verify and clear.
 */
#include "tool/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/read.h"
#include "tool/json.h"
#include "tool/terminal.h"
#include "tool/tool.h"

enum { SHOWN_KEY = 12 };

/* An entry that was met. */
struct report {
    const struct hs_cache_directory *directory;
    const struct hs_cache_file *file;
    const struct hs_cache_entry *entry; /* not set if it is damaged */
    const char *damage;                 /* or NULL */
    bool is_first;                      /* of its directory */
};

/* A walk through all directories. */
struct tally {
    const struct cache_request *request;
    const struct hs_cache_directory *directory;
    const struct hs_cache_directory *reported; /* the directory of the last report */
    void (*write)(struct tally *tally, const struct report *report);
    struct tool_json json;
    unsigned long entries, kernels, damaged, removed;
    unsigned long all; /* the entries that there were at the beginning */
    uint64_t bytes;
};

const char *cache_reason(const struct hs_cache *cache)
{
    return cache->is_disabled ? "HIPSHIM_CACHE=0" : cache->note;
}

static bool is_kernel(const struct hs_cache_file *file)
{
    return strcmp(file->group, "compilers") != 0;
}

/* Reads an entry; the reason why the library would not serve it, or NULL. */
static const char *read_entry(const struct hs_cache_file *file, struct hs_cache_found *found)
{
    struct stat status;
    char hex[HS_CACHE_HEX], group[200];
    int fd = hs_cache_open_file(file->group_fd, file->name, &status);

    found->data = NULL;
    if (fd < 0) {
        return errno == EPERM ? "another user may have written it" : "it cannot be opened";
    }
    found->data = hs_read_descriptor(fd, &found->size);
    close(fd);
    if (!found->data) {
        return "it cannot be read";
    }
    const char *reason = hs_cache_entry_read(found->data, found->size, NULL, &found->entry);

    if (reason) {
        return reason;
    }
    hs_hex_write(hex, found->entry.key, HS_CACHE_KEY);
    snprintf(group, sizeof group, "%.90s-%.90s", found->entry.arch, found->entry.release);
    if (strncmp(hex, file->name, HS_CACHE_HEX - 1) != 0) {
        return "it is for another key";
    }
    return is_kernel(file) && strcmp(group, file->group) != 0
               ? "it is for another architecture or release"
               : NULL;
}

static void write_json(struct tally *tally, const struct report *report)
{
    struct tool_json *json = &tally->json;
    char key[HS_CACHE_HEX];

    snprintf(key, sizeof key, "%.64s", report->file->name);
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "directory", report->directory->path);
    tool_json_text(json, "group", report->file->group);
    tool_json_text(json, "key", key);
    tool_json_number(json, "size", report->file->size);
    tool_json_number(json, "used", (uint64_t)(report->file->used > 0 ? report->file->used : 0));
    if (!report->damage) {
        tool_json_number(json, "created", report->entry->created);
        tool_json_text(json, "arch", report->entry->arch);
        tool_json_text(json, "hip_version", report->entry->release);
        tool_json_text(json, "name", report->entry->name);
        tool_json_number(json, "code_size", report->entry->code_size);
    }
    tool_json_text(json, "damage", report->damage);
    tool_json_close(json, '}');
}

/* Writes the directory's name before its first entry. */
static void write_line(struct tally *tally, const struct report *report)
{
    const struct hs_cache_file *file = report->file;
    time_t used = (time_t)file->used;
    char text[32] = "?";
    struct tm when;

    if (localtime_r(&used, &when)) {
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &when);
    }
    if (report->is_first) {
        printf("%s%s:\n", tally->reported ? "\n" : "", report->directory->path);
    }
    /* The group's name is the architecture, which may end in "-", another "-", and the release. */
    const char *dash = strrchr(file->group, '-');
    int length = dash ? (int)(dash - file->group) : (int)strlen(file->group);

    printf("%.*s  %-22.*s %-11s %10llu  %s  %s\n", SHOWN_KEY, file->name, length, file->group,
           dash ? dash + 1 : "", (unsigned long long)file->size, text,
           report->damage ? report->damage : report->entry->name);
}

static void write_damage(struct tally *tally, const struct report *report)
{
    (void)tally;
    printf("%s/%s/%s: %s\n", report->directory->path, report->file->group, report->file->name,
           report->damage);
}

static void report_entry(struct tally *tally, const struct hs_cache_file *file,
                         const struct hs_cache_found *found, const char *damage)
{
    const struct report report = {.directory = tally->directory,
                                  .file = file,
                                  .entry = &found->entry,
                                  .damage = damage,
                                  .is_first = tally->directory != tally->reported};

    tool_progress_end();
    tally->write(tally, &report);
    tally->reported = tally->directory;
}

static bool list_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;
    struct hs_cache_found found;

    if (file->kind != HS_CACHE_ENTRY || !is_kernel(file)) {
        return true;
    }
    const char *damage = read_entry(file, &found);

    tally->entries++;
    report_entry(tally, file, &found, damage);
    free(found.data);
    return true;
}

static bool verify_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;
    struct hs_cache_found found;

    if (file->kind != HS_CACHE_ENTRY) {
        return true;
    }
    const char *damage = read_entry(file, &found);

    tool_progress("%s: %lu of %lu entries read", tally->request->command, tally->entries++,
                  tally->all);
    if (damage) {
        tally->damaged++;
        report_entry(tally, file, &found, damage);
        if (tally->request->remove && unlinkat(file->group_fd, file->name, 0) == 0) {
            tally->removed++;
        }
    }
    free(found.data);
    return true;
}

static bool count_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind == HS_CACHE_ENTRY) {
        tally->entries++;
        tally->kernels += is_kernel(file);
        tally->bytes += file->size;
    }
    return true;
}

static bool clear_file(void *context, const struct hs_cache_file *file)
{
    struct tally *tally = context;

    if (file->kind != HS_CACHE_ENTRY) {
        hs_cache_remove_orphan(file); /* those with an owner stay */
    } else if (unlinkat(file->group_fd, file->name, 0) == 0) {
        tally->removed++;
        tally->bytes += file->size;
    } else {
        tally->damaged++;
    }
    /* Fails unless the group is empty; a process that needs it creates it again. */
    unlinkat(tally->directory->fd, file->group, AT_REMOVEDIR);
    return true;
}

static bool has_directory(const struct hs_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            return true;
        }
    }
    return false;
}

/* Reports the entries of all directories, as a list in JSON or as lines. */
static bool report_all(struct hs_cache *cache, struct tally *tally, hs_cache_visit visit)
{
    if (!has_directory(cache)) {
        fprintf(stderr, "%s: there is no cache: %s\n", tally->request->command,
                cache_reason(cache));
        return false;
    }
    if (tally->request->json) {
        tally->write = write_json;
        tool_json_open(&tally->json, NULL, '[');
    }
    for (unsigned i = 0; i < cache->count; i++) {
        tally->directory = &cache->directories[i];
        if (tally->directory->fd >= 0) {
            hs_cache_walk(tally->directory->fd, visit, tally);
        }
    }
    if (tally->request->json) {
        tool_json_close(&tally->json, ']');
    }
    return true;
}

int cache_list(const struct cache_request *request, struct hs_cache *cache)
{
    struct tally tally = {.request = request, .write = write_line, .json = {stdout, 0, 0}};

    if (!report_all(cache, &tally, list_file)) {
        return TOOL_NO;
    }
    if (!request->json && tally.entries == 0) {
        printf("no kernels; `%s info` says where they would be\n", request->command);
    }
    return TOOL_OK;
}

int cache_verify(const struct cache_request *request, struct hs_cache *cache)
{
    struct tally tally = {.request = request, .write = write_damage, .json = {stdout, 0, 0}};
    struct tally before = {.request = request};

    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            hs_cache_walk(cache->directories[i].fd, count_file, &before);
        }
    }
    tally.all = before.entries;
    if (!report_all(cache, &tally, verify_file)) {
        return TOOL_NO;
    }
    tool_progress_end();
    if (!request->json) {
        printf("%lu entries, %lu damaged", tally.entries, tally.damaged);
        printf(request->remove ? ", %lu removed\n" : "\n", tally.removed);
    }
    return tally.damaged ? TOOL_NO : TOOL_OK;
}

int cache_clear(const struct cache_request *request, struct hs_cache *cache)
{
    struct tally tally = {.request = request, .directory = &cache->directories[0]};

    if (!hs_cache_is_writable(cache)) {
        fprintf(stderr, "%s: %s\n", request->command, cache_reason(cache));
        return TOOL_NO;
    }
    hs_cache_walk(tally.directory->fd, clear_file, &tally); /* the others are only read */
    printf("%lu entries removed, %llu bytes\n", tally.removed, (unsigned long long)tally.bytes);
    return tally.damaged ? TOOL_NO : TOOL_OK;
}

/* What `info` shows; each writer below shows all of it. */
struct information {
    const struct hs_cache *cache;
    struct tally tallies[HS_CACHE_DIRECTORIES];
    char limit_reason[100]; /* why HIPSHIM_CACHE_SIZE does not count, or "" */
};

static void write_information_json(const struct information *information)
{
    const struct hs_cache *cache = information->cache;
    const char *note = cache_reason(cache), *limit_reason = information->limit_reason;
    struct tool_json json = {stdout, 0, 0};

    tool_json_open(&json, NULL, '{');
    tool_json_bool(&json, "used", hs_cache_is_writable(cache));
    tool_json_text(&json, "note", *note ? note : NULL);
    tool_json_number(&json, "limit", cache->limit);
    tool_json_text(&json, "limit_reason", *limit_reason ? limit_reason : NULL);
    tool_json_open(&json, "directories", '[');
    for (unsigned i = 0; i < cache->count; i++) {
        const struct hs_cache_directory *directory = &cache->directories[i];
        bool is_used = directory->fd >= 0;

        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "path", directory->path);
        tool_json_bool(&json, "written", i == 0 && is_used);
        tool_json_text(&json, "reason", is_used ? NULL : directory->reason);
        tool_json_number(&json, "entries", information->tallies[i].entries);
        tool_json_number(&json, "kernels", information->tallies[i].kernels);
        tool_json_number(&json, "size", information->tallies[i].bytes);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

static bool is_limit_set(void)
{
    const char *value = getenv("HIPSHIM_CACHE_SIZE");

    return value && *value;
}

static void write_information_text(const struct information *information)
{
    const struct hs_cache *cache = information->cache;
    const char *note = cache_reason(cache), *limit_reason = information->limit_reason;

    printf("limit       %llu bytes (%s)\n", (unsigned long long)cache->limit,
           *limit_reason    ? limit_reason
           : is_limit_set() ? "HIPSHIM_CACHE_SIZE"
                            : "the default");
    for (unsigned i = 0; i < cache->count; i++) {
        const struct hs_cache_directory *directory = &cache->directories[i];
        const struct tally *tally = &information->tallies[i];

        if (directory->fd < 0) {
            printf("not used    %s: %s\n", directory->path, directory->reason);
        } else {
            printf("%s  %s: %lu entries, %lu of them kernels, %llu bytes\n",
                   i == 0 ? "written to" : "only read ", directory->path, tally->entries,
                   tally->kernels, (unsigned long long)tally->bytes);
        }
    }
    if (*note) {
        printf("note        %s\n", note);
    }
}

int cache_info(const struct cache_request *request, struct hs_cache *cache)
{
    struct information information = {.cache = cache};

    if (cache->is_limit_invalid) {
        snprintf(information.limit_reason, sizeof information.limit_reason,
                 "HIPSHIM_CACHE_SIZE=%.60s is not a size", getenv("HIPSHIM_CACHE_SIZE"));
    }
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            hs_cache_walk(cache->directories[i].fd, count_file, &information.tallies[i]);
        }
    }
    if (request->json) {
        write_information_json(&information);
    } else {
        write_information_text(&information);
    }
    return hs_cache_is_writable(cache) ? TOOL_OK : TOOL_NO;
}
