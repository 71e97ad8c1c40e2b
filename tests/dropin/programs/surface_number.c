/* SPDX-License-Identifier: MIT */
/* Makes a surface object as programs for HIP 5.0 do, by the C++ names that have it as a number. */
#include <hip/hip_runtime_api.h>

#include <stdio.h>

hipError_t create(unsigned long long *surface, const struct hipResourceDesc *resource) __asm__(
    "_Z22hipCreateSurfaceObjectPyPK15hipResourceDesc");
hipError_t destroy(unsigned long long surface) __asm__("_Z23hipDestroySurfaceObjecty");

int main(void)
{
    struct hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    struct hipResourceDesc resource = {.resType = hipResourceTypeArray};
    unsigned long long surface = 0;
    hipError_t made = hipMallocArray(&resource.res.array.array, &format, 16, 4, hipArrayDefault);
    hipError_t created = create(&surface, &resource);

    printf("%d %d %d ", made, created, surface != 0);
    printf("%d\n", destroy(surface));
    return 0;
}
