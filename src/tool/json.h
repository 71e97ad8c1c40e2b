/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON: small, indented, always valid.
 *
 * Texts of any bytes are accepted; what is not UTF-8 (a file name may be
 * anything) becomes U+FFFD, since JSON cannot hold it.  Errors of the stream
 * are left for its owner to find with ferror.
 */
#ifndef HIPSHIM_SRC_TOOL_JSON_H
#define HIPSHIM_SRC_TOOL_JSON_H

#include <stdio.h>

struct tool_json {
    FILE *stream;
    unsigned depth;
    int filled; /* something was written at this depth */
};

/*
 * `name` is the key, or NULL for elements of an array and the outermost value.
 * `bracket` is '{' or '[' to open and '}' or ']' to close.
 */
void tool_json_open(struct tool_json *json, const char *name, char bracket);
void tool_json_close(struct tool_json *json, char bracket);

void tool_json_text(struct tool_json *json, const char *name, const char *text); /* NULL: null */
void tool_json_number(struct tool_json *json, const char *name, long number);
void tool_json_truth(struct tool_json *json, const char *name, int truth);

#endif
