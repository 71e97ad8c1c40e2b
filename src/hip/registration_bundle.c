/* SPDX-License-Identifier: MIT */
#include "hip/registration_bundle.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "base/texts.h"
#include "base/zstd.h"
#include "hip/registration_memory.h"

enum {
    WRAPPER_MAGIC = 0x48495046, /* "HIPF" */
    LISTED = 160,               /* bytes of a list in a reason */
    NAME = 64,                  /* of a target; longer ones do not exist */
    MOST_ENTRIES = 4096,
    START = 256 * 1024, /* bytes; the list of 4,096 entries is shorter */
    PAGE = 4096,        /* the alignment of code objects in a bundle */
    ZSTD = 1            /* the number of the method */
};

/* More than any bundle has; the sum with an address does not wrap. */
static const uint64_t most_bytes = (uint64_t)1 << 40;

/* What the compiler passes to __hipRegisterFatBinary. */
struct wrapper {
    uint32_t magic, version;
    const void *bundle;
    const void *unused;
};

/*
 * A bundle in memory.  It does not tell its own size, so `end` is that of the segment or file.
 * `is_part` is set if the entries are past the end: only the list at the start was unpacked.
 * `is_open` is set if the end is not known.
 */
struct bundle {
    const char *start, *end;
    bool is_part, is_open;
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

/*
 * Code that no object holds and whose size the caller does not know has no known end.  The search
 * takes a lock of the dynamic linker, which a child of fork may have inherited, so it is made only
 * where the end is needed, which is not so for a code object up to version 5.
 */
static void find_end(struct bundle *bundle)
{
    size_t room = bundle->is_open ? hs_memory_room(bundle->start) : 0;

    if (room) {
        bundle->end = bundle->start + room;
        bundle->is_open = false;
    }
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
static int object_version(const char *object, uint64_t size)
{
    return size < sizeof(Elf64_Ehdr) || memcmp(object, ELFMAG, SELFMAG) != 0
               ? 0
               : (unsigned char)object[EI_ABIVERSION] + 2;
}

/*
 * Version 6 is version 5 with another number, except for generic targets, which are newer than
 * every runtime that does not read it.
 */
static bool is_version_5_inside(const char *object)
{
    Elf64_Ehdr head;

    memcpy(&head, object, sizeof head);
    return object_version(object, sizeof head) == 6 && head.e_flags >> 24 == 0;
}

/* What the entries of a bundle have for the devices. */
struct found {
    unsigned devices;    /* those that have code */
    int oldest;          /* the oldest code object format among it, as the runtime reads it */
    uint64_t extent;     /* bytes of the bundle, to the end of its last code object */
    bool is_newer;       /* some of it becomes readable under another number */
    bool has_other_code; /* only the runtime can judge it */
    char listed[LISTED]; /* the targets */
};

/* True if the code of the entry lies in the bundle. */
static bool is_inside(const struct bundle *bundle, const struct entry *entry)
{
    uint64_t room = bundle->is_part ? most_bytes : (uint64_t)(bundle->end - bundle->start);

    return entry->offset <= room && entry->size <= room - entry->offset &&
           (!bundle->is_open || hs_memory_is_readable(bundle->start + entry->offset, entry->size));
}

/* False if the code of the entry is damaged. */
static bool judge_object(const struct bundle *bundle, const struct entry *entry,
                         const struct hs_registration_reader *reader, struct found *found)
{
    if (bundle->is_part || !is_inside(bundle, entry)) {
        return bundle->is_part;
    }
    const char *object = bundle->start + entry->offset;
    int version = object_version(object, entry->size);
    if (version == 0) {
        return false;
    }
    if (version > reader->newest_object && reader->newest_object == 5 &&
        is_version_5_inside(object)) {
        found->is_newer = true;
        version = 5;
    }
    found->oldest = found->oldest && found->oldest < version ? found->oldest : version;
    found->extent =
        entry->offset + entry->size > found->extent ? entry->offset + entry->size : found->extent;
    return true;
}

/*
 * False if the entry is damaged and for one of the devices.  Without devices every code object may
 * be for one, and what is none may be for another, so the runtime judges it.
 */
static bool judge_entry(const struct bundle *bundle, const struct entry *entry, const char *target,
                        const struct hs_registration_reader *reader, uint64_t *served,
                        struct found *found)
{
    bool fits = false;

    hs_texts_list(found->listed, LISTED, target);
    if (reader->device_count == 0) {
        found->has_other_code |= !judge_object(bundle, entry, reader, found);
        return true;
    }
    for (unsigned i = 0; i < reader->device_count; i++) {
        int score = hs_target_fit(target, reader->devices[i]);

        found->has_other_code |= score < 0;
        if (score > 0) {
            found->devices += !(*served >> i & 1);
            *served |= (uint64_t)1 << i;
            fits = true;
        }
    }
    return !fits || judge_object(bundle, entry, reader, found);
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
            if (entry.size && !judge_entry(bundle, &entry, target, reader, &served, found)) {
                return false;
            }
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

static bool explain_version(const struct hs_registration_reader *reader, int version,
                            char reason[HS_BUNDLE_REASON])
{
    if (version <= reader->newest_object) {
        return true;
    }
    snprintf(reason, HS_BUNDLE_REASON,
             "its code object has version %d, and this HIP reads up to %d; "
             "compile with -mcode-object-version=%d",
             version, reader->newest_object, reader->newest_object);
    return false;
}

static bool check_plain(const struct bundle *bundle, const struct hs_registration_reader *reader,
                        struct found *found, char reason[HS_BUNDLE_REASON])
{
    unsigned wanted = reader->needs_all_devices ? reader->device_count : reader->device_count > 0;

    if (!read_entries(bundle, reader, found)) {
        snprintf(reason, HS_BUNDLE_REASON, "its bundle of code objects is damaged");
        return false;
    }
    if (!explain_version(reader, found->oldest, reason)) {
        return false;
    }
    if (found->devices < wanted && !found->has_other_code) {
        explain_devices(reader, found, reason);
        return false;
    }
    return true;
}

/* Gives each code object of version 6 the number 5, in a bundle that read_entries has checked. */
static void renumber_entries(char *start, uint64_t extent)
{
    char *at = start + sizeof plain_magic - 1;
    uint64_t count;

    memcpy(&count, at, sizeof count);
    at += sizeof count;
    for (; count > 0; count--) {
        struct entry entry;

        memcpy(&entry, at, sizeof entry);
        if (entry.size >= sizeof(Elf64_Ehdr) && entry.offset <= extent &&
            entry.size <= extent - entry.offset && is_version_5_inside(start + entry.offset)) {
            start[entry.offset + EI_ABIVERSION] = 5 - 2;
        }
        at += sizeof entry + entry.id_length;
    }
}

static char *copy_of(const char *start, uint64_t size, char reason[HS_BUNDLE_REASON])
{
    char *copy = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);

    if (copy) {
        memcpy(copy, start, size);
    } else {
        snprintf(reason, HS_BUNDLE_REASON, "there is no memory for a copy of its code");
    }
    return copy;
}

static bool adapt_plain(const struct bundle *bundle, const struct hs_registration_reader *reader,
                        void **adapted, char reason[HS_BUNDLE_REASON])
{
    struct found found = {.devices = 0};

    if (!check_plain(bundle, reader, &found, reason)) {
        return false;
    }
    if (!found.is_newer) {
        return true;
    }
    char *copy = copy_of(bundle->start, found.extent, reason);
    if (copy) {
        renumber_entries(copy, found.extent);
    }
    return (*adapted = copy) != NULL;
}

/* A code object alone, which its section headers end. */
static bool adapt_object(struct bundle *object, const struct hs_registration_reader *reader,
                         void **adapted, char reason[HS_BUNDLE_REASON])
{
    struct found found = {.devices = 0};
    struct entry whole = {.offset = 0, .size = sizeof(Elf64_Ehdr)};
    Elf64_Ehdr head;

    memcpy(&head, object->start, sizeof head);
    judge_object(object, &whole, reader, &found);
    if (!explain_version(reader, found.oldest, reason)) {
        return false;
    }
    uint64_t end = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
    whole.size = end > whole.size ? end : whole.size;
    if (found.is_newer) {
        find_end(object);
    }
    if (found.is_newer && !is_inside(object, &whole)) {
        snprintf(reason, HS_BUNDLE_REASON, "its code object ends too early");
        return false;
    }
    char *copy = found.is_newer ? copy_of(object->start, whole.size, reason) : NULL;
    if (copy) {
        copy[EI_ABIVERSION] = 5 - 2;
    }
    *adapted = copy;
    return copy || !found.is_newer;
}

/* `head` is all zero.  Version 1 does not tell the total size. */
static bool read_head(const struct bundle *bundle, struct compressed *head)
{
    const char *at = bundle->start + 4;

    if (!has(bundle, at, 28)) {
        return false;
    }
    memcpy(&head->version, at, 2);
    memcpy(&head->method, at + 2, 2);
    at += 4;
    size_t size = head->version >= 3 ? 8 : 4;
    if (head->version > 1) {
        memcpy(&head->total, at, size);
        at += size;
    }
    memcpy(&head->plain, at, size);
    head->head = (size_t)(at + size + 8 - bundle->start);
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

static bool adapt_compressed(const struct bundle *bundle,
                             const struct hs_registration_reader *reader, void **adapted,
                             char reason[HS_BUNDLE_REASON])
{
    struct compressed head = {0};
    struct found found = {.devices = 0};
    char why[HS_ZSTD_REASON] = "it is damaged";
    bool is_damaged = true;
    bool is_head = read_head(bundle, &head);
    bool is_read = is_head && head.version <= reader->newest_bundle;

    if (is_read && reader->device_count == 0) {
        return true;
    }
    size_t size = is_read && head.plain > START ? START : head.plain;
    char *plain = is_head ? unpack(bundle, &head, size, &is_damaged, why) : NULL;
    if (!plain && is_damaged) {
        snprintf(reason, HS_BUNDLE_REASON, "its compressed bundle of code objects: %s", why);
        return false; /* a runtime that reads such bundles may crash over this one */
    }
    if (!plain) {
        snprintf(reason, HS_BUNDLE_REASON,
                 "its bundle is compressed in format %u, which this HIP does not read, and hipshim "
                 "cannot unpack it: %s; compile with --no-offload-compress",
                 head.version, why);
        return is_read;
    }
    struct bundle unpacked = {plain, plain + size, .is_part = size < head.plain};
    bool fits = check_plain(&unpacked, reader, &found, reason);
    if (fits && found.is_newer) {
        renumber_entries(plain, found.extent);
    }
    *adapted = fits && !is_read ? plain : NULL;
    if (!*adapted) {
        free(plain);
    }
    return fits;
}

bool hs_bundle_adapt(const void *code, size_t size, const struct hs_registration_reader *reader,
                     void **adapted, char reason[HS_BUNDLE_REASON])
{
    struct bundle bundle = {
        .start = code, .end = (const char *)code + (size ? size : most_bytes), .is_open = !size};

    *adapted = NULL;
    if (begins_with(&bundle, ELFMAG, SELFMAG)) {
        return !has(&bundle, code, sizeof(Elf64_Ehdr)) ||
               adapt_object(&bundle, reader, adapted, reason);
    }
    bool is_compressed = begins_with(&bundle, "CCOB", 4);
    if (is_compressed || begins_with(&bundle, plain_magic, 4)) {
        find_end(&bundle);
    }
    if (is_compressed) {
        return adapt_compressed(&bundle, reader, adapted, reason);
    }
    if (begins_with(&bundle, plain_magic, sizeof plain_magic - 1)) {
        return adapt_plain(&bundle, reader, adapted, reason);
    }
    return true; /* of a kind that is not known: the runtime judges it */
}

bool hs_bundle_check(const void *wrapper, const struct hs_registration_reader *reader,
                     void **unpacked, char reason[HS_BUNDLE_REASON])
{
    const struct wrapper *given = wrapper;
    void *adapted;

    *unpacked = NULL;
    if (given->magic != WRAPPER_MAGIC || !given->bundle) {
        return true; /* of another compiler than those that are known: the runtime judges it */
    }
    if (!hs_bundle_adapt(given->bundle, 0, reader, &adapted, reason)) {
        return false;
    }
    struct wrapper *made = adapted ? malloc(sizeof *made) : NULL;
    if (made) {
        *made = (struct wrapper){WRAPPER_MAGIC, 1, adapted, NULL};
    } else if (adapted) {
        free(adapted);
        snprintf(reason, HS_BUNDLE_REASON, "there is no memory to unpack it");
    }
    *unpacked = made;
    return made || !adapted;
}

void hs_bundle_free(void *unpacked)
{
    if (unpacked) {
        free((void *)((struct wrapper *)unpacked)->bundle);
        free(unpacked);
    }
}
