/* SPDX-License-Identifier: MIT */
/*
 * Public structures that a program and a library of different ages share.
 *
 * Such a structure begins with `size_t size`, which the program sets to its own sizeof.  It only
 * grows at its end, by members that leave no padding.  These functions are the only code that
 * depends on the size: they accept every structure that is large enough for the member `size`,
 * never touch a byte after its end, and treat members that one side does not know as zero.
 */
#ifndef HIPSHIM_SRC_BASE_STRUCTURE_H
#define HIPSHIM_SRC_BASE_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline size_t hs_structure_size(const void *structure)
{
    size_t size = 0;
    if (structure) {
        memcpy(&size, structure, sizeof size);
    }
    return size;
}

/*
 * Copies the library's answer of `known` bytes into the program's structure.  `to->size` stays as
 * the program set it.  False, and nothing is written, if `to` is NULL or its size is too small for
 * the member `size`.
 */
static inline bool hs_structure_give(void *to, const void *answer, size_t known)
{
    size_t size = hs_structure_size(to);
    if (size < sizeof size) {
        return false;
    }
    size_t shared = size < known ? size : known;
    memcpy((char *)to + sizeof size, (const char *)answer + sizeof size, shared - sizeof size);
    memset((char *)to + shared, 0, size - shared);
    return true;
}

/* More bytes than any structure will have: such a size was never set, and is not read. */
enum { HS_STRUCTURE_LARGEST = 4096 };

/*
 * Copies the program's structure into the library's own of `known` bytes, whose `size` becomes
 * `known`.  NULL, or a reason and `own` is all zero: `from` is NULL, its size is too small or no
 * structure's, or it asks for more than this library can do, by a member after `known` that is not
 * zero.
 */
static inline const char *hs_structure_take(void *own, size_t known, const void *from)
{
    size_t size = hs_structure_size(from);
    memset(own, 0, known);
    if (size < sizeof size || size > HS_STRUCTURE_LARGEST) {
        return "the structure is NULL, or its `size` is not set";
    }
    for (size_t i = known; i < size; i++) {
        if (((const char *)from)[i] != 0) {
            return "the structure sets a member that this version of hipshim does not know";
        }
    }
    memcpy(own, from, size < known ? size : known);
    memcpy(own, &known, sizeof known);
    return NULL;
}

#endif
