/* SPDX-License-Identifier: MIT */
/*
 * A libFuzzer target: any bytes as the struct that a converter of
 * convert.c in bindings/ reads.  Source and destination lie in heap blocks of just
 * their size, so that AddressSanitizer sees a byte beside them; lists that a
 * member points to are made as long as their count says, up to LIST_MAX.
 *
 * Every conversion is done twice, into memory that was filled differently
 * before: a byte that the converter left alone would differ.
 *
 * fuzz_cases.h has, from convert.h, a RECORD(function, destination, source),
 * LIST(function, destination, source) or VALUE(function) for each converter.
 */
#include "convert.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef const char *convert(void *dst, const void *src, struct hs_arena *arena);

struct converter {
    const char *name;
    convert *call;
    size_t dst, src;
    size_t list, count, item; /* where the list and its length lie in src; item 0: none */
};

#define RECORD(function, to, from)                                                                 \
    static const char *call_##function(void *dst, const void *src, struct hs_arena *arena)         \
    {                                                                                              \
        (void)arena;                                                                               \
        return function(dst, src);                                                                 \
    }
#define LIST(function, to, from)                                                                   \
    static const char *call_##function(void *dst, const void *src, struct hs_arena *arena)         \
    {                                                                                              \
        return function(dst, src, arena);                                                          \
    }
#define VALUE(function)                                                                            \
    static const char *call_##function(void *dst, const void *src, struct hs_arena *arena)         \
    {                                                                                              \
        int value;                                                                                 \
        (void)arena;                                                                               \
        memcpy(&value, src, sizeof value);                                                         \
        return function(dst, value) ? NULL : "value";                                              \
    }
#include "fuzz_cases.h"
#undef RECORD
#undef LIST
#undef VALUE

#define RECORD(function, to, from) {#function, call_##function, sizeof(to), sizeof(from), 0, 0, 0},
#define LIST(function, to, from)                                                                   \
    {#function,                                                                                    \
     call_##function,                                                                              \
     sizeof(to),                                                                                   \
     sizeof(from),                                                                                 \
     offsetof(from, paramsArray),                                                                  \
     offsetof(from, numExtSems),                                                                   \
     sizeof *((from *)0)->paramsArray},
#define VALUE(function) {#function, call_##function, sizeof(int), sizeof(int), 0, 0, 0},
static const struct converter converters[] = {
#include "fuzz_cases.h"
};

static void complain(const struct converter *one, const char *what)
{
    fprintf(stderr, "%s: %s\n", one->name, what);
    abort();
}

/* A block of just `size` bytes: what is left of the input, then zeros. */
static void *take(const uint8_t **data, size_t *left, size_t size)
{
    size_t have = size < *left ? size : *left;
    unsigned char *block = malloc(size ? size : 1);
    if (!block) {
        abort();
    }
    memset(block, 0, size);
    if (have) {
        memcpy(block, *data, have);
    }
    *data += have;
    *left -= have;
    return block;
}

/* The members that are pointers must point to something; NULL stays NULL. */
static void *make_list(const struct converter *one, void *src, const uint8_t **data, size_t *left)
{
    void *list = NULL;
    unsigned count;
    if (!one->item) {
        return NULL;
    }
    memcpy(&list, (char *)src + one->list, sizeof list);
    memcpy(&count, (char *)src + one->count, sizeof count);
    count %= LIST_MAX;
    memcpy((char *)src + one->count, &count, sizeof count);
    list = list ? take(data, left, count * one->item) : NULL;
    memcpy((char *)src + one->list, &list, sizeof list);
    return list;
}

static const char *convert_once(const struct converter *one, unsigned char *dst, const void *src,
                                int fill)
{
    struct hs_arena arena;
    const char *lost;
    memset(dst, fill, one->dst);
    hs_arena_init(&arena);
    lost = one->call(dst, src, &arena);
    if (one->item && !lost) {
        /* The list lies in the arena: its place may differ, its presence not. */
        void *list;
        memcpy(&list, dst + one->list, sizeof list);
        list = list ? (void *)1 : NULL;
        memcpy(dst + one->list, &list, sizeof list);
    }
    hs_arena_release(&arena);
    return lost;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct converter *one = &converters[data[0] % (sizeof converters / sizeof converters[0])];
    data++;
    size--;
    unsigned char *src = take(&data, &size, one->src);
    void *list = make_list(one, src, &data, &size);
    unsigned char *before = malloc(one->src), *first = malloc(one->dst), *second = malloc(one->dst);
    if (!before || !first || !second) {
        abort();
    }
    memcpy(before, src, one->src);
    const char *lost = convert_once(one, first, src, 0xaa);
    const char *again = convert_once(one, second, src, 0x55);
    if (lost != again) {
        complain(one, "the answer depends on what was in the destination");
    }
    if (lost && !*lost) {
        complain(one, "a loss without a name");
    }
    if (!lost && memcmp(first, second, one->dst) != 0) {
        complain(one, "bytes of the destination were left as they were");
    }
    if (memcmp(before, src, one->src) != 0) {
        complain(one, "the source was written to");
    }
    free(list);
    free(src);
    free(before);
    free(first);
    free(second);
    return 0;
}
