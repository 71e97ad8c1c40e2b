/* SPDX-License-Identifier: MIT */
/*
 * Runs the runtime's own kernels, __amd_rocclr_*, on the host from their kernarg
 * block.  The runtime compiles them from source text that it contains, which shows
 * their arguments; they are not a stable interface.  There are two
 * generations of copyBuffer and fillBufferAligned: HIP 5 gives an origin and a
 * count, HIP 6 and later an end pointer and a chunk ("next_chunk").  Vectors are
 * aligned to their size, so a ulong4 lies at a multiple of 32.
 */
#include <string.h>

#include "internal.h"

static uint64_t u64(const void *arguments, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)arguments + offset, sizeof value);
    return value;
}

static uint32_t u32(const void *arguments, size_t offset)
{
    uint32_t value;
    memcpy(&value, (const char *)arguments + offset, sizeof value);
    return value;
}

static const void *pointer(const void *arguments, size_t offset)
{
    return (const void *)u64(arguments, offset); /* NOLINT: addresses of the GPU */
}

static void copy_bytes(const char *dst, const char *src, size_t size)
{
    void *to = size ? lb_host_address(dst, size) : NULL;
    const void *from = size ? lb_host_address(src, size) : NULL;
    if (to && from) {
        memmove(to, from, size);
    }
}

/* Writes the pattern of 16 bytes whole, except at the end, where only a part fits before `size`. */
static void fill(const char *buffer, const void *pattern, size_t pattern_size, size_t size)
{
    char *to = size ? lb_host_address(buffer, size) : NULL;
    const char *from = pattern_size ? lb_host_address(pattern, pattern_size) : NULL;
    for (size_t at = 0; to && from && at < size; at += pattern_size) {
        memcpy(to + at, from, pattern_size < size - at ? pattern_size : size - at);
    }
}

/* --- HIP 5: one of four pointers is set, which gives the width of an element --- */

static const char *element_pointer(const void *a, size_t *width)
{
    for (int i = 0; i < 4; i++) {
        if (u64(a, (size_t)i * 8)) {
            *width = (size_t)1 << i;
            return pointer(a, (size_t)i * 8);
        }
    }
    *width = 1;
    return NULL;
}

static void fill_5(const void *a)
{
    size_t width;
    const char *buffer = element_pointer(a, &width);
    size_t pattern = u32(a, 40) * width;
    fill(buffer + u64(a, 48) * width, pointer(a, 32), pattern, u64(a, 56) * pattern);
}

static void fill_2d(const void *a)
{
    size_t width;
    const char *buffer = element_pointer(a, &width);
    size_t pattern = u32(a, 40) * width;
    for (uint64_t y = 0; y < u64(a, 64); y++) {
        const char *row = buffer + (u64(a, 48) + y * u64(a, 72)) * width;
        fill(row, pointer(a, 32), pattern, u64(a, 56) * pattern);
    }
}

/* `remain` is 8 for a copy of bytes, else the number of bytes in the last word. */
static void copy_5(const void *a)
{
    uint64_t size = u64(a, 32);
    uint32_t remain = u32(a, 40);
    size_t bytes = remain == 8 || size == 0 ? size : (size - 1) * 4 + remain;
    copy_bytes((const char *)pointer(a, 8) + u64(a, 24), (const char *)pointer(a, 0) + u64(a, 16),
               bytes);
}

static void fill_buffer(const struct lb_kernel *kernel, const void *a)
{
    if (!kernel->next_chunk) {
        fill_5(a);
        return;
    }
    uint32_t width = u32(a, 20);
    fill(pointer(a, 0), pointer(a, 8), (size_t)u32(a, 16) * (width == 0 ? 1 : width),
         u64(a, 24) - u64(a, 0));
}

static void copy_buffer(const struct lb_kernel *kernel, const void *a)
{
    if (kernel->next_chunk) {
        copy_bytes(pointer(a, 8), pointer(a, 0), u64(a, 16));
    } else {
        copy_5(a);
    }
}

static void copy_aligned(const void *a)
{
    uint64_t width = u32(a, 40);
    copy_bytes((const char *)pointer(a, 8) + u64(a, 24) * width,
               (const char *)pointer(a, 0) + u64(a, 16) * width, u64(a, 32) * width);
}

/* Rectangles are {row pitch, slice pitch, start, ...}, sizes {x, y, z, width}. */
static void copy_rect(const void *a, uint64_t width)
{
    for (uint64_t z = 0; z < u64(a, 112); z++) {
        for (uint64_t y = 0; y < u64(a, 104); y++) {
            uint64_t src = u64(a, 48) + y * u64(a, 32) + z * u64(a, 40);
            uint64_t dst = u64(a, 80) + y * u64(a, 64) + z * u64(a, 72);
            copy_bytes((const char *)pointer(a, 8) + dst * width,
                       (const char *)pointer(a, 0) + src * width, u64(a, 96) * width);
        }
    }
}

/* --- images --- */

static char *texel(const struct lb_image *image, const void *origin, uint32_t y, uint32_t z)
{
    return image->data + ((size_t)u32(origin, 8) + z) * image->slice +
           ((size_t)u32(origin, 4) + y) * image->row + (size_t)u32(origin, 0) * image->element;
}

/* In one kernel `size` is 16 bytes after the image's origin, in the other 32 after the buffer's. */
static void image_rows(const struct lb_image *image, const char *origin, const char *buffer,
                       const char *size, const char *format, const char *pitch, uint64_t start,
                       bool to_image)
{
    size_t element = (size_t)u32(format, 0) * u32(format, 4);
    size_t unit = u32(format, 8) ? element / u32(format, 8) : 1;
    if (element != image->element) {
        lb_unknown(HSA_STATUS_ERROR, "a copy of %zu-byte elements of an image of %zu-byte ones",
                   element, image->element);
        return;
    }
    for (uint32_t z = 0; z < u32(size, 8); z++) {
        for (uint32_t y = 0; y < u32(size, 4); y++) {
            const char *linear =
                buffer + start * unit + (z * u64(pitch, 8) + y * u64(pitch, 0)) * element;
            const char *pixels = texel(image, origin, y, z);
            copy_bytes(to_image ? pixels : linear, to_image ? linear : pixels,
                       u32(size, 0) * element);
        }
    }
}

static const struct lb_image *image_at(const void *a, size_t offset)
{
    const struct lb_image *image = lb_image(u64(a, offset));
    if (!image) {
        lb_unknown(HSA_STATUS_ERROR, "a blit kernel got 0x%llx, which is no image",
                   (unsigned long long)u64(a, offset));
    }
    return image;
}

static void buffer_to_image(const char *a)
{
    const struct lb_image *image = image_at(a, 8);
    if (image) {
        image_rows(image, a + 64, pointer(a, 0), a + 80, a + 96, a + 128, u64(a, 32), true);
    }
}

static void image_to_buffer(const char *a)
{
    const struct lb_image *image = image_at(a, 0);
    if (image) {
        image_rows(image, a + 32, pointer(a, 8), a + 96, a + 112, a + 128, u64(a, 64), false);
    }
}

static void image_to_image(const char *a)
{
    const struct lb_image *src = image_at(a, 0);
    const struct lb_image *dst = image_at(a, 8);
    for (uint32_t z = 0; src && dst && z < u32(a, 56); z++) {
        for (uint32_t y = 0; y < u32(a, 52); y++) {
            copy_bytes(texel(dst, a + 32, y, z), texel(src, a + 16, y, z),
                       u32(a, 48) * src->element);
        }
    }
}

/* --- values of streams --- */

static void write_value(const void *word, const void *wide, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    if (word) {
        uint32_t *to = lb_host_address(word, 4);
        __atomic_store_n(to, narrow, __ATOMIC_RELEASE);
    } else {
        uint64_t *to = lb_host_address(wide, 8);
        __atomic_store_n(to, value, __ATOMIC_RELEASE);
    }
    lb_lock();
    lb_wake_locked();
    lb_unlock();
}

/* A wait for 32 bits is computed in 32 bits, because NOR in 64 bits would be true at once. */
static bool holds(uint64_t seen, uint64_t value, uint64_t flags, uint64_t mask, uint64_t all)
{
    switch (flags) {
    case 0:
        return (seen & mask & all) >= (value & all);
    case 1:
        return (seen & mask & all) == (value & all);
    case 2:
        return (seen & mask & value & all) != 0;
    default:
        return (~(seen | value) & mask & all) != 0;
    }
}

static void wait_value(const void *word, const void *wide, uint64_t value, uint64_t flags,
                       uint64_t mask)
{
    const uint32_t *narrow = word ? lb_host_address(word, 4) : NULL;
    const uint64_t *full = word ? NULL : lb_host_address(wide, 8);
    lb_lock();
    while (!(
        narrow ? holds(__atomic_load_n(narrow, __ATOMIC_ACQUIRE), value, flags, mask, UINT32_MAX)
               : holds(__atomic_load_n(full, __ATOMIC_ACQUIRE), value, flags, mask, UINT64_MAX))) {
        lb_wait_locked(1000);
    }
    lb_unlock();
}

/* A list of operations of 48 bytes each: {u32 kind, u64 address, u64 value, u32 flags}. */
static void batch(const void *a)
{
    enum { WAIT_32 = 1, WRITE_32 = 2, WAIT_64 = 4, WRITE_64 = 5, SIZE = 48 };
    uint32_t count = u32(a, 8);
    const char *list = count ? lb_host_address(pointer(a, 0), (size_t)count * SIZE) : NULL;
    for (uint32_t i = 0; list && i < count; i++, list += SIZE) {
        uint32_t kind = u32(list, 0);
        const void *address = pointer(list, 8);
        bool narrow = kind == WAIT_32 || kind == WRITE_32;
        if (kind == WAIT_32 || kind == WAIT_64) {
            wait_value(narrow ? address : NULL, address, u64(list, 16), u32(list, 24), UINT64_MAX);
        } else if (kind == WRITE_32 || kind == WRITE_64) {
            write_value(narrow ? address : NULL, address, u64(list, 16));
        } else {
            lb_unknown(HSA_STATUS_ERROR, "unknown batch operation %u", kind);
        }
    }
}

/* --- names --- */

static const char prefix[] = "__amd_rocclr_";

bool lb_blit_is(const char *name)
{
    return !strncmp(name, prefix, sizeof prefix - 1);
}

bool lb_blit_is_interpreted(const struct lb_kernel *kernel)
{
    return lb_blit_is(kernel->name) && !strcmp(kernel->name + sizeof prefix - 1, "initHeap");
}

void lb_blit_run(const struct lb_kernel *kernel, const void *kernarg)
{
    const char *name = kernel->name + sizeof prefix - 1;
    const char *a = lb_host_address(kernarg, kernel->kernarg);
    lb_log("blit %s", name);
    if (!strcmp(name, "fillBufferAligned")) {
        fill_buffer(kernel, a);
    } else if (!strcmp(name, "fillBufferAligned2D")) {
        fill_2d(a);
    } else if (!strcmp(name, "copyBuffer")) {
        copy_buffer(kernel, a);
    } else if (!strcmp(name, "copyBufferAligned")) {
        copy_aligned(a);
    } else if (!strcmp(name, "copyBufferRect")) {
        copy_rect(a, 1);
    } else if (!strcmp(name, "copyBufferRectAligned")) {
        copy_rect(a, u64(a, 120) == 16 ? 16 : 4);
    } else if (!strcmp(name, "copyBufferToImage")) {
        buffer_to_image(a);
    } else if (!strcmp(name, "copyImageToBuffer")) {
        image_to_buffer(a);
    } else if (!strcmp(name, "copyImage")) {
        image_to_image(a);
    } else if (!strcmp(name, "streamOpsWrite")) {
        write_value(pointer(a, 0), pointer(a, 8), u64(a, 16));
    } else if (!strcmp(name, "streamOpsWait")) {
        wait_value(pointer(a, 0), pointer(a, 8), u64(a, 16), u64(a, 24), u64(a, 32));
    } else if (!strcmp(name, "batchMemOp")) {
        batch(a);
    } else if (strcmp(name, "gwsInit") != 0 && strcmp(name, "initHeap") != 0) {
        /* These prepare a barrier and a heap that only device code uses. */
        lb_unknown(HSA_STATUS_ERROR, "unknown blit kernel %s", kernel->name);
    }
}
