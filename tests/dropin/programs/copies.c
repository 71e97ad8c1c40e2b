/* SPDX-License-Identifier: MIT */
/* Copies of every kind and shape; the numbers of memory types in their structures changed in HIP 6.
 */
#include "check.h"

enum { WIDTH = 96, HEIGHT = 11, DEPTH = 3, PITCH = 128 };

static unsigned char in[PITCH * HEIGHT * DEPTH];
static unsigned char out[PITCH * HEIGHT * DEPTH];

static void prepare(unsigned seed)
{
    check_fill(in, sizeof in, seed);
    memset(out, 0xcc, sizeof out);
}

static void lines(void)
{
    void *one = NULL, *two = NULL;
    prepare(1);
    OK(hipMalloc(&one, sizeof in));
    OK(hipMalloc(&two, sizeof in));
    OK(hipMemcpy(one, in, sizeof in, hipMemcpyHostToDevice));
    OK(hipMemcpy(two, one, sizeof in, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(out, two, sizeof in, hipMemcpyDefault));
    CHECK(memcmp(in, out, sizeof in) == 0);
    memset(out, 0, sizeof out);
    OK(hipMemcpyDtoD((hipDeviceptr_t)one, (hipDeviceptr_t)two, 1000));
    OK(hipMemcpyDtoH(out, (hipDeviceptr_t)one, 1000));
    CHECK(memcmp(in, out, 1000) == 0);
    SAME(out[1000], 0);
    OK(hipFree(one));
    OK(hipFree(two));
    EXPECT(hipMemcpy(NULL, in, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    (void)hipGetLastError();
}

/* HIP 6 has a kind that older releases do by another. */
static void without_compute_units(void)
{
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR >= 604
    void *from = NULL, *to = NULL;
    OK(hipMalloc(&from, 4096));
    OK(hipMalloc(&to, 4096));
    OK(hipMemset(from, 0x35, 4096));
    OK(hipMemcpy(to, from, 4096, hipMemcpyDeviceToDeviceNoCU));
    CHECK(check_device_filled(to, 0x35, 4096));
    OK(hipFree(from));
    OK(hipFree(to));
#else
    check_skips("HIP 5 has no such kind");
#endif
}

static void rectangles(void)
{
    char *device = NULL;
    size_t pitch = 0;
    prepare(2);
    OK(hipMallocPitch((void **)&device, &pitch, WIDTH, HEIGHT));
    OK(hipMemcpy2D(device, pitch, in, PITCH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2DAsync(out, PITCH, device, pitch, WIDTH, HEIGHT, hipMemcpyDeviceToHost, NULL));
    OK(hipStreamSynchronize(NULL));
    for (size_t y = 0; y < HEIGHT; y++) {
        CHECK(memcmp(out + y * PITCH, in + y * PITCH, WIDTH) == 0);
        SAME(out[y * PITCH + WIDTH], 0xcc);
    }
    OK(hipFree(device));
}

static void rectangles_by_structure(void)
{
    void *device = NULL;
    hip_Memcpy2D to, from;
    prepare(3);
    OK(hipMalloc(&device, PITCH * HEIGHT));
    OK(hipMemset(device, 0, PITCH * HEIGHT));
    memset(&to, 0, sizeof to);
    to.srcMemoryType = hipMemoryTypeHost;
    to.srcHost = in;
    to.srcXInBytes = 4;
    to.srcY = 2;
    to.srcPitch = PITCH;
    to.dstMemoryType = hipMemoryTypeDevice;
    to.dstDevice = (hipDeviceptr_t)device;
    to.dstXInBytes = 8;
    to.dstY = 3;
    to.dstPitch = PITCH;
    to.WidthInBytes = 40;
    to.Height = 5;
    OK(hipMemcpyParam2D(&to));
    memset(&from, 0, sizeof from);
    from.srcMemoryType = hipMemoryTypeDevice;
    from.srcDevice = (hipDeviceptr_t)device;
    from.srcPitch = PITCH;
    from.dstMemoryType = hipMemoryTypeHost;
    from.dstHost = out;
    from.dstPitch = PITCH;
    from.WidthInBytes = PITCH;
    from.Height = HEIGHT;
    OK(hipMemcpyParam2DAsync(&from, NULL));
    OK(hipStreamSynchronize(NULL));
    for (size_t y = 0; y < 5; y++) {
        CHECK(memcmp(out + (y + 3) * PITCH + 8, in + (y + 2) * PITCH + 4, 40) == 0);
        SAME(out[(y + 3) * PITCH + 7], 0);
        SAME(out[(y + 3) * PITCH + 48], 0);
    }
    OK(hipFree(device));
}

static void volumes(void)
{
    hipPitchedPtr device;
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    hipMemcpy3DParms to, from;
    prepare(4);
    OK(hipMalloc3D(&device, extent));
    memset(&to, 0, sizeof to);
    to.srcPtr = (hipPitchedPtr){in, PITCH, PITCH, HEIGHT};
    to.dstPtr = device;
    to.extent = extent;
    to.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&to));
    memset(&from, 0, sizeof from);
    from.srcPtr = device;
    from.srcPos = (hipPos){5, 2, 1};
    from.dstPtr = (hipPitchedPtr){out, PITCH, PITCH, HEIGHT};
    from.dstPos = (hipPos){1, 3, 0};
    from.extent = (hipExtent){20, 4, 2};
    from.kind = hipMemcpyDeviceToHost;
    OK(hipMemcpy3DAsync(&from, NULL));
    OK(hipStreamSynchronize(NULL));
    for (size_t z = 0; z < 2; z++) {
        for (size_t y = 0; y < 4; y++) {
            CHECK(memcmp(out + (z * HEIGHT + y + 3) * PITCH + 1,
                         in + ((z + 1) * HEIGHT + y + 2) * PITCH + 5, 20) == 0);
        }
    }
    SAME(out[0], 0xcc);
    OK(hipFree(device.ptr));
}

/* HIP_MEMCPY3D is 128 bytes up to HIP 5 and 184 from 6 on. */
static HIP_MEMCPY3D driver_copy(void *device, void *host, int to_device)
{
    HIP_MEMCPY3D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = to_device ? hipMemoryTypeHost : hipMemoryTypeDevice;
    copy.srcHost = to_device ? host : NULL;
    copy.srcDevice = (hipDeviceptr_t)(to_device ? NULL : device);
    copy.srcPitch = PITCH;
    copy.srcHeight = HEIGHT;
    copy.dstMemoryType = to_device ? hipMemoryTypeDevice : hipMemoryTypeHost;
    copy.dstHost = to_device ? NULL : host;
    copy.dstDevice = (hipDeviceptr_t)(to_device ? device : NULL);
    copy.dstPitch = PITCH;
    copy.dstHeight = HEIGHT;
    copy.WidthInBytes = PITCH;
    copy.Height = HEIGHT;
    copy.Depth = DEPTH;
    return copy;
}

static void volumes_by_driver_structure(void)
{
    void *device = NULL;
    prepare(5);
    OK(hipMalloc(&device, sizeof in));
    HIP_MEMCPY3D to = driver_copy(device, in, 1);
    HIP_MEMCPY3D from = driver_copy(device, out, 0);
    OK(hipDrvMemcpy3D(&to));
    OK(hipDrvMemcpy3DAsync(&from, NULL));
    OK(hipStreamSynchronize(NULL));
    CHECK(memcmp(in, out, sizeof in) == 0);
    /* A box within: where each number stands in the structure counts. */
    memset(out, 0, sizeof out);
    from.srcXInBytes = 7;
    from.srcY = 1;
    from.srcZ = 1;
    from.dstXInBytes = 3;
    from.dstZ = 2;
    from.WidthInBytes = 50;
    from.Height = 4;
    from.Depth = 1;
    OK(hipDrvMemcpy3D(&from));
    for (size_t y = 0; y < 4; y++) {
        CHECK(memcmp(out + (2 * HEIGHT + y) * PITCH + 3, in + (HEIGHT + y + 1) * PITCH + 7, 50) ==
              0);
    }
    SAME(out[2 * HEIGHT * PITCH + 2], 0);
    SAME(out[2 * HEIGHT * PITCH + 53], 0);
    OK(hipFree(device));
}

const struct test copy_tests[] = {
    {"copies of lines", lines},
    {"copies of lines without compute units", without_compute_units},
    {"copies of rectangles", rectangles},
    {"copies of rectangles by a structure", rectangles_by_structure},
    {"copies of volumes", volumes},
    {"copies of volumes by the driver's structure", volumes_by_driver_structure},
    {NULL, NULL},
};
