/* SPDX-License-Identifier: MIT */
/*
 * Images and samplers.  Rows are padded to 256 bytes.  A handle is the address
 * of a pseudo descriptor, which the runtime copies into texture objects and its own kernels
 * read; two words of it point to the loopback's own record.  Compiled code reads
 * sizes and the format where the hardware's descriptor has them.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MAGIC 0x6c6f6f70

struct image {
    struct image *self; /* the descriptor: 64 bytes, copied by the runtime */
    uint32_t sizes, magic;
    uint32_t depth, unused[3];
    uint32_t type, order, width, rest[5];
    struct lb_image fields;
    struct lb_block block; /* the descriptor, as kernels may access it */
};
_Static_assert(offsetof(struct image, type) == 32, "the format follows eight words");
_Static_assert(offsetof(struct image, fields) == 64, "a descriptor has 64 bytes");

static size_t channel_size(uint32_t type)
{
    switch (type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8:
        return 1;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT24:
        return 4;
    default:
        return 2;
    }
}

static size_t channels(uint32_t order)
{
    switch (order) {
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RG:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RGX:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RA:
        return 2;
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RGB:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RGBX:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGB:
        return 3;
    case HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_ARGB:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_ABGR:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBX:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA:
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SBGRA:
        return 4;
    default:
        return 1;
    }
}

static struct lb_image measure(const hsa_ext_image_descriptor_t *asked, size_t row, size_t slice)
{
    static const uint8_t dimensions[] = {1, 2, 3, 1, 2, 1, 2, 2}; /* by geometry */
    struct lb_image image = {.element = channel_size(asked->format.channel_type) *
                                        channels(asked->format.channel_order),
                             .type = asked->format.channel_type,
                             .order = asked->format.channel_order,
                             .channels = (unsigned)channels(asked->format.channel_order),
                             .dimensions = dimensions[asked->geometry & 7],
                             .is_layered = asked->geometry == HSA_EXT_IMAGE_GEOMETRY_1DA ||
                                           asked->geometry == HSA_EXT_IMAGE_GEOMETRY_2DA ||
                                           asked->geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH,
                             .width = asked->width,
                             .height = asked->height ? asked->height : 1,
                             .depth = asked->depth ? asked->depth : 1};
    if (asked->array_size > 1) {
        image.depth = asked->array_size;
    }
    image.row = row ? row : (image.width * image.element + 255) & ~(size_t)255;
    image.slice = slice ? slice : image.row * image.height;
    if (asked->geometry == HSA_EXT_IMAGE_GEOMETRY_1DA) {
        image.slice = image.row; /* layers are rows */
    }
    return image;
}

hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t agent, const hsa_ext_image_descriptor_t *asked,
                                         hsa_access_permission_t permission,
                                         hsa_ext_image_data_info_t *info)
{
    (void)permission;
    if (lb_agent_index(agent) < 1 || !asked || !info) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct lb_image image = measure(asked, 0, 0);
    info->size = image.slice * image.depth;
    info->alignment = 256;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t create(const hsa_ext_image_descriptor_t *asked, const void *data, size_t row,
                           size_t slice, hsa_ext_image_t *result)
{
    if (!asked || !data || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct image *image = lb_new(sizeof *image);
    image->magic = MAGIC;
    image->self = image;
    image->fields = measure(asked, row, slice);
    image->fields.data = (char *)data;
    image->sizes = ((uint32_t)(image->fields.width - 1) & 0x3fff) |
                   ((uint32_t)(image->fields.height - 1) & 0x3fff) << 14;
    image->depth = (uint32_t)(image->fields.depth - 1) & 0x1fff;
    image->type = image->fields.type;
    image->order = image->fields.order;
    image->width = (uint32_t)image->fields.width;
    image->block.base = image->block.host = image->block.backing = (char *)image;
    image->block.size = image->block.mapped = offsetof(struct image, fields);
    lb_lock();
    lb_block_add_locked(&image->block);
    lb_unlock();
    result->handle = (uint64_t)image;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *asked,
                                  const void *data, hsa_access_permission_t permission,
                                  hsa_ext_image_t *result)
{
    (void)permission;
    return lb_agent_index(agent) < 1 ? HSA_STATUS_ERROR_INVALID_AGENT
                                     : create(asked, data, 0, 0, result);
}

hsa_status_t hsa_ext_image_create_with_layout(hsa_agent_t agent,
                                              const hsa_ext_image_descriptor_t *asked,
                                              const void *data, hsa_access_permission_t permission,
                                              hsa_ext_image_data_layout_t layout, size_t row,
                                              size_t slice, hsa_ext_image_t *result)
{
    (void)permission;
    (void)layout;
    return lb_agent_index(agent) < 1 ? HSA_STATUS_ERROR_INVALID_AGENT
                                     : create(asked, data, row, slice, result);
}

/*
 * HIP 7.14 has a descriptor with the number of levels after it.  The headers of 7.2 do not
 * declare it.  Mipmaps are refused.
 */
struct levelled {
    hsa_ext_image_descriptor_t first;
    size_t levels;
};
hsa_status_t hsa_ext_image_data_get_info_v2(hsa_agent_t, const struct levelled *,
                                            hsa_access_permission_t, hsa_ext_image_data_info_t *);
hsa_status_t hsa_ext_image_create_v2(hsa_agent_t, const struct levelled *, const void *,
                                     hsa_access_permission_t, hsa_ext_image_t *);
hsa_status_t hsa_ext_image_destroy_v2(hsa_agent_t, hsa_ext_image_t);

static bool is_flat(const struct levelled *asked)
{
    return asked && asked->levels <= 1;
}

hsa_status_t hsa_ext_image_data_get_info_v2(hsa_agent_t agent, const struct levelled *asked,
                                            hsa_access_permission_t permission,
                                            hsa_ext_image_data_info_t *info)
{
    return is_flat(asked) ? hsa_ext_image_data_get_info(agent, &asked->first, permission, info)
                          : (hsa_status_t)HSA_STATUS_ERROR_NOT_SUPPORTED;
}

hsa_status_t hsa_ext_image_create_v2(hsa_agent_t agent, const struct levelled *asked,
                                     const void *data, hsa_access_permission_t permission,
                                     hsa_ext_image_t *result)
{
    return is_flat(asked) ? hsa_ext_image_create(agent, &asked->first, data, permission, result)
                          : (hsa_status_t)HSA_STATUS_ERROR_NOT_SUPPORTED;
}

/* NULL if the handle is not an image of the loopback. */
static const struct lb_image *image_of(uint64_t handle)
{
    const struct image *image = (const struct image *)handle; /* NOLINT */
    return image && image->magic == MAGIC ? &image->self->fields : NULL;
}

static bool is_known(const struct lb_image *image)
{
    uint32_t type = image->type;
    uint32_t order = image->order;
    return (type < HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT24 ||
            (type >= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8 &&
             type <= HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT)) &&
           (order == HSA_EXT_IMAGE_CHANNEL_ORDER_R || order == HSA_EXT_IMAGE_CHANNEL_ORDER_RG ||
            order == HSA_EXT_IMAGE_CHANNEL_ORDER_RGB || order == HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA);
}

const struct lb_image *lb_image_described(const uint32_t words[4])
{
    uint64_t handle = words[0] | (uint64_t)words[1] << 32;
    const struct lb_image *image = words[3] == MAGIC ? image_of(handle) : NULL;
    return image && is_known(image) ? image : NULL;
}

hsa_status_t hsa_ext_image_destroy(hsa_agent_t agent, hsa_ext_image_t handle)
{
    struct image *image = (struct image *)handle.handle; /* NOLINT */
    (void)agent;
    if (!image_of(handle.handle)) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    lb_block_remove_locked(&image->block);
    lb_unlock();
    image->magic = 0;
    free(image);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_destroy_v2(hsa_agent_t agent, hsa_ext_image_t handle)
{
    return hsa_ext_image_destroy(agent, handle);
}

static hsa_status_t transfer(const struct lb_image *image, const char *memory, size_t row,
                             size_t slice, const hsa_ext_image_region_t *region, bool to_image)
{
    if (!image || !memory) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    size_t bytes = region->range.x * image->element;
    row = row ? row : bytes;
    slice = slice ? slice : row * region->range.y;
    for (size_t z = 0; z < region->range.z; z++) {
        for (size_t y = 0; y < region->range.y; y++) {
            char *pixels = lb_host_address(image->data + (region->offset.z + z) * image->slice +
                                               (region->offset.y + y) * image->row +
                                               region->offset.x * image->element,
                                           bytes);
            char *linear = lb_host_address(memory + z * slice + y * row, bytes);
            if (pixels && linear) {
                memmove(to_image ? pixels : linear, to_image ? linear : pixels, bytes);
            }
        }
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_import(hsa_agent_t agent, const void *src, size_t row, size_t slice,
                                  hsa_ext_image_t dst, const hsa_ext_image_region_t *region)
{
    (void)agent;
    return transfer(image_of(dst.handle), src, row, slice, region, true);
}

hsa_status_t hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t src, void *dst, size_t row,
                                  size_t slice, const hsa_ext_image_region_t *region)
{
    (void)agent;
    return transfer(image_of(src.handle), dst, row, slice, region, false);
}

/* --- samplers: 64 bytes to copy --- */

static hsa_status_t sampler_new(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *asked,
                                const uint32_t modes[3], hsa_ext_sampler_t *result)
{
    if (lb_agent_index(agent) < 1 || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    uint32_t *sampler = lb_new(64);
    for (unsigned k = 0; k < 3; k++) {
        sampler[0] |= (modes[k] & 7) << 3 * k;
    }
    sampler[0] |= asked->coordinate_mode ? 0 : LB_SAMPLER_TEXELS;
    sampler[2] = asked->filter_mode ? LB_SAMPLER_LINEAR : 0;
    result->handle = (uint64_t)sampler;
    return HSA_STATUS_SUCCESS;
}

/* HIP 7.14 has the filter of mipmaps before the modes; its headers are not among those here. */
hsa_status_t hsa_ext_sampler_create_v2(hsa_agent_t agent,
                                       const hsa_ext_sampler_descriptor_v2_t *asked,
                                       hsa_ext_sampler_t *result)
{
    uint32_t modes[3];
    if (!asked) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    const char *place =
        (const char *)asked + offsetof(hsa_ext_sampler_descriptor_v2_t, address_modes);
    place += __atomic_load_n(&lb_settings.newer, __ATOMIC_RELAXED) ? sizeof modes[0] : 0;
    memcpy(modes, place, sizeof modes);
    return sampler_new(agent, (const hsa_ext_sampler_descriptor_t *)asked, modes, result);
}

hsa_status_t hsa_ext_sampler_create(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *asked,
                                    hsa_ext_sampler_t *result)
{
    uint32_t mode = asked ? asked->address_mode : 0;
    return asked ? sampler_new(agent, asked, (const uint32_t[3]){mode, mode, mode}, result)
                 : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t agent, hsa_ext_sampler_t sampler)
{
    (void)agent;
    free((void *)sampler.handle); /* NOLINT: the handle is an address */
    return HSA_STATUS_SUCCESS;
}
