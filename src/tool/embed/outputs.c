/* SPDX-License-Identifier: MIT */
/*
 * Writes the outputs.
 */
#include "tool/embed/embed.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/program.h"

typedef void (*write_content)(FILE *file, const struct embed_writer *writer);

/* In the order in which they are written: make looks at the time of the last. */
enum output { BLOB, ASSEMBLER, RUST, HEADER, INDEX, OUTPUTS };
static const struct {
    const char *suffix;
    write_content write;
} outputs[] = {
    [BLOB] = {".bin", embed_write_blob}, [ASSEMBLER] = {".S", embed_write_assembler},
    [RUST] = {".rs", embed_write_rust},  [HEADER] = {".h", embed_write_header},
    [INDEX] = {".c", embed_write_index},
};

static bool is_wanted(const struct embed_request *request, size_t output)
{
    switch (output) {
    case BLOB:
        return request->assembler || request->rust;
    case ASSEMBLER:
        return request->assembler;
    case RUST:
        return request->rust;
    default:
        return true;
    }
}

void embed_symbol(const struct embed_request *request, char symbol[EMBED_SYMBOL])
{
    const char *base = request->symbol ? request->symbol : hs_program_base(request->output);
    size_t at = 0;

    if (isdigit((unsigned char)*base)) {
        symbol[at++] = '_';
    }
    for (; *base && at < EMBED_SYMBOL - 1; base++) {
        symbol[at++] = isalnum((unsigned char)*base) ? *base : '_';
    }
    symbol[at] = '\0';
}

/*
 * True if `hipshim embed` wrote the file, or if there is none.  Text files have the banner in their
 * first line, OUTPUT.bin has it at its end.
 */
static bool is_own(const char *path, bool is_blob)
{
    char part[120];
    FILE *file = fopen(path, "re");

    if (!file) {
        return errno == ENOENT;
    }
    if (is_blob) {
        (void)fseek(file, -(long)sizeof part, SEEK_END); /* a shorter file is read from its start */
    }
    size_t length = fread(part, 1, sizeof part, file);

    fclose(file);
    return memmem(part, length, EMBED_BANNER, sizeof EMBED_BANNER - 1) != NULL;
}

/* Writes under a temporary name first, so that no reader ever sees half of the file. */
static bool write_file(const char *path, write_content write, const struct embed_writer *writer)
{
    char temporary[TOOL_PATH_ROOM + 8];
    mode_t mask = umask(0);

    umask(mask);
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool done = file != NULL;

    if (file) {
        write(file, writer);
        done = !ferror(file) && fchmod(fd, 0666 & ~mask) == 0;
        done = fclose(file) == 0 && done && rename(temporary, path) == 0;
    }
    if (!done) {
        tool_fail("%s cannot be written: %s", path, strerror(errno));
    }
    if (!done && fd >= 0) {
        unlink(temporary);
    }
    return done;
}

/* Writes the path of an output. */
static bool name_output(const struct embed_request *request, size_t output,
                        char path[TOOL_PATH_ROOM])
{
    return snprintf(path, TOOL_PATH_ROOM, "%s%s", request->output, outputs[output].suffix) <
               TOOL_PATH_ROOM ||
           tool_fail("--output=%.200s...: the name is too long", request->output);
}

bool embed_check_outputs(const struct embed_request *request)
{
    char path[TOOL_PATH_ROOM];

    for (size_t i = 0; i < OUTPUTS; i++) {
        if (is_wanted(request, i) &&
            !(name_output(request, i, path) &&
              (is_own(path, i == BLOB) ||
               tool_fail("%s is not a file that hipshim embed wrote; remove it, or give "
                         "--output another name",
                         path)))) {
            return false;
        }
    }
    return embed_check_depfile(request);
}

bool embed_write(struct embed_request *request)
{
    struct embed_writer writer = {.request = request, .base = hs_program_base(request->output)};
    char path[TOOL_PATH_ROOM];

    embed_symbol(request, writer.symbol);
    if (!name_output(request, BLOB, writer.blob)) {
        return false;
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (is_wanted(request, i) &&
            !(name_output(request, i, path) && write_file(path, outputs[i].write, &writer))) {
            return false;
        }
    }
    return !request->depfile || write_file(request->depfile, embed_write_dependencies, &writer);
}
