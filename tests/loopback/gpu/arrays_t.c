/* SPDX-License-Identifier: MIT */
/* Arrays and texture objects: data goes in and comes out, descriptions come back. */
#include "gpu.h"

enum { WIDTH = 50, HEIGHT = 9, DEPTH = 4, ROW = WIDTH * 4 };

static hipArray_t new_array(void)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    assert_non_null(array);
    return array;
}

static void rows_go_in_and_out(void **state)
{
    unsigned char in[ROW * HEIGHT];
    unsigned char out[ROW * HEIGHT];
    hipArray_t array = new_array();
    pattern(in, sizeof in, 1);
    memset(out, 0, sizeof out);
    OK(hipMemcpy2DToArray(array, 0, 0, in, ROW, ROW, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2DFromArray(out, ROW, array, 0, 0, ROW, HEIGHT, hipMemcpyDeviceToHost));
    assert_memory_equal(out, in, sizeof in);
    /* A part, and by way of device memory, whose pitch 5.2 takes to be the width. */
    const size_t pitch = HIP_BEFORE(5, 7) ? 80 : ROW;
    unsigned char *device = NULL;
    OK(hipMalloc((void **)&device, sizeof in));
    OK(hipMemset(device, 0, sizeof in));
    OK(hipMemcpy2DFromArray(device, pitch, array, 40, 2, 80, 5, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    for (size_t y = 0; y < 5; y++) {
        expect_device_bytes(device + y * pitch, in + (y + 2) * ROW + 40, 80);
    }
    OK(hipMemcpy2DToArray(array, 0, 1, device, pitch, 80, 3, hipMemcpyDeviceToDevice));
    OK(hipMemcpy2DFromArray(out, ROW, array, 0, 0, ROW, HEIGHT, hipMemcpyDeviceToHost));
    assert_memory_equal(out, in, ROW);
    assert_memory_equal(out + ROW, in + 2 * ROW + 40, 80);
    assert_memory_equal(out + ROW + 80, in + ROW + 80, ROW - 80);
    OK(hipFree(device));
    OK(hipFreeArray(array));
}

static void volumes_go_in_and_out(void **state)
{
    static unsigned char in[ROW * HEIGHT * DEPTH];
    static unsigned char out[ROW * HEIGHT * DEPTH];
    hipArray_t array = NULL;
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    pattern(in, sizeof in, 2);
    memset(out, 0, sizeof out);
    OK(hipMalloc3DArray(&array, &format, extent, hipArrayDefault));
    hipMemcpy3DParms to = {.srcPtr = {in, ROW, WIDTH, HEIGHT},
                           .dstArray = array,
                           .extent = extent,
                           .kind = hipMemcpyHostToDevice};
    hipMemcpy3DParms from = {.srcArray = array,
                             .dstPtr = {out, ROW, WIDTH, HEIGHT},
                             .extent = extent,
                             .kind = hipMemcpyDeviceToHost};
    OK(hipMemcpy3D(&to));
    OK(hipMemcpy3D(&from));
    assert_memory_equal(out, in, sizeof in);
    OK(hipFreeArray(array));
}

/* The driver's functions: formats and memory types by their enumerators. */
static void made_and_copied_the_drivers_way(void **state)
{
    unsigned char in[ROW * HEIGHT];
    unsigned char out[ROW * HEIGHT];
    hipArray_t array = NULL;
    HIP_ARRAY_DESCRIPTOR description = {
        .Width = WIDTH, .Height = HEIGHT, .Format = HIP_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
    pattern(in, sizeof in, 3);
    memset(out, 0, sizeof out);
    OK(hipArrayCreate(&array, &description));
    hip_Memcpy2D to = {.srcMemoryType = hipMemoryTypeHost,
                       .srcHost = in,
                       .srcPitch = ROW,
                       .dstMemoryType = hipMemoryTypeArray,
                       .dstArray = array,
                       .WidthInBytes = ROW,
                       .Height = HEIGHT};
    hip_Memcpy2D from = {.srcMemoryType = hipMemoryTypeArray,
                         .srcArray = array,
                         .dstMemoryType = hipMemoryTypeHost,
                         .dstHost = out,
                         .dstPitch = ROW,
                         .WidthInBytes = ROW,
                         .Height = HEIGHT};
    OK(hipMemcpyParam2D(&to));
    OK(hipMemcpyParam2D(&from));
    assert_memory_equal(out, in, sizeof in);
    memset(out, 0, sizeof out);
    OK(hipMemcpyAtoH(out, array, 0, ROW));
    assert_memory_equal(out, in, ROW);
    OK(hipMemcpyHtoA(array, 0, in + ROW, ROW));
    OK(hipMemcpyAtoH(out, array, 0, ROW));
    assert_memory_equal(out, in + ROW, ROW);
    OK(hipArrayDestroy(array));
}

static void arrays_describe_themselves(void **state)
{
#if HIP_VERSION < 50600000
    skip();
#else
    NEEDS(hipArrayGetInfo);
    hipArray_t array = new_array();
    hipChannelFormatDesc format;
    hipExtent extent;
    unsigned flags = 77;
    HIP_ARRAY_DESCRIPTOR description;
    memset(&format, 0, sizeof format);
    memset(&extent, 0xff, sizeof extent);
    memset(&description, 0, sizeof description);
    OK(hipArrayGetInfo(&format, &extent, &flags, array));
    assert_int_equal(format.x, 32);
    assert_int_equal(format.y, 0);
    assert_int_equal(format.f, hipChannelFormatKindFloat);
    assert_int_equal(extent.width, WIDTH);
    assert_int_equal(extent.height, HEIGHT);
    assert_int_equal(flags, hipArrayDefault);
    OK(hipArrayGetDescriptor(&description, array));
    assert_int_equal(description.Width, WIDTH);
    assert_int_equal(description.Format, HIP_AD_FORMAT_FLOAT);
    assert_int_equal(description.NumChannels, 1);
    OK(hipFreeArray(array));
#endif
}

static void texture_objects_describe_themselves(void **state)
{
    hipArray_t array = new_array();
    hipTextureObject_t texture = 0;
    struct hipResourceDesc resource;
    struct hipResourceDesc resource_got;
    struct hipTextureDesc how;
    struct hipTextureDesc how_got;
    struct hipResourceViewDesc view_got;
    memset(&resource, 0, sizeof resource);
    memset(&resource_got, 0, sizeof resource_got);
    memset(&how, 0, sizeof how);
    memset(&how_got, 0, sizeof how_got);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = hipAddressModeClamp;
    how.addressMode[1] = hipAddressModeClamp;
    how.filterMode = hipFilterModePoint;
    how.readMode = hipReadModeElementType;
    OK(hipCreateTextureObject(&texture, &resource, &how, NULL));
    assert_true(texture != 0);
    OK(hipGetTextureObjectResourceDesc(&resource_got, texture));
    assert_int_equal(resource_got.resType, hipResourceTypeArray);
    assert_ptr_equal(resource_got.res.array.array, array);
    OK(hipGetTextureObjectTextureDesc(&how_got, texture));
    assert_int_equal(how_got.addressMode[0], hipAddressModeClamp);
    assert_int_equal(how_got.filterMode, hipFilterModePoint);
    OK(hipGetTextureObjectResourceViewDesc(&view_got, texture));
    OK(hipDestroyTextureObject(texture));
    OK(hipFreeArray(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_in_and_out),
        cmocka_unit_test(volumes_go_in_and_out),
        cmocka_unit_test(made_and_copied_the_drivers_way),
        cmocka_unit_test(arrays_describe_themselves),
        cmocka_unit_test(texture_objects_describe_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
