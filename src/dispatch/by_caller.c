/* SPDX-License-Identifier: MIT */
#ifdef HS_DROP_IN

#include "dispatch/by_caller.h"

#include "dispatch/dispatch.h"
#include "loader/loaded_runtimes.h"
#include "elf/dropin_note.h"
#include "elf/image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIBRARIES = 2, NO_MAJOR = 0, MAJORS = 16 };

static const char *const stems[LIBRARIES] = {"libamdhip64.so.", "libhiprtc.so."};

/*
 * The one other major whose library of this stem the object was linked to;
 * NO_MAJOR if it needs none, this one too, or several.
 */
static unsigned other_major(const struct link_map *map, const char *stem)
{
    size_t length = strlen(stem);
    const ElfW(Dyn) * entry;
    struct hs_image object;
    unsigned found = NO_MAJOR;

    if (hs_image_view(&object, map->l_addr, map->l_ld) != 0) {
        return NO_MAJOR;
    }
    for (entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const char *name = object.strings + entry->d_un.d_val;

        if (entry->d_tag == DT_NEEDED && strncmp(name, stem, length) == 0) {
            unsigned major = (unsigned)strtoul(name + length, NULL, 10);

            if (major == HS_DROP_IN || (found != NO_MAJOR && found != major)) {
                return NO_MAJOR;
            }
            found = major < MAJORS ? major : NO_MAJOR;
        }
    }
    return found;
}

static const struct link_map *object_at(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object found;

    /* glibc since 2.35: without a lock, and without a search for a symbol. */
    if (_dl_find_object((void *)address, &found) == 0) {
        return found.dlfo_link_map;
    }
#endif
    return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 ? map : NULL;
}

static int is_runtime(void *handle)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    return runtime->handle && handle == runtime->handle;
}

/* A real library beside the runtime in use: nothing can make the two agree. */
static void warn_of(const char *soname)
{
    static _Atomic int warned;

    if (!warned++) {
        fprintf(stderr,
                "hipshim: two HIP runtimes in this process: %s, which some of it was linked to, "
                "and %s; calls of both meet in the second.  Put hipshim's drop-ins first on the "
                "library path (hipshim run --abi), or set HIPSHIM_LIBRARY to the first\n",
                soname, hs_dispatch_runtime()->path);
    }
}

/* The handle stays open: the library is in use by whoever called. */
static hs_function find_in_library(unsigned function, const char *soname)
{
    void *handle = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map = NULL;
    hs_function found = NULL;
    void *symbol;

    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        return NULL;
    }
    if (hs_dropin_note_of_file(map->l_name) == 0 && !is_runtime(handle)) {
        warn_of(soname);
        return NULL;
    }
    symbol = dlsym(handle, hs_tables_name(function));
    memcpy(&found, &symbol, sizeof found);
    return found;
}

/* Found once for each function and major; libraries do not change their minds. */
static hs_function find_other(unsigned function, const char *stem, unsigned major)
{
    static hs_function known[MAJORS][HS_FUNCTION_COUNT];
    hs_function found = __atomic_load_n(&known[major][function], __ATOMIC_ACQUIRE);
    char soname[32];

    if (!found) {
        snprintf(soname, sizeof soname, "%s%u", stem, major);
        found = find_in_library(function, soname);
        __atomic_store_n(&known[major][function], found, __ATOMIC_RELEASE);
    }
    return found;
}

/* What was found of the object that called last; most threads call from one. */
struct caller {
    const struct link_map *map;
    const ElfW(Dyn) * dynamic; /* with the map, enough to tell it from a later one */
    int is_back;
    unsigned majors[LIBRARIES];
};
static _Thread_local struct caller last;

static const struct caller *caller_at(const void *address)
{
    const struct link_map *map = object_at(address);
    struct link_map *back = NULL;
    void *handle = hs_dispatch_runtime()->handle;

    if (!map) {
        return NULL;
    }
    if (last.map != map || last.dynamic != map->l_ld) {
        last.map = handle ? map : NULL; /* without a runtime, not for longer than this call */
        last.dynamic = map->l_ld;
        last.is_back = handle && dlinfo(handle, RTLD_DI_LINKMAP, &back) == 0 && back == map;
        last.majors[0] = other_major(map, stems[0]);
        last.majors[1] = other_major(map, stems[1]);
    }
    return &last;
}

hs_function hs_by_caller_target(unsigned function, const void *address)
{
    const struct caller *caller = caller_at(address);
    int library = hs_tables_is_hiprtc(function);

    if (!caller) {
        return NULL;
    }
    if (caller->is_back) {
        return hs_dispatch_raw(function); /* the runtime's own call, caught on its way */
    }
    if (caller->majors[library] == NO_MAJOR) {
        return NULL;
    }
    return find_other(function, stems[library], caller->majors[library]);
}

static int greet(struct dl_phdr_info *info, size_t size, void *context)
{
    int *met = context;
    void (*notify)(void);
    unsigned front = hs_dropin_note_of_object(info, &notify);

    (void)size;
    if (front != 0 && front != HS_DROP_IN) {
        *met = 1;
        if (notify) {
            notify();
        }
    }
    return 0;
}

/* Looks for other libraries, and tells the drop-ins among them of this one. */
static void meet_others(void)
{
    struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM];
    int met = 0, in_program;

    dl_iterate_phdr(greet, &met);
    if (met || hs_loaded_runtimes_find(list, &in_program) > 0) {
        hs_dispatch_route_by_caller();
    }
}

/* The major of the real library that plain look-ups reach; NO_MAJOR if there is none. */
static unsigned first_in_scope(const char **path)
{
    void *symbol = dlsym(RTLD_DEFAULT, "hipPointerGetAttributes");
    struct link_map *map = NULL;
    struct hs_image object;
    Dl_info info;

    if (!symbol || dladdr1(symbol, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !map ||
        hs_dropin_note_of_file(map->l_name) != 0 ||
        hs_image_view(&object, map->l_addr, map->l_ld) != 0 || !object.soname ||
        strncmp(object.soname, stems[0], strlen(stems[0])) != 0) {
        return NO_MAJOR;
    }
    *path = map->l_name;
    return (unsigned)strtoul(object.soname + strlen(stems[0]), NULL, 10);
}

/*
 * With a real library of another major in front, what was linked to this one
 * calls that one, and nothing here is asked: all that is left is to say so.
 */
__attribute__((constructor)) static void loaded(void)
{
    const char *path = "";
    unsigned major = first_in_scope(&path);

    meet_others();
    if (major != NO_MAJOR && major != HS_DROP_IN) {
        fprintf(stderr,
                "hipshim: %s comes before the drop-in libamdhip64.so.%d in this process, so what "
                "was built for HIP %d calls it with another ABI.  Start the program with `hipshim "
                "run --abi auto', which puts drop-ins in front of both\n",
                path, HS_DROP_IN, HS_DROP_IN);
    }
}

#endif
