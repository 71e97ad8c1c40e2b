/* SPDX-License-Identifier: MIT */
/* The description of a file, compared with the tables of libhipshim and the drop-ins. */
#include "tool/scan/scan.h"

#include <hipshim/hipshim.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tool/abi/abi.h"
#include "tool/dropins.h"
#include "tool/release_text.h"
#include "tool/scan/package.h"

/* --- names --- */

/* "hip_6.1" as 601; 0 for another name. */
static unsigned node_number(const char *node)
{
    if (!node || strncmp(node, "hip_", 4) != 0 || !isdigit((unsigned char)node[4])) {
        return 0;
    }
    char *end;
    unsigned long major = strtoul(node + 4, &end, 10);
    if (*end != '.' || !isdigit((unsigned char)end[1])) {
        return 0;
    }
    unsigned long minor = strtoul(end + 1, &end, 10);
    return *end == '\0' && major < 1000 && minor < 100 ? (unsigned)(major * 100 + minor) : 0;
}

/* Writes hipExtModuleLaunchKernel for _Z24hipExtModuleLaunchKernelP... */
static void demangle(const char *symbol, char name[96])
{
    snprintf(name, 96, "%s", symbol);
    if (strncmp(symbol, "_Z", 2) == 0 && isdigit((unsigned char)symbol[2])) {
        char *end;
        unsigned long length = strtoul(symbol + 2, &end, 10);
        if (length < 96 && length <= strlen(end)) {
            snprintf(name, 96, "%.*s", (int)length, end);
        }
    }
}

/* Drops what auditwheel adds to the name of a library that a wheel brings; false if it did not. */
static bool restore_name(const char *library, char name[TOOL_PATH_ROOM])
{
    const char *dash = strchr(library, '-');
    size_t digits = dash ? strspn(dash + 1, "0123456789abcdef") : 0;
    bool is_bundled = digits >= 8 && strncmp(dash + 1 + digits, ".so", 3) == 0;
    size_t stem = is_bundled ? (size_t)(dash - library) : strlen(library);

    snprintf(name, TOOL_PATH_ROOM, "%.*s%s", (int)stem, library,
             is_bundled ? dash + 1 + digits : "");
    return is_bundled;
}

/* The major of a library of HIP as hs_elf_file_major gives it; 0 for another library. */
static int stem_of(const char *library, const char **stem, bool *is_bundled)
{
    char name[TOOL_PATH_ROOM];

    *is_bundled = restore_name(library, name);
    for (unsigned i = 0; i < TOOL_DROPINS_STEMS; i++) {
        int major = hs_elf_file_major(name, tool_dropins_stems[i]);

        if (major != 0) {
            *stem = tool_dropins_stems[i];
            return major;
        }
    }
    *is_bundled = false;
    return 0;
}

static bool is_known(const char *name)
{
    hipshim_kind_t kind;

    return hipshim_function_kind_on_release(name, 0, &kind) == HIPSHIM_OK;
}

/* By the library whose version it needs; else by its name, because hiprtc's symbols have no
 * version. */
static bool is_of_hip(const struct hs_elf_symbol *symbol, const char *name)
{
    const char *stem;
    bool is_bundled;

    if (symbol->library) {
        return stem_of(symbol->library, &stem, &is_bundled) != 0;
    }
    return is_known(name) || (strncmp(name, "__hip", 5) == 0 && isupper((unsigned char)name[5]));
}

/* --- calls --- */

static bool changed_between(const char *name, int a, int b)
{
    int from = a < b ? a : b, to = a < b ? b : a;
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);
        int place = strcmp(change.function, name) == 0 ? tool_release_index(change.api_set) : -1;
        if (place > from && place <= to) {
            return true;
        }
    }
    return false;
}

/* True if both have the stable ABI: a change between them was taken back. */
static bool both_direct(const char *name, int caller, hipshim_kind_t kind)
{
    hipshim_kind_t own;

    return kind == HIPSHIM_KIND_DIRECT &&
           hipshim_function_kind_on_release(name, (unsigned)caller, &own) == HIPSHIM_OK &&
           own == HIPSHIM_KIND_DIRECT;
}

static enum tool_scan_fate fate_of(const struct tool_scan_call *call, int caller, unsigned release)
{
    hipshim_kind_t kind = HIPSHIM_KIND_DIRECT;

    /* Functions that no header declares are the same in every release. */
    if (!call->known ||
        hipshim_function_kind_on_release(call->name, release, &kind) != HIPSHIM_OK) {
        return TOOL_SCAN_DIRECT;
    }
    if (kind == HIPSHIM_KIND_MISSING) {
        return TOOL_SCAN_MISSING;
    }
    if (kind == HIPSHIM_KIND_EMULATED) {
        return TOOL_SCAN_EMULATED;
    }
    bool changed = caller >= 0 && changed_between(call->name, caller, (int)release) &&
                   !both_direct(call->name, caller, kind);
    return changed ? TOOL_SCAN_CONVERTED : TOOL_SCAN_DIRECT;
}

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int by_symbol(const void *a, const void *b)
{
    const struct hs_elf_symbol *one = a, *other = b;
    int order = strcmp(one->name, other->name);

    return order ? order : compare_texts(one->version, other->version);
}

/* Looks a name up in the tables, unless it is that of the call before. */
static void look_up(struct tool_scan *scan, struct tool_scan_call *call)
{
    int caller = tool_release_newest((unsigned)scan->major);

    if (scan->call_count > 0 && strcmp(call[-1].symbol->name, call->symbol->name) == 0) {
        call->known = call[-1].known;
        memcpy(call->on, call[-1].on, sizeof call->on);
        return;
    }
    call->known = is_known(call->name);
    for (unsigned r = 0; r < hipshim_release_count() && r < TOOL_SCAN_RELEASES; r++) {
        call->on[r] = (unsigned char)fate_of(call, caller, r);
    }
}

/* `symbol` comes in the order of by_symbol. */
static void take_call(struct tool_scan *scan, const struct hs_elf_symbol *symbol)
{
    struct tool_scan_call *call = &scan->calls[scan->call_count];

    if (scan->call_count > 0 && by_symbol(call[-1].symbol, symbol) == 0) {
        return;
    }
    memset(call, 0, sizeof *call);
    demangle(symbol->name, call->name);
    if (!is_of_hip(symbol, call->name)) {
        return;
    }
    call->symbol = symbol;
    call->served = 1;
    look_up(scan, call);
    if (symbol->library && node_number(symbol->version) > node_number(scan->node)) {
        scan->node = symbol->version;
    }
    scan->call_count++;
}

/* --- as it is --- */

/* C++ names that changed with the types of their parameters, by the minor releases of HIP 5. */
static const struct {
    const char *name;
    unsigned first, last;
} cxx_names[] = {
    {"_Z22hipCreateSurfaceObjectPyPK15hipResourceDesc", 0, 0},
    {"_Z23hipDestroySurfaceObjecty", 0, 0},
    {"_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc", 1, 6},
    {"_Z23hipDestroySurfaceObjectP13__hip_surface", 1, 6},
};

/* Whether the libraries of a release have a C++ name; the drop-ins have all other ones. */
static bool has_cxx_name(const struct tool_scan_call *call, hipshim_release_t release)
{
    for (size_t i = 0; i < sizeof cxx_names / sizeof cxx_names[0]; i++) {
        if (strcmp(call->symbol->name, cxx_names[i].name) == 0) {
            return release.major == 5 && release.minor >= cxx_names[i].first &&
                   release.minor <= cxx_names[i].last;
        }
    }
    return call->served;
}

static bool has_symbol(const struct tool_scan_call *call, unsigned release)
{
    hipshim_release_t since = {0}, removed = {0}, one = tool_release_at(release).release;

    if (node_number(call->symbol->version) > one.major * 100 + one.minor) {
        return false;
    }
    if (call->symbol->weak || !call->known ||
        hipshim_function_availability(call->name, &since, &removed) != HIPSHIM_OK) {
        return true;
    }
    int first = tool_release_index(since);
    if (strcmp(call->symbol->name, call->name) != 0) {
        return has_cxx_name(call, one);
    }
    return (int)release >= first &&
           (removed.major == 0 || (int)release < tool_release_index(removed));
}

static bool has_all(const struct tool_scan *scan, unsigned release)
{
    for (unsigned i = 0; i < scan->call_count; i++) {
        if (!has_symbol(&scan->calls[i], release)) {
            return false;
        }
    }
    return true;
}

static void find_own_releases(struct tool_scan *scan)
{
    scan->oldest = scan->newest = -1;
    for (unsigned r = 0; r < hipshim_release_count(); r++) {
        if (tool_release_at(r).release.major == (unsigned)scan->major && has_all(scan, r)) {
            scan->oldest = scan->oldest < 0 ? (int)r : scan->oldest;
            scan->newest = (int)r;
        }
    }
}

/* --- with drop-ins --- */

static bool exports(const struct hs_elf_file *library, const struct hs_elf_symbol *symbol)
{
    for (size_t i = 0; i < library->export_count; i++) {
        const struct hs_elf_symbol *one = &library->exports[i];

        if (strcmp(one->name, symbol->name) == 0 &&
            (!symbol->version || (one->version && strcmp(one->version, symbol->version) == 0))) {
            return true;
        }
    }
    return false;
}

static void find_served(struct tool_scan *scan)
{
    struct hs_elf_file libraries[TOOL_DROPINS_STEMS];
    char path[TOOL_PATH_ROOM], reason[400];
    unsigned opened;

    for (opened = 0; opened < TOOL_DROPINS_STEMS; opened++) {
        const struct tool_dropin dropin = {
            .stem = tool_dropins_stems[opened], .number = (unsigned)scan->major, .folder = ""};

        if (!tool_dropins_library(&dropin, path) ||
            !(hs_elf_file_read(path, &libraries[opened], reason, sizeof reason) ||
              tool_fail("%.100s: %s", path, reason))) {
            snprintf(scan->no_drop_in, sizeof scan->no_drop_in, "%s", hs_error_get());
            break;
        }
    }
    for (unsigned i = 0; opened == TOOL_DROPINS_STEMS && i < scan->call_count; i++) {
        struct tool_scan_call *call = &scan->calls[i];

        call->served = call->symbol->weak || exports(&libraries[0], call->symbol) ||
                       exports(&libraries[1], call->symbol);
        scan->unserved += !call->served;
    }
    while (opened > 0) {
        hs_elf_file_free(&libraries[--opened]);
    }
}

/* --- all of it --- */

static int by_name(const void *a, const void *b)
{
    const struct tool_scan_call *one = a, *other = b;

    return strcmp(one->name, other->name);
}

static void find_libraries(struct tool_scan *scan)
{
    const char *stem;
    bool is_bundled;

    scan->kind = scan->elf.has_libhipshim ? TOOL_SCAN_HOLDS : TOOL_SCAN_NONE;
    for (size_t i = 0; i < scan->elf.needed_count; i++) {
        int major = stem_of(scan->elf.needed[i], &stem, &is_bundled);

        if (strncmp(scan->elf.needed[i], "libhipshim.so", 13) == 0) {
            scan->kind = TOOL_SCAN_HIPSHIM;
        }
        if (major != 0 && (scan->major <= 0 || strcmp(stem, tool_dropins_stems[0]) == 0)) {
            scan->major = major;
            scan->soname = scan->elf.needed[i];
            scan->is_bundled = is_bundled;
        }
    }
}

static const char *newest_node(const struct hs_elf_file *elf)
{
    const char *newest = NULL;

    for (size_t i = 0; i < elf->export_count; i++) {
        if (node_number(elf->exports[i].version) > node_number(newest)) {
            newest = elf->exports[i].version;
        }
    }
    return newest;
}

static bool is_itself(struct tool_scan *scan)
{
    const char *stem = NULL, *node = newest_node(&scan->elf);
    int major = scan->elf.soname ? stem_of(scan->elf.soname, &stem, &scan->is_bundled) : 0;

    if (major < 0) { /* PyTorch's wheels have the bare name */
        major = (int)(node_number(node) / 100);
    }
    if (major <= 0 && !scan->elf.is_drop_in) {
        return false;
    }
    scan->kind = scan->elf.is_drop_in ? TOOL_SCAN_DROP_IN : TOOL_SCAN_RUNTIME;
    scan->major = major;
    scan->soname = scan->elf.soname;
    scan->node = node;
    if (!scan->elf.is_drop_in && strcmp(stem, tool_dropins_stems[0]) == 0) {
        tool_foreign_describe(&scan->elf, (unsigned)major, scan->foreign);
    }
    return true;
}

static bool take_calls(struct tool_scan *scan)
{
    scan->calls = calloc(scan->elf.import_count + 1, sizeof *scan->calls);
    if (!scan->calls) {
        return false;
    }
    qsort(scan->elf.imports, scan->elf.import_count, sizeof *scan->elf.imports, by_symbol);
    for (size_t i = 0; i < scan->elf.import_count; i++) {
        take_call(scan, &scan->elf.imports[i]);
    }
    qsort(scan->calls, scan->call_count, sizeof *scan->calls, by_name);
    return true;
}

/* Compares what was read with the tables.  False with the reason. */
static bool classify(struct tool_scan *scan, char *reason, size_t size)
{
    scan->oldest = scan->newest = -1;
    if (scan->elf.is_static) {
        scan->kind = scan->elf.has_libhipshim ? TOOL_SCAN_HOLDS : TOOL_SCAN_STATIC;
        return true;
    }
    if (is_itself(scan)) {
        return true;
    }
    find_libraries(scan);
    if (!take_calls(scan)) {
        snprintf(reason, size, "out of memory");
        tool_scan_free(scan);
        return false;
    }
    if (scan->kind != TOOL_SCAN_NONE && scan->major == 0) {
        return true;
    }
    if (scan->is_bundled) {
        scan->kind = TOOL_SCAN_BUNDLED;
    } else if (scan->major > 0) {
        scan->kind = TOOL_SCAN_USES;
        find_served(scan);
        find_own_releases(scan);
    } else if (scan->major < 0 || scan->call_count > 0) {
        scan->kind = TOOL_SCAN_UNNAMED;
    }
    return true;
}

/* --- names that a file opens --- */

/*
 * The linker's tables name the libraries that a file needs, and its own name.  auditwheel leaves
 * the former names of those that it renames.
 */
static bool is_linked(const struct hs_elf_file *elf, const char *name)
{
    char restored[TOOL_PATH_ROOM];
    bool is_one = elf->soname && strcmp(elf->soname, name) == 0;

    for (size_t i = 0; i < elf->needed_count; i++) {
        is_one |= strcmp(elf->needed[i], name) == 0;
        is_one |= strstr(name, ".so.") && restore_name(elf->needed[i], restored) &&
                  strncmp(restored, name, strlen(name)) == 0;
    }
    return is_one;
}

static void classify_names(struct tool_scan *scan)
{
    bool opens = false, is_hip = scan->kind == TOOL_SCAN_HIPSHIM || scan->kind == TOOL_SCAN_HOLDS ||
                                 scan->kind == TOOL_SCAN_RUNTIME || scan->kind == TOOL_SCAN_DROP_IN;

    for (unsigned i = 0; i < TOOL_CODE_NAMES; i++) {
        char *name = scan->code.names[i];

        if (is_hip || is_linked(&scan->elf, name)) {
            *name = '\0';
        }
        opens |= *name != '\0';
    }
    if (opens && (scan->kind == TOOL_SCAN_NONE || scan->kind == TOOL_SCAN_STATIC)) {
        scan->kind = TOOL_SCAN_OPENS;
    }
}

bool tool_scan_source(const char *name, const struct hs_elf_source *source, struct tool_scan *scan,
                      char *reason, size_t size)
{
    memset(scan, 0, sizeof *scan);
    /* The bytes come first, because a package gives them once and in their order. */
    const char *failure = tool_scan_code_read(source, &scan->code);

    if (failure) {
        snprintf(reason, size, "%s", failure);
        return false;
    }
    if (!tool_package_is_text(name) &&
        (!hs_elf_file_read_source(source, &scan->elf, reason, size) ||
         !classify(scan, reason, size))) {
        return false;
    }
    classify_names(scan);
    return true;
}

bool tool_scan_file(const char *path, struct tool_scan *scan, char *reason, size_t size)
{
    struct hs_elf_source source;

    if (!hs_elf_source_open(path, &source, reason, size)) {
        return false;
    }
    bool is_read = tool_scan_source(path, &source, scan, reason, size);

    hs_elf_source_close(&source);
    return is_read;
}

void tool_scan_free(struct tool_scan *scan)
{
    free(scan->calls);
    hs_elf_file_free(&scan->elf);
    memset(scan, 0, sizeof *scan);
}
