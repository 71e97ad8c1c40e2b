/* SPDX-License-Identifier: MIT */
#include "base/target.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 64 }; /* a processor's name and a space */

/* Generic targets and the processors that run their code, from LLVM's AMDGPU usage guide. */
static const char *const generics[][2] = {
    {"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950 "},
    {"gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", "gfx1200 gfx1201 "},
};

/* 1 if the processor runs code of the generic target, 0 if not, -1 if that is not known. */
static int fit_generic(const char *generic, size_t length, const char *processor)
{
    static const char suffix[] = "-generic";
    size_t end = sizeof suffix - 1;
    char word[WORD];

    snprintf(word, sizeof word, "%.*s ", (int)strcspn(processor, ":"), processor);
    for (size_t i = 0; i < sizeof generics / sizeof generics[0]; i++) {
        if (strlen(generics[i][0]) == length && memcmp(generics[i][0], generic, length) == 0) {
            return strstr(generics[i][1], word) != NULL;
        }
    }
    return length > end && memcmp(generic + length - end, suffix, end) == 0 ? -1 : 0;
}

/* Whether `arch` has the feature, ":xnack-" with the colon. */
static bool has_feature(const char *arch, const char *feature, size_t length)
{
    for (const char *at = strchr(arch, ':'); at; at = strchr(at + 1, ':')) {
        if (1 + strcspn(at + 1, ":") == length && memcmp(at, feature, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether `arch` has the feature with the other sign. */
static bool has_opposite(const char *arch, const char *feature, size_t length)
{
    char opposite[WORD];

    snprintf(opposite, sizeof opposite, "%.*s%c", (int)length - 1, feature,
             feature[length - 1] == '+' ? '-' : '+');
    return has_feature(arch, opposite, strlen(opposite));
}

int hs_target_fit(const char *target, const char *arch)
{
    size_t length = strcspn(target, ":");
    bool is_same = strcspn(arch, ":") == length && memcmp(target, arch, length) == 0;
    int score = is_same ? 100 : fit_generic(target, length, arch);

    for (const char *at = target + length; score && *at; at += length) {
        length = 1 + strcspn(at + 1, ":");
        if (has_opposite(arch, at, length)) {
            score = 0;
        } else if (score > 0) {
            score = has_feature(arch, at, length) ? score + 1 : -1;
        }
    }
    return score;
}
