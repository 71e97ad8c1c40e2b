/* SPDX-License-Identifier: MIT */
/* hipshim: texture objects and references; in C++ the typed reference. */
#ifndef HIPSHIM_HIP_TEXTURE_TYPES_H
#define HIPSHIM_HIP_TEXTURE_TYPES_H

#include "channel_descriptor.h"
#include "hip_common.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_TEXTURE_TYPES_H

#ifdef __cplusplus
extern "C++" {

typedef textureReference *hipTexRef;

/* The compiler registers each variable of a type that has this attribute. */
#ifdef __HIP__
#define HIPSHIM_TEXTURE __attribute__((device_builtin_texture_type))
#else
#define HIPSHIM_TEXTURE
#endif

/* A texture reference with the element type, dimension and read mode of its texture. */
template <class T, int texType = hipTextureType1D,
          enum hipTextureReadMode mode = hipReadModeElementType>
struct HIPSHIM_TEXTURE texture : textureReference {
    texture(int normalized_ = 0, enum hipTextureFilterMode filter = hipFilterModePoint,
            enum hipTextureAddressMode address = hipAddressModeClamp)
        : texture(normalized_, filter, address, hipCreateChannelDesc<T>())
    {
    }

    texture(int normalized_, enum hipTextureFilterMode filter, enum hipTextureAddressMode address,
            struct hipChannelFormatDesc format_of_channels)
        : textureReference()
    {
        normalized = normalized_;
        readMode = mode;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = format_of_channels;
    }
};

} /* extern "C++" */
#endif

#endif
