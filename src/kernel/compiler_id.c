/* SPDX-License-Identifier: MIT */
/*
 * Identifies the compiler that hiprtc uses, for the keys of the cache.
 *
 * The compiler consists of libhiprtc, libamd_comgr, the LLVM libraries that comgr is
 * linked with, and libamdhip64.  Their build-ids are known once they are mapped, but
 * mapping them takes as long as a compilation.  So the cache keeps a record: the
 * identity, and a stamp of each of these files.  A process believes the record as
 * long as no stamp changed.  A wrong record does no lasting harm, since the
 * identity is verified after every compilation.
 */
#include "kernel/kernel.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_stamp.h"
#include "base/hex.h"
#include "base/program.h"
#include "base/sha256.h"
#include "base/texts.h"
#include "elf/image.h"
#include "elf/notes.h"

enum { LIBRARIES = 16, NEEDED = 8, BUILD_ID = 32 };

struct library {
    const char *path;
    unsigned char build_id[BUILD_ID];
    size_t build_id_size; /* 0: it has none */
};

struct compiler {
    const char *runtime;
    struct library libraries[LIBRARIES];
    unsigned count;
    const char *needed[NEEDED]; /* LLVM libraries that comgr is linked with */
    unsigned needed_count;
    bool is_incomplete; /* there are more than there is room for */
};

/*
 * Other parts of a program may have mapped another LLVM, so only those count that
 * comgr itself names.
 */
static int find_needed(struct dl_phdr_info *info, size_t size, void *context)
{
    struct compiler *compiler = context;
    const ElfW(Dyn) *at = NULL;
    const char *name;
    struct hs_image image;

    (void)size;
    if (!hs_text_begins(hs_program_base(info->dlpi_name), "libamd_comgr") ||
        !hs_image_view_info(&image, info)) {
        return 0;
    }
    while ((name = hs_image_needed(&image, &at)) != NULL) {
        if (!hs_text_begins(name, "libLLVM") && !hs_text_begins(name, "libclang")) {
            continue;
        }
        if (compiler->needed_count == NEEDED) {
            compiler->is_incomplete = true;
        } else {
            compiler->needed[compiler->needed_count++] = name;
        }
    }
    return 0;
}

static bool is_part(const struct compiler *compiler, const char *path)
{
    const char *base = hs_program_base(path);

    if (hs_text_begins(base, "libhiprtc") || hs_text_begins(base, "libamd_comgr")) {
        return true;
    }
    for (unsigned i = 0; i < compiler->needed_count; i++) {
        if (strcmp(base, compiler->needed[i]) == 0) {
            return true;
        }
    }
    return strcmp(path, compiler->runtime) == 0;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *context)
{
    struct compiler *compiler = context;
    size_t id_size;

    (void)size;
    if (!is_part(compiler, info->dlpi_name)) {
        return 0;
    }
    if (compiler->count == LIBRARIES) {
        compiler->is_incomplete = true;
        return 1;
    }
    struct library *library = &compiler->libraries[compiler->count++];
    const unsigned char *id =
        hs_notes_of_object(info, HS_BUILD_ID_OWNER, HS_BUILD_ID_TYPE, &id_size);

    library->path = info->dlpi_name;
    library->build_id_size = id && id_size <= BUILD_ID ? id_size : 0;
    memcpy(library->build_id, id ? id : (const unsigned char *)"", library->build_id_size);
    return 0;
}

static int compare_libraries(const void *a, const void *b)
{
    const struct library *left = a, *right = b;
    int order = strcmp(hs_program_base(left->path), hs_program_base(right->path));

    return order ? order : memcmp(left->build_id, right->build_id, BUILD_ID);
}

/*
 * Whether the path still leads to the file that is mapped.  A stamp of another
 * file must not be recorded with this identity.
 */
static bool is_in_place(const struct library *library)
{
    unsigned char notes[HS_NOTES_ROOM];
    size_t size = 0;
    const unsigned char *id =
        hs_notes_of_file(library->path, notes, HS_BUILD_ID_OWNER, HS_BUILD_ID_TYPE, &size);

    return size == library->build_id_size &&
           (size == 0 || memcmp(id, library->build_id, size) == 0);
}

/* Adds a library to the digest: by its build-id, or by its file where it has none. */
static bool add_library(struct hs_sha256 *sum, const struct library *library)
{
    char line[PATH_MAX + 200], id[2 * BUILD_ID + 1];
    struct stat status;

    if (stat(library->path, &status) != 0) {
        return false;
    }
    hs_hex_write(id, library->build_id, library->build_id_size);
    int length = *id ? snprintf(line, sizeof line, "%s %s %lld\n", hs_program_base(library->path),
                                id, (long long)status.st_size)
                     : snprintf(line, sizeof line, "%s %lld %lld.%09ld\n", library->path,
                                (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                                status.st_mtim.tv_nsec);

    hs_sha256_add(sum, line, length > 0 ? (size_t)length : 0);
    return true;
}

/* Lines of hs_file_stamp_write, in memory. */
struct stamps {
    FILE *stream;
    char *text; /* from malloc; complete after fflush or fclose */
    size_t size;
};

/* Adds the line of a file or directory, unless it is there. */
static void stamp(struct stamps *stamps, const char *path)
{
    char line[HS_FILE_STAMP_ROOM];

    if (hs_file_stamp_write(path, line) > 0 && fflush(stamps->stream) == 0 &&
        !strstr(stamps->text, line)) {
        fputs(line, stamps->stream);
    }
}

static void stamp_directory_of(struct stamps *stamps, const char *file)
{
    char directory[PATH_MAX];
    const char *slash = strrchr(file, '/');

    if (slash &&
        snprintf(directory, sizeof directory, "%.*s", (int)(slash - file), file) < PATH_MAX) {
        stamp(stamps, directory);
    }
}

/*
 * Stamps a directory in which the dynamic linker looks.  A file that appears or
 * disappears changes its directory.  glibc also looks in directories for variants of
 * the processor.
 */
static void stamp_directory(struct stamps *stamps, const char *directory)
{
    static const char *const variants[] = {"", "/x86-64-v2", "/x86-64-v3", "/x86-64-v4"};
    char path[PATH_MAX], below[PATH_MAX];
    bool is_there = realpath(directory, path) != NULL; /* /lib may be a link to /usr/lib */

    stamp(stamps, is_there ? path : directory);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0] && is_there; i++) {
        is_there =
            snprintf(below, sizeof below, "%s/glibc-hwcaps%s", path, variants[i]) < PATH_MAX &&
            (i > 0 || access(below, F_OK) == 0);
        if (is_there) {
            stamp(stamps, below);
        }
    }
}

/*
 * Stamps the directories in which the dynamic linker looks for the libraries that a
 * mapped library needs: those of LD_LIBRARY_PATH, its run path, and the default ones.
 */
static void stamp_search_of(struct stamps *stamps, const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo size, *search = NULL;

    if (handle && dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) == 0) {
        search = malloc(size.dls_size);
    }
    if (search && dlinfo(handle, RTLD_DI_SERINFOSIZE, search) == 0 &&
        dlinfo(handle, RTLD_DI_SERINFO, search) == 0) {
        for (unsigned i = 0; i < search->dls_cnt; i++) {
            stamp_directory(stamps, search->dls_serpath[i].dls_name);
        }
    }
    free(search);
    if (handle) {
        dlclose(handle);
    }
}

/*
 * Stamps the files and directories that determine which libraries the dynamic linker
 * and hipshim find next time.  hipshim looks for hiprtc beside the runtime, and beside
 * the file that a link to the runtime leads to.
 */
static void stamp_search(struct stamps *stamps, const struct compiler *compiler)
{
    char target[PATH_MAX];

    stamp(stamps, "/etc/ld.so.cache");
    stamp_directory_of(stamps, compiler->runtime);
    if (realpath(compiler->runtime, target)) {
        stamp_directory_of(stamps, target);
    }
    for (unsigned i = 0; i < compiler->count; i++) {
        stamp_search_of(stamps, compiler->libraries[i].path);
    }
}

/* Adds all libraries to the digest and the stamps; false if one was replaced. */
static bool add_libraries(struct hs_sha256 *sum, struct stamps *stamps,
                          const struct compiler *compiler)
{
    bool is_in_order = true;

    for (unsigned i = 0; i < compiler->count; i++) {
        const struct library *library = &compiler->libraries[i];

        is_in_order &= is_in_place(library) && add_library(sum, library);
        stamp(stamps, library->path);
    }
    return is_in_order;
}

/*
 * Identifies the libraries that are mapped.  Sets `lines`, from malloc.  NULL, or
 * the reason why that fails.
 */
static const char *identify(const char *runtime, char id[HS_COMPILER_ID], char **lines)
{
    struct compiler compiler = {.runtime = runtime};
    unsigned char digest[HS_SHA256_SIZE];
    struct hs_sha256 sum;
    struct stamps stamps = {0};

    *lines = NULL;
    dl_iterate_phdr(find_needed, &compiler);
    dl_iterate_phdr(find_library, &compiler);
    qsort(compiler.libraries, compiler.count, sizeof compiler.libraries[0], compare_libraries);
    if (compiler.is_incomplete) {
        return "the compiler consists of too many libraries";
    }
    stamps.stream = open_memstream(&stamps.text, &stamps.size);
    if (!stamps.stream) {
        return "there is no memory to identify the compiler";
    }
    hs_sha256_begin(&sum);
    bool is_in_order = add_libraries(&sum, &stamps, &compiler);

    stamp_search(&stamps, &compiler);
    hs_sha256_end(&sum, digest);
    hs_hex_write(id, digest, sizeof digest);
    if (fclose(stamps.stream) != 0 || !is_in_order) {
        free(stamps.text);
        return is_in_order ? "there is no memory to identify the compiler"
                           : "the compiler was replaced while this process runs";
    }
    *lines = stamps.text;
    return NULL;
}

/* The record's key: the runtime, and the variables that may lead to another compiler. */
static bool record_key(const char *runtime, unsigned char key[HS_CACHE_KEY])
{
    static const char *const variables[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "ROCM_PATH",
                                            "HIP_PATH"};
    char line[HS_FILE_STAMP_ROOM];
    size_t length = hs_file_stamp_write(runtime, line);
    struct hs_sha256 sum;

    if (length == 0) {
        return false;
    }
    hs_sha256_begin(&sum);
    hs_sha256_add(&sum, line, length + 1);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);

        value = value ? value : "";
        hs_sha256_add(&sum, value, strlen(value) + 1);
    }
    hs_sha256_end(&sum, key);
    return true;
}

static bool read_record(struct hs_cache *cache, const unsigned char key[HS_CACHE_KEY],
                        char id[HS_COMPILER_ID])
{
    struct hs_cache_found found;

    if (!hs_cache_find(cache, HS_COMPILER_GROUP, key, &found)) {
        return false;
    }
    bool holds = strlen(found.entry.compiler) == HS_COMPILER_ID - 1 && *found.entry.log &&
                 hs_file_stamp_holds(found.entry.log);

    if (holds) {
        memcpy(id, found.entry.compiler, HS_COMPILER_ID);
    }
    free(found.data);
    return holds;
}

static void write_record(struct hs_cache *cache, const struct hs_kernel_job *job,
                         const unsigned char key[HS_CACHE_KEY], const char *id, const char *stamps)
{
    const struct hs_cache_entry entry = {.log = stamps,
                                         .arch = "",
                                         .release = job->release,
                                         .name = "the compiler of hiprtc",
                                         .compiler = id,
                                         .created = (uint64_t)time(NULL),
                                         .key = key};
    size_t size;
    void *data = hs_cache_entry_write(&entry, &size);

    if (data) {
        hs_cache_store(cache, HS_COMPILER_GROUP, key, data, size);
    }
    free(data);
}

/* Compiles an empty kernel, which maps the compiler, and identifies that. */
static bool probe(struct hs_cache *cache, const struct hs_kernel_job *job,
                  const unsigned char key[HS_CACHE_KEY], char id[HS_COMPILER_ID])
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    struct hs_kernel_job empty = {
        .options = {.source = "extern \"C\" __global__ void hipshim_probe() {}\n",
                    .name = "hipshim_probe.hip"},
        .runtime = job->runtime};
    struct hs_kernel_output output;
    char *stamps = NULL;
    const char *reason = "the compiler cannot compile an empty kernel";

    if (hipshim_runtime_info(&runtime) != HIPSHIM_OK || !runtime.hiprtc_path) {
        hs_cache_set_note(cache, HS_KERNEL_BY_HIPCC);
        return false;
    }
    memcpy(empty.arch, job->arch, sizeof empty.arch);
    memcpy(empty.release, job->release, sizeof empty.release);
    if (hs_hiprtc_compile(&empty, &output) == HIPSHIM_OK) {
        reason = identify(job->runtime, id, &stamps);
    }
    hs_kernel_output_free(&output);
    if (reason) {
        hs_cache_set_note(cache, "%s", reason);
        return false;
    }
    write_record(cache, job, key, id, stamps);
    free(stamps);
    return true;
}

/*
 * The identity that this process uses.  The list only grows, because other
 * threads may be reading an older one.
 */
struct known_id {
    struct known_id *older;
    char id[HS_COMPILER_ID];
};
static struct known_id *_Atomic known;

static void remember_id(const char *id)
{
    struct known_id *made = malloc(sizeof *made);

    if (made) {
        memcpy(made->id, id, HS_COMPILER_ID);
        made->older = atomic_load(&known);
        while (!atomic_compare_exchange_weak(&known, &made->older, made)) {
        }
    }
}

bool hs_compiler_id_recall(struct hs_cache *cache, const struct hs_kernel_job *job,
                           char id[HS_COMPILER_ID])
{
    const struct known_id *current = atomic_load(&known);
    unsigned char key[HS_CACHE_KEY];

    if (current) {
        memcpy(id, current->id, HS_COMPILER_ID);
        return true;
    }
    if (!record_key(job->runtime, key) || !read_record(cache, key, id)) {
        return false;
    }
    remember_id(id);
    return true;
}

/* If several processes or threads need it at once, one probes and the others wait for it. */
bool hs_compiler_id_probe(struct hs_cache *cache, const struct hs_kernel_job *job,
                          char id[HS_COMPILER_ID])
{
    struct hs_cache_lock lock = HS_CACHE_LOCK_NONE;
    unsigned char key[HS_CACHE_KEY];

    if (!record_key(job->runtime, key)) {
        hs_cache_set_note(cache, "the path of the runtime is too long or contains a line end");
        return false;
    }
    bool has_lock = hs_cache_wait(cache, HS_COMPILER_GROUP, key, &lock, NULL) == HS_CACHE_LOCKED;
    bool is_known = (has_lock && read_record(cache, key, id)) || probe(cache, job, key, id);

    hs_cache_unlock(&lock);
    if (is_known) {
        remember_id(id);
    }
    return is_known;
}

bool hs_compiler_id_verify(struct hs_cache *cache, const struct hs_kernel_job *job, const char *id)
{
    char mapped[HS_COMPILER_ID], *stamps;
    unsigned char key[HS_CACHE_KEY];
    const char *reason = identify(job->runtime, mapped, &stamps);

    if (!reason && strcmp(mapped, id) != 0) {
        reason = "the compiler changed during this compilation";
        if (record_key(job->runtime, key)) {
            remember_id(mapped);
            write_record(cache, job, key, mapped, stamps);
        }
    }
    free(stamps);
    if (reason) {
        hs_cache_set_note(cache, "%s", reason);
    }
    return !reason;
}
