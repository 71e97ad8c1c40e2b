/* SPDX-License-Identifier: MIT */
/*
 * Images: DATA, COORDINATES, DESCRIPTOR[, SAMPLER].  The coordinates of a lane are in as many
 * registers as the image has dimensions, and the number of its layer follows.  A buffer with a
 * format has one coordinate, which is an index.  DATA has the channels of the mask.
 */
#include "isa.h"
#include "numbers.h"

/* With the number of channels of a buffer. */
enum image_kind { SAMPLE, LOAD, CHANNELS = 7, BUFFER = 8 };

/* NULL for LB_BORDER. */
static char *texel_at(struct wave *w, const struct lb_image *image, size_t offset)
{
    return offset == LB_BORDER ? NULL
                               : isa_reach(w, (uint64_t)(image->data + offset), image->element);
}

static void sample(struct wave *w, const struct lb_image *image, const uint32_t sampler[4],
                   const uint32_t at[4], uint32_t texel[4])
{
    struct lb_tap taps[8];
    const float coordinates[4] = {f32(at[0]), f32(at[1]), f32(at[2]), f32(at[3])};
    unsigned count = lb_image_taps(image, sampler, coordinates, taps);
    float sums[4] = {0};
    memset(texel, 0, 4 * sizeof *texel);
    for (unsigned i = 0; i < count; i++) {
        char *bytes = texel_at(w, image, taps[i].offset);
        if (bytes) {
            lb_texel_read(image, bytes, texel);
        }
        for (unsigned k = 0; bytes && k < 4; k++) {
            sums[k] += taps[i].weight * f32(texel[k]);
        }
    }
    for (unsigned k = 0; lb_image_is_float(image) && k < 4; k++) {
        texel[k] = bits32(sums[k]);
    }
}

static void one_lane(struct wave *w, const struct instruction *in, const struct lb_image *image,
                     int lane, unsigned mask)
{
    unsigned reg = in->operand[0].reg;
    uint32_t texel[4] = {0}, at[4] = {0};
    unsigned count = image->dimensions + image->is_layered;
    for (unsigned k = 0; k < count; k++) {
        unsigned reg = k < in->coordinates ? in->coordinate[k] : in->operand[1].reg + k;
        at[k] = w->v[reg][lane];
    }
    if (in->argument & STORE) {
        for (unsigned k = 0; k < 4; k++) {
            texel[k] = mask >> k & 1 ? w->v[reg++][lane] : 0;
        }
        char *bytes = texel_at(w, image, lb_image_offset(image, at));
        if (bytes) {
            lb_texel_write(image, texel, bytes);
            w->effects |= CHANGED;
        }
        return;
    }
    if (in->argument == SAMPLE) {
        sample(w, image, &w->s[in->operand[3].reg], at, texel);
    } else {
        const char *bytes = texel_at(w, image, lb_image_offset(image, at));
        if (bytes) {
            lb_texel_read(image, bytes, texel);
        }
    }
    for (unsigned k = 0; k < 4; k++) {
        if (mask >> k & 1) {
            w->v[reg++][lane] = texel[k];
        }
    }
}

static void image(struct wave *w, const struct instruction *in)
{
    const struct lb_image *image = lb_image_described(&w->s[in->operand[2].reg]);
    bool is_buffer = in->argument & BUFFER;
    unsigned mask = is_buffer ? (1U << (in->argument & CHANNELS)) - 1 : in->mask;
    uint64_t active = exec(w);
    if (!image || (is_buffer && (!in->idxen || in->offset))) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 image ? "a buffer with a format and an offset"
                       : "a descriptor of no image, or of one with an unknown format");
        return;
    }
    for (int i = 0; i < LANES && !w->trap; i++) {
        if (is_on(active, i)) {
            one_lane(w, in, image, i, mask);
        }
    }
}

#define IMAGE(name, kind) {name, image, kind, INTEGER, INTEGER, 0},
#define FORMAT(channels, count)                                                                    \
    IMAGE("buffer_load_format_" channels, BUFFER | (count))                                        \
    IMAGE("buffer_store_format_" channels, BUFFER | STORE | (count))

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_image_rows[] = {
    IMAGE("image_sample", SAMPLE) IMAGE("image_sample_lz", SAMPLE) IMAGE("image_load", LOAD) IMAGE("image_store", STORE)
    FORMAT("x", 1) FORMAT("xy", 2) FORMAT("xyz", 3) FORMAT("xyzw", 4)
    {NULL, NULL, 0, 0, 0, 0},
};
