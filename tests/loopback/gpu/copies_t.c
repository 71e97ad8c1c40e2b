/* SPDX-License-Identifier: MIT */
/* Copies of every kind and shape put every byte where it belongs, and no other. */
#include "gpu.h"

static void sizes_and_offsets(void **state)
{
    static const size_t sizes[] = {1, 3, 4, 15, 16, 17, 4095, 4097, 65536, 300001, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i];
        const size_t skip_bytes = i % 5;
        unsigned char *host = pattern_new(size, (unsigned)i);
        char *one = NULL;
        char *two = NULL;
        OK(hipMalloc((void **)&one, size + 64));
        OK(hipMalloc((void **)&two, size + 64));
        OK(hipMemset(two, 0xee, size + 64));
        OK(hipMemcpy(one + skip_bytes, host, size, hipMemcpyHostToDevice));
        OK(hipMemcpy(two + 8, one + skip_bytes, size, hipMemcpyDeviceToDevice));
        OK(hipDeviceSynchronize());
        expect_device_bytes(two + 8, host, size);
        expect_device_filled(two, 0xee, 8);
        expect_device_filled(two + 8 + size, 0xee, 56);
        OK(hipFree(one));
        OK(hipFree(two));
        free(host);
    }
}

static void kinds_by_function(void **state)
{
    unsigned char host[1000];
    unsigned char back[1000] = {0};
    void *one = NULL;
    void *two = NULL;
    pattern(host, sizeof host, 3);
    OK(hipMalloc(&one, sizeof host));
    OK(hipMalloc(&two, sizeof host));
    OK(hipMemcpyHtoD(one, host, sizeof host));
    OK(hipMemcpyDtoD(two, one, sizeof host));
    OK(hipMemcpyDtoH(back, two, sizeof host));
    assert_memory_equal(back, host, sizeof host);
    memset(back, 0, sizeof back);
    OK(hipMemcpy(back, host, sizeof host, hipMemcpyHostToHost));
    assert_memory_equal(back, host, sizeof host);
    memset(back, 0, sizeof back);
    OK(hipMemset(one, 0, sizeof host));
    OK(hipMemcpy(one, host, sizeof host, hipMemcpyDefault));
    OK(hipMemcpy(back, one, sizeof host, hipMemcpyDefault));
    assert_memory_equal(back, host, sizeof host);
    OK(hipFree(one));
    OK(hipFree(two));
}

/* A kind that older releases do by another. */
static void without_compute_units(void **state)
{
#if HIP_VERSION < 60100000
    skip();
#else
    void *from = NULL;
    void *to = NULL;
    OK(hipMalloc(&from, 4096));
    OK(hipMalloc(&to, 4096));
    OK(hipMemset(from, 0x35, 4096));
    OK(hipMemcpy(to, from, 4096, hipMemcpyDeviceToDeviceNoCU));
    expect_device_filled(to, 0x35, 4096);
    OK(hipFree(from));
    OK(hipFree(to));
#endif
}

static void asynchronous_copies(void **state)
{
    const size_t size = 2 << 20;
    hipStream_t stream;
    void *device = NULL;
    void *in = NULL;
    void *out = NULL;
    OK(hipStreamCreate(&stream));
    OK(hipMalloc(&device, size));
    OK(hipHostMalloc(&in, size, hipHostMallocDefault));
    OK(hipHostMalloc(&out, size, hipHostMallocDefault));
    pattern(in, size, 5);
    memset(out, 0, size);
    OK(hipMemcpyAsync(device, in, size, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyAsync(out, device, size, hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    assert_memory_equal(out, in, size);
    memset(out, 0, size);
    OK(hipMemcpyDtoHAsync(out, device, size, stream));
    OK(hipStreamSynchronize(stream));
    assert_memory_equal(out, in, size);
    OK(hipHostFree(in));
    OK(hipHostFree(out));
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

enum { WIDTH = 96, HEIGHT = 11, DEPTH = 3, HOST_PITCH = 128 };

static void rectangles(void **state)
{
    unsigned char in[HOST_PITCH * HEIGHT];
    unsigned char out[HOST_PITCH * HEIGHT];
    size_t pitch = 0;
    char *one = NULL;
    char *two = NULL;
    pattern(in, sizeof in, 7);
    OK(hipMallocPitch((void **)&one, &pitch, WIDTH, HEIGHT));
    OK(hipMalloc((void **)&two, HOST_PITCH * HEIGHT));
    OK(hipMemset(one, 0, pitch * HEIGHT));
    OK(hipMemset(two, 0, HOST_PITCH * HEIGHT));
    OK(hipMemcpy2D(one, pitch, in, HOST_PITCH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2D(two, HOST_PITCH, one, pitch, WIDTH, HEIGHT, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    memset(out, 0xcc, sizeof out);
    OK(hipMemcpy2D(out, HOST_PITCH, two, HOST_PITCH, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    for (size_t y = 0; y < HEIGHT; y++) {
        assert_memory_equal(out + y * HOST_PITCH, in + y * HOST_PITCH, WIDTH);
        assert_int_equal(out[y * HOST_PITCH + WIDTH], 0xcc);
    }
    /* Odd origins: no word is aligned. */
    OK(hipMemcpy2D(one + 1, pitch, two + 3, HOST_PITCH, 33, 5, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    for (size_t y = 0; y < 5; y++) {
        expect_device_bytes(one + y * pitch + 1, in + y * HOST_PITCH + 3, 33);
    }
    OK(hipMemcpy2DAsync(out, HOST_PITCH, one, pitch, WIDTH, HEIGHT, hipMemcpyDeviceToHost, NULL));
    OK(hipStreamSynchronize(NULL));
    assert_memory_equal(out + 10 * HOST_PITCH, in + 10 * HOST_PITCH, WIDTH);
    OK(hipFree(one));
    OK(hipFree(two));
}

/* hip_Memcpy2D: its memory types are among the enumerators that HIP 6 moved. */
static void rectangles_by_structure(void **state)
{
    unsigned char in[HOST_PITCH * HEIGHT];
    unsigned char out[HOST_PITCH * HEIGHT];
    char *device = NULL;
    pattern(in, sizeof in, 8);
    memset(out, 0, sizeof out);
    OK(hipMalloc((void **)&device, HOST_PITCH * HEIGHT));
    OK(hipMemset(device, 0, HOST_PITCH * HEIGHT));
    hip_Memcpy2D copy = {.srcMemoryType = hipMemoryTypeHost,
                         .srcHost = in,
                         .srcPitch = HOST_PITCH,
                         .srcXInBytes = 4,
                         .srcY = 1,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstDevice = device,
                         .dstPitch = HOST_PITCH,
                         .dstXInBytes = 8,
                         .dstY = 2,
                         .WidthInBytes = 40,
                         .Height = 6};
    OK(hipMemcpyParam2D(&copy));
    for (size_t y = 0; y < 6; y++) {
        expect_device_bytes(device + (y + 2) * HOST_PITCH + 8, in + (y + 1) * HOST_PITCH + 4, 40);
    }
    expect_device_filled(device, 0, 2 * HOST_PITCH + 8);
    expect_device_filled(device + 2 * HOST_PITCH + 48, 0, HOST_PITCH - 40);
    hip_Memcpy2D back = {.srcMemoryType = hipMemoryTypeDevice,
                         .srcDevice = device,
                         .srcPitch = HOST_PITCH,
                         .dstMemoryType = hipMemoryTypeHost,
                         .dstHost = out,
                         .dstPitch = HOST_PITCH,
                         .WidthInBytes = HOST_PITCH,
                         .Height = HEIGHT};
    OK(hipMemcpyParam2DAsync(&back, NULL));
    OK(hipStreamSynchronize(NULL));
    assert_memory_equal(out + 3 * HOST_PITCH + 8, in + 2 * HOST_PITCH + 4, 40);
    OK(hipFree(device));
}

static void volumes(void **state)
{
    static unsigned char in[WIDTH * HEIGHT * DEPTH];
    static unsigned char out[WIDTH * HEIGHT * DEPTH];
    hipPitchedPtr device;
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    pattern(in, sizeof in, 9);
    memset(out, 0, sizeof out);
    OK(hipMalloc3D(&device, extent));
    hipMemcpy3DParms to = {.srcPtr = {in, WIDTH, WIDTH, HEIGHT},
                           .dstPtr = device,
                           .extent = extent,
                           .kind = hipMemcpyHostToDevice};
    hipMemcpy3DParms from = {.srcPtr = device,
                             .dstPtr = {out, WIDTH, WIDTH, HEIGHT},
                             .extent = extent,
                             .kind = hipMemcpyDeviceToHost};
    OK(hipMemcpy3D(&to));
    OK(hipMemcpy3D(&from));
    assert_memory_equal(out, in, sizeof in);
    /* A box within: positions count. */
    memset(out, 0, sizeof out);
    from.srcPos = (hipPos){5, 2, 1};
    from.dstPos = (hipPos){1, 3, 0};
    from.extent = (hipExtent){20, 4, 2};
    OK(hipMemcpy3DAsync(&from, NULL));
    OK(hipStreamSynchronize(NULL));
    for (size_t z = 0; z < 2; z++) {
        for (size_t y = 0; y < 4; y++) {
            assert_memory_equal(out + (z * HEIGHT + y + 3) * WIDTH + 1,
                                in + ((z + 1) * HEIGHT + y + 2) * WIDTH + 5, 20);
        }
    }
    assert_int_equal(out[0], 0);
    OK(hipFree(device.ptr));
}

static void volumes_by_driver_structure(void **state)
{
    static unsigned char in[WIDTH * HEIGHT * DEPTH];
    static unsigned char out[WIDTH * HEIGHT * DEPTH];
    char *device = NULL;
    pattern(in, sizeof in, 10);
    memset(out, 0, sizeof out);
    OK(hipMalloc((void **)&device, sizeof in));
    HIP_MEMCPY3D to = {.srcMemoryType = hipMemoryTypeHost,
                       .srcHost = in,
                       .srcPitch = WIDTH,
                       .srcHeight = HEIGHT,
                       .dstMemoryType = hipMemoryTypeDevice,
                       .dstDevice = device,
                       .dstPitch = WIDTH,
                       .dstHeight = HEIGHT,
                       .WidthInBytes = WIDTH,
                       .Height = HEIGHT,
                       .Depth = DEPTH};
    HIP_MEMCPY3D from = {.srcMemoryType = hipMemoryTypeDevice,
                         .srcDevice = device,
                         .srcPitch = WIDTH,
                         .srcHeight = HEIGHT,
                         .dstMemoryType = hipMemoryTypeHost,
                         .dstHost = out,
                         .dstPitch = WIDTH,
                         .dstHeight = HEIGHT,
                         .WidthInBytes = WIDTH,
                         .Height = HEIGHT,
                         .Depth = DEPTH};
    OK(hipDrvMemcpy3D(&to));
    OK(hipDrvMemcpy3DAsync(&from, NULL));
    OK(hipStreamSynchronize(NULL));
    assert_memory_equal(out, in, sizeof in);
    /* A box within: the place of each number in the structure counts. */
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
        assert_memory_equal(out + (2 * HEIGHT + y) * WIDTH + 3, in + (HEIGHT + y + 1) * WIDTH + 7,
                            50);
    }
    assert_int_equal(out[2 * HEIGHT * WIDTH + 2], 0);
    assert_int_equal(out[2 * HEIGHT * WIDTH + 53], 0);
    OK(hipFree(device));
}

static void host_memory_that_the_device_knows(void **state)
{
    const size_t size = 100000;
    char *host = pattern_new(size, 11);
    void *as_device = NULL;
    void *device = NULL;
    unsigned flags = 1;
    OK(hipHostRegister(host, size, hipHostRegisterMapped));
    OK(hipHostGetDevicePointer(&as_device, host, 0));
    assert_non_null(as_device);
    OK(hipMalloc(&device, size));
    OK(hipMemcpy(device, as_device, size, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    expect_device_bytes(device, host, size);
    OK(hipMemset(device, 0x77, size));
    OK(hipMemcpy(as_device, device, size, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    assert_int_equal(host[0], 0x77);
    assert_int_equal(host[size - 1], 0x77);
    OK(hipHostUnregister(host));
    OK(hipFree(device));
    free(host);
    OK(hipHostMalloc(&device, size, hipHostMallocMapped | hipHostMallocPortable));
    OK(hipHostGetFlags(&flags, device));
    assert_int_equal(flags & hipHostMallocMapped, hipHostMallocMapped);
    OK(hipHostFree(device));
}

static void nonsense_is_refused(void **state)
{
    char byte = 0;
    void *device = NULL;
    OK(hipMalloc(&device, 16));
    EXPECT(hipMemcpy(NULL, &byte, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    EXPECT(hipMemcpy(device, NULL, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    /* HIP 5 takes any kind and looks at the pointers. */
    EXPECT(hipMemcpy(device, &byte, 1, (hipMemcpyKind)77),
           HIP_BEFORE(6, 0) ? hipSuccess : hipErrorInvalidMemcpyDirection);
    (void)hipGetLastError();
    OK(hipFree(device));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_offsets),
        cmocka_unit_test(kinds_by_function),
        cmocka_unit_test(without_compute_units),
        cmocka_unit_test(asynchronous_copies),
        cmocka_unit_test(rectangles),
        cmocka_unit_test(rectangles_by_structure),
        cmocka_unit_test(volumes),
        cmocka_unit_test(volumes_by_driver_structure),
        cmocka_unit_test(host_memory_that_the_device_knows),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
