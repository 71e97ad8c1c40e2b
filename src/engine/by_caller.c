/* SPDX-License-Identifier: MIT */
#include "engine/by_caller.h"

#include <ctype.h>
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

enum { NO_NUMBER = -1 };

/* The runtime's entry in the list of the dynamic linker, NULL until it is open. */
static const struct link_map *_Atomic runtime_object;

/* For functions that only the assembly of the ELF note refers to, which gcc's LTO does not see. */
#if __has_attribute(externally_visible)
#define OF_THE_NOTE __attribute__((used, externally_visible))
#else
#define OF_THE_NOTE __attribute__((used))
#endif

OF_THE_NOTE void hs_dispatch_route_by_caller(void)
{
    for (const uint16_t *at = hs_caller_routed; *at < hs_function_count; at++) {
        hs_dispatch_route(*at);
    }
}

/* Callers of a drop-in have no function for the error text. */
static void print_reason(const struct hs_runtime *runtime)
{
    fprintf(stderr, "hipshim: %s.so.%d: %s\n", hs_api.libraries[0].stem, hs_dropin_number,
            runtime->reason);
}

/* N of the runtime's STEM.so.N; libraries in packages of Python may have another soname. */
static int number_of(const struct hs_runtime *runtime)
{
    return runtime->release >= 0 ? hs_releases[runtime->release].soname : runtime->major;
}

static void runtime_opened(const struct hs_runtime *runtime)
{
    struct link_map *map = NULL;
    if (runtime->handle && dlinfo(runtime->handle, RTLD_DI_LINKMAP, &map) == 0) {
        runtime_object = map;
    }
    if (!runtime->handle) {
        print_reason(runtime);
    } else if (number_of(runtime) != hs_dropin_number) {
        /* A library that is loaded later and needs the runtime's own soname gets the runtime. */
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
    snprintf(need.soname, sizeof need.soname, "%s.so.%d", hs_api.libraries[0].stem,
             hs_dropin_number);
    dl_iterate_phdr(note_needs, &need);
    return need;
}

static bool is_native(const struct hs_runtime *runtime)
{
    return runtime->handle && number_of(runtime) == hs_dropin_number &&
           !find_needs(runtime).is_later;
}

/*
 * N of the one other library of this stem that the object needs; NO_NUMBER if it needs none, if
 * it needs this one too, or if it needs several.
 */
static int other_number(const struct link_map *map, const char *stem)
{
    struct hs_image image;
    if (!hs_image_view_needed(&image, map->l_addr, map->l_ld)) {
        return NO_NUMBER;
    }
    size_t length = strlen(stem), suffix = strlen(".so.");
    int found = NO_NUMBER;
    const ElfW(Dyn) *at = NULL;
    const char *name;
    while ((name = hs_image_needed(&image, &at)) != NULL) {
        if (strncmp(name, stem, length) != 0 || strncmp(name + length, ".so.", suffix) != 0) {
            continue;
        }
        int number = 0; /* strtoul would take half of the time here */
        for (const char *digit = name + length + suffix;
             isdigit((unsigned char)*digit) && number < HS_CALLER_NUMBERS; digit++) {
            number = 10 * number + (*digit - '0');
        }
        if (number == hs_dropin_number || (found != NO_NUMBER && found != number)) {
            return NO_NUMBER;
        }
        found = number < HS_CALLER_NUMBERS ? number : NO_NUMBER;
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
    if (!hs_dropin_of_file(map->l_name, NULL) && !is_runtime(handle)) {
        warn_of(soname);
        return NULL;
    }
    hs_function found = NULL;
    void *symbol = dlsym(handle, hs_tables_name(function));
    memcpy(&found, &symbol, sizeof found);
    return found;
}

/* Looks each function of a library up once, because a loaded library does not change. */
static hs_function find_other(unsigned function, const char *stem, int number)
{
    hs_function *known = &hs_caller_known[(unsigned)number * hs_function_count + function];
    hs_function found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (!found) {
        char soname[64];
        snprintf(soname, sizeof soname, "%s.so.%d", stem, number);
        found = find_in_library(function, soname);
        __atomic_store_n(known, found, __ATOMIC_RELEASE);
    }
    return found;
}

static hs_function target_of(unsigned function, const void *address)
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
    int number = other_number(map, stem);
    return number == NO_NUMBER ? NULL : find_other(function, stem, number);
}

static int greet(struct dl_phdr_info *info, size_t size, void *context)
{
    bool *met = context;
    struct hs_dropin other;

    (void)size;
    if (hs_dropin_of_object(info, &other) && strcmp(other.api, hs_api.name) == 0 &&
        (int)other.number != hs_dropin_number) {
        *met = true;
        if (other.notify) {
            other.notify();
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

/* N of the real library that plain lookups reach; NO_NUMBER if there is none. */
static int first_in_scope(const char **path)
{
    void *symbol = dlsym(RTLD_DEFAULT, hs_api.libraries[0].scope_probe);
    struct link_map *map = NULL;
    struct hs_image image;
    Dl_info info;

    if (!symbol || dladdr1(symbol, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !map ||
        hs_dropin_of_file(map->l_name, NULL) || !hs_image_view(&image, map->l_addr, map->l_ld)) {
        return NO_NUMBER;
    }
    *path = map->l_name;
    return hs_version_of_soname(image.soname);
}

/*
 * If a real library of another soname is first in scope, objects that were linked to this drop-in
 * call that library, and nothing here is ever called.  This drop-in can only print a message.  A
 * library that opened this one by its bare name calls what it looks up here.
 */
static void warn_of_library_in_front(void)
{
    const char *path = "";
    int number = first_in_scope(&path);

    meet_others();
    if (number != NO_NUMBER && number != hs_dropin_number && find_needs(NULL).is_any) {
        fprintf(stderr,
                "hipshim: %s comes before the drop-in %s.so.%d in this process, so "
                "objects that were built for %s %d call it with another ABI.  Start the program "
                "with `hipshim run --abi auto`, which puts drop-ins before both\n",
                path, hs_api.libraries[0].stem, hs_dropin_number, hs_api.name, hs_dropin_number);
    }
}

/*
 * Opens the runtime's library at once, as a program that was linked to it does: the runtime then
 * ends after the handlers and destructors that the program registers, as it does natively.  A
 * library that is opened at the first call would end before them.  It is initialised by the
 * program's first call, as natively, because main may choose devices by variables of the
 * environment, or fork, before that.
 * A library that registers kernels with a drop-in of another API is opened by the first call,
 * because the dynamic linker could end that API's runtime before it.
 */
__attribute__((constructor)) static void load(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&done)) {
        return; /* the constructor of another library has asked for this one's library */
    }
    warn_of_library_in_front();
    const struct hs_runtime *runtime = hs_api.registers_kernels ? NULL : hs_dispatch_preopen();
    if (runtime && hs_version_of_soname(runtime->soname) != hs_dropin_number) {
        hs_dispatch_route_by_caller(); /* as runtime_opened would do too late */
    }
    if (runtime || hs_api.registers_kernels) {
        return;
    }
    runtime = hs_dispatch_runtime(); /* finds none either, and says why */
    if (!hs_loader_is_settled()) {
        print_reason(runtime); /* once, although the next call tries again */
    }
}

OF_THE_NOTE const char *hs_dispatch_library(bool settles)
{
    load();
    const struct hs_runtime *runtime = settles                  ? hs_dispatch_runtime()
                                       : hs_loader_is_settled() ? hs_loader_open()
                                                                : hs_loader_preopened();
    return runtime ? runtime->path : NULL;
}

const struct hs_routing hs_by_caller = {
    .runtime_opened = runtime_opened,
    .is_native = is_native,
    .target = target_of,
};
