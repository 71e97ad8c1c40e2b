/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include "elf/build_id.h"
#include "base/file_stamp.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Libraries of a compiler: hiprtc, comgr, and the LLVM that comgr needs. */
enum { OBJECTS = 16, NEEDED = 8, BUILD_ID = 64 };

struct object {
    const char *path, *base;
    char build_id[BUILD_ID]; /* in hex, "" if it has none */
};

struct compiler {
    const struct hs_runtime *runtime;
    struct object objects[OBJECTS];
    unsigned count;
    const char *needed[NEEDED]; /* LLVM libraries that some comgr is linked with */
    unsigned needed_count;
    int looking_for_needed, too_many;
};

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* An address of the object: the linker gives numbers. */
static const void *pointer(const struct dl_phdr_info *info, uintptr_t offset)
{
    uintptr_t at = info->dlpi_addr + offset;

    return (const void *)at; /* NOLINT(performance-no-int-to-ptr): the linker's arithmetic */
}

static void find_needed(struct compiler *compiler, const struct dl_phdr_info *info)
{
    const ElfW(Dyn) *dynamic = NULL;
    const char *strings = NULL;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            dynamic = pointer(info, info->dlpi_phdr[i].p_vaddr);
        }
    }
    for (const ElfW(Dyn) *at = dynamic; at && at->d_tag != DT_NULL; at++) {
        if (at->d_tag == DT_STRTAB) {
            /* musl leaves it relative */
            strings = pointer(info, at->d_un.d_ptr -
                                        (at->d_un.d_ptr < info->dlpi_addr ? 0 : info->dlpi_addr));
        }
    }
    for (const ElfW(Dyn) *at = dynamic; strings && at->d_tag != DT_NULL; at++) {
        if (at->d_tag != DT_NEEDED || (!starts(strings + at->d_un.d_val, "libLLVM") &&
                                       !starts(strings + at->d_un.d_val, "libclang"))) {
            continue;
        }
        if (compiler->needed_count == NEEDED) {
            compiler->too_many = 1;
        } else {
            compiler->needed[compiler->needed_count++] = strings + at->d_un.d_val;
        }
    }
}

static int is_part(const struct compiler *compiler, const char *path)
{
    const char *base = base_of(path);

    if (starts(base, "libhiprtc") || starts(base, "libamd_comgr")) {
        return 1;
    }
    for (unsigned i = 0; i < compiler->needed_count; i++) {
        if (strcmp(base, compiler->needed[i]) == 0) {
            return 1;
        }
    }
    return compiler->runtime->path && strcmp(path, compiler->runtime->path) == 0;
}

static void put_hex(char *to, size_t room, const unsigned char *bytes, size_t size)
{
    for (*to = '\0'; size > 0 && room > 2; size--, bytes++, to += 2, room -= 2) {
        snprintf(to, room, "%02x", *bytes);
    }
}

/* In hex; "" if there is none. */
static void take_build_id(const unsigned char *notes, size_t size, char text[BUILD_ID])
{
    size_t length;
    const unsigned char *id = hs_build_id_find(notes, size, &length);

    if (id) {
        put_hex(text, BUILD_ID, id, length);
    }
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct compiler *compiler = context;
    struct object *object;

    (void)size;
    if (compiler->looking_for_needed) {
        if (starts(base_of(info->dlpi_name), "libamd_comgr")) {
            find_needed(compiler, info);
        }
        return 0;
    }
    if (!is_part(compiler, info->dlpi_name)) {
        return 0;
    }
    if (compiler->count == OBJECTS) {
        compiler->too_many = 1;
        return 1;
    }
    object = &compiler->objects[compiler->count++];
    object->path = info->dlpi_name;
    object->base = base_of(object->path);
    object->build_id[0] = '\0';
    for (unsigned i = 0; i < info->dlpi_phnum && !object->build_id[0]; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_NOTE) {
            take_build_id(pointer(info, part->p_vaddr), part->p_memsz, object->build_id);
        }
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct object *left = a, *right = b;
    int order = strcmp(left->base, right->base);

    return order ? order : strcmp(left->build_id, right->build_id);
}

/*
 * The build-id in the file, which may no longer be the one that is mapped: an
 * upgrade while the process runs.
 */
static int file_build_id(const char *path, char text[BUILD_ID], struct stat *status)
{
    unsigned char notes[1024];
    ElfW(Phdr) part;
    ElfW(Ehdr) header;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    text[0] = '\0';
    if (fd < 0 || fstat(fd, status) != 0 ||
        pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header) {
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    for (unsigned i = 0; i < header.e_phnum && !text[0]; i++) {
        if (pread(fd, &part, sizeof part, (off_t)(header.e_phoff + i * sizeof part)) ==
                (ssize_t)sizeof part &&
            part.p_type == PT_NOTE) {
            size_t size = part.p_filesz < sizeof notes ? part.p_filesz : sizeof notes;
            ssize_t got = pread(fd, notes, size, (off_t)part.p_offset);

            if (got > 0) {
                take_build_id(notes, (size_t)got, text);
            }
        }
    }
    close(fd);
    return 0;
}

/* Where the dynamic linker looks next time: a library that comes or goes changes its directory. */
static void describe_search(FILE *stream)
{
    static const char *const below[] = {"", "/glibc-hwcaps"};
    const char *list = secure_getenv("LD_LIBRARY_PATH");
    char line[HS_FILE_STAMP_ROOM], path[PATH_MAX];

    if (hs_file_stamp_line("/etc/ld.so.cache", NULL, line, sizeof line) > 0) {
        fputs(line, stream);
    }
    while (list && *list) {
        size_t length = strcspn(list, ":;");

        for (unsigned i = 0; i < 2 && length > 0; i++) {
            if (snprintf(path, sizeof path, "%.*s%s", (int)length, list, below[i]) < PATH_MAX &&
                hs_file_stamp_line(path, NULL, line, sizeof line) > 0) {
                fputs(line, stream);
            }
        }
        list += length + (list[length] != '\0');
    }
}

/* What is mapped, summed up; `files`, from malloc, describes it for later. */
static int observe(const struct hs_runtime *runtime, char identity[HS_COMPILER_ID],
                   char **files, const char **reason)
{
    struct compiler compiler = {.runtime = runtime, .looking_for_needed = 1};
    unsigned char digest[HS_SHA256_SIZE];
    struct hs_sha256 sum;
    char line[HS_FILE_STAMP_ROOM], id[BUILD_ID];
    struct stat status;
    size_t size;
    FILE *stream;

    dl_iterate_phdr(visit_object, &compiler);
    compiler.looking_for_needed = 0;
    dl_iterate_phdr(visit_object, &compiler);
    qsort(compiler.objects, compiler.count, sizeof compiler.objects[0], by_name);
    *files = NULL;
    *reason = "the compiler cannot be told from others";
    stream = compiler.too_many ? NULL : open_memstream(files, &size);
    if (!stream) {
        return -1;
    }
    *reason = NULL;
    hs_sha256_begin(&sum);
    for (unsigned i = 0; i < compiler.count && !*reason; i++) {
        const struct object *object = &compiler.objects[i];
        int length;

        if (file_build_id(object->path, id, &status) != 0 || strcmp(id, object->build_id) != 0 ||
            hs_file_stamp_line(object->path, NULL, line, sizeof line) < 0) {
            *reason = "the compiler was replaced while this process runs";
            continue;
        }
        fputs(line, stream);
        /* Without a build-id the file's own time has to do. */
        length = id[0] ? snprintf(line, sizeof line, "%s %s %lld\n", object->base, id,
                                  (long long)status.st_size)
                       : snprintf(line, sizeof line, "%s %lld %lld.%09ld\n", object->path,
                                  (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                                  status.st_mtim.tv_nsec);
        hs_sha256_add(&sum, line, length > 0 ? (size_t)length : 0);
    }
    describe_search(stream);
    hs_sha256_end(&sum, digest);
    hs_cache_hex(digest, identity);
    if (fclose(stream) != 0 || *reason) {
        free(*files);
        *files = NULL;
        return -1;
    }
    return 0;
}

/* Under which name it is kept: the runtime and what may lead to another compiler. */
static int memo_key(const char *path, unsigned char key[HS_CACHE_KEY])
{
    static const char *const variables[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "ROCM_PATH",
                                            "HIP_PATH"};
    char line[HS_FILE_STAMP_ROOM];
    struct hs_sha256 sum;
    int length = hs_file_stamp_line(path, NULL, line, sizeof line);

    if (length < 0) {
        return -1;
    }
    hs_sha256_begin(&sum);
    hs_sha256_add(&sum, line, (size_t)length + 1);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);

        value = value ? value : "";
        hs_sha256_add(&sum, value, strlen(value) + 1);
    }
    hs_sha256_end(&sum, key);
    return 0;
}

static int recall(struct hs_cache *cache, const unsigned char key[HS_CACHE_KEY],
                  char identity[HS_COMPILER_ID])
{
    struct hs_cache_found found;
    int result = -1;

    if (!hs_cache_find(cache, HS_KERNEL_MEMOS, key, &found)) {
        return -1;
    }
    if (strlen(found.entry.identity) == HS_COMPILER_ID - 1 && *found.entry.log &&
        hs_kernel_memo_holds(found.entry.log)) {
        memcpy(identity, found.entry.identity, HS_COMPILER_ID);
        result = 0;
    }
    free(found.data);
    return result;
}

static void remember(struct hs_cache *cache, const struct hs_runtime *runtime,
                     const unsigned char key[HS_CACHE_KEY], const char *identity, const char *files)
{
    char release[HS_KERNEL_RELEASE];

    hs_kernel_release(runtime, release);
    hs_kernel_memo_keep(cache, key, "the compiler of hiprtc", release, identity, files);
}

/* Maps the compiler by using it, then looks. */
static int probe(struct hs_cache *cache, const struct hs_runtime *runtime, const char *arch,
                 const unsigned char key[HS_CACHE_KEY], char identity[HS_COMPILER_ID])
{
    struct hs_kernel_job job = {
        .options = {.source = "extern \"C\" __global__ void hipshim_probe() {}\n",
                    .name = "hipshim_probe.hip"}};
    struct hs_kernel_output output;
    const char *reason = "the compiler does not even compile an empty kernel";
    char *files = NULL;
    int result = -1;

    if (hs_loader_open_hiprtc(runtime) != 0) {
        hs_cache_complain(cache, HS_KERNEL_BY_HIPCC);
        return -1;
    }
    snprintf(job.arch, sizeof job.arch, "%s", arch);
    if (hs_hiprtc_compile(&job, &output) == HIPSHIM_OK) {
        result = observe(runtime, identity, &files, &reason);
    }
    hs_kernel_output_free(&output);
    if (result == 0) {
        remember(cache, runtime, key, identity, files);
        free(files);
    } else {
        hs_cache_complain(cache, "%s", reason);
    }
    return result;
}

/* What this process found; the old ones stay, since other threads may read them. */
struct known {
    struct known *before;
    const struct hs_runtime *runtime;
    char identity[HS_COMPILER_ID];
};
static struct known *_Atomic known;

static void publish(const struct hs_runtime *runtime, const char *identity)
{
    struct known *mine = malloc(sizeof *mine);

    if (mine) {
        mine->runtime = runtime;
        memcpy(mine->identity, identity, HS_COMPILER_ID);
        mine->before = known;
        while (!atomic_compare_exchange_weak(&known, &mine->before, mine)) {
        }
    }
}

/* One of several that come at once does it; the others wait for what it finds. */
static int probe_once(struct hs_cache *cache, const struct hs_runtime *runtime, const char *arch,
                      const unsigned char key[HS_CACHE_KEY], char identity[HS_COMPILER_ID])
{
    struct hs_cache_lock lock = {-1, -1, ""};
    int result;

    if (hs_kernel_wait(cache, HS_KERNEL_MEMOS, key, &lock, NULL) == HS_CACHE_MINE &&
        recall(cache, key, identity) == 0) {
        hs_cache_unlock(&lock);
        return 0;
    }
    result = probe(cache, runtime, arch, key, identity);
    hs_cache_unlock(&lock);
    return result;
}

int hs_kernel_identity_print(struct hs_cache *cache, const struct hs_runtime *runtime,
                             const char *identity, FILE *stream)
{
    unsigned char key[HS_CACHE_KEY];
    struct hs_cache_found found;
    int result = -1;

    if (memo_key(runtime->path, key) == 0 && hs_cache_find(cache, HS_KERNEL_MEMOS, key, &found)) {
        if (strcmp(found.entry.identity, identity) == 0 && hs_kernel_memo_holds(found.entry.log)) {
            fputs(found.entry.log, stream);
            result = 0;
        }
        free(found.data);
    }
    return result;
}

int hs_compiler_id_get(struct hs_cache *cache, const struct hs_runtime *runtime, const char *arch,
                       char identity[HS_COMPILER_ID])
{
    const struct known *mine = known;
    unsigned char key[HS_CACHE_KEY];

    if (mine && mine->runtime == runtime) {
        memcpy(identity, mine->identity, HS_COMPILER_ID);
        return 0;
    }
    if (memo_key(runtime->path, key) != 0) {
        hs_cache_complain(cache, "the runtime's path is too unusual");
        return -1;
    }
    if (recall(cache, key, identity) != 0 && probe_once(cache, runtime, arch, key, identity) != 0) {
        return -1;
    }
    publish(runtime, identity);
    return 0;
}

int hs_compiler_id_holds(struct hs_cache *cache, const struct hs_runtime *runtime,
                             const char *identity)
{
    char now[HS_COMPILER_ID], *files = NULL;
    unsigned char key[HS_CACHE_KEY];
    const char *reason = "the compiler is another one than it was";
    int holds;

    holds = observe(runtime, now, &files, &reason) == 0 && strcmp(now, identity) == 0;
    if (!holds) {
        hs_cache_complain(cache, "%s", reason ? reason : "the compiler is another one than it was");
        if (files && memo_key(runtime->path, key) == 0) {
            publish(runtime, now);
            remember(cache, runtime, key, now, files);
        }
    }
    free(files);
    return holds;
}
