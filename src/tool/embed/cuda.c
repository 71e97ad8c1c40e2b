/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: CUDA's names in a .cu file become HIP's; by hipify-perl where
 * that is installed, else here, where few need a table: HIP took over CUDA's
 * names with "hip" for "cuda", and hipshim knows which names there are.
 */
#include "tool/embed/embed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "tool/words.h"

extern char **environ;

/*
 * What the rule does not give; to "" where HIP's function of that name is another
 * than CUDA's driver has.
 */
static const char *const words[][2] = {
    {"__CUDACC__", "__HIPCC__"},
    {"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"},
    {"cudaDeviceProp", "hipDeviceProp_t"},
    {"cuComplex", "hipComplex"},
    {"cuFloatComplex", "hipFloatComplex"},
    {"cuDoubleComplex", "hipDoubleComplex"},
    {"CUDA_SUCCESS", "hipSuccess"},
    {"CUcontext", "hipCtx_t"},
    {"CUdevice", "hipDevice_t"},
    {"CUdeviceptr", "hipDeviceptr_t"},
    {"CUevent", "hipEvent_t"},
    {"CUfunction", "hipFunction_t"},
    {"CUmodule", "hipModule_t"},
    {"CUresult", "hipError_t"},
    {"CUstream", "hipStream_t"},
    {"cuEventCreate", "hipEventCreateWithFlags"},
    {"cuGetErrorName", "hipDrvGetErrorName"},
    {"cuGetErrorString", "hipDrvGetErrorString"},
    {"cuGraphAddMemFreeNode", "hipDrvGraphAddMemFreeNode"},
    {"cuGraphAddMemcpyNode", "hipDrvGraphAddMemcpyNode"},
    {"cuGraphAddMemsetNode", "hipDrvGraphAddMemsetNode"},
    {"cuLaunchCooperativeKernel", "hipModuleLaunchCooperativeKernel"},
    {"cuLaunchKernel", "hipModuleLaunchKernel"},
    {"cuMemAlloc", "hipMalloc"},
    {"cuMemFree", "hipFree"},
    {"cuMemcpy", ""},
    {"cuMemcpy2D", "hipMemcpyParam2D"},
    {"cuMemcpy2DAsync", "hipMemcpyParam2DAsync"},
    {"cuMemcpy2DUnaligned", "hipDrvMemcpy2DUnaligned"},
    {"cuMemcpy3D", "hipDrvMemcpy3D"},
    {"cuMemcpy3DAsync", "hipDrvMemcpy3DAsync"},
    {"cuMemcpyAsync", ""},
    {"cuMemcpyPeer", ""},
    {"cuMemcpyPeerAsync", ""},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor",
     "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"},
    {"cuPointerGetAttributes", "hipDrvPointerGetAttributes"},
    {"cuStreamCreate", "hipStreamCreateWithFlags"},
};

static const char *const headers[][2] = {
    {"cooperative_groups.h", "hip/hip_cooperative_groups.h"},
    {"cuComplex.h", "hip/hip_complex.h"},
    {"cuda.h", "hip/hip_runtime.h"},
    {"cuda_bf16.h", "hip/hip_bf16.h"},
    {"cuda_fp16.h", "hip/hip_fp16.h"},
    {"cuda_fp8.h", "hip/hip_fp8.h"},
    {"cuda_runtime.h", "hip/hip_runtime.h"},
    {"cuda_runtime_api.h", "hip/hip_runtime.h"},
    {"device_launch_parameters.h", "hip/hip_runtime.h"},
};

struct mapping {
    const struct embed_request *request;
    const char *path;
    FILE *out;
    int line;
};

static int compare(const void *word, const void *known)
{
    return strcmp(word, *(const char *const *)known);
}

static int is_known(const char *name)
{
    return bsearch(name, tool_hip_names, tool_hip_name_count, sizeof tool_hip_names[0], compare) != NULL;
}

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Whether a word is CUDA's to judge by its looks: cudaMalloc, cuMemAlloc, CUarray, CU_MEMORY. */
static int looks_cuda(const char *word)
{
    if (strncmp(word, "CU", 2) == 0) {
        return word[2] == '_' || (word[2] >= 'a' && word[2] <= 'z');
    }
    return (strncmp(word, "cuda", 4) == 0 && is_upper(word[4])) ||
           (strncmp(word, "cu", 2) == 0 && is_upper(word[2]));
}

/* HIP's name, "" if it has none. */
static const char *hip_name(const char *word, char name[256])
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], word) == 0) {
            return words[i][1];
        }
    }
    if (!looks_cuda(word)) {
        return word;
    }
    snprintf(name, 256, "hip%s", word + (strncmp(word, "cuda", 4) == 0 ? 4 : 2));
    return is_known(name) ? name : "";
}

static void map_word(struct mapping *mapping, const char *word)
{
    char room[256];
    const char *name = hip_name(word, room);

    if (!*name) {
        embed_warn(mapping->request, "%s:%d: %s: no HIP name is known for it, left as it is",
                   mapping->path, mapping->line, word);
        name = word;
    }
    fputs(name, mapping->out);
}

/* After "#include <" or "#include \""; how many bytes were done. */
static size_t map_include(struct mapping *mapping, const char *at)
{
    size_t length = strcspn(at, ">\"\n");

    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (strlen(headers[i][0]) == length && memcmp(headers[i][0], at, length) == 0) {
            fputs(headers[i][1], mapping->out);
            return length;
        }
    }
    if (strncmp(at, "cu", 2) == 0) {
        embed_warn(mapping->request, "%s:%d: <%.*s>: no HIP header is known for it, left as it is",
                   mapping->path, mapping->line, (int)length, at);
    }
    fwrite(at, 1, length, mapping->out);
    return length;
}

/* A comment, string or character constant at `at`: its length, 0 if it is none. */
static size_t quoted(const char *at)
{
    const char *end;
    size_t i;

    if (strncmp(at, "//", 2) == 0) {
        return strcspn(at, "\n");
    }
    if (strncmp(at, "/*", 2) == 0) {
        end = strstr(at + 2, "*/");
        return end ? (size_t)(end - at) + 2 : strlen(at);
    }
    if (*at != '"' && *at != '\'') {
        return 0;
    }
    for (i = 1; at[i] && at[i] != *at && at[i] != '\n'; i++) {
        i += at[i] == '\\' && at[i + 1];
    }
    return i + (at[i] == *at);
}

/* A raw string, its prefix included, of so many bytes, or 0. */
static size_t raw_string(const char *at)
{
    static const char *const prefixes[] = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(at, prefixes[i], length) == 0) {
            size_t rest = embed_raw_string(at + length - 1);

            return rest ? length - 1 + rest : 0;
        }
    }
    return 0;
}

/* A name, or a number with its digit separators, which are no quotes. */
static size_t word_length(const char *at)
{
    int number = *at >= '0' && *at <= '9';
    size_t length = 0;

    while (embed_is_word(at[length]) ||
           (number && at[length] == '\'' && embed_is_word(at[length + 1]))) {
        length++;
    }
    return length;
}

/* Other than 0, which HIP's macro compares with as CUDA's does. */
static int is_number(const char *at)
{
    return *at >= '0' && *at <= '9' && !(*at == '0' && !embed_is_word(at[1]));
}

/* Whether a comparison is at `at`, its length; none is in << or ->. */
static size_t comparison(const char *at)
{
    if (at[0] && strchr("<>=!", at[0]) && at[1] == '=') {
        return 2;
    }
    return (at[0] == '<' || at[0] == '>') && at[1] != at[0];
}

static int follows_number(const char *text, const char *at)
{
    const char *end;

    while (at > text && strchr(" \t(", at[-1])) {
        at--;
    }
    end = at;
    while (at > text && strchr("<>=!", at[-1])) {
        at--;
    }
    if (at == end || comparison(at) != (size_t)(end - at)) {
        return 0;
    }
    while (at > text && strchr(" \t)", at[-1])) {
        at--;
    }
    while (at > text && embed_is_word(at[-1])) {
        at--;
    }
    return is_number(at);
}

static int precedes_number(const char *at)
{
    size_t length;

    at += strspn(at, " \t)");
    length = comparison(at);
    at += length;
    return length > 0 && is_number(at + strspn(at, " \t("));
}

/* Whether `at`, at a < or ", opens the name of an #include. */
static int is_include(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t')) {
        at--;
    }
    return at - text >= 8 && memcmp(at - 7, "include", 7) == 0;
}

static void map_word_at(struct mapping *mapping, const char *text, const char *at, size_t length)
{
    char word[200];

    if (length >= sizeof word) {
        fwrite(at, 1, length, mapping->out);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (strcmp(word, "__CUDA_ARCH__") == 0 &&
        (follows_number(text, at) || precedes_number(at + length))) {
        embed_warn(mapping->request,
                   "%s:%d: __CUDA_ARCH__ is compared with a number: HIP's macro is 1",
                   mapping->path, mapping->line);
    }
    map_word(mapping, word);
}

static void map_text(struct mapping *mapping, const char *text)
{
    const char *at = text;

    while (*at) {
        size_t length = 0;

        if ((*at == '<' || *at == '"') && is_include(text, at)) {
            putc(*at, mapping->out);
            length = 1 + map_include(mapping, at + 1);
        } else if ((length = quoted(at)) > 0 || (length = raw_string(at)) > 0) {
            fwrite(at, 1, length, mapping->out);
        } else if ((length = word_length(at)) > 0) {
            map_word_at(mapping, text, at, length);
        } else {
            length = 1;
            putc(*at, mapping->out);
        }
        for (; length > 0; length--) {
            mapping->line += *at++ == '\n';
        }
    }
}

static char *map_names(const struct embed_request *request, const char *path, const char *cuda)
{
    char *text = NULL;
    size_t size;
    struct mapping mapping = {request, path, open_memstream(&text, &size), 1};
    int failed = 1;

    if (mapping.out) {
        map_text(&mapping, cuda);
        failed = ferror(mapping.out);
        failed |= fclose(mapping.out) != 0;
    }
    if (failed) {
        embed_complain(request, "out of memory");
        free(text);
        text = NULL;
    }
    return text;
}

/* A path to start, or NULL; hipify-perl is looked for in --rocm, then in PATH. */
static const char *find_hipify(const struct embed_request *request, char path[PATH_MAX])
{
    const char *list = getenv("PATH");

    if (request->hipify) {
        return strcmp(request->hipify, "none") == 0 ? NULL : request->hipify;
    }
    if (request->rocm) {
        snprintf(path, PATH_MAX, "%s/bin/hipify-perl", request->rocm);
        if (hs_path_is_executable(path)) {
            return path;
        }
    }
    while (list && *list) {
        size_t length = strcspn(list, ":");

        snprintf(path, PATH_MAX, "%.*s/hipify-perl", (int)length, list);
        if (length > 0 && hs_path_is_executable(path)) {
            return path;
        }
        list += length + (list[length] == ':');
    }
    return NULL;
}

/* What it writes to its standard output; NULL after a message. */
static char *run_hipify(const struct embed_request *request, const char *path, const char *program)
{
    const char *arguments[] = {program, path, NULL};
    posix_spawn_file_actions_t actions;
    int fd = memfd_create("hipify", MFD_CLOEXEC), status = -1, error;
    char file[40], *text = NULL;
    size_t size;
    pid_t child;

    error = fd < 0 ? errno : posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, fd, 1);
        error =
            error ? error
                  : posix_spawn(&child, program, &actions, NULL, (char *const *)arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (error) {
        embed_complain(request, "%s cannot be run for %s: %s", program, path, strerror(error));
    } else if (status != 0) {
        embed_complain(request, "%s fails on %s", program, path);
    } else {
        snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
        text = embed_read(file, &size);
        if (!text) {
            embed_complain(request, "%s: %s", path, strerror(errno));
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return text;
}

int embed_from_cuda(struct embed_request *request, const char *path, char **text)
{
    char room[PATH_MAX];
    const char *program = find_hipify(request, room);
    char *hip;

    /* What several sources include is read once, and complained of once. */
    for (size_t i = 0; i < request->mapped_paths.count; i++) {
        if (strcmp(request->mapped_paths.items[i], path) == 0) {
            hip = strdup(request->mapped_texts.items[i]);
            free(*text);
            *text = hip;
            return hip ? 0 : embed_complain(request, "out of memory");
        }
    }
    hip = program ? run_hipify(request, path, program) : map_names(request, path, *text);
    if (!hip) {
        return -1;
    }
    free(*text);
    *text = hip;
    if (embed_list_add(&request->mapped_paths, path) != 0 ||
        embed_list_add(&request->mapped_texts, hip) != 0) {
        return embed_complain(request, "out of memory");
    }
    return 0;
}
