/* SPDX-License-Identifier: MIT */
#include "loader/release.h"

#include <stdio.h>

#include "tables/tables.h"

/* The last release of the minor with a patch up to `patch`, else its first. */
static int nearest_in_minor(unsigned major, unsigned minor, unsigned patch)
{
    int found = -1;
    for (unsigned i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];
        if (known->major == major && known->minor == minor &&
            (found < 0 || known->patch <= patch)) {
            found = (int)i;
        }
    }
    return found;
}

/* The last release of an older minor, else the first of a newer one. */
static int nearest_in_major(unsigned major, unsigned minor)
{
    int found = -1;
    for (unsigned i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];
        if (known->major == major && (found < 0 || known->minor < minor)) {
            found = (int)i;
        }
    }
    return found;
}

static bool is_older(const struct hs_release *known, unsigned minor, unsigned patch)
{
    return known->minor < minor || (known->minor == minor && known->patch < patch);
}

struct hs_release_match hs_release_match(unsigned major, unsigned minor, unsigned patch,
                                         bool allow_unknown)
{
    struct hs_release_match match = {HIPSHIM_MATCH_NONE, -1, nearest_in_minor(major, minor, patch)};
    if (match.nearest < 0) {
        match.nearest = nearest_in_major(major, minor);
    }
    if (match.nearest < 0) {
        if (allow_unknown && hs_release_count > 0) {
            match.kind = HIPSHIM_MATCH_UNKNOWN;
            match.nearest = major < hs_releases[0].major ? 0 : (int)hs_release_count - 1;
        }
        return match;
    }
    const struct hs_release *known = &hs_releases[match.nearest];
    if (known->minor == minor && known->patch == patch) {
        match.kind = HIPSHIM_MATCH_EXACT;
        match.exact = match.nearest;
    } else {
        match.kind = is_older(known, minor, patch) ? HIPSHIM_MATCH_OLDER : HIPSHIM_MATCH_NEWER;
    }
    return match;
}

void hs_release_describe(const struct hs_release_match *match, unsigned major, unsigned minor,
                         unsigned patch, char *text, size_t size)
{
    const struct hs_release *known = match->nearest < 0 ? NULL : &hs_releases[match->nearest];
    if (!known) {
        snprintf(text, size,
                 "HIP %u is not known to this hipshim (release %u.%u.%u); a newer hipshim may "
                 "know it, and HIPSHIM_ALLOW_UNKNOWN=1 uses it nevertheless",
                 major, major, minor, patch);
        return;
    }
    if (match->kind == HIPSHIM_MATCH_EXACT) {
        snprintf(text, size, "%u.%u.%u is known (ROCm %s)", major, minor, patch, known->rocm);
        return;
    }
    const char *how = match->kind == HIPSHIM_MATCH_OLDER   ? "the nearest older release"
                      : match->kind == HIPSHIM_MATCH_NEWER ? "the nearest release, a newer one"
                                                           : "as HIPSHIM_ALLOW_UNKNOWN asks";
    snprintf(text, size, "%u.%u.%u is not known to this hipshim; it is used as %u.%u.%u, %s", major,
             minor, patch, known->major, known->minor, (unsigned)known->patch, how);
}
