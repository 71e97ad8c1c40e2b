/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <string.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate_right(uint32_t word, unsigned bits)
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

        w[i] = w[i - 16] + w[i - 7] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
}

/* One round.  The index of each word changes with the round, so that no word is moved. */
static inline void mix_round(uint32_t v[8], unsigned round, uint32_t word)
{
    uint32_t a = v[-round & 7], b = v[(1 - round) & 7], c = v[(2 - round) & 7];
    uint32_t e = v[(4 - round) & 7], f = v[(5 - round) & 7], g = v[(6 - round) & 7];
    uint32_t first = v[(7 - round) & 7] + word + ((e & f) ^ (~e & g)) +
                     (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25));

    v[(3 - round) & 7] += first;
    v[(7 - round) & 7] = first + ((a & b) ^ (a & c) ^ (b & c)) +
                         (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22));
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
        mix(sum->state, sum->block, 1);
        from += HS_SHA256_BLOCK - have;
        size -= HS_SHA256_BLOCK - have;
        have = 0;
    }
    if (have == 0) {
        whole = size / HS_SHA256_BLOCK;
        mix(sum->state, from, whole);
        from += whole * HS_SHA256_BLOCK;
        size -= whole * HS_SHA256_BLOCK;
    }
    memcpy(sum->block + have, from, size);
}

void hs_sha256_add_piece(struct hs_sha256 *sum, const void *data, size_t size)
{
    uint64_t length = size;

    hs_sha256_add(sum, &length, sizeof length);
    hs_sha256_add(sum, data, size);
}

void hs_sha256_add_text(struct hs_sha256 *sum, const char *text)
{
    hs_sha256_add_piece(sum, text, strlen(text));
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
