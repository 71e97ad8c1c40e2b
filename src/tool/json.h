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
#include <stdint.h>
#include <stdio.h>

struct tool_json {
    FILE *stream;
    unsigned depth;
    bool filled; /* a value was written at this depth */
};

/*
 * `name` is the key, or NULL for elements of an array and for the outermost value.  `bracket` is
 * '{' or '[' to open and '}' or ']' to close.
 */
void tool_json_open(struct tool_json *json, const char *name, char bracket);
void tool_json_close(struct tool_json *json, char bracket);

void tool_json_text(struct tool_json *json, const char *name, const char *text); /* NULL: null */
void tool_json_number(struct tool_json *json, const char *name, uint64_t number);
void tool_json_bool(struct tool_json *json, const char *name, bool truth);

#endif
