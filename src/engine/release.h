/* SPDX-License-Identifier: MIT */
/* Chooses the known release that a runtime is used as. */
#ifndef HIPSHIM_SRC_ENGINE_RELEASE_H
#define HIPSHIM_SRC_ENGINE_RELEASE_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stddef.h>

struct hs_release_request {
    unsigned major, minor, patch; /* that the library reports */
    bool by_soname;           /* the library reports no release, and `soname` replaces the major */
    unsigned soname;          /* N of STEM.so.N */
    bool refuse_unknown;      /* HIPSHIM_STRICT=1 */
    bool allow_unknown_major; /* HIPSHIM_ALLOW_UNKNOWN=1 */
    /* Whether the runtime exports a symbol; called for a release that is not known. */
    bool (*exports)(const void *library, const char *symbol);
    const void *library; /* the first argument of `exports` */
};

struct hs_release_match {
    hipshim_match_t kind; /* HIPSHIM_MATCH_NONE if the release is refused */
    int exact;            /* index in hs_releases of exactly this release, or -1 */
    int nearest;          /* index of the release to use, which may be `exact`, or -1 */
    unsigned compared;    /* functions by which `nearest` was chosen; 0 if by its number */
    unsigned differing;   /* those of them that only the library or only `nearest` has */
};

/*
 * Chooses the release itself, if it is known.  Else, among the releases of its major, the one
 * whose functions are most like those that the library exports.  Only the functions count in
 * which the releases of the major differ, and for which an export follows from a declaration
 * (hs_unreliable_exports has the others).  Among equals the number decides, and also for a library
 * that has less than half of the functions that all releases of the major have:
 *   the nearest minor, the older of two;
 *   in its own minor, the nearest older patch, else the nearest newer one;
 *   of an older minor the last release, of a newer one the first.
 * For an unknown major, and only if `allow_unknown_major`, it is the newest release of all, or
 * the oldest for a major before all known ones.
 *
 * Functions tell more than numbers: 5.3 is nearer to 5.2 than to 5.7, and has the ABI of neither.
 * Patches are never compared across minors, because vendors number them in ways that make "older"
 * a guess: 7.2.26015 and 7.2.53211 are the same series.
 */
struct hs_release_match hs_release_match(const struct hs_release_request *request);

/* Writes the match in words, one sentence without its full stop. */
void hs_release_describe(const struct hs_release_match *match,
                         const struct hs_release_request *request, char *text, size_t size);

#endif
