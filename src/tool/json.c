/* SPDX-License-Identifier: MIT */
#include "tool/json.h"

#include <inttypes.h>

#include "base/utf8.h"

static void write_quoted(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putc('"', stream);
    while (*at) {
        size_t length = hs_utf8_length(at);

        if (length == 0) {
            fputs("\\ufffd", stream);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(stream, "\\%c", *at);
        } else if (*at < 0x20 || *at == 0x7f) {
            fprintf(stream, "\\u%04x", *at);
        } else {
            fwrite(at, 1, length, stream);
        }
        at += length;
    }
    putc('"', stream);
}

static void begin(struct tool_json *json, const char *name)
{
    if (json->filled) {
        putc(',', json->stream);
    }
    if (json->depth > 0) {
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    }
    json->filled = true;
    if (name) {
        write_quoted(json->stream, name);
        fputs(": ", json->stream);
    }
}

void tool_json_open(struct tool_json *json, const char *name, char bracket)
{
    begin(json, name);
    putc(bracket, json->stream);
    json->depth++;
    json->filled = false;
}

void tool_json_close(struct tool_json *json, char bracket)
{
    json->depth--;
    if (json->filled) {
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    }
    putc(bracket, json->stream);
    if (json->depth == 0) {
        putc('\n', json->stream);
    }
    json->filled = true;
}

void tool_json_text(struct tool_json *json, const char *name, const char *text)
{
    begin(json, name);
    if (text) {
        write_quoted(json->stream, text);
    } else {
        fputs("null", json->stream);
    }
}

void tool_json_number(struct tool_json *json, const char *name, uint64_t number)
{
    begin(json, name);
    fprintf(json->stream, "%" PRIu64, number);
}

void tool_json_bool(struct tool_json *json, const char *name, bool truth)
{
    begin(json, name);
    fputs(truth ? "true" : "false", json->stream);
}
