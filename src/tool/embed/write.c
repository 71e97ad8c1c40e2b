/* SPDX-License-Identifier: MIT */
/*
 * The content of the outputs.  The same input gives the same bytes: nothing here
 * depends on the time, the place, or the order in which compilers finished.
 */
#include "tool/embed/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/program.h"

enum { PER_LINE = 24 };

static void write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\' || c == '?') {
            fprintf(file, "\\%c", c); /* ? could be part of a trigraph */
        } else if (c < 32 || c > 126) {
            fprintf(file, "\\%03o", c);
        } else {
            putc(c, file);
        }
    }
    putc('"', file);
}

static void write_bytes(FILE *file, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        fprintf(file, "%u,%s", bytes[i], i % PER_LINE == PER_LINE - 1 ? "\n" : "");
    }
}

/* A text as an array, because compilers need not accept long strings. */
static void write_text(FILE *file, const char *kind, size_t number, size_t part, const char *text)
{
    fprintf(file, "static const char hipshim_%s_%zu_%zu[] = {\n", kind, number, part);
    for (size_t i = 0; text[i]; i++) {
        unsigned char c = (unsigned char)text[i];

        /* A number above 127 does not fit a char that is signed; a character constant does. */
        fprintf(file, c > 126 ? "'\\%o',%s" : "%d,%s", c, i % PER_LINE == PER_LINE - 1 ? "\n" : "");
    }
    fprintf(file, "0};\n");
}

static void write_banner(FILE *file, const struct embed_writer *writer)
{
    fprintf(file, "/* " EMBED_BANNER " from %zu kernels; do not edit, do not review. */\n",
            writer->request->source_count);
}

void embed_write_header(FILE *file, const struct embed_writer *writer)
{
    write_banner(file, writer);
    fprintf(file,
            "#ifndef HIPSHIM_EMBEDDED_%s_H\n#define HIPSHIM_EMBEDDED_%s_H\n\n"
            "#include <hipshim/embed.h>\n\n"
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
            writer->symbol, writer->symbol);
    fprintf(file, "/* The kernels:");
    for (size_t i = 0; i < writer->request->source_count; i++) {
        putc(' ', file);
        for (const char *at = writer->request->sources[i].kernel; *at; at++) {
            putc(*at, file);
            if (*at == '*' && at[1] == '/') {
                putc(' ', file); /* the list is in a comment, which must not end here */
            }
        }
    }
    fprintf(file,
            " */\nextern const hipshim_embedded_t %s;\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
            writer->symbol);
}

static void write_fallback(FILE *file, const struct embed_writer *writer, size_t number)
{
    const struct embed_source *source = &writer->request->sources[number];

    write_text(file, "source", number, 0, source->rewritten_text);
    for (size_t i = 0; i < source->header_texts.count; i++) {
        write_text(file, "header", number, i, source->header_texts.items[i]);
    }
    if (source->header_texts.count > 0) {
        fprintf(file, "static const char *const hipshim_headers_%zu[] = {\n", number);
        for (size_t i = 0; i < source->header_texts.count; i++) {
            write_string(file, source->header_names.items[i]);
            fprintf(file, ", hipshim_header_%zu_%zu,\n", number, i);
        }
        fprintf(file, "};\n");
    }
}

static void write_options(FILE *file, const struct embed_writer *writer)
{
    const struct hs_words *options = &writer->request->options;

    if (options->count > 0) {
        fprintf(file, "static const char *const hipshim_options[] = {\n");
        for (size_t i = 0; i < options->count; i++) {
            write_string(file, options->items[i]);
            fprintf(file, ",\n");
        }
        fprintf(file, "};\n");
    }
}

static void write_sources(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;

    write_options(file, writer);
    for (size_t i = 0; i < request->source_count; i++) {
        write_fallback(file, writer, i);
    }
    fprintf(file, "static const hipshim_embedded_source_t hipshim_sources[] = {\n");
    for (size_t i = 0; i < request->source_count; i++) {
        const struct embed_source *source = &request->sources[i];

        fprintf(file, "    {");
        write_string(file, source->kernel);
        fprintf(file, ", ");
        write_string(file, hs_program_base(source->path));
        fprintf(file, ", hipshim_source_%zu_0, %s, %zu, ", i,
                request->options.count ? "hipshim_options" : "NULL", request->options.count);
        if (source->header_texts.count > 0) {
            fprintf(file, "hipshim_headers_%zu, ", i);
        } else {
            fprintf(file, "NULL, ");
        }
        fprintf(file, "%zu},\n", source->header_texts.count);
    }
    fprintf(file, "};\n\n");
}

static void write_code(FILE *file, const struct embed_writer *writer, size_t number)
{
    const struct embed_result *result = &writer->request->results[number];

    if (writer->request->assembler) {
        fprintf(file, "extern const unsigned char %s_code_%zu[];\n", writer->symbol, number);
        return;
    }
    fprintf(file, "static const unsigned char %s_code_%zu[] __attribute__((aligned(%d))) = {\n",
            writer->symbol, number, EMBED_ALIGNMENT);
    write_bytes(file, result->code, result->code_size);
    fprintf(file, "};\n");
}

static void write_codes(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    for (size_t i = 0; i < all; i++) {
        write_code(file, writer, i);
    }
    if (request->assembler) {
        fprintf(file, "#ifdef __cplusplus\n}\n#endif\n");
    }
    fprintf(file, "\nstatic const hipshim_embedded_code_t hipshim_codes[] = {\n");
    for (size_t i = 0; i < all; i++) {
        fprintf(file, "    {");
        write_string(file, request->sources[i / request->architectures.count].kernel);
        fprintf(file, ", \"%s\", %s_code_%zu, %zu, %zu},\n", request->results[i].arch,
                writer->symbol, i, request->results[i].code_size, request->results[i].plain_size);
    }
    fprintf(file, "};\n\n");
}

void embed_write_index(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    write_banner(file, writer);
    fprintf(file, "#include \"%s.h\"\n\n", writer->base);
    if (request->assembler && all > 0) {
        fprintf(file, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    }
    if (all > 0) {
        write_codes(file, writer);
    }
    if (request->with_source) {
        write_sources(file, writer);
    }
    fprintf(file,
            "const hipshim_embedded_t %s = {sizeof(hipshim_embedded_t), HIPSHIM_EMBEDDED_VERSION, "
            "%s, %zu, %s, %zu};\n",
            writer->symbol, all > 0 ? "hipshim_codes" : "NULL", all,
            request->with_source ? "hipshim_sources" : "NULL",
            request->with_source ? request->source_count : 0);
}

/* Each code object begins at a multiple of the alignment, because Rust uses them in their blob. */
size_t embed_code_at(const struct embed_request *request, size_t number)
{
    size_t at = 0;

    for (size_t i = 0; i < number; i++) {
        at += request->results[i].code_size;
        at += -at % EMBED_ALIGNMENT;
    }
    return at;
}

/* Each code object is included from its place in the blob. */
void embed_write_assembler(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    write_banner(file, writer);
    fprintf(file, "    .section .rodata,\"a\",@progbits\n");
    for (size_t i = 0; i < all; i++) {
        fprintf(file,
                "    .balign %d\n    .globl %s_code_%zu\n    .hidden %s_code_%zu\n"
                "    .type %s_code_%zu,@object\n    .size %s_code_%zu,%zu\n%s_code_%zu:\n"
                "    .incbin ",
                EMBED_ALIGNMENT, writer->symbol, i, writer->symbol, i, writer->symbol, i,
                writer->symbol, i, request->results[i].code_size, writer->symbol, i);
        write_string(file, writer->blob);
        fprintf(file, ",%zu,%zu\n", embed_code_at(request, i), request->results[i].code_size);
    }
    fprintf(file, "    .section .note.GNU-stack,\"\",@progbits\n");
}

void embed_write_blob(FILE *file, const struct embed_writer *writer)
{
    static const char zeros[EMBED_ALIGNMENT];
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    for (size_t i = 0; i < all; i++) {
        size_t size = request->results[i].code_size;

        fwrite(request->results[i].code, 1, size, file);
        fwrite(zeros, 1, -size % EMBED_ALIGNMENT, file);
    }
    /* After the code objects; embed_check_outputs looks for it. */
    fputs(EMBED_BANNER, file);
}
