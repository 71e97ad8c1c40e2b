/* SPDX-License-Identifier: MIT */
/* Fills of every width, shape and stream write what they should, and no other byte. */
#include "gpu.h"

enum { WIDTH = 24, HEIGHT = 5, DEPTH = 3, PITCH = 160, SIZE = PITCH * HEIGHT * DEPTH };

static unsigned char *memory;

static int set_up(void **state)
{
    OK(hipMalloc((void **)&memory, SIZE));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFree(memory));
    return 0;
}

static void clear(void)
{
    OK(hipMemset(memory, 0xee, SIZE));
    OK(hipDeviceSynchronize());
}

/* rows of width elements of the size, each of the value; all else untouched. */
static void expect_rows(uint32_t value, size_t element, size_t width, size_t rows)
{
    unsigned char wanted[SIZE];
    memset(wanted, 0xee, sizeof wanted);
    OK(hipDeviceSynchronize());
    for (size_t y = 0; y < rows; y++) {
        for (size_t x = 0; x < width; x++) {
            memcpy(wanted + y * PITCH + x * element, &value, element);
        }
    }
    expect_device_bytes(memory, wanted, SIZE);
    clear();
}

static void lines_by_width(void **state)
{
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    clear();
    OK(hipMemsetD8Async(memory, 0x12, WIDTH, stream));
    expect_rows(0x12, 1, WIDTH, 1);
    OK(hipMemsetD16Async(memory, 0x1234, WIDTH, stream));
    expect_rows(0x1234, 2, WIDTH, 1);
    OK(hipMemsetD32Async(memory, 0x12345678, WIDTH, stream));
    expect_rows(0x12345678, 4, WIDTH, 1);
    OK(hipStreamDestroy(stream));
}

/* HIP 7 launches too few work-items for the rows of an area of larger elements: the width is
 * divided by the size of an element, and rounded up to 16.  The rest of a row stays as it was. */
static size_t filled(size_t element)
{
    return (WIDTH / element + 15) / 16 * 16;
}

static void areas_by_width(void **state)
{
    clear();
    OK(hipMemsetD2D8(memory, PITCH, 0x21, WIDTH, HEIGHT));
    expect_rows(0x21, 1, WIDTH, HEIGHT);
    OK(hipMemsetD2D8Async(memory, PITCH, 0x22, WIDTH, HEIGHT, NULL));
    expect_rows(0x22, 1, WIDTH, HEIGHT);
    NEEDS(hipMemsetD2D16);
    OK(hipMemsetD2D16(memory, PITCH, 0x2345, WIDTH, HEIGHT));
    expect_rows(0x2345, 2, filled(2), HEIGHT);
    OK(hipMemsetD2D16Async(memory, PITCH, 0x2346, WIDTH, HEIGHT, NULL));
    expect_rows(0x2346, 2, filled(2), HEIGHT);
    OK(hipMemsetD2D32(memory, PITCH, 0x23456789, WIDTH, HEIGHT));
    expect_rows(0x23456789, 4, filled(4), HEIGHT);
    OK(hipMemsetD2D32Async(memory, PITCH, 0x2345678a, WIDTH, HEIGHT, NULL));
    expect_rows(0x2345678a, 4, filled(4), HEIGHT);
}

static void areas_and_volumes_in_a_stream(void **state)
{
    hipPitchedPtr volume = {memory, PITCH, PITCH, HEIGHT};
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    clear();
    OK(hipMemset2DAsync(memory, PITCH, 0x31, WIDTH, HEIGHT, NULL));
    expect_rows(0x31, 1, WIDTH, HEIGHT);
    OK(hipMemset3DAsync(volume, 0x32, extent, NULL));
    expect_rows(0x32, 1, WIDTH, HEIGHT * DEPTH);
}

static void in_the_threads_stream(void **state)
{
    hipPitchedPtr volume = {memory, PITCH, PITCH, HEIGHT};
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    clear();
    OK(hipMemset_spt(memory, 0x41, WIDTH));
    expect_rows(0x41, 1, WIDTH, 1);
    OK(hipMemset2D_spt(memory, PITCH, 0x43, WIDTH, HEIGHT));
    expect_rows(0x43, 1, WIDTH, HEIGHT);
    OK(hipMemset3D_spt(volume, 0x45, extent));
    expect_rows(0x45, 1, WIDTH, HEIGHT * DEPTH);
}

static void ordered_in_the_threads_stream(void **state)
{
    NEEDS(hipMemsetAsync_spt);
    hipPitchedPtr volume = {memory, PITCH, PITCH, HEIGHT};
    hipExtent extent = {WIDTH, HEIGHT, DEPTH};
    clear();
    OK(hipMemsetAsync_spt(memory, 0x42, WIDTH, NULL));
    expect_rows(0x42, 1, WIDTH, 1);
    OK(hipMemset2DAsync_spt(memory, PITCH, 0x44, WIDTH, HEIGHT, NULL));
    expect_rows(0x44, 1, WIDTH, HEIGHT);
    OK(hipMemset3DAsync_spt(volume, 0x46, extent, NULL));
    expect_rows(0x46, 1, WIDTH, HEIGHT * DEPTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_by_width),
        cmocka_unit_test(areas_by_width),
        cmocka_unit_test(areas_and_volumes_in_a_stream),
        cmocka_unit_test(in_the_threads_stream),
        cmocka_unit_test(ordered_in_the_threads_stream),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
