/* SPDX-License-Identifier: MIT */
/* Copies between arrays, device and host memory, by each function there is for them. */
#include "gpu.h"

enum { WIDTH = 64, HEIGHT = 6, SIZE = WIDTH * HEIGHT, PART = 32 };

static hipArray_t one;
static hipArray_t two;
static unsigned char *device;
static unsigned char in[SIZE];
static unsigned char out[SIZE];

/* Bytes as elements: width and bytes are the same. */
static int set_up(void **state)
{
    hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    OK(hipMallocArray(&one, &format, WIDTH, HEIGHT, hipArrayDefault));
    OK(hipMallocArray(&two, &format, WIDTH, HEIGHT, hipArrayDefault));
    OK(hipMalloc((void **)&device, SIZE));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFreeArray(one));
    OK(hipFreeArray(two));
    OK(hipFree(device));
    return 0;
}

static void fill(hipArray_t array, unsigned seed)
{
    pattern(in, sizeof in, seed);
    OK(hipMemcpy2DToArray(array, 0, 0, in, WIDTH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    memset(out, 0, sizeof out);
}

static inline void expect_array(hipArray_t array, const unsigned char *wanted)
{
    unsigned char got[SIZE];
    OK(hipDeviceSynchronize());
    OK(hipMemcpy2DFromArray(got, WIDTH, array, 0, 0, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    assert_memory_equal(got, wanted, SIZE);
}

/* All of it: the runtime takes the count for that of whole rows. */
static void all_in_and_out(void **state)
{
    fill(one, 1);
    pattern(in, sizeof in, 2);
    OK(hipMemcpyToArray(one, 0, 0, in, SIZE, hipMemcpyHostToDevice));
    OK(hipMemcpyFromArray(out, one, 0, 0, SIZE, hipMemcpyDeviceToHost));
    assert_memory_equal(out, in, SIZE);
#if HIP_VERSION >= 50700000
    if (HAS(hipMemcpyFromArray_spt)) {
        memset(out, 0, sizeof out);
        OK(hipMemcpyFromArray_spt(out, one, 0, 0, SIZE, hipMemcpyDeviceToHost));
        assert_memory_equal(out, in, SIZE);
    }
#endif
}

static void areas_in_a_stream(void **state)
{
    pattern(in, sizeof in, 3);
    memset(out, 0, sizeof out);
    OK(hipMemcpy2DToArrayAsync(one, 0, 0, in, WIDTH, WIDTH, HEIGHT, hipMemcpyHostToDevice, NULL));
    OK(hipMemcpy2DFromArrayAsync(out, WIDTH, one, 0, 0, WIDTH, HEIGHT, hipMemcpyDeviceToHost,
                                 NULL));
    OK(hipStreamSynchronize(NULL));
    assert_memory_equal(out, in, SIZE);
    pattern(in, sizeof in, 4);
    OK(hipMemcpy2DToArray_spt(one, 0, 0, in, WIDTH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2DFromArray_spt(out, WIDTH, one, 0, 0, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    assert_memory_equal(out, in, SIZE);
}

static void areas_in_the_threads_stream(void **state)
{
#if HIP_VERSION < 50700000
    skip();
#else
    NEEDS(hipMemcpy2DToArrayAsync_spt);
    pattern(in, sizeof in, 5);
    memset(out, 0, sizeof out);
    OK(hipMemcpy2DToArrayAsync_spt(one, 0, 0, in, WIDTH, WIDTH, HEIGHT, hipMemcpyHostToDevice,
                                   NULL));
    OK(hipMemcpy2DFromArrayAsync_spt(out, WIDTH, one, 0, 0, WIDTH, HEIGHT, hipMemcpyDeviceToHost,
                                     NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    assert_memory_equal(out, in, SIZE);
#endif
}

static void from_array_to_array(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    NEEDS(hipMemcpy2DArrayToArray);
    unsigned char wanted[SIZE];
    fill(two, 6);
    fill(one, 7);
    OK(hipMemcpy2DArrayToArray(two, 0, 0, one, 0, 0, WIDTH, HEIGHT, hipMemcpyDeviceToDevice));
    expect_array(two, in);
    /* A part into its middle. */
    OK(hipMemcpy2DArrayToArray(two, 16, 2, one, 8, 1, PART, 3, hipMemcpyDeviceToDevice));
    memcpy(wanted, in, SIZE);
    for (size_t y = 0; y < 3; y++) {
        memcpy(wanted + (y + 2) * WIDTH + 16, in + (y + 1) * WIDTH + 8, PART);
    }
    expect_array(two, wanted);
#endif
}

static void the_drivers_lines(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    NEEDS(hipMemcpyAtoA);
    unsigned char wanted[SIZE];
    fill(two, 8);
    memcpy(wanted, in, SIZE);
    fill(one, 9);
    OK(hipMemcpyAtoA(two, 4, one, 8, PART));
    memcpy(wanted + 4, in + 8, PART);
    expect_array(two, wanted);
    OK(hipMemcpyAtoD(device, one, 8, PART));
    OK(hipDeviceSynchronize());
    expect_device_bytes(device, in + 8, PART);
    OK(hipMemcpyDtoA(two, 12, device, PART));
    memcpy(wanted + 12, in + 8, PART);
    expect_array(two, wanted);
#endif
}

static void the_drivers_lines_in_a_stream(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    NEEDS(hipMemcpyAtoHAsync);
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    fill(one, 10);
    OK(hipMemcpyAtoHAsync(out, one, 4, PART, stream));
    OK(hipStreamSynchronize(stream));
    assert_memory_equal(out, in + 4, PART);
    OK(hipMemcpyHtoAAsync(one, 8, in + WIDTH, PART, stream));
    OK(hipStreamSynchronize(stream));
    memcpy(in + 8, in + WIDTH, PART);
    expect_array(one, in);
    OK(hipStreamDestroy(stream));
#endif
}

static void unaligned_areas(void **state)
{
    fill(one, 11);
    hip_Memcpy2D from = {.srcMemoryType = hipMemoryTypeArray,
                         .srcArray = one,
                         .srcXInBytes = 3,
                         .srcY = 1,
                         .dstMemoryType = hipMemoryTypeHost,
                         .dstHost = out,
                         .dstPitch = WIDTH,
                         .WidthInBytes = 17,
                         .Height = 2};
    OK(hipDrvMemcpy2DUnaligned(&from));
    assert_memory_equal(out, in + WIDTH + 3, 17);
    assert_memory_equal(out + WIDTH, in + 2 * WIDTH + 3, 17);
    assert_int_equal(out[17], 0);
}

static void volumes_describe_themselves(void **state)
{
    HIP_ARRAY3D_DESCRIPTOR wanted = {.Width = 16,
                                     .Height = 8,
                                     .Depth = 4,
                                     .Format = HIP_AD_FORMAT_SIGNED_INT16,
                                     .NumChannels = 2,
                                     .Flags = hipArrayDefault};
    hipChannelFormatDesc format;
    hipArray_t array = NULL;
    OK(hipArray3DCreate(&array, &wanted));
    assert_non_null(array);
    memset(&format, 0, sizeof format);
    OK(hipGetChannelDesc(&format, array));
    assert_int_equal(format.x, 16);
    assert_int_equal(format.y, 16);
    assert_int_equal(format.z, 0);
    assert_int_equal(format.f, hipChannelFormatKindSigned);
#if HIP_VERSION >= 50600000
    if (HAS(hipArray3DGetDescriptor)) {
        HIP_ARRAY3D_DESCRIPTOR got;
        memset(&got, 0xa5, sizeof got);
        OK(hipArray3DGetDescriptor(&got, array));
        assert_int_equal(got.Width, 16);
        assert_int_equal(got.Height, 8);
        assert_int_equal(got.Depth, 4);
        assert_int_equal(got.Format, HIP_AD_FORMAT_SIGNED_INT16);
        assert_int_equal(got.NumChannels, 2);
        assert_int_equal(got.Flags, 0);
    }
#endif
    OK(hipArrayDestroy(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_in_and_out),
        cmocka_unit_test(areas_in_a_stream),
        cmocka_unit_test(areas_in_the_threads_stream),
        cmocka_unit_test(from_array_to_array),
        cmocka_unit_test(the_drivers_lines),
        cmocka_unit_test(the_drivers_lines_in_a_stream),
        cmocka_unit_test(unaligned_areas),
        cmocka_unit_test(volumes_describe_themselves),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
