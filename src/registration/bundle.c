/* SPDX-License-Identifier: MIT */
#include "registration/bundle.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "base/texts.h"
#include "base/zstd.h"

enum {
    WRAPPER_MAGIC = 0x48495046, /* "HIPF" */
    LISTED = 160,               /* bytes of a list in a reason */
    NAME = 64,                  /* of a target; longer ones do not exist */
    MOST_ENTRIES = 4096,
    MOST_BYTES = INT_MAX,
    START = 256 * 1024, /* bytes; the list of 4,096 entries is shorter */
    ZSTD = 1            /* the number of the method */
};

/* What the compiler passes to __hipRegisterFatBinary. */
struct wrapper {
    uint32_t magic, version;
    const void *bundle;
    const void *unused;
};

/* A bundle in memory; `end` is that of the segment, because a bundle does not tell its size. */
struct bundle {
    const char *start, *end;
};

/* The numbers in a bundle and in a compressed bundle are little-endian, as on every host. */
struct entry {
    uint64_t offset, size, id_length;
};

static const char plain_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

/* The head of a compressed bundle, with 64 bits for each size from version 3 on. */
struct compressed {
    uint16_t version, method;
    uint64_t total, plain; /* bytes; `total` is 0 if the version does not tell */
    size_t head;
};

struct segment_search {
    uintptr_t address;
    size_t room; /* bytes from there to the end of its segment */
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct segment_search *search = context;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && search->address - start < segment->p_memsz) {
            search->room = segment->p_memsz - (search->address - start);
            return 1;
        }
    }
    return 0;
}

/* A bundle that no object holds, which a program may have built, has no known end. */
static struct bundle find_bundle(const void *start)
{
    struct segment_search search = {.address = (uintptr_t)start};

    dl_iterate_phdr(visit_object, &search);
    return (struct bundle){start, (const char *)start + (search.room ? search.room : MOST_BYTES)};
}

static bool has(const struct bundle *bundle, const char *at, uint64_t size)
{
    return at >= bundle->start && at <= bundle->end && size <= (uint64_t)(bundle->end - at);
}

static bool begins_with(const struct bundle *bundle, const char *magic, size_t size)
{
    return has(bundle, bundle->start, size) && memcmp(bundle->start, magic, size) == 0;
}

/* Copies the target of an entry, gfx90a:xnack- of hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-. */
static bool find_target(const char *id, uint64_t length, char target[NAME])
{
    char text[4 * NAME];

    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), id);
    const char *gfx = strstr(text, "-gfx");
    snprintf(target, NAME, "%s", gfx ? gfx + 1 : "");
    return gfx != NULL;
}

/* The version of the code object format, 4 for example; 0 if it is no code object. */
static int object_version(const struct bundle *bundle, const struct entry *entry)
{
    uint64_t room = (uint64_t)(bundle->end - bundle->start);
    const char *object = bundle->start + (entry->offset < room ? entry->offset : room);

    if (!has(bundle, object, EI_NIDENT) || entry->size < EI_NIDENT ||
        memcmp(object, ELFMAG, SELFMAG) != 0) {
        return 0;
    }
    return (unsigned char)object[EI_ABIVERSION] + 2;
}

/* What the entries of a bundle have for the devices. */
struct found {
    unsigned devices;    /* those that have code */
    int newest;          /* the newest code object format among it */
    bool has_other_code; /* intermediate code, which only the runtime can judge */
    char listed[LISTED]; /* the targets */
};

static void judge_entry(const struct bundle *bundle, const struct entry *entry, const char *target,
                        const struct hs_registration_reader *reader, uint64_t *served,
                        struct found *found)
{
    hs_texts_list(found->listed, LISTED, target);
    for (unsigned i = 0; i < reader->device_count; i++) {
        if (hs_target_fit(target, reader->devices[i])) {
            int version = object_version(bundle, entry);

            found->devices += !(*served >> i & 1);
            *served |= (uint64_t)1 << i;
            found->newest = version > found->newest ? version : found->newest;
        }
    }
}

/* False if the bundle is damaged. */
static bool read_entries(const struct bundle *bundle, const struct hs_registration_reader *reader,
                         struct found *found)
{
    const char *at = bundle->start + sizeof plain_magic - 1;
    uint64_t count, served = 0;

    if (!has(bundle, at, sizeof count)) {
        return false;
    }
    memcpy(&count, at, sizeof count);
    at += sizeof count;
    for (uint64_t i = 0; i < count; i++) {
        struct entry entry;
        char target[NAME];

        if (count > MOST_ENTRIES || !has(bundle, at, sizeof entry)) {
            return false;
        }
        memcpy(&entry, at, sizeof entry);
        at += sizeof entry;
        if (!has(bundle, at, entry.id_length)) {
            return false;
        }
        if (find_target(at, entry.id_length, target)) {
            judge_entry(bundle, &entry, target, reader, &served, found);
        } else if (entry.id_length < 4 || memcmp(at, "host", 4) != 0) {
            found->has_other_code = true;
        }
        at += entry.id_length;
    }
    return true;
}

static void explain_devices(const struct hs_registration_reader *reader, const struct found *found,
                            char reason[HS_BUNDLE_REASON])
{
    char devices[LISTED] = "";

    for (unsigned i = 0; i < reader->device_count; i++) {
        hs_texts_list(devices, LISTED, reader->devices[i]);
    }
    if (found->devices) {
        snprintf(
            reason, HS_BUNDLE_REASON,
            "it has code for %s, and this HIP needs code for each of the GPUs %s; compile with "
            "an --offload-arch for each, or hide a GPU by HIP_VISIBLE_DEVICES",
            found->listed, devices);
    } else {
        snprintf(reason, HS_BUNDLE_REASON,
                 "it has code for %s, and the GPU is %s; compile with --offload-arch=%.*s",
                 *found->listed ? found->listed : "no GPU", devices, (int)strcspn(devices, ":,"),
                 devices);
    }
}

static bool check_plain(const struct bundle *bundle, const struct hs_registration_reader *reader,
                        char reason[HS_BUNDLE_REASON])
{
    struct found found = {.devices = 0};
    unsigned wanted = reader->needs_all_devices ? reader->device_count : 1;

    if (!read_entries(bundle, reader, &found)) {
        snprintf(reason, HS_BUNDLE_REASON, "its bundle of code objects is damaged");
        return false;
    }
    if (found.newest > reader->newest_object) {
        snprintf(reason, HS_BUNDLE_REASON,
                 "its code object has version %d, and this HIP reads up to %d; "
                 "compile with -mcode-object-version=%d",
                 found.newest, reader->newest_object, reader->newest_object);
        return false;
    }
    if (found.devices < wanted && !found.has_other_code) {
        explain_devices(reader, &found, reason);
        return false;
    }
    return true;
}

static bool read_head(const struct bundle *bundle, struct compressed *head)
{
    uint32_t sizes[2] = {0};
    const char *at = bundle->start + 4;

    if (!has(bundle, at, 28)) {
        return false;
    }
    memcpy(&head->version, at, 2);
    memcpy(&head->method, at + 2, 2);
    at += 4;
    if (head->version >= 3) {
        memcpy(&head->total, at, 8);
        memcpy(&head->plain, at + 8, 8);
        head->head = 4 + 4 + 16 + 8;
        return true;
    }
    /* Version 1 has the plain size only. */
    memcpy(sizes, at, head->version == 2 ? 8 : 4);
    head->total = head->version == 2 ? sizes[0] : 0;
    head->plain = head->version == 2 ? sizes[1] : sizes[0];
    head->head = 4 + 4 + (head->version == 2 ? 8 : 4) + 8;
    return true;
}

/*
 * The plain bundle.  A runtime that unpacks it itself needs no more than the list at its start to
 * be looked at.
 */
static char *unpack(const struct bundle *bundle, const struct compressed *head, size_t size,
                    bool *is_damaged, char reason[HS_ZSTD_REASON])
{
    const char *data = bundle->start + head->head;
    uint64_t most = head->total ? head->total - head->head : (uint64_t)(bundle->end - data);

    *is_damaged = false;
    if (head->version == 0 || head->version > 3) {
        snprintf(reason, HS_ZSTD_REASON, "its format is not known");
    } else if (head->method != ZSTD) {
        snprintf(reason, HS_ZSTD_REASON, "it is not compressed by zstd");
    } else if (head->total && head->total <= head->head) {
        snprintf(reason, HS_ZSTD_REASON, "it is damaged");
        *is_damaged = true;
    } else if (!has(bundle, data, most)) {
        snprintf(reason, HS_ZSTD_REASON, "it ends too early");
        *is_damaged = true;
    } else {
        return hs_zstd_unpack_start(data, most, size, reason);
    }
    return NULL;
}

static void *wrap(const void *plain)
{
    struct wrapper *wrapper = malloc(sizeof *wrapper);

    if (wrapper) {
        *wrapper = (struct wrapper){WRAPPER_MAGIC, 1, plain, NULL};
    }
    return wrapper;
}

static bool check_compressed(const struct bundle *bundle,
                             const struct hs_registration_reader *reader, void **unpacked,
                             char reason[HS_BUNDLE_REASON])
{
    struct compressed head = {0};
    char why[HS_ZSTD_REASON] = "it is damaged";
    bool is_damaged = true;
    bool is_read = read_head(bundle, &head);
    size_t size = reader->reads_compressed && head.plain > START ? START : head.plain;
    char *plain = is_read ? unpack(bundle, &head, size, &is_damaged, why) : NULL;

    if (!plain && is_damaged) {
        snprintf(reason, HS_BUNDLE_REASON, "its compressed bundle of code objects: %s", why);
        return false; /* a runtime that reads such bundles may crash over this one */
    }
    if (!plain) {
        snprintf(reason, HS_BUNDLE_REASON,
                 "its bundle is compressed, which this HIP does not read, and hipshim cannot "
                 "unpack it: %s; compile with --no-offload-compress",
                 why);
        return reader->reads_compressed;
    }
    bool fits = check_plain(&(struct bundle){plain, plain + size}, reader, reason);
    if (fits && !reader->reads_compressed) {
        *unpacked = wrap(plain);
        if (*unpacked) {
            return true;
        }
        snprintf(reason, HS_BUNDLE_REASON, "there is no memory to unpack it");
        fits = false;
    }
    free(plain);
    return fits;
}

bool hs_bundle_check(const void *wrapper, const struct hs_registration_reader *reader,
                     void **unpacked, char reason[HS_BUNDLE_REASON])
{
    const struct wrapper *given = wrapper;

    *unpacked = NULL;
    if (given->magic != WRAPPER_MAGIC || !given->bundle) {
        return true; /* of another compiler than those that are known: the runtime judges it */
    }
    struct bundle bundle = find_bundle(given->bundle);
    if (begins_with(&bundle, "CCOB", 4)) {
        return check_compressed(&bundle, reader, unpacked, reason);
    }
    if (begins_with(&bundle, plain_magic, sizeof plain_magic - 1)) {
        return check_plain(&bundle, reader, reason);
    }
    return true;
}

void hs_bundle_free(void *unpacked)
{
    if (unpacked) {
        free((void *)((struct wrapper *)unpacked)->bundle);
        free(unpacked);
    }
}
