/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a texel, and the texels that a sampler takes.  As on the hardware a coordinate has
 * 8 bits after the point, and a texel that is filtered a weight of so many.  Mipmaps are refused
 * when an image is made.
 */
#include <math.h>

#include "internal.h"
#include "isa/numbers.h"

/* --- formats: the greatest number of normalized integers, or 0, and whether there are signs --- */

static float scale_of(uint32_t type)
{
    switch (type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8:
        return 127;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16:
        return 32767;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8:
        return 255;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16:
        return 65535;
    default:
        return 0;
    }
}

static bool is_signed(uint32_t type)
{
    return type <= HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16 ||
           (type >= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8 &&
            type <= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32);
}

bool lb_image_is_float(const struct lb_image *image)
{
    return scale_of(image->type) != 0 || image->type >= HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT;
}

void lb_texel_read(const struct lb_image *image, const char *bytes, uint32_t texel[4])
{
    size_t size = image->element / image->channels;
    float scale = scale_of(image->type);
    texel[0] = texel[1] = texel[2] = 0;
    texel[3] = lb_image_is_float(image) ? bits32(1) : 1;
    for (unsigned k = 0; k < image->channels; k++) {
        uint32_t bits = 0;
        memcpy(&bits, bytes + k * size, size);
        if (is_signed(image->type)) {
            bits = signed_field(bits, 0, (uint32_t)size * 8);
        }
        float number = is_signed(image->type) ? (float)(int32_t)bits : (float)bits;
        texel[k] = scale != 0 ? bits32(fmaxf(number / scale, -1))
                   : image->type == HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT ? bits32(isa_half(bits))
                                                                          : bits;
    }
}

void lb_texel_write(const struct lb_image *image, const uint32_t texel[4], char *bytes)
{
    size_t size = image->element / image->channels;
    float scale = scale_of(image->type);
    for (unsigned k = 0; k < image->channels; k++) {
        uint32_t bits = texel[k];
        if (scale != 0) {
            float low = is_signed(image->type) ? -1 : 0;
            float number = fminf(fmaxf(f32(bits), low), 1);
            bits = (uint32_t)(int32_t)rintf(number * scale);
        } else if (image->type == HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT) {
            bits = isa_to_half((double)f32(bits), 0);
        }
        memcpy(bytes + k * size, &bits, size);
    }
}

size_t lb_image_offset(const struct lb_image *image, const uint32_t at[4])
{
    unsigned last = image->dimensions;
    uint32_t x = at[0];
    uint32_t y = last > 1 ? at[1] : 0;
    uint32_t z = last > 2 ? at[2] : image->is_layered ? at[last] : 0;
    bool is_inside = x < image->width && y < image->height && z < image->depth;
    return is_inside ? x * image->element + y * image->row + z * image->slice : LB_BORDER;
}

/* --- samplers: words as in a descriptor (images.c) --- */

/* The index within so many texels, or -1 for the border. */
static int64_t index_of(int64_t at, int64_t count, unsigned mode)
{
    switch (mode) {
    case LB_ADDRESS_BORDER:
        return at >= 0 && at < count ? at : -1;
    case LB_ADDRESS_REPEAT:
        return (at % count + count) % count;
    case LB_ADDRESS_MIRROR:
        at = (at % (2 * count) + 2 * count) % (2 * count);
        return at < count ? at : 2 * count - 1 - at;
    default:
        return at < 0 ? 0 : at < count ? at : count - 1;
    }
}

/* Each tap becomes one or two, for the texels on both sides of the coordinate. */
static unsigned divide(struct lb_tap *taps, unsigned count, const int64_t index[2],
                       const float weight[2], size_t pitch)
{
    unsigned sides = weight[1] > 0 ? 2 : 1;
    for (unsigned i = count * sides; i-- > 0;) {
        unsigned side = i / count;
        struct lb_tap tap = taps[i % count];
        bool is_border = tap.offset == LB_BORDER || index[side] < 0;
        tap.offset = is_border ? LB_BORDER : tap.offset + (size_t)index[side] * pitch;
        tap.weight *= weight[side];
        taps[i] = tap;
    }
    return count * sides;
}

unsigned lb_image_taps(const struct lb_image *image, const uint32_t sampler[4],
                       const float coordinates[4], struct lb_tap taps[8])
{
    const size_t sizes[3] = {image->width, image->height, image->depth};
    const size_t pitches[3] = {image->element, image->row, image->slice};
    bool is_linear = (sampler[2] & LB_SAMPLER_LINEAR) && lb_image_is_float(image);
    unsigned count = 1;
    taps[0] = (struct lb_tap){0, 1};
    for (unsigned k = 0; k < image->dimensions; k++) {
        double size = (double)sizes[k];
        double at = (double)coordinates[k] * (sampler[0] & LB_SAMPLER_TEXELS ? 1 : size);
        at = isfinite(at) && fabs(at) < 0x1p40 ? floor(at * 256 + 0.5) / 256 : 0;
        at -= is_linear ? 0.5 : 0;
        float part = is_linear ? (float)(at - floor(at)) : 0;
        unsigned mode = sampler[0] >> 3 * k & 7;
        int64_t low = (int64_t)floor(at);
        const int64_t index[2] = {index_of(low, (int64_t)size, mode),
                                  index_of(low + 1, (int64_t)size, mode)};
        count = divide(taps, count, index, (const float[2]){1 - part, part}, pitches[k]);
    }
    if (image->is_layered) {
        float layer = rintf(coordinates[image->dimensions]);
        int64_t last = (int64_t)image->depth - 1;
        int64_t at = layer > 0 && layer < 0x1p20F ? (int64_t)layer : layer > 0 ? last : 0;
        const int64_t index[2] = {at < last ? at : last, 0};
        count = divide(taps, count, index, (const float[2]){1, 0}, image->slice);
    }
    return count;
}
