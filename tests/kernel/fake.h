/* SPDX-License-Identifier: MIT */
/*
 * What the compiler of kernel_fake.c makes of a source, so that a test can tell
 * whether it got the code of just that source: bytes that follow from its text
 * and architecture, as many as "SIZE=" in the text says.
 */
#ifndef HIPSHIM_TESTS_KERNEL_FAKE_H
#define HIPSHIM_TESTS_KERNEL_FAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline size_t fake_code_size(const char *source)
{
    const char *at = strstr(source, "SIZE=");

    return at ? (size_t)strtoul(at + 5, NULL, 10) : 1000;
}

static inline uint64_t fake_hash(uint64_t hash, const char *text)
{
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash;
}

static inline void fake_code(const char *source, const char *arch, unsigned char *code, size_t size)
{
    uint64_t state = fake_hash(fake_hash(0xcbf29ce484222325u, source), arch);

    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        code[i] = (unsigned char)(state >> 56);
    }
}

#endif
