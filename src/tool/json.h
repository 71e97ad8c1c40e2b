/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON that is small, indented and always valid.
 *
 * Texts may have any bytes.  Bytes that are not UTF-8, which a file name may have, become U+FFFD,
 * because JSON cannot hold them.  Errors of the stream are left for its owner to find by ferror.
 */
#ifndef HIPSHIM_SRC_TOOL_JSON_H
#define HIPSHIM_SRC_TOOL_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct tool_json {
    FILE *stream; /* NULL: nothing is written, for commands that print text instead */
    unsigned depth;
    bool filled; /* a value was written at this depth */
};

/*
 * Writes the values of a form such as "{name:s on:[u u] known:b}", which several calls may share
 * out.  A key stands before a colon; each letter takes one argument:
 *
 *   s  a text, or NULL for null          r  a hipshim_release_t, null for none
 *   u  an unsigned                       b  a bool
 *   n  a uint64_t
 */
void tool_json_write(struct tool_json *json, const char *form, ...);

#endif
