/* SPDX-License-Identifier: MIT */
/* Device memory: given, sized, filled, freed, refused. */
#include "gpu.h"

static void there_is_a_device(void **state)
{
    int count = 0;
    int device = -1;
    OK(hipInit(0));
    expect_told_release();
    OK(hipGetDeviceCount(&count));
    assert_in_range(count, 1, 8);
    OK(hipGetDevice(&device));
    assert_int_equal(device, 0);
}

static void memory_is_given_and_freed(void **state)
{
    static const size_t sizes[] = {1, 16, 4096, 4097, 300000, 8 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *device = NULL;
        unsigned char *host = pattern_new(sizes[i], (unsigned)i);
        OK(hipMalloc(&device, sizes[i]));
        assert_non_null(device);
        OK(hipMemcpy(device, host, sizes[i], hipMemcpyHostToDevice));
        expect_device_bytes(device, host, sizes[i]);
        OK(hipFree(device));
        free(host);
    }
    OK(hipFree(NULL));
}

static void memory_info_follows(void **state)
{
    const size_t size = 256 << 20;
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    void *device = NULL;
    OK(hipMemGetInfo(&before, &total));
    assert_in_range(before, 1, total);
    OK(hipMalloc(&device, size));
    OK(hipMemGetInfo(&after, &total));
    assert_true(before - after >= size);
    OK(hipFree(device));
}

static void too_much_is_refused(void **state)
{
    void *device = NULL;
    EXPECT(hipMalloc(&device, (size_t)1 << 50), hipErrorOutOfMemory);
    (void)hipGetLastError();
    EXPECT(hipMalloc(NULL, 16), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void memset_fills_bytes_words_and_areas(void **state)
{
    const size_t size = 10007;
    void *device = NULL;
    OK(hipMalloc(&device, size + 1));
    OK(hipMemset(device, 0x5a, size));
    expect_device_filled(device, 0x5a, size);
    OK(hipMemsetAsync(device, 0x33, size, NULL));
    OK(hipStreamSynchronize(NULL));
    expect_device_filled(device, 0x33, size);
    OK(hipMemsetD8(device, 0x11, 99));
    expect_device_filled(device, 0x11, 99);
    expect_device_filled((char *)device + 99, 0x33, size - 99);

    uint16_t halves[100];
    uint32_t words[100];
    OK(hipMemsetD16(device, 0xbeef, 100));
    for (size_t i = 0; i < 100; i++) {
        halves[i] = 0xbeef;
        words[i] = 0xdeadbeef;
    }
    expect_device_bytes(device, halves, sizeof halves);
    OK(hipMemsetD32(device, (int)0xdeadbeef, 100));
    expect_device_bytes(device, words, sizeof words);
    expect_device_filled((char *)device + sizeof words, 0x33, 1000);
    OK(hipFree(device));
}

static void pitched_memory_keeps_its_gaps(void **state)
{
    const size_t width = 100;
    const size_t height = 7;
    size_t pitch = 0;
    void *device = NULL;
    OK(hipMallocPitch(&device, &pitch, width, height));
    assert_true(pitch >= width);
    OK(hipMemset(device, 1, pitch * height));
    OK(hipMemset2D(device, pitch, 2, width, height));
    for (size_t y = 0; y < height; y++) {
        expect_device_filled((char *)device + y * pitch, 2, width);
        if (pitch > width) {
            expect_device_filled((char *)device + y * pitch + width, 1, pitch - width);
        }
    }
    OK(hipFree(device));
}

static void volumes_are_filled(void **state)
{
    hipPitchedPtr volume;
    hipExtent extent = {40, 5, 3};
    OK(hipMalloc3D(&volume, extent));
    assert_non_null(volume.ptr);
    assert_true(volume.pitch >= 40);
    OK(hipMemset(volume.ptr, 1, volume.pitch * 15));
    OK(hipMemset3D(volume, 9, extent));
    for (size_t row = 0; row < 15; row++) {
        expect_device_filled((char *)volume.ptr + row * volume.pitch, 9, 40);
    }
    OK(hipFree(volume.ptr));
}

static void address_ranges_are_told(void **state)
{
    void *device = NULL;
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    OK(hipMalloc(&device, 5000));
    OK(hipMemGetAddressRange(&base, &size, (char *)device + 100));
    assert_ptr_equal(base, device);
    assert_int_equal(size, 5000);
    OK(hipFree(device));
}

static void stream_ordered_memory_works(void **state)
{
    NEEDS(hipMallocAsync);
    hipStream_t stream;
    void *device = NULL;
    int supported = -1;
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
    /* HIP 5 has the functions, which work, and says it has not. */
    assert_int_equal(supported, !HIP_BEFORE(6, 0));
    OK(hipStreamCreate(&stream));
    OK(hipMallocAsync(&device, 4096, stream));
    OK(hipMemsetAsync(device, 0x44, 4096, stream));
    OK(hipStreamSynchronize(stream));
    expect_device_filled(device, 0x44, 4096);
    OK(hipFreeAsync(device, stream));
    OK(hipStreamSynchronize(stream));
    if (!HIP_BEFORE(5, 7)) {
        OK(hipStreamDestroy(stream)); /* 5.2 never returns from it after a hipFreeAsync */
    }
}

static void pools_keep_their_attributes(void **state)
{
    NEEDS(hipMemPoolCreate);
    hipMemPool_t pool;
    void *device = NULL;
    hipMemPoolProps properties = {.allocType = hipMemAllocationTypePinned,
                                  .location = {.type = hipMemLocationTypeDevice, .id = 0}};
    uint64_t threshold = 123456;
    uint64_t got = 0;
    OK(hipMemPoolCreate(&pool, &properties));
    OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &got));
    assert_int_equal(got, threshold);
    OK(hipMallocFromPoolAsync(&device, 8192, pool, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &got));
    assert_true(got >= 8192);
    OK(hipMemset(device, 0x21, 8192));
    expect_device_filled(device, 0x21, 8192);
    OK(hipFreeAsync(device, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemPoolDestroy(pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_device),
        cmocka_unit_test(memory_is_given_and_freed),
        cmocka_unit_test(memory_info_follows),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(memset_fills_bytes_words_and_areas),
        cmocka_unit_test(pitched_memory_keeps_its_gaps),
        cmocka_unit_test(volumes_are_filled),
        cmocka_unit_test(address_ranges_are_told),
        cmocka_unit_test(stream_ordered_memory_works),
        cmocka_unit_test(pools_keep_their_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
