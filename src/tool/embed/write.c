/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: what is written.  The same input gives the same bytes: nothing
 * here depends on time, place or the order in which compilers came to an end.
 */
#include "tool/embed/embed.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PER_LINE = 24, ALIGNMENT = 4096 /* as the compilers' own bundles have it */ };

#define BANNER "Written by hipshim embed"

struct writer {
    struct embed_request *request;
    const char *stamp, *base;         /* base: of the output, without directories */
    char symbol[EMBED_SYMBOL], *blob; /* blob: path of the file to .incbin */
};

static const char *base_of(const char *output)
{
    const char *slash = strrchr(output, '/');

    return slash ? slash + 1 : output;
}

void embed_symbol(const struct embed_request *request, char symbol[EMBED_SYMBOL])
{
    const char *base = request->symbol ? request->symbol : base_of(request->output);
    size_t at = 0;

    if (isdigit((unsigned char)*base)) {
        symbol[at++] = '_';
    }
    for (; *base && at < EMBED_SYMBOL - 1; base++) {
        symbol[at++] = isalnum((unsigned char)*base) ? *base : '_';
    }
    symbol[at] = '\0';
}

static void write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\' || c == '?') {
            fprintf(file, "\\%c", c); /* ? for the sake of trigraphs */
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

/* A long text: an array, since compilers need not take long strings. */
static void write_text(FILE *file, const char *kind, size_t number, size_t part, const char *text)
{
    fprintf(file, "static const char hipshim_%s_%zu_%zu[] = {\n", kind, number, part);
    for (size_t i = 0; text[i]; i++) {
        unsigned char c = (unsigned char)text[i];

        /* As a number it would not fit a char, whose sign is the machine's. */
        fprintf(file, c > 126 ? "'\\%o',%s" : "%d,%s", c, i % PER_LINE == PER_LINE - 1 ? "\n" : "");
    }
    fprintf(file, "0};\n");
}

static void write_banner(FILE *file, const struct writer *writer)
{
    fprintf(file,
            "/* " BANNER " from %zu kernels; do not edit, do not review. */\n"
            "/* stamp: %s */\n",
            writer->request->source_count, writer->stamp);
}

static void write_header(FILE *file, const struct writer *writer)
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
                putc(' ', file); /* "a* /b": this is a comment */
            }
        }
    }
    fprintf(file,
            " */\nextern const hipshim_embedded_t %s;\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
            writer->symbol);
}

static void write_fallback(FILE *file, const struct writer *writer, size_t number)
{
    const struct embed_source *source = &writer->request->sources[number];

    write_text(file, "source", number, 0, source->lent_text);
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

static void write_options(FILE *file, const struct writer *writer)
{
    const struct embed_list *options = &writer->request->options;

    if (options->count > 0) {
        fprintf(file, "static const char *const hipshim_options[] = {\n");
        for (size_t i = 0; i < options->count; i++) {
            write_string(file, options->items[i]);
            fprintf(file, ",\n");
        }
        fprintf(file, "};\n");
    }
}

static void write_sources(FILE *file, const struct writer *writer)
{
    const struct embed_request *request = writer->request;

    write_options(file, writer);
    for (size_t i = 0; i < request->source_count; i++) {
        write_fallback(file, writer, i);
    }
    fprintf(file, "static const hipshim_embedded_source_t hipshim_sources[] = {\n");
    for (size_t i = 0; i < request->source_count; i++) {
        const struct embed_source *source = &request->sources[i];
        const char *slash = strrchr(source->path, '/');

        fprintf(file, "    {");
        write_string(file, source->kernel);
        fprintf(file, ", ");
        write_string(file, slash ? slash + 1 : source->path);
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

static void write_codes(FILE *file, const struct writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    for (size_t i = 0; i < all; i++) {
        const struct embed_result *result = &request->results[i];

        if (request->assembler) {
            fprintf(file, "extern const unsigned char %s_code_%zu[];\n", writer->symbol, i);
        } else {
            fprintf(file,
                    "static const unsigned char %s_code_%zu[] __attribute__((aligned(%d))) = {\n",
                    writer->symbol, i, ALIGNMENT);
            write_bytes(file, result->code, result->code_size);
            fprintf(file, "};\n");
        }
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

static void write_index(FILE *file, const struct writer *writer)
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

/* Each code object at its place in the blob, which is the codes end to end. */
static void write_assembler(FILE *file, const struct writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count, at = 0;

    write_banner(file, writer);
    fprintf(file, "    .section .rodata,\"a\",@progbits\n");
    for (size_t i = 0; i < all; i++) {
        fprintf(file,
                "    .balign %d\n    .globl %s_code_%zu\n    .hidden %s_code_%zu\n"
                "    .type %s_code_%zu,@object\n    .size %s_code_%zu,%zu\n%s_code_%zu:\n"
                "    .incbin ",
                ALIGNMENT, writer->symbol, i, writer->symbol, i, writer->symbol, i, writer->symbol,
                i, request->results[i].code_size, writer->symbol, i);
        write_string(file, writer->blob);
        fprintf(file, ",%zu,%zu\n", at, request->results[i].code_size);
        at += request->results[i].code_size;
    }
    fprintf(file, "    .section .note.GNU-stack,\"\",@progbits\n");
}

static void write_blob(FILE *file, const struct writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;

    for (size_t i = 0; i < all; i++) {
        fwrite(request->results[i].code, 1, request->results[i].code_size, file);
    }
    fputs(writer->stamp, file); /* behind what the assembler takes in */
}

/* What is there was written by this command, or nothing is there. */
static int is_ours(const char *path)
{
    char line[80] = "";
    FILE *file = fopen(path, "re");
    int ours = file == NULL || (fgets(line, sizeof line, file) && strstr(line, BANNER));

    if (file) {
        fclose(file);
    }
    return ours;
}

/* Under another name first, so that nobody ever sees half of it. */
static int write_file(const struct embed_request *request, const char *path,
                      void (*write)(FILE *file, const struct writer *writer),
                      const struct writer *writer)
{
    char *temporary = NULL;
    mode_t mask = umask(0);
    FILE *file;
    int fd, failed;

    umask(mask);
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
        return embed_complain(request, "out of memory");
    }
    fd = mkostemp(temporary, O_CLOEXEC);
    file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file) {
        embed_complain(request, "%s cannot be written: %s", path, strerror(errno));
        if (fd >= 0) {
            close(fd);
            unlink(temporary);
        }
        free(temporary);
        return -1;
    }
    write(file, writer);
    failed = ferror(file) != 0;
    failed |= fchmod(fd, 0666 & ~mask) != 0;
    failed |= fclose(file) != 0;
    if (failed || rename(temporary, path) != 0) {
        embed_complain(request, "%s cannot be written: %s", path, strerror(errno));
        unlink(temporary);
        failed = 1;
    }
    free(temporary);
    return failed ? -1 : 0;
}

static int write_suffix(const struct embed_request *request, const char *suffix,
                        void (*write)(FILE *file, const struct writer *writer),
                        const struct writer *writer)
{
    char *path = NULL;
    int result;

    if (asprintf(&path, "%s%s", request->output, suffix) < 0) {
        return embed_complain(request, "out of memory");
    }
    if (strcmp(suffix, ".bin") != 0 && !is_ours(path)) {
        result = embed_complain(request,
                                "%s is not a file that hipshim embed wrote; remove it, or "
                                "give --output another name",
                                path);
    } else {
        result = write_file(request, path, write, writer);
    }
    free(path);
    return result;
}

int embed_write(struct embed_request *request, const char *stamp)
{
    struct writer writer = {.request = request, .stamp = stamp, .base = base_of(request->output)};
    int result = 0;

    embed_symbol(request, writer.symbol);
    if (asprintf(&writer.blob, "%s.bin", request->output) < 0) {
        return embed_complain(request, "out of memory");
    }
    if (request->assembler) {
        result = write_suffix(request, ".bin", write_blob, &writer);
        result = result ? result : write_suffix(request, ".S", write_assembler, &writer);
    }
    result = result ? result : write_suffix(request, ".h", write_header, &writer);
    /* Last: it is what make looks at, and its stamp says that all is there. */
    result = result ? result : write_suffix(request, ".c", write_index, &writer);
    free(writer.blob);
    return result;
}

static void write_dependency(FILE *file, const char *path)
{
    for (; *path; path++) {
        if (*path == ' ' || *path == '#' || *path == '\\') {
            putc('\\', file);
        } else if (*path == '$') {
            putc('$', file);
        }
        putc(*path, file);
    }
}

/* As what `PATH.c' depends on, or as the target of a rule without a recipe. */
static void write_one(FILE *file, const char *path, int rule)
{
    fputs(rule ? "" : " \\\n  ", file);
    write_dependency(file, path);
    fputs(rule ? ":\n" : "", file);
}

static void write_dependencies(FILE *file, const struct writer *writer)
{
    const struct embed_request *request = writer->request;
    char *target = NULL;

    if (asprintf(&target, "%s.c", request->output) > 0) {
        write_dependency(file, target);
    }
    free(target);
    putc(':', file);
    /* The second time around, the rules: a header may go away. */
    for (int rule = 0; rule < 2; rule++) {
        for (size_t i = 0; i < request->searched.count; i++) {
            write_one(file, request->searched.items[i], rule);
        }
        for (size_t i = 0; i < request->source_count; i++) {
            const struct embed_list *headers = &request->sources[i].header_paths;

            write_one(file, request->sources[i].path, rule);
            for (size_t j = 0; j < headers->count; j++) {
                write_one(file, headers->items[j], rule);
            }
        }
        fputs(rule ? "" : "\n", file);
    }
}

int embed_write_depfile(const struct embed_request *request)
{
    struct writer writer = {.request = (struct embed_request *)request};

    return request->depfile ? write_file(request, request->depfile, write_dependencies, &writer)
                            : 0;
}

/* In one of the first lines, or at the end. */
static int has_stamp(const char *path, const char *stamp, int at_end)
{
    char line[200];
    FILE *file = fopen(path, "re");
    int found = 0;

    if (file && at_end && fseek(file, -(long)strlen(stamp), SEEK_END) != 0) {
        fclose(file);
        return 0;
    }
    for (int i = 0; file && i < 2 && fgets(line, sizeof line, file); i++) {
        found |= strstr(line, stamp) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return found;
}

int embed_is_current(const struct embed_request *request, const char *stamp)
{
    static const char *const suffixes[] = {".h", ".c", ".S", ".bin"};
    size_t count = request->assembler ? 4 : 2;
    int current = 1;

    for (int touch = 0; touch < 2 && current; touch++) {
        for (size_t i = 0; i < count && current; i++) {
            char *path = NULL;

            if (asprintf(&path, "%s%s", request->output, suffixes[i]) < 0) {
                return 0;
            }
            if (touch) {
                current = utimensat(AT_FDCWD, path, NULL, 0) == 0;
            } else {
                current = has_stamp(path, stamp, i == 3);
            }
            free(path);
        }
    }
    return current;
}
