/* SPDX-License-Identifier: MIT */
#include "engine/release.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/api.h"
#include "engine/tables.h"

/* More API sets than hipshim will know soon; those behind are not compared. */
enum { API_SET_ROOM = 128 };

/* The functions that a library and the API sets of its major have and lack. */
struct likeness {
    unsigned common, common_exported; /* functions that all API sets of the major have */
    unsigned compared;                /* those that only some of them have */
    unsigned differing[API_SET_ROOM]; /* of those, by API set */
};

static bool declares(unsigned api_set, unsigned function)
{
    const struct hs_function_entry *entry = &hs_function_entries[function];
    return api_set >= entry->own_first && api_set <= entry->own_last;
}

static bool is_eligible(const struct hs_release_request *request, unsigned major, unsigned soname)
{
    return request->by_soname ? soname == request->soname : major == request->major;
}

static bool is_of_major(const struct hs_release_request *request, unsigned api_set)
{
    return api_set < API_SET_ROOM &&
           is_eligible(request, hs_api_sets[api_set].major, hs_api_sets[api_set].soname);
}

/* Companions may be in libraries of their own. */
static bool is_reliable(unsigned function)
{
    for (unsigned i = 0; hs_unreliable_exports[i] < hs_function_count; i++) {
        if (hs_unreliable_exports[i] == function) {
            return false;
        }
    }
    return hs_function_entries[function].library == 0;
}

static void compare_function(const struct hs_release_request *request, unsigned function,
                             struct likeness *likeness)
{
    unsigned has = 0, lacks = 0;
    for (unsigned i = 0; i < hs_api_set_count; i++) {
        if (is_of_major(request, i)) {
            has += declares(i, function);
            lacks += !declares(i, function);
        }
    }
    if (has == 0) {
        return;
    }
    bool exported = request->exports(request->library, hs_tables_name(function));
    if (lacks == 0) {
        likeness->common++;
        likeness->common_exported += exported;
        return;
    }
    likeness->compared++;
    for (unsigned i = 0; i < hs_api_set_count; i++) {
        if (is_of_major(request, i)) {
            likeness->differing[i] += declares(i, function) != exported;
        }
    }
}

static void compare_functions(const struct hs_release_request *request, struct likeness *likeness)
{
    *likeness = (struct likeness){0};
    for (unsigned f = 0; f < hs_function_count + hs_sign_count; f++) {
        if (is_reliable(f)) {
            compare_function(request, f, likeness);
        }
    }
    /* A library that has few of the common functions is no evidence for any release. */
    if (likeness->common_exported * 2 < likeness->common) {
        *likeness = (struct likeness){0};
    }
}

static unsigned differing(const struct likeness *likeness, const struct hs_release *known)
{
    return known->api_set < API_SET_ROOM ? likeness->differing[known->api_set] : 0;
}

/* Whether the number of `a` comes before that of `b`; release.h has the order. */
static bool number_is_nearer(const struct hs_release_request *request, const struct hs_release *a,
                             const struct hs_release *b)
{
    int own = (int)request->minor;
    int gap_a = abs(a->minor - own), gap_b = abs(b->minor - own);
    if (gap_a != gap_b) {
        return gap_a < gap_b;
    }
    if (a->minor != b->minor) {
        return a->minor < b->minor;
    }
    if (a->minor != own) {
        return (a->minor < own) == (a->patch > b->patch);
    }
    bool older_a = a->patch <= request->patch, older_b = b->patch <= request->patch;
    return older_a != older_b ? older_a : older_a == (a->patch > b->patch);
}

static int nearest_of_major(const struct hs_release_request *request,
                            const struct likeness *likeness)
{
    int found = -1;
    for (unsigned i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];
        if (!is_eligible(request, known->major, known->soname)) {
            continue;
        }
        const struct hs_release *best = found < 0 ? NULL : &hs_releases[found];
        unsigned mine = differing(likeness, known);
        unsigned least = best ? differing(likeness, best) : 0;
        if (!best || mine < least || (mine == least && number_is_nearer(request, known, best))) {
            found = (int)i;
        }
    }
    return found;
}

static int find_exact(const struct hs_release_request *request)
{
    for (unsigned i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];
        if (known->major == request->major && known->minor == request->minor &&
            known->patch == request->patch) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_older(const struct hs_release *known, const struct hs_release_request *request)
{
    return known->minor < request->minor ||
           (known->minor == request->minor && known->patch < request->patch);
}

static void match_major(const struct hs_release_request *request, struct hs_release_match *match)
{
    struct likeness likeness;
    compare_functions(request, &likeness);
    match->nearest = nearest_of_major(request, &likeness);
    if (match->nearest >= 0) {
        const struct hs_release *known = &hs_releases[match->nearest];
        match->kind = is_older(known, request) ? HIPSHIM_MATCH_OLDER : HIPSHIM_MATCH_NEWER;
        match->compared = likeness.compared;
        match->differing = differing(&likeness, known);
    }
}

struct hs_release_match hs_release_match(const struct hs_release_request *request)
{
    struct hs_release_match match = {.kind = HIPSHIM_MATCH_NONE, .nearest = -1};
    match.exact = find_exact(request);
    if (match.exact >= 0) {
        match.kind = HIPSHIM_MATCH_EXACT;
        match.nearest = match.exact;
    } else if (!request->refuse_unknown) {
        match_major(request, &match);
        if (match.nearest < 0 && request->allow_unknown_major && hs_release_count > 0) {
            match.kind = HIPSHIM_MATCH_UNKNOWN;
            match.nearest = request->major < hs_releases[0].major ? 0 : (int)hs_release_count - 1;
        }
    }
    return match;
}

/* The reason for the choice, which follows the release that was chosen. */
static void describe_choice(const struct hs_release_match *match, char *text, size_t size)
{
    if (match->compared > 0) {
        snprintf(text, size,
                 "the known release with the most similar functions (%u of the %u that tell the "
                 "releases apart differ)",
                 match->differing, match->compared);
        return;
    }
    const char *how = match->kind == HIPSHIM_MATCH_OLDER   ? "the nearest older release"
                      : match->kind == HIPSHIM_MATCH_NEWER ? "the nearest release, a newer one"
                                                           : "as HIPSHIM_ALLOW_UNKNOWN asks";
    snprintf(text, size, "%s", how);
}

void hs_release_describe(const struct hs_release_match *match,
                         const struct hs_release_request *request, char *text, size_t size)
{
    const struct hs_release *known = match->nearest < 0 ? NULL : &hs_releases[match->nearest];
    unsigned major = request->major, minor = request->minor, patch = request->patch;
    char choice[160];
    if (!known && request->refuse_unknown) {
        snprintf(text, size,
                 "%u.%u.%u is not known to this hipshim, and HIPSHIM_STRICT=1 refuses unknown "
                 "releases; a newer hipshim may know it",
                 major, minor, patch);
    } else if (!known) {
        snprintf(text, size,
                 "%s %u is not known to this hipshim (release %u.%u.%u); a newer hipshim may "
                 "know it, and HIPSHIM_ALLOW_UNKNOWN=1 uses it nevertheless",
                 hs_api.name, major, major, minor, patch);
    } else if (match->kind == HIPSHIM_MATCH_EXACT && !hs_api.version_function) {
        hipshim_release_t same = hs_tables_api_set(known->api_set);
        snprintf(text, size, "its functions are those of %s %u.%u.%u", hs_api.name, same.major,
                 same.minor, same.patch);
    } else if (match->kind == HIPSHIM_MATCH_EXACT) {
        snprintf(text, size, "%u.%u.%u is known (%s %s)", major, minor, patch, hs_api.carrier,
                 known->carriers);
    } else {
        describe_choice(match, choice, sizeof choice);
        snprintf(text, size, "%u.%u.%u is not known to this hipshim; it is used as %u.%u.%u, %s",
                 major, minor, patch, known->major, known->minor, (unsigned)known->patch, choice);
    }
}
