/* SPDX-License-Identifier: MIT */
/*
 * Which of the known releases a runtime is used as.
 */
#ifndef HIPSHIM_SRC_LOADER_RELEASE_H
#define HIPSHIM_SRC_LOADER_RELEASE_H

#include <hipshim/hipshim.h>
#include <stddef.h>

struct hs_release_match {
    hipshim_match_t kind;
    int exact;   /* index in hs_releases of this very release, or -1 */
    int nearest; /* index of the release that stands in (or is it), or -1 */
};

/*
 * Chooses for release major.minor.patch, in this order:
 *   the release itself;
 *   in its minor, the nearest older, else the nearest newer;
 *   in its major, the last release of the nearest older minor, else the first
 *   release of the nearest newer minor;
 *   for an unknown major and only if `allow_unknown`, the newest release of
 *   all, or the oldest for a major before all known ones.
 * A newer release of the same minor goes before an older minor because minors
 * differ from one another more than releases within one, and because vendors
 * number patches in ways that make "older" within a minor a guess (7.2.26015
 * and 7.2.53211 are the same ROCm series).  Patches are never compared across
 * minors.
 *
 * Returns 0, or -1 (kind NONE) for a major that is refused.
 */
int hs_release_match(struct hs_release_match *match, unsigned major, unsigned minor, unsigned patch,
                     int allow_unknown);

/* The match in words, one sentence without its full stop. */
void hs_release_describe(const struct hs_release_match *match, unsigned major, unsigned minor,
                         unsigned patch, char *text, size_t size);

#endif
