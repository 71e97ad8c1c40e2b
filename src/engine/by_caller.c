/* SPDX-License-Identifier: MIT */
#include "engine/by_caller.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image.h"
#include "elf/notes.h"
#include "engine/api.h"
#include "engine/dispatch.h"
#include "engine/version.h"

enum { NO_MAJOR = 0 };

static atomic_bool routes;

/* The runtime's entry in the list of the dynamic linker, NULL until it is open. */
static const struct link_map *_Atomic runtime_object;

static hs_function wrapper_of(unsigned function)
{
    for (unsigned i = 0; i < hs_caller_routed_entry_count; i++) {
        if (hs_caller_routed_entries[i].function == function) {
            return hs_caller_routed_entries[i].entry;
        }
    }
    return NULL;
}

static hs_function active_wrapper(unsigned function)
{
    return routes ? wrapper_of(function) : NULL;
}

/* Only the assembly of the ELF note refers to this function, which link-time optimisation of gcc
 * does not see. */
#if __has_attribute(externally_visible)
__attribute__((externally_visible))
#endif
__attribute__((used)) void
hs_dispatch_route_by_caller(void)
{
    routes = true;
    for (unsigned i = 0; i < hs_caller_routed_entry_count; i++) {
        __atomic_store_n(&hs_slots[hs_caller_routed_entries[i].function],
                         hs_caller_routed_entries[i].entry, __ATOMIC_RELEASE);
    }
}

/* Callers of a drop-in have no function for the error text. */
static void print_reason(const struct hs_runtime *runtime)
{
    fprintf(stderr, "hipshim: %s.so.%u: %s\n", hs_api.libraries[0].stem, hs_dropin_major,
            runtime->reason);
}

static void runtime_opened(const struct hs_runtime *runtime)
{
    struct link_map *map = NULL;
    if (runtime->handle && dlinfo(runtime->handle, RTLD_DI_LINKMAP, &map) == 0) {
        runtime_object = map;
    }
    if (!runtime->handle) {
        print_reason(runtime);
    } else if ((unsigned)runtime->major != hs_dropin_major) {
        /* A library that is loaded later and needs the runtime's own major gets the runtime. */
        hs_dispatch_route_by_caller();
    }
}

/* Which versions the objects of this process need of this drop-in's first library. */
struct release_need {
    const struct hs_runtime *runtime; /* NULL, or the one that `is_later` compares with */
    char soname[64];
    bool is_any, is_later;
};

/* The version names end in the release that introduced the symbols: NAME_5.6. */
static void note_version(const char *version, void *context)
{
    struct release_need *need = context;
    const char *number = strrchr(version, '_');
    need->is_any = true;
    if (!number || !need->runtime) {
        return;
    }
    char *dot;
    unsigned long major = strtoul(number + 1, &dot, 10);
    unsigned long minor = *dot == '.' ? strtoul(dot + 1, NULL, 10) : 0;
    unsigned long own_major = (unsigned long)need->runtime->major;
    unsigned long own_minor = (unsigned long)need->runtime->minor;
    need->is_later |= major > own_major || (major == own_major && minor > own_minor);
}

static int note_needs(struct dl_phdr_info *info, size_t size, void *context)
{
    struct release_need *need = context;
    struct hs_image image;
    (void)size;
    if (hs_image_view_info(&image, info)) {
        hs_image_visit_versions(&image, need->soname, note_version, need);
    }
    return 0;
}

static struct release_need find_needs(const struct hs_runtime *runtime)
{
    struct release_need need = {.runtime = runtime};
    snprintf(need.soname, sizeof need.soname, "%s.so.%u", hs_api.libraries[0].stem,
             hs_dropin_major);
    dl_iterate_phdr(note_needs, &need);
    return need;
}

static bool is_native(const struct hs_runtime *runtime)
{
    return runtime->handle && (unsigned)runtime->major == hs_dropin_major &&
           !find_needs(runtime).is_later;
}

/*
 * The one other major whose library of this stem the object needs; NO_MAJOR if it needs none, if
 * it needs this major too, or if it needs several.
 */
static unsigned other_major(const struct link_map *map, const char *stem)
{
    struct hs_image image;
    if (!hs_image_view(&image, map->l_addr, map->l_ld)) {
        return NO_MAJOR;
    }
    size_t length = strlen(stem), suffix = strlen(".so.");
    unsigned found = NO_MAJOR;
    const ElfW(Dyn) *at = NULL;
    const char *name;
    while ((name = hs_image_needed(&image, &at)) != NULL) {
        if (strncmp(name, stem, length) != 0 || strncmp(name + length, ".so.", suffix) != 0) {
            continue;
        }
        unsigned major = (unsigned)strtoul(name + length + suffix, NULL, 10);
        if (major == hs_dropin_major || (found != NO_MAJOR && found != major)) {
            return NO_MAJOR;
        }
        found = major < HS_CALLER_MAJORS ? major : NO_MAJOR;
    }
    return found;
}

static const struct link_map *object_at(const void *address)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    /* glibc since 2.35: without a lock, and without a search for a symbol. */
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found) == 0) {
        return found.dlfo_link_map;
    }
#endif
    Dl_info info;
    struct link_map *map = NULL;
    return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 ? map : NULL;
}

static bool is_runtime(const void *handle)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();
    return runtime->handle && handle == runtime->handle;
}

/* A real library beside the runtime in use: nothing can make the two agree. */
static void warn_of(const char *soname)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&warned)) {
        fprintf(stderr,
                "hipshim: this process has two %ss: %s, which some objects were linked "
                "to, and %s; calls to either go to the second.  Put hipshim's drop-ins first on "
                "the library path (hipshim run --abi), or set %s to the first\n",
                hs_api.noun, soname, hs_dispatch_runtime()->path, hs_api.pin);
    }
}

/* Keeps the handle open, because the caller uses the library. */
static hs_function find_in_library(unsigned function, const char *soname)
{
    void *handle = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        return NULL;
    }
    if (hs_dropin_note_of_file(map->l_name) == 0 && !is_runtime(handle)) {
        warn_of(soname);
        return NULL;
    }
    hs_function found = NULL;
    void *symbol = dlsym(handle, hs_tables_name(function));
    memcpy(&found, &symbol, sizeof found);
    return found;
}

/* Looks each function of a major up once, because a loaded library does not change. */
static hs_function find_other(unsigned function, const char *stem, unsigned major)
{
    hs_function *known = &hs_caller_known[major * hs_function_count + function];
    hs_function found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (!found) {
        char soname[64];
        snprintf(soname, sizeof soname, "%s.so.%u", stem, major);
        found = find_in_library(function, soname);
        __atomic_store_n(known, found, __ATOMIC_RELEASE);
    }
    return found;
}

hs_function hs_by_caller_target(unsigned function, const void *address)
{
    /* Nothing is kept of an object: after dlclose another one may lie at its address. */
    const struct link_map *map = object_at(address);
    if (!map) {
        return NULL;
    }
    if (map == runtime_object) {
        return hs_dispatch_runtime_function(function); /* the runtime's call to itself */
    }
    const char *stem = hs_api.libraries[hs_function_entries[function].library].stem;
    unsigned major = other_major(map, stem);
    return major == NO_MAJOR ? NULL : find_other(function, stem, major);
}

static int greet(struct dl_phdr_info *info, size_t size, void *context)
{
    bool *met = context;
    void (*notify)(void);
    unsigned major = hs_dropin_note_of_object(info, &notify);

    (void)size;
    if (major != 0 && major != hs_dropin_major) {
        *met = true;
        if (notify) {
            notify();
        }
    }
    return 0;
}

/* Looks for other libraries, and notifies the drop-ins among them of this one. */
static void meet_others(void)
{
    bool met = false;
    dl_iterate_phdr(greet, &met);
    if (met || hs_loader_finds_loaded_runtime()) {
        hs_dispatch_route_by_caller();
    }
}

/* The major of the real library that plain lookups reach; NO_MAJOR if there is none. */
static unsigned first_in_scope(const char **path)
{
    void *symbol = dlsym(RTLD_DEFAULT, hs_api.libraries[0].scope_probe);
    struct link_map *map = NULL;
    struct hs_image image;
    Dl_info info;

    if (!symbol || dladdr1(symbol, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !map ||
        hs_dropin_note_of_file(map->l_name) != 0 ||
        !hs_image_view(&image, map->l_addr, map->l_ld)) {
        return NO_MAJOR;
    }
    *path = map->l_name;
    return hs_version_of_soname(image.soname);
}

/*
 * If a real library of another major is first in scope, objects that were linked to this drop-in
 * call that library, and nothing here is ever called.  This drop-in can only print a message.  A
 * library that opened this one by its bare name calls what it looks up here.
 */
static void warn_of_library_in_front(void)
{
    const char *path = "";
    unsigned major = first_in_scope(&path);

    meet_others();
    if (major != NO_MAJOR && major != hs_dropin_major && find_needs(NULL).is_any) {
        fprintf(stderr,
                "hipshim: %s comes before the drop-in %s.so.%u in this process, so "
                "objects that were built for %s %u call it with another ABI.  Start the program "
                "with `hipshim run --abi auto`, which puts drop-ins before both\n",
                path, hs_api.libraries[0].stem, hs_dropin_major, hs_api.name, hs_dropin_major);
    }
}

/*
 * Opens the runtime's library at once, as a program that was linked to it does: the runtime then
 * ends after the handlers and destructors that the program registers, as it does natively.  A
 * library that is opened at the first call would end before them.  It is initialised by the
 * program's first call, as natively, because main may choose devices by variables of the
 * environment, or fork, before that.
 */
__attribute__((constructor)) static void load(void)
{
    warn_of_library_in_front();
    const struct hs_runtime *runtime = hs_dispatch_preopen();
    if (runtime) {
        if (hs_version_of_soname(runtime->soname) != hs_dropin_major) {
            hs_dispatch_route_by_caller(); /* as runtime_opened would do too late */
        }
        return;
    }
    runtime = hs_dispatch_runtime(); /* finds none either, and says why */
    if (!hs_loader_is_settled()) {
        print_reason(runtime); /* once, although the next call tries again */
    }
}

const struct hs_routing hs_by_caller = {
    .runtime_opened = runtime_opened,
    .is_native = is_native,
    .wrapper = active_wrapper,
};
