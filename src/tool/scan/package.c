/* SPDX-License-Identifier: MIT */
#include "tool/scan/package.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/program.h"
#include "base/texts.h"
#include "elf/dlopen_note.h"
#include "tool/tool.h"

/* --- libarchive --- */

HS_DLOPEN_NOTE("[{\"feature\":\"packages\",\"description\":\"Scans wheels and other packages\","
               "\"priority\":\"suggested\",\"soname\":[\"libarchive.so.13\"]}]");

struct archive;
struct archive_entry;
typedef ssize_t read_block(struct archive *archive, void *context, const void **block);

/* libarchive 3 keeps these; their results are its statuses where they are int. */
#define FUNCTIONS(F)                                                                               \
    F(struct archive *, archive_read_new, (void))                                                  \
    F(int, archive_read_free, (struct archive *))                                                  \
    F(int, archive_read_set_options, (struct archive *, const char *))                             \
    F(int, archive_read_open_filename, (struct archive *, const char *, size_t))                   \
    F(int, archive_read_open, (struct archive *, void *, void *, read_block *, void *))            \
    F(int, archive_read_next_header, (struct archive *, struct archive_entry **))                  \
    F(ssize_t, archive_read_data, (struct archive *, void *, size_t))                              \
    F(int, archive_read_data_block, (struct archive *, const void **, size_t *, int64_t *))        \
    F(const char *, archive_error_string, (struct archive *))                                      \
    F(const char *, archive_entry_pathname, (struct archive_entry *))                              \
    F(const char *, archive_entry_pathname_utf8, (struct archive_entry *))                         \
    F(int, archive_entry_is_data_encrypted, (struct archive_entry *))                              \
    F(int64_t, archive_entry_size, (struct archive_entry *))                                       \
    F(mode_t, archive_entry_mode, (struct archive_entry *))

enum { END = 1, WARNING = -20 };

#define DECLARE(result, name, parameters) result(*name) parameters;
struct library {
    void *handle;
    FUNCTIONS(DECLARE)
};

/* The address goes through a void *, because ISO C cannot cast one to a function. */
static bool find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

#define FIND(result, name, parameters) &&find(library->handle, #name, &library->name)
static bool open_library(struct library *library)
{
    library->handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    return library->handle FUNCTIONS(FIND);
}

/* --- a package --- */

/*
 * The parts of a member that stay in memory: symbols are at its front, or at its end if a tool
 * such as patchelf has moved them.  Whatever else is needed twice is unpacked twice.
 */
enum { KEPT_FRONT = 32 << 20, KEPT_END = 32 << 20 };

enum { BLOCK = 1 << 18, REASON = 256 };

/*
 * More than any package of ROCm needs, so that one made to fill memory or time ends in an error.
 * Code for GPUs becomes 5 to 50 times smaller.
 */
#define UNPACKED_LIMIT  ((uint64_t)64 << 30)
#define UNPACKED_ALWAYS ((uint64_t)1 << 30)
enum { UNPACKED_RATIO = 200 };

struct tool_package {
    struct library library;
    const char *path;
    bool is_zip, is_deb;
    struct archive *outer; /* of a Debian package, or NULL */
    struct archive *archive;
    uint64_t entry;    /* the number of the current one */
    uint64_t unpacked; /* of this and earlier members, as the package says; and again */
    uint64_t passed;   /* of them alone */
    uint64_t limit;    /* of unpacked */
    char name[TOOL_PATH_ROOM];
    struct hs_elf_source source;
    unsigned char *kept;
    uint64_t kept_size;
    unsigned char block[BLOCK];
    uint64_t block_at, position; /* of the last block, and its end */
    char reason[REASON];
};

/* Copies text for one line of a terminal. */
static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
    for (; *to; to++) {
        if ((unsigned char)*to < ' ' || *to == 0x7f) {
            *to = '?';
        }
    }
}

/* Writes the reason of libarchive's last failure into the package, and returns it. */
static const char *explain(struct tool_package *package, struct archive *archive)
{
    const char *text = package->library.archive_error_string(archive);
    char whole[REASON];

    if (package->entry == 0) { /* no known package magic */
        snprintf(whole, sizeof whole, "it is %s (%.100s)",
                 package->is_zip ? "a zip file that is cut short or damaged"
                                 : "not an ELF file and not a readable package",
                 text ? text : "unknown");
        text = whole;
    }
    copy_text(package->reason, sizeof package->reason, text ? text : "libarchive gives no reason");
    return package->reason;
}

static void end_reading(struct tool_package *package)
{
    if (package->archive) {
        package->library.archive_read_free(package->archive);
    }
    if (package->outer) {
        package->library.archive_read_free(package->outer);
    }
    package->archive = package->outer = NULL;
}

/* Each filter is named: with all of them, libarchive would start programs for some. */
static const char *const package_forms[] = {"filter_bzip2", "filter_gzip",         "filter_rpm",
                                            "filter_xz",    "filter_zstd",         "format_cpio",
                                            "format_tar",   "format_zip_seekable", NULL};
static const char *const deb_forms[] = {"format_ar", NULL};

/* A package of a form that an old libarchive has no function for is none that it can read. */
static struct archive *create_archive(const struct library *library, const char *const *forms)
{
    struct archive *archive = library->archive_read_new();
    int (*support)(struct archive *);
    char name[64];

    for (; archive && *forms; forms++) {
        snprintf(name, sizeof name, "archive_read_support_%s", *forms);
        if (find(library->handle, name, &support)) {
            support(archive);
        }
    }
    return archive;
}

static ssize_t read_outer(struct archive *archive, void *context, const void **block)
{
    const struct tool_package *package = context;
    size_t size = 0;
    int64_t at;

    (void)
        archive; /* archive_read_data would lose what comes before the end of a file that is cut */
    int status = package->library.archive_read_data_block(package->outer, block, &size, &at);
    return status < WARNING ? -1 : status == END ? 0 : (ssize_t)size;
}

/* Goes to the archive of files in a Debian package. */
static const char *enter_deb(struct tool_package *package)
{
    const struct library *library = &package->library;
    struct archive_entry *entry;
    const char *name;
    int status;

    package->outer = create_archive(library, deb_forms);
    if (!package->outer) {
        return "out of memory";
    }
    status = library->archive_read_open_filename(package->outer, package->path, BLOCK);
    do {
        status =
            status < WARNING ? status : library->archive_read_next_header(package->outer, &entry);
        if (status == END) {
            return "it is an archive without data.tar, so it is no Debian package";
        }
        if (status < WARNING) {
            return explain(package, package->outer);
        }
        name = library->archive_entry_pathname(entry);
    } while (!name || strncmp(name, "data.tar", 8) != 0);
    return library->archive_read_open(package->archive, package, NULL, read_outer, NULL) < WARNING
               ? explain(package, package->archive)
               : NULL;
}

/* NULL, or why the package cannot be read. */
static const char *begin_reading(struct tool_package *package)
{
    end_reading(package);
    package->entry = 0;
    package->archive = create_archive(&package->library, package_forms);
    if (!package->archive) {
        return "out of memory";
    }
    /* Checksums take most of the time, and say nothing of a member that is read in part. */
    package->library.archive_read_set_options(package->archive, "zip:ignorecrc32=1");
    if (package->is_deb) {
        return enter_deb(package);
    }
    int status =
        package->library.archive_read_open_filename(package->archive, package->path, BLOCK);
    return status < WARNING ? explain(package, package->archive) : NULL;
}

/* 1, 0 after the last entry, -1 with the reason in the package. */
static int read_entry(struct tool_package *package, struct archive_entry **entry)
{
    int status = package->library.archive_read_next_header(package->archive, entry);

    if (status >= WARNING) {
        package->entry++;
        return status == END ? 0 : 1;
    }
    explain(package, package->archive);
    return -1;
}

static uint64_t limit_for(off_t packed)
{
    uint64_t size = packed < 0 ? 0 : (uint64_t)packed;

    return size > (UNPACKED_LIMIT - UNPACKED_ALWAYS) / UNPACKED_RATIO
               ? UNPACKED_LIMIT
               : UNPACKED_ALWAYS + size * UNPACKED_RATIO;
}

struct tool_package *tool_package_open(const char *path, char *reason, size_t size)
{
    struct tool_package *package = calloc(1, sizeof *package);
    char magic[8] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_readable = file >= 0 && read(file, magic, sizeof magic) >= 0;
    off_t packed = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
    const char *failure = strerror(errno);

    if (file >= 0) {
        close(file);
    }
    if (!package) {
        failure = "out of memory";
    } else if (is_readable && !open_library(&package->library)) {
        failure = "it is not an ELF file, and to scan packages needs libarchive.so.13; install "
                  "libarchive 3 (libarchive13 of Debian)";
    } else if (is_readable) {
        package->path = path;
        package->limit = limit_for(packed);
        package->is_zip = memcmp(magic, "PK", 2) == 0;
        package->is_deb = memcmp(magic, "!<arch>\n", sizeof magic) == 0;
        failure = begin_reading(package);
    }
    if (failure) {
        snprintf(reason, size, "%s", failure);
        tool_package_close(package);
        package = NULL;
    }
    return package;
}

void tool_package_close(struct tool_package *package)
{
    if (package) {
        end_reading(package);
        if (package->library.handle) {
            dlclose(package->library.handle);
        }
        free(package->kept);
    }
    free(package);
}

const char *tool_package_name(const struct tool_package *package)
{
    return package->name;
}

/* --- a member --- */

/* Finds bytes that are in memory; NULL if they are not, or not in one piece. */
static const unsigned char *find_kept(const struct tool_package *package, uint64_t at,
                                      uint64_t size)
{
    uint64_t length = package->source.length, end = at + size;

    if (end > package->position) {
        return NULL;
    }
    if (at >= package->block_at) {
        return package->block + (at - package->block_at);
    }
    if (length <= KEPT_FRONT + KEPT_END || end <= KEPT_FRONT) {
        return package->kept + at;
    }
    return at >= length - KEPT_END ? package->kept + KEPT_FRONT + (at - (length - KEPT_END)) : NULL;
}

/* Copies what a block and a range, both of the member, have in common. */
static void copy_common(const struct tool_package *package, unsigned char *to, uint64_t at,
                        uint64_t size)
{
    uint64_t from = at > package->block_at ? at : package->block_at;
    uint64_t end = at + size < package->position ? at + size : package->position;

    if (from < end) {
        memcpy(to + (from - at), package->block + (from - package->block_at), end - from);
    }
}

/* NULL, or why there is no further block. */
static const char *read_next_block(struct tool_package *package)
{
    uint64_t length = package->source.length;
    ssize_t size = package->library.archive_read_data(package->archive, package->block, BLOCK);

    if (size < 0) {
        return explain(package, package->archive);
    }
    if (size == 0 || (uint64_t)size > length - package->position) {
        return "it is shorter or longer than the package says";
    }
    package->block_at = package->position;
    package->position += (uint64_t)size;
    if (length <= KEPT_FRONT + KEPT_END) {
        copy_common(package, package->kept, 0, length);
    } else {
        copy_common(package, package->kept, 0, KEPT_FRONT);
        copy_common(package, package->kept + KEPT_FRONT, length - KEPT_END, KEPT_END);
    }
    return NULL;
}

/* NULL, or why no more may be unpacked. */
static const char *check_limit(struct tool_package *package)
{
    if (package->unpacked <= package->limit) {
        return NULL;
    }
    snprintf(package->reason, sizeof package->reason,
             "its members would unpack to more than %" PRIu64 " GiB, the limit for its size",
             package->limit >> 30);
    return package->reason;
}

static const char *rewind_member(struct tool_package *package)
{
    package->unpacked += package->is_zip ? package->position : package->passed;
    if (check_limit(package)) {
        return package->reason;
    }
    uint64_t wanted = package->entry;
    const char *failure = begin_reading(package);
    struct archive_entry *entry;

    package->block_at = package->position = 0;
    while (!failure && package->entry < wanted) {
        int more = read_entry(package, &entry);
        failure = more < 0 ? package->reason : more == 0 ? "the package changed" : NULL;
    }
    return failure;
}

static const char *read_member(void *context, void *to, uint64_t size, uint64_t at)
{
    struct tool_package *package = context;
    uint64_t known = at >= package->position         ? 0
                     : size < package->position - at ? size
                                                     : package->position - at;
    const unsigned char *kept = known > 0 ? find_kept(package, at, known) : NULL;
    const char *failure = known > 0 && !kept ? rewind_member(package) : NULL;

    if (kept) {
        memcpy(to, kept, known);
    }
    while (!failure && package->position < at + size) {
        failure = read_next_block(package);
        if (!failure) {
            copy_common(package, to, at, size);
        }
    }
    return failure;
}

const struct hs_elf_source *tool_package_source(struct tool_package *package)
{
    package->source.read = read_member;
    package->source.context = package;
    return &package->source;
}

bool tool_package_is_text(const char *name)
{
    return hs_text_ends(name, ".py");
}

/*
 * Libraries end in .so or have .so. in their names, and programs have no dot in theirs or are
 * executable.  The many other files of a wheel are not unpacked to look at their first bytes.
 */
static bool has_program_name(const char *path, mode_t mode)
{
    const char *name = hs_program_base(path), *so = strstr(name, ".so");

    return (mode & 0111) != 0 || !strchr(name, '.') || (so && (so[3] == '\0' || so[3] == '.')) ||
           tool_package_is_text(name);
}

/* False if a member is not taken: it is no file, or too short for a program. */
static bool take_entry(struct tool_package *package, struct archive_entry *entry)
{
    const struct library *library = &package->library;
    const char *name = library->archive_entry_pathname_utf8(entry);
    int64_t length = library->archive_entry_size(entry);
    mode_t mode = library->archive_entry_mode(entry);
    bool is_taken;

    copy_text(package->name, sizeof package->name,
              name ? name : library->archive_entry_pathname(entry));
    is_taken = S_ISREG(mode) && has_program_name(package->name, mode) &&
               length >= (tool_package_is_text(package->name) ? 1 : HS_ELF_HEADER_SIZE);
    if (length > 0 && (is_taken || !package->is_zip)) {
        package->unpacked += (uint64_t)length;
        package->passed += (uint64_t)length;
    }
    package->source.length = is_taken ? (uint64_t)length : 0;
    return is_taken;
}

/* Makes room for the parts of a member that are kept. */
static bool reserve(struct tool_package *package)
{
    uint64_t length = package->source.length;
    uint64_t wanted = length < KEPT_FRONT + KEPT_END ? length : KEPT_FRONT + KEPT_END;

    if (wanted > package->kept_size) {
        free(package->kept);
        package->kept = malloc(wanted);
        package->kept_size = package->kept ? wanted : 0;
    }
    return package->kept_size >= wanted;
}

int tool_package_next(struct tool_package *package, char *reason, size_t size)
{
    struct archive_entry *entry;
    const char *failure = NULL;
    int more;

    do {
        more = read_entry(package, &entry);
    } while (more > 0 && !take_entry(package, entry) && !check_limit(package));
    package->block_at = package->position = 0;
    if (more < 0 || (more > 0 && check_limit(package))) {
        failure = package->reason;
    } else if (more > 0 && package->library.archive_entry_is_data_encrypted(entry)) {
        failure = "its members are encrypted";
    } else if (more > 0 && !reserve(package)) {
        failure = "out of memory";
    }
    if (failure) {
        snprintf(reason, size, "%s", failure);
    }
    return failure ? -1 : more;
}
