/* SPDX-License-Identifier: MIT */
/* hipshim: the types of memory, arrays and copies, and the functions that build them. */
#ifndef HIPSHIM_HIP_DRIVER_TYPES_H
#define HIPSHIM_HIP_DRIVER_TYPES_H

#include <stdlib.h>

#include "hip_common.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_DRIVER_TYPES_H

/* pitch and xsize in bytes, ysize in rows. */
static inline struct hipPitchedPtr make_hipPitchedPtr(void *pointer, size_t pitch, size_t xsize,
                                                      size_t ysize)
{
    struct hipPitchedPtr pitched;

    pitched.ptr = pointer;
    pitched.pitch = pitch;
    pitched.xsize = xsize;
    pitched.ysize = ysize;
    return pitched;
}

/* x in elements for an array, in bytes for plain memory. */
static inline struct hipPos make_hipPos(size_t x, size_t y, size_t z)
{
    struct hipPos pos;

    pos.x = x;
    pos.y = y;
    pos.z = z;
    return pos;
}

/* width in elements for an array, in bytes for plain memory. */
static inline struct hipExtent make_hipExtent(size_t width, size_t height, size_t depth)
{
    struct hipExtent extent;

    extent.width = width;
    extent.height = height;
    extent.depth = depth;
    return extent;
}

#endif
