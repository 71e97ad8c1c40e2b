/* SPDX-License-Identifier: MIT */
#include "cache/entry.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'H', 'I', 'P', 'S', 'H', 'I', 'M', 'K'};

/* Copied from and to the file, because the data need not be aligned. */
struct header {
    char magic[8];
    uint32_t format, size;
    unsigned char key[HS_CACHE_KEY];
    uint64_t parts[4];
    uint64_t created, zero;
    unsigned char payload[HS_CACHE_CHECKSUM];
    unsigned char sum[HS_SHA256_SIZE];
};

_Static_assert(sizeof(struct header) == HS_CACHE_HEADER, "the header has no padding");
_Static_assert(offsetof(struct header, sum) == 128, "the header is as cache/entry.h says");

/*
 * Four lanes, each of which takes every fourth word.  Each step maps words to
 * lanes one to one, so a lane keeps the difference that a changed word makes.
 */
void hs_cache_entry_checksum(const void *data, size_t size, unsigned char sum[HS_CACHE_CHECKSUM])
{
    uint64_t lanes[4] = {size, ~size, size << 1, ~size << 1};
    const char *from = data;

    for (size_t i = 0; i * sizeof lanes[0] < size; i++) {
        size_t left = size - i * sizeof lanes[0];
        uint64_t word = 0, *lane = &lanes[i % 4];

        memcpy(&word, from + i * sizeof word, left < sizeof word ? left : sizeof word);
        *lane = (*lane ^ le64toh(word)) * 0x9e3779b97f4a7c15u;
        *lane ^= *lane >> 32;
    }
    for (unsigned i = 0; i < 4; i++) {
        lanes[i] = htole64(lanes[i]);
    }
    memcpy(sum, lanes, sizeof lanes);
}

static char *put(char *to, const void *from, size_t size)
{
    if (size > 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

static void seal(struct header *header, const struct hs_cache_entry *entry, const char *payload,
                 const size_t parts[4])
{
    size_t size = 0;

    memcpy(header->magic, magic, sizeof magic);
    header->format = htole32(HS_CACHE_FORMAT);
    header->size = htole32(HS_CACHE_HEADER);
    memcpy(header->key, entry->key, sizeof header->key);
    for (unsigned i = 0; i < 4; i++) {
        header->parts[i] = htole64(parts[i]);
        size += parts[i];
    }
    header->created = htole64(entry->created);
    header->zero = 0;
    hs_cache_entry_checksum(payload, size, header->payload);
    hs_sha256_of(header, offsetof(struct header, sum), header->sum);
}

void *hs_cache_entry_write(const struct hs_cache_entry *entry, size_t *size)
{
    const char *const meta[] = {entry->arch, entry->release, entry->name, entry->compiler};
    size_t parts[4] = {entry->code_size, strlen(entry->log) + 1, entry->names_size, 0};
    struct header header;
    char *data, *at;

    for (unsigned i = 0; i < 4; i++) {
        parts[3] += strlen(meta[i]) + 1;
    }
    *size = sizeof header + parts[0] + parts[1] + parts[2] + parts[3];
    data = malloc(*size);
    if (!data) {
        return NULL;
    }
    at = put(data + sizeof header, entry->code, parts[0]);
    at = put(at, entry->log, parts[1]);
    at = put(at, entry->names, parts[2]);
    for (unsigned i = 0; i < 4; i++) {
        at = put(at, meta[i], strlen(meta[i]) + 1);
    }
    seal(&header, entry, data + sizeof header, parts);
    memcpy(data, &header, sizeof header);
    return data;
}

/* The number of strings in the bytes; -1 if the last one has no end. */
static int count_strings(const char *bytes, size_t size)
{
    int count = 0;

    if (size > 0 && bytes[size - 1] != '\0') {
        return -1;
    }
    for (size_t i = 0; i < size && count >= 0; i++) {
        count += bytes[i] == '\0';
    }
    return count;
}

/* The reason why the header or the size is wrong, or NULL. */
static const char *check_header(const void *data, size_t size, const unsigned char *key,
                                struct header *header)
{
    unsigned char sum[HS_SHA256_SIZE];
    uint64_t left;

    if (size < sizeof *header) {
        return "shorter than its header";
    }
    memcpy(header, data, sizeof *header);
    if (memcmp(header->magic, magic, sizeof magic) != 0) {
        return "not an entry of the kernel cache";
    }
    if (le32toh(header->format) != HS_CACHE_FORMAT || le32toh(header->size) != HS_CACHE_HEADER) {
        return "of another format";
    }
    hs_sha256_of(header, offsetof(struct header, sum), sum);
    if (memcmp(sum, header->sum, sizeof sum) != 0) {
        return "damaged in its header";
    }
    if (header->zero != 0) {
        return "of another format";
    }
    if (key && memcmp(key, header->key, sizeof header->key) != 0) {
        return "for another key";
    }
    left = size - sizeof *header;
    for (unsigned i = 0; i < 4; i++) {
        header->parts[i] = le64toh(header->parts[i]);
        if (header->parts[i] > left) {
            return "cut short";
        }
        left -= header->parts[i];
    }
    return left == 0 ? NULL : "longer than it should be";
}

const char *hs_cache_entry_read(const void *data, size_t size, const unsigned char *key,
                                struct hs_cache_entry *entry)
{
    struct header header;
    unsigned char sum[HS_CACHE_CHECKSUM];
    const char *at = (const char *)data + HS_CACHE_HEADER, *meta;
    const char *reason = check_header(data, size, key, &header);

    if (reason) {
        return reason;
    }
    hs_cache_entry_checksum(at, size - HS_CACHE_HEADER, sum);
    if (memcmp(sum, header.payload, sizeof sum) != 0) {
        return "damaged";
    }
    entry->code = at;
    entry->code_size = (size_t)header.parts[0];
    entry->log = at + entry->code_size;
    entry->names = entry->log + header.parts[1];
    entry->names_size = (size_t)header.parts[2];
    meta = entry->names + entry->names_size;
    /* The sums prove that nothing changed, not that a correct program wrote it. */
    if (count_strings(entry->log, (size_t)header.parts[1]) != 1 ||
        count_strings(entry->names, entry->names_size) % 2 != 0 ||
        count_strings(meta, (size_t)header.parts[3]) != 4) {
        return "wrong in its texts";
    }
    entry->arch = meta;
    entry->release = entry->arch + strlen(entry->arch) + 1;
    entry->name = entry->release + strlen(entry->release) + 1;
    entry->compiler = entry->name + strlen(entry->name) + 1;
    entry->created = le64toh(header.created);
    entry->key = (const unsigned char *)data + offsetof(struct header, key);
    return NULL;
}

const char *hs_cache_entry_lowered_name(const struct hs_cache_entry *entry, const char *expression)
{
    const char *at = entry->names, *end = at + entry->names_size;

    while (at < end) {
        const char *lowered = at + strlen(at) + 1;

        if (strcmp(at, expression) == 0) {
            return lowered;
        }
        at = lowered + strlen(lowered) + 1;
    }
    return NULL;
}
