/* SPDX-License-Identifier: MIT */
#include "engine/version.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/api.h"
#include "engine/release.h"
#include "engine/tables.h"

/* N of STEM.so.N; wheels put a hash between the two. */
static unsigned number_of(const char *soname)
{
    const char *number = soname ? strstr(soname, ".so.") : NULL;
    return number ? (unsigned)strtoul(number + strlen(".so."), NULL, 10) : 0;
}

int hs_version_of_soname(const char *soname)
{
    size_t length = strlen(hs_api.libraries[0].stem);
    bool is_known = soname && strncmp(soname, hs_api.libraries[0].stem, length) == 0 &&
                    strncmp(soname + length, ".so.", strlen(".so.")) == 0;
    return is_known ? (int)number_of(soname) : -1;
}

bool hs_version_exports(const void *library, const char *symbol)
{
    return hs_image_defines(library, symbol);
}

/* The index in hs_releases, or -1.  Profilers preload a library of another name. */
static int find_by_exports(const struct hs_image *image)
{
    int own = hs_version_of_soname(image->soname);
    const struct hs_release_request request = {
        .by_soname = true,
        .soname = own >= 0                  ? (unsigned)own
                  : hs_api.version_function ? number_of(image->soname)
                                            : hs_releases[hs_release_count - 1].soname,
        .exports = hs_version_exports,
        .library = image,
    };
    return hs_release_match(&request).nearest;
}

static hipshim_release_t release_at(int index)
{
    return (hipshim_release_t){
        .major = hs_releases[index].major,
        .minor = hs_releases[index].minor,
        .patch = hs_releases[index].patch,
    };
}

hipshim_release_t hs_version_of_exports(const struct hs_image *image)
{
    int found = find_by_exports(image);
    return found >= 0 ? release_at(found) : (hipshim_release_t){.major = number_of(image->soname)};
}

/* The version number that the library reports, or -1 with a reason. */
static int ask(void *handle, char *reason, size_t size)
{
    const char *name = hs_api.version_function;
    void *symbol = dlsym(handle, name);
    int (*get_version)(int *);
    memcpy(&get_version, &symbol, sizeof symbol);
    int version = -1;
    int status = get_version(&version);
    if (status != 0) {
        snprintf(reason, size, "its %s fails with %s error %d", name, hs_api.name, status);
        return -1;
    }
    if (version < hs_api.per_major) {
        snprintf(reason, size, "its %s returns %d, which is not a release", name, version);
        return -1;
    }
    return version;
}

bool hs_version_ask(void *handle, const struct hs_image *image, hipshim_release_t *release,
                    char *reason, size_t size)
{
    if (!hs_api.version_function) {
        int found = find_by_exports(image);
        if (found < 0) {
            snprintf(reason, size, "no known release of %s has its soname", hs_api.name);
            return false;
        }
        *release = release_at(found);
        return true;
    }
    int version = ask(handle, reason, size);
    if (version < 0) {
        return false;
    }
    release->major = (unsigned)(version / hs_api.per_major);
    release->minor = (unsigned)(version % hs_api.per_major / hs_api.per_minor);
    release->patch = (unsigned)(version % hs_api.per_minor);
    return true;
}
