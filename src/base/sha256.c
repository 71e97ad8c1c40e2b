/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_SHA_INSTRUCTIONS 1
#include <cpuid.h>
#include <immintrin.h>
#include <sys/auxv.h>

enum { HWCAP2_FSGSBASE = 2 };
#endif

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t rounds[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t turn_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void expand(uint32_t w[64], const unsigned char *block)
{
    for (unsigned i = 0; i < 16; i++, block += 4) {
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];

        w[i] = w[i - 16] + w[i - 7] + (turn_right(a, 7) ^ turn_right(a, 18) ^ a >> 3) +
               (turn_right(b, 17) ^ turn_right(b, 19) ^ b >> 10);
    }
}

/* One round; the caller turns the letters instead of moving the words. */
static inline void mix_round(uint32_t v[8], unsigned turn, uint32_t word)
{
    uint32_t a = v[-turn & 7], b = v[(1 - turn) & 7], c = v[(2 - turn) & 7];
    uint32_t e = v[(4 - turn) & 7], f = v[(5 - turn) & 7], g = v[(6 - turn) & 7];
    uint32_t first = v[(7 - turn) & 7] + word + ((e & f) ^ (~e & g)) +
                     (turn_right(e, 6) ^ turn_right(e, 11) ^ turn_right(e, 25));

    v[(3 - turn) & 7] += first;
    v[(7 - turn) & 7] = first + ((a & b) ^ (a & c) ^ (b & c)) +
                        (turn_right(a, 2) ^ turn_right(a, 13) ^ turn_right(a, 22));
}

static void mix(uint32_t state[8], const unsigned char *block, size_t count)
{
    uint32_t w[64], v[8];

    for (; count > 0; count--, block += HS_SHA256_BLOCK) {
        expand(w, block);
        memcpy(v, state, sizeof v);
        for (unsigned i = 0; i < 64; i += 8) {
            mix_round(v, 0, rounds[i] + w[i]);
            mix_round(v, 1, rounds[i + 1] + w[i + 1]);
            mix_round(v, 2, rounds[i + 2] + w[i + 2]);
            mix_round(v, 3, rounds[i + 3] + w[i + 3]);
            mix_round(v, 4, rounds[i + 4] + w[i + 4]);
            mix_round(v, 5, rounds[i + 5] + w[i + 5]);
            mix_round(v, 6, rounds[i + 6] + w[i + 6]);
            mix_round(v, 7, rounds[i + 7] + w[i + 7]);
        }
        for (unsigned i = 0; i < 8; i++) {
            state[i] += v[i];
        }
    }
}

#ifdef HAVE_SHA_INSTRUCTIONS
/* A hit reads each byte once and hashes it once: this is most of its time. */
static int has_instructions(void)
{
    unsigned a, b, c, d;

    /*
     * Processors with these have SSE 4.1, too.  In a virtual machine to ask takes
     * 5 microseconds a question, so no more is asked than that: the kernel uses
     * FSGSBASE where the same leaf has it, and then need not be asked whether
     * there is such a leaf.
     */
    if (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) {
        __cpuid_count(7, 0, a, b, c, d);
        return (b >> 29 & 1) != 0;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & 1u << 29;
}

__attribute__((target("sha,sse4.1,ssse3"))) static void
mix_fast(uint32_t state[8], const unsigned char *block, size_t count)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);

    for (; count > 0; count--, block += HS_SHA256_BLOCK) {
        __m128i old_abef = abef, old_cdgh = cdgh, w[4], sum;

        for (unsigned i = 0; i < 16; i++) {
            if (i < 4) {
                w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), swap);
            } else {
                __m128i last = w[(i + 3) % 4];

                sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                                    _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
                w[i % 4] = _mm_sha256msg2_epu32(sum, last);
            }
            sum = _mm_add_epi32(w[i % 4], _mm_load_si128((const __m128i *)rounds + i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    low = _mm_shuffle_epi32(abef, 0x1b);
    high = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}
#endif

static void mix_blocks(uint32_t state[8], const unsigned char *block, size_t count)
{
#ifdef HAVE_SHA_INSTRUCTIONS
    static _Atomic int fast; /* 0: not asked yet, 1: no, 2: yes; all threads find the same */

    if (!fast) {
        fast = has_instructions() ? 2 : 1;
    }
    if (fast == 2) {
        mix_fast(state, block, count);
        return;
    }
#endif
    mix(state, block, count);
}

void hs_sha256_begin(struct hs_sha256 *sum)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(sum->state, start, sizeof start);
    sum->length = 0;
}

void hs_sha256_add(struct hs_sha256 *sum, const void *data, size_t size)
{
    const unsigned char *from = data;
    size_t have = sum->length % HS_SHA256_BLOCK, whole;

    if (size == 0) {
        return;
    }
    sum->length += size;
    if (have > 0 && have + size >= HS_SHA256_BLOCK) {
        memcpy(sum->block + have, from, HS_SHA256_BLOCK - have);
        mix_blocks(sum->state, sum->block, 1);
        from += HS_SHA256_BLOCK - have;
        size -= HS_SHA256_BLOCK - have;
        have = 0;
    }
    if (have == 0) {
        whole = size / HS_SHA256_BLOCK;
        mix_blocks(sum->state, from, whole);
        from += whole * HS_SHA256_BLOCK;
        size -= whole * HS_SHA256_BLOCK;
    }
    memcpy(sum->block + have, from, size);
}

void hs_sha256_end(struct hs_sha256 *sum, unsigned char digest[HS_SHA256_SIZE])
{
    static const unsigned char padding[HS_SHA256_BLOCK] = {0x80};
    uint64_t bits = sum->length * 8;
    unsigned char length[8];
    size_t have = sum->length % HS_SHA256_BLOCK;

    for (unsigned i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    hs_sha256_add(sum, padding, (have < 56 ? 56 : 120) - have);
    hs_sha256_add(sum, length, sizeof length);
    for (unsigned i = 0; i < HS_SHA256_SIZE; i++) {
        digest[i] = (unsigned char)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void hs_sha256_of(const void *data, size_t size, unsigned char digest[HS_SHA256_SIZE])
{
    struct hs_sha256 sum;

    hs_sha256_begin(&sum);
    hs_sha256_add(&sum, data, size);
    hs_sha256_end(&sum, digest);
}
