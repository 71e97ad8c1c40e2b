/* SPDX-License-Identifier: MIT */
/* Chooses the known release that a runtime is used as. */
#ifndef HIPSHIM_SRC_LOADER_RELEASE_H
#define HIPSHIM_SRC_LOADER_RELEASE_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stddef.h>

struct hs_release_match {
    hipshim_match_t kind; /* HIPSHIM_MATCH_NONE if the major is refused */
    int exact;            /* index in hs_releases of exactly this release, or -1 */
    int nearest;          /* index of the release to use, which may be `exact`, or -1 */
};

/*
 * Chooses for release major.minor.patch, in this order:
 *   the release itself;
 *   in its minor, the nearest older release, else the nearest newer one;
 *   in its major, the last release of the nearest older minor, else the first release of the
 *   nearest newer minor;
 *   for an unknown major, and only if `allow_unknown`, the newest release of all, or the oldest
 *   for a major before all known ones.
 * A newer release of the same minor is preferred to an older minor, because minors differ from
 * one another more than the releases within one.  Vendors also number patches in ways that make
 * "older" within a minor a guess: 7.2.26015 and 7.2.53211 are the same ROCm series.  Patches are
 * never compared across minors.
 */
struct hs_release_match hs_release_match(unsigned major, unsigned minor, unsigned patch,
                                         bool allow_unknown);

/* Writes the match in words, one sentence without its full stop. */
void hs_release_describe(const struct hs_release_match *match, unsigned major, unsigned minor,
                         unsigned patch, char *text, size_t size);

#endif
