/* SPDX-License-Identifier: MIT */
/*
 * Writes the outputs, and tells whether they are up to date.
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
    return output == RUST ? request->rust : output > RUST || request->assembler;
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
 * True if `hipshim embed` wrote the file, or if there is none.  Text files have
 * the banner in their first line, OUTPUT.bin has it at its end with the stamp.
 */
static bool is_own(const char *path, bool is_blob)
{
    static const long tail = sizeof EMBED_BANNER - 1 + sizeof ", stamp: " - 1 + EMBED_STAMP - 1;
    char line[120] = "";
    FILE *file = fopen(path, "re");

    if (!file) {
        return errno == ENOENT;
    }
    bool found = (!is_blob || fseek(file, -tail, SEEK_END) == 0) &&
                 fread(line, 1, is_blob ? (size_t)tail : sizeof line - 1, file) > 0 &&
                 (is_blob ? strncmp(line, EMBED_BANNER, sizeof EMBED_BANNER - 1) == 0
                          : strstr(line, EMBED_BANNER) != NULL);

    fclose(file);
    return found;
}

/* Writes under a temporary name first, so that no reader ever sees half of the file. */
static int write_file(const struct embed_request *request, const char *path, write_content write,
                      const struct embed_writer *writer)
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

static int write_output(const struct embed_request *request, size_t output,
                        const struct embed_writer *writer)
{
    char *path = NULL;

    if (asprintf(&path, "%s%s", request->output, outputs[output].suffix) < 0) {
        return embed_complain(request, "out of memory");
    }
    int result = write_file(request, path, outputs[output].write, writer);

    free(path);
    return result;
}

int embed_check_outputs(const struct embed_request *request)
{
    int result = 0;

    for (size_t i = 0; i < OUTPUTS && result == 0; i++) {
        char *path = NULL;

        if (!is_wanted(request, i)) {
            continue;
        }
        if (asprintf(&path, "%s%s", request->output, outputs[i].suffix) < 0) {
            return embed_complain(request, "out of memory");
        }
        if (!is_own(path, i == BLOB)) {
            result = embed_complain(request,
                                    "%s is not a file that hipshim embed wrote; remove it, or "
                                    "give --output another name",
                                    path);
        }
        free(path);
    }
    return result == 0 ? embed_check_depfile(request) : result;
}

int embed_write(struct embed_request *request, const char *stamp)
{
    struct embed_writer writer = {
        .request = request, .stamp = stamp, .base = hs_program_base(request->output)};
    int result = 0;

    embed_symbol(request, writer.symbol);
    if (asprintf(&writer.blob, "%s.bin", request->output) < 0) {
        return embed_complain(request, "out of memory");
    }
    for (size_t i = 0; i < OUTPUTS && result == 0; i++) {
        result = is_wanted(request, i) ? write_output(request, i, &writer) : 0;
    }
    free(writer.blob);
    return result;
}

int embed_write_depfile(const struct embed_request *request)
{
    struct embed_writer writer = {.request = request};

    return request->depfile
               ? write_file(request, request->depfile, embed_write_dependencies, &writer)
               : 0;
}

/* Whether the stamp is in one of the first two lines, or at the end. */
static bool has_stamp(const char *path, const char *stamp, bool at_end)
{
    char line[200];
    FILE *file = fopen(path, "re");
    bool found = false;

    if (file && at_end && fseek(file, -(long)strlen(stamp), SEEK_END) != 0) {
        fclose(file);
        return false;
    }
    for (int i = 0; file && i < 2 && fgets(line, sizeof line, file); i++) {
        found |= strstr(line, stamp) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return found;
}

bool embed_is_current(const struct embed_request *request, const char *stamp)
{
    bool current = true;

    for (int touch = 0; touch < 2 && current; touch++) {
        for (size_t i = 0; i < OUTPUTS && current; i++) {
            char *path = NULL;

            if (!is_wanted(request, i)) {
                continue;
            }
            if (asprintf(&path, "%s%s", request->output, outputs[i].suffix) < 0) {
                return false;
            }
            if (touch) {
                current = utimensat(AT_FDCWD, path, NULL, 0) == 0;
            } else {
                current = has_stamp(path, stamp, i == BLOB);
            }
            free(path);
        }
    }
    return current;
}
