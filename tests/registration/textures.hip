// SPDX-License-Identifier: MIT
//
// A texture reference, which HIP knows by its address on the host.  Needs a GPU that samples
// textures: LOOPBACK_ISA=gfx1030.
#include <hip/hip_runtime.h>

#include "check.h"

texture<float, 2, hipReadModeElementType> picture;

static __global__ void sample(float *p)
{
    *p = tex2D(picture, 1.f, 2.f);
}

int main()
{
    const textureReference *found = nullptr;
    hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    hipArray_t array = nullptr;
    float *device = nullptr;

    CHECK(hipMalloc(&device, sizeof *device) == hipSuccess &&
              hipMallocArray(&array, &format, 64, 64, 0) == hipSuccess,
          "there is an array");
    CHECK(hipBindTextureToArray(picture, array, format) == hipSuccess, "it is bound");
    CHECK(hipGetTextureReference(&found, &picture) == hipSuccess && found == &picture,
          "the texture is found by its address");
    sample<<<1, 1>>>(device);
    CHECK(hipGetLastError() == hipSuccess && hipDeviceSynchronize() == hipSuccess,
          "a kernel that samples it launches");
    CHECK(hipUnbindTexture(picture) == hipSuccess, "it is unbound");
    CHECK(hipFreeArray(array) == hipSuccess && hipFree(device) == hipSuccess, "all is freed");
    return check_end();
}
