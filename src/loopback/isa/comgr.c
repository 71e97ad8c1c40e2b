/* SPDX-License-Identifier: MIT */
/*
 * The disassembler: amd_comgr_disassemble_instruction of the comgr that the HIP runtime in this
 * process brings.  The loopback is not linked to it.  A wheel gives the library a mangled name, so
 * it is known by its functions.  A thread of a queue must not call dlopen or dlsym, because a
 * constructor in a dlopen may wait for the queue; so the search happens when a code object is
 * loaded.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image.h"
#include "isa.h"

struct comgr_handle {
    uint64_t handle;
};

static struct {
    int (*create)(const char *isa, uint64_t (*read)(uint64_t, char *, uint64_t, void *),
                  void (*print)(const char *, void *), void (*annotate)(uint64_t, void *),
                  struct comgr_handle *result);
    int (*disassemble)(struct comgr_handle info, uint64_t address, void *data, uint64_t *size);
    struct comgr_handle info;
} comgr;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* What one call reads and prints. */
struct request {
    const char *bytes;
    size_t size;
    char *text;
    size_t room;
};

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct hs_image image;
    char *directory = context;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    (void)size;
    if (slash && strstr(slash, "libamdhip64") && slash - info->dlpi_name < PATH_MAX) {
        snprintf(directory, PATH_MAX, "%.*s", (int)(slash - info->dlpi_name), info->dlpi_name);
    }
    if (!hs_image_view_info(&image, info)) {
        return 0;
    }
    *(void **)&comgr.create = hs_image_function(&image, "amd_comgr_create_disassembly_info");
    *(void **)&comgr.disassemble = hs_image_function(&image, "amd_comgr_disassemble_instruction");
    return comgr.create && comgr.disassemble;
}

static bool open_beside(const char *directory)
{
    static const char *const names[] = {"libamd_comgr.so.3", "libamd_comgr.so.2"};
    char path[PATH_MAX + 32];
    void *library = NULL;
    for (size_t i = directory[0] ? 0 : 2; i < 4 && !library; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i % 2]);
        library = dlopen(i < 2 ? path : names[i % 2], RTLD_NOW | RTLD_LOCAL);
    }
    return library != NULL;
}

static uint64_t read_bytes(uint64_t from, char *to, uint64_t size, void *data)
{
    const struct request *request = data;
    uint64_t offset = from - (uint64_t)request->bytes;
    uint64_t left = offset < request->size ? request->size - offset : 0;
    size = size < left ? size : left;
    memcpy(to, request->bytes + offset, size);
    return size;
}

static void print(const char *text, void *data)
{
    struct request *request = data;
    snprintf(request->text, request->room, "%s", text + strspn(text, " \t"));
}

static void annotate(uint64_t address, void *data)
{
    (void)address;
    (void)data;
}

bool isa_comgr_find(void)
{
    char directory[PATH_MAX] = "";
    char isa[64];
    snprintf(isa, sizeof isa, "amdgcn-amd-amdhsa--%s", lb_settings.gfx);
    pthread_mutex_lock(&mutex);
    if (!comgr.info.handle) {
        if ((dl_iterate_phdr(visit, directory) ||
             (open_beside(directory) && dl_iterate_phdr(visit, directory))) &&
            comgr.create(isa, read_bytes, print, annotate, &comgr.info)) {
            comgr.info.handle = 0;
        }
        atexit(lb_settle); /* runs before the exit handlers of comgr */
    }
    bool found = comgr.info.handle != 0;
    pthread_mutex_unlock(&mutex);
    return found;
}

bool isa_comgr_ready(void)
{
    return comgr.info.handle != 0;
}

static size_t disassemble(struct request *request)
{
    uint64_t length = 0;
    request->text[0] = '\0';
    return !comgr.disassemble(comgr.info, (uint64_t)request->bytes, request, &length) ? length : 0;
}

size_t isa_disassemble(const char *bytes, size_t size, char *text, size_t room)
{
    struct request request = {bytes, size, text, room};
    size_t length = disassemble(&request);
    if (length == 0 && size >= 8 && bytes[3] == (char)0xd0) {
        /* The comgr of 6.4 reads a v_cmpx of gfx90a only if its result is EXEC alone. */
        char with_exec[8] = {EXEC}, rest[256];
        memcpy(with_exec + 1, bytes + 1, sizeof with_exec - 1);
        request = (struct request){with_exec, sizeof with_exec, text, room};
        length = disassemble(&request);
        char *name = strstr(text, "exec,");
        if (name) {
            int first = (unsigned char)bytes[0];
            snprintf(rest, sizeof rest, "%s", name + strlen("exec"));
            if (first == VCC) {
                snprintf(name, room - (size_t)(name - text), "vcc%s", rest);
            } else {
                snprintf(name, room - (size_t)(name - text), "s[%d:%d]%s", first, first + 1, rest);
            }
        }
    }
    return length;
}
