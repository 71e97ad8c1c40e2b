/* SPDX-License-Identifier: MIT */
#include "tool/json.h"

#include <inttypes.h>

/* The length of the UTF-8 character at `text`; 0 if there is none. */
static size_t character_length(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return 1;
    }
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates, and characters beyond U+10FFFF. */
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return length;
}

static void write_quoted(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putc('"', stream);
    while (*at) {
        size_t length = character_length(at);

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

void tool_json_truth(struct tool_json *json, const char *name, bool truth)
{
    begin(json, name);
    fputs(truth ? "true" : "false", json->stream);
}
