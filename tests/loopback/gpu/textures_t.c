/* SPDX-License-Identifier: MIT */
/* Mipmapped arrays, texture objects of the driver, surfaces: made, asked, ended, or refused. */
#include "gpu.h"

enum { WIDTH = 32, HEIGHT = 16 };

static hipArray_t new_array(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    return array;
}

/* Every release before 7.14 says on Linux that it has none, and the loopback does. */
static void mipmaps_are_refused(void **state)
{
    hipMipmappedArray_t mipmaps = NULL;
    hipArray_t level = NULL;
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipExtent extent = {WIDTH, HEIGHT, 0};
    HIP_ARRAY3D_DESCRIPTOR description = {
        .Width = WIDTH, .Height = HEIGHT, .Format = HIP_AD_FORMAT_FLOAT, .NumChannels = 1};
    hipError_t none = HIP_BEFORE(7, 14) ? hipErrorNotSupported : hipErrorOutOfMemory;
    EXPECT(hipMallocMipmappedArray(&mipmaps, &format, extent, 2, 0), none);
    EXPECT(hipMipmappedArrayCreate(&mipmaps, &description, 2),
           HIP_BEFORE(5, 7) ? hipErrorInvalidValue : none);
    assert_null(mipmaps);
    hipError_t of_none = HIP_BEFORE(6, 0) ? hipErrorInvalidValue : hipErrorInvalidHandle;
    hipError_t runtimes = HIP_BEFORE(5, 7) ? hipErrorNotSupported : hipErrorInvalidValue;
    EXPECT(hipMipmappedArrayGetLevel(&level, NULL, 0), of_none);
    EXPECT(hipGetMipmappedArrayLevel(&level, NULL, 0),
           HIP_BEFORE(5, 7) ? hipErrorNotSupported : of_none);
    EXPECT(hipFreeMipmappedArray(NULL), runtimes);
    EXPECT(hipMipmappedArrayDestroy(NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void the_drivers_objects_describe_themselves(void **state)
{
    hipArray_t array = new_array();
    hipTextureObject_t texture = NULL;
    HIP_RESOURCE_DESC resource;
    HIP_RESOURCE_DESC resource_got;
    HIP_TEXTURE_DESC how;
    HIP_TEXTURE_DESC how_got;
    HIP_RESOURCE_VIEW_DESC view_got;
    memset(&resource, 0, sizeof resource);
    memset(&resource_got, 0, sizeof resource_got);
    memset(&how, 0, sizeof how);
    memset(&how_got, 0, sizeof how_got);
    resource.resType = HIP_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.addressMode[0] = HIP_TR_ADDRESS_MODE_CLAMP;
    how.addressMode[1] = HIP_TR_ADDRESS_MODE_CLAMP;
    how.filterMode = HIP_TR_FILTER_MODE_LINEAR;
    OK(hipTexObjectCreate(&texture, &resource, &how, NULL));
    assert_non_null(texture);
    OK(hipTexObjectGetResourceDesc(&resource_got, texture));
    assert_int_equal(resource_got.resType, HIP_RESOURCE_TYPE_ARRAY);
    assert_ptr_equal(resource_got.res.array.hArray, array);
    OK(hipTexObjectGetTextureDesc(&how_got, texture));
    assert_int_equal(how_got.addressMode[0], HIP_TR_ADDRESS_MODE_CLAMP);
    assert_int_equal(how_got.filterMode, HIP_TR_FILTER_MODE_LINEAR);
    OK(hipTexObjectGetResourceViewDesc(&view_got, texture));
    OK(hipTexObjectDestroy(texture));
    OK(hipFreeArray(array));
    (void)hipGetLastError();
}

#if HIP_VERSION < 50300000
/* In the headers of 5.2 the functions of surfaces have C++ names only. */
hipError_t
hipCreateSurfaceObject(hipSurfaceObject_t *surface, const struct hipResourceDesc *resource) __asm__(
    "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc");
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface) __asm__(
    "_Z23hipDestroySurfaceObjectP13__hip_surface");
#endif

static void surfaces_are_made(void **state)
{
    NEEDS(hipCreateSurfaceObject);
    hipArray_t array = new_array();
    hipSurfaceObject_t surface = NULL;
    struct hipResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    OK(hipCreateSurfaceObject(&surface, &resource));
    assert_non_null(surface);
    OK(hipDestroySurfaceObject(surface));
    OK(hipFreeArray(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mipmaps_are_refused),
        cmocka_unit_test(the_drivers_objects_describe_themselves),
        cmocka_unit_test(surfaces_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
