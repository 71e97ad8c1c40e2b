/* SPDX-License-Identifier: MIT */
#include "tool/json.h"

#include <hipshim/hipshim.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

static void write_text(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    fputs(text ? "\"" : "null", stream);
    while (at && *at) {
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
    fputs(text ? "\"" : "", stream);
}

/* `length` bytes of the form are the key; 0 in an array and for the outermost value. */
static void begin(struct tool_json *json, const char *key, size_t length)
{
    if (json->filled) {
        putc(',', json->stream);
    }
    if (json->depth > 0) {
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    }
    json->filled = true;
    if (length > 0) {
        fprintf(json->stream, "\"%.*s\": ", (int)length, key);
    }
}

static void end(struct tool_json *json, char bracket)
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

static void write_release(FILE *stream, hipshim_release_t release)
{
    if (release.major != 0) {
        fprintf(stream, "\"%u.%u.%u\"", release.major, release.minor, release.patch);
    } else {
        fputs("null", stream);
    }
}

/* A letter of the form, with its argument. */
static void write_value(FILE *stream, char letter, va_list *values)
{
    switch (letter) {
    case 's':
        write_text(stream, va_arg(*values, const char *));
        break;
    case 'u':
        fprintf(stream, "%u", va_arg(*values, unsigned));
        break;
    case 'n':
        fprintf(stream, "%" PRIu64, va_arg(*values, uint64_t));
        break;
    case 'b':
        fputs(va_arg(*values, int) ? "true" : "false", stream);
        break;
    default:
        write_release(stream, va_arg(*values, hipshim_release_t));
    }
}

void tool_json_write(struct tool_json *json, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    for (; json->stream && *form; form++) {
        size_t length = strcspn(form, ": {}[]");
        const char *key = form;

        form += form[length] == ':' ? length + 1 : 0;
        if (*form == '}' || *form == ']') {
            end(json, *form);
        } else if (*form != ' ') {
            begin(json, key, (size_t)(form - key) - (form > key));
            if (*form == '{' || *form == '[') {
                putc(*form, json->stream);
                json->depth++;
                json->filled = false;
            } else {
                write_value(json->stream, *form, &values);
            }
        }
    }
    va_end(values);
}
