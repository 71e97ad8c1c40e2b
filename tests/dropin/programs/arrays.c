/* SPDX-License-Identifier: MIT */
/* Arrays, which are a structure to look into up to HIP 5 and a handle from 6 on, and textures. */
#include "check.h"

enum { WIDTH = 50, HEIGHT = 9, DEPTH = 4, ROW = WIDTH * 4 };

static unsigned char in[ROW * HEIGHT * DEPTH];
static unsigned char out[ROW * HEIGHT * DEPTH];

static void prepare(unsigned seed)
{
    check_fill(in, sizeof in, seed);
    memset(out, 0, sizeof out);
}

static void rows(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    prepare(1);
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    OK(hipMemcpy2DToArray(array, 0, 0, in, ROW, ROW, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2DFromArray(out, ROW, array, 0, 0, ROW, HEIGHT, hipMemcpyDeviceToHost));
    CHECK(memcmp(in, out, ROW * HEIGHT) == 0);
    OK(hipFreeArray(array));
}

static void volumes(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    hipMemcpy3DParms to, from;
    prepare(2);
    OK(hipMalloc3DArray(&array, &format, extent, hipArrayDefault));
    memset(&to, 0, sizeof to);
    to.srcPtr = (hipPitchedPtr){in, ROW, WIDTH, HEIGHT};
    to.dstArray = array;
    to.extent = extent;
    to.kind = hipMemcpyHostToDevice;
    memset(&from, 0, sizeof from);
    from.srcArray = array;
    from.dstPtr = (hipPitchedPtr){out, ROW, WIDTH, HEIGHT};
    from.extent = extent;
    from.kind = hipMemcpyDeviceToHost;
    OK(hipMemcpy3D(&to));
    OK(hipMemcpy3D(&from));
    CHECK(memcmp(in, out, sizeof in) == 0);
    OK(hipFreeArray(array));
}

static void the_drivers_way(void)
{
    hipArray_t array = NULL;
    HIP_ARRAY_DESCRIPTOR description;
    hip_Memcpy2D to, from;
    prepare(3);
    memset(&description, 0, sizeof description);
    description.Width = WIDTH;
    description.Height = HEIGHT;
    description.Format = HIP_AD_FORMAT_UNSIGNED_INT8;
    description.NumChannels = 4;
    OK(hipArrayCreate(&array, &description));
    memset(&to, 0, sizeof to);
    to.srcMemoryType = hipMemoryTypeHost;
    to.srcHost = in;
    to.srcPitch = ROW;
    to.dstMemoryType = hipMemoryTypeArray;
    to.dstArray = array;
    to.WidthInBytes = ROW;
    to.Height = HEIGHT;
    memset(&from, 0, sizeof from);
    from.srcMemoryType = hipMemoryTypeArray;
    from.srcArray = array;
    from.dstMemoryType = hipMemoryTypeHost;
    from.dstHost = out;
    from.dstPitch = ROW;
    from.WidthInBytes = ROW;
    from.Height = HEIGHT;
    OK(hipMemcpyParam2D(&to));
    OK(hipMemcpyParam2D(&from));
    CHECK(memcmp(in, out, ROW * HEIGHT) == 0);
    memset(out, 0, sizeof out);
    OK(hipMemcpyHtoA(array, 0, in + ROW, ROW));
    OK(hipMemcpyAtoH(out, array, 0, ROW));
    CHECK(memcmp(in + ROW, out, ROW) == 0);
    OK(hipArrayDestroy(array));
}

static void descriptions(void)
{
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR >= 507
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat}, told;
    hipExtent extent;
    HIP_ARRAY_DESCRIPTOR description;
    unsigned flags = 77;
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    memset(&told, 0, sizeof told);
    memset(&extent, 0xff, sizeof extent);
    memset(&description, 0, sizeof description);
    NEEDS(506, hipArrayGetInfo(&told, &extent, &flags, array));
    OK(hipArrayGetInfo(&told, &extent, &flags, array));
    SAME(told.x, 32);
    SAME(told.f, hipChannelFormatKindFloat);
    SAME(extent.width, WIDTH);
    SAME(extent.height, HEIGHT);
    SAME(flags, hipArrayDefault);
    OK(hipArrayGetDescriptor(&description, array));
    SAME(description.Width, WIDTH);
    SAME(description.Format, HIP_AD_FORMAT_FLOAT);
    SAME(description.NumChannels, 1);
    OK(hipFreeArray(array));
#else
    check_skips("HIP 5.2 has no hipArrayGetInfo");
#endif
}

static void textures(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    hipTextureObject_t texture = NULL;
    struct hipResourceDesc resource, told;
    struct hipTextureDesc how, how_told;
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    memset(&resource, 0, sizeof resource);
    memset(&told, 0xff, sizeof told);
    memset(&how, 0, sizeof how);
    memset(&how_told, 0xff, sizeof how_told);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = hipAddressModeClamp;
    how.filterMode = hipFilterModePoint;
    how.readMode = hipReadModeElementType;
    OK(hipCreateTextureObject(&texture, &resource, &how, NULL));
    CHECK(texture != NULL);
    OK(hipGetTextureObjectResourceDesc(&told, texture));
    SAME(told.resType, hipResourceTypeArray);
    CHECK(told.res.array.array == array);
    OK(hipDestroyTextureObject(texture));
    OK(hipFreeArray(array));
}

/* In HIP 5.2 the functions of surfaces have C++ names only. */
#if HIP_VERSION < 50300000
hipError_t
create_surface(hipSurfaceObject_t *surface, const struct hipResourceDesc *resource) __asm__(
    "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc");
hipError_t
destroy_surface(hipSurfaceObject_t surface) __asm__("_Z23hipDestroySurfaceObjectP13__hip_surface");
#else
#define create_surface  hipCreateSurfaceObject
#define destroy_surface hipDestroySurfaceObject
#endif

static void surfaces(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    hipSurfaceObject_t surface = NULL;
    struct hipResourceDesc resource;
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    memset(&resource, 0, sizeof resource);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    OK(create_surface(&surface, &resource));
    CHECK(surface != NULL);
    OK(destroy_surface(surface));
    OK(hipFreeArray(array));
}

const struct test array_tests[] = {
    {"rows go into an array and out", rows},
    {"volumes go into an array and out", volumes},
    {"arrays are made and copied the driver's way", the_drivers_way},
    {"arrays describe themselves", descriptions},
    {"texture objects hold their array", textures},
    {NULL, NULL},
};

const struct test surface_tests[] = {
    {"surface objects hold their array", surfaces},
    {NULL, NULL},
};
