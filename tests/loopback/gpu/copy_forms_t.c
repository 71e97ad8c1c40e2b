/* SPDX-License-Identifier: MIT */
/* Copies between host and device by every other function: the thread's stream, pinned memory,
 * batches, peers. */
#include "gpu.h"

enum { SIZE = 4096, WIDTH = 48, HEIGHT = 7, PITCH = 64, DEPTH = 2 };

static unsigned char *device;
static unsigned char *other;
static unsigned char in[SIZE];
static unsigned char out[SIZE];

static int set_up(void **state)
{
    OK(hipMalloc((void **)&device, SIZE));
    OK(hipMalloc((void **)&other, SIZE));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFree(device));
    OK(hipFree(other));
    return 0;
}

static void begin(unsigned seed)
{
    pattern(in, sizeof in, seed);
    memset(out, 0, sizeof out);
}

static void expect_out(size_t size)
{
    assert_memory_equal(out, in, size);
    for (size_t i = size; i < SIZE; i++) {
        assert_int_equal(out[i], 0);
    }
}

static void expect_area(size_t rows)
{
    for (size_t y = 0; y < rows; y++) {
        assert_memory_equal(out + y * PITCH, in + y * PITCH, WIDTH);
        assert_int_equal(out[y * PITCH + WIDTH], 0);
    }
}

static void the_drivers_copies_are_ordered(void **state)
{
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    begin(1);
    OK(hipMemcpyHtoDAsync(device, in, SIZE, stream));
    OK(hipMemcpyDtoDAsync(other, device, SIZE, stream));
    OK(hipMemcpyDtoHAsync(out, other, SIZE, stream));
    OK(hipStreamSynchronize(stream));
    expect_out(SIZE);
    begin(2);
    OK(hipMemcpyWithStream(device, in, 100, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyWithStream(out, device, 100, hipMemcpyDeviceToHost, stream));
    expect_out(100);
    OK(hipStreamDestroy(stream));
}

static hipMemcpy3DParms volume(void *to, const void *from, hipMemcpyKind kind)
{
    hipMemcpy3DParms parms = {.srcPtr = {(void *)from, PITCH, WIDTH, HEIGHT},
                              .dstPtr = {to, PITCH, WIDTH, HEIGHT},
                              .extent = {WIDTH, HEIGHT, DEPTH},
                              .kind = kind};
    return parms;
}

static void in_the_threads_stream(void **state)
{
    begin(3);
    OK(hipMemcpy_spt(device, in, SIZE, hipMemcpyHostToDevice));
    OK(hipMemcpy_spt(out, device, SIZE, hipMemcpyDeviceToHost));
    expect_out(SIZE);
    begin(4);
    OK(hipMemcpyAsync_spt(device, in, SIZE, hipMemcpyHostToDevice, NULL));
    OK(hipMemcpyAsync_spt(out, device, SIZE, hipMemcpyDeviceToHost, NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    expect_out(SIZE);
    begin(5);
    OK(hipMemcpy2D_spt(device, PITCH, in, PITCH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2D_spt(out, PITCH, device, PITCH, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    expect_area(HEIGHT);
    begin(6);
    hipMemcpy3DParms to = volume(device, in, hipMemcpyHostToDevice);
    hipMemcpy3DParms from = volume(out, device, hipMemcpyDeviceToHost);
    OK(hipMemcpy3D_spt(&to));
    OK(hipMemcpy3D_spt(&from));
    expect_area(HEIGHT * DEPTH);
}

static void ordered_in_the_threads_stream(void **state)
{
    NEEDS(hipMemcpy3DAsync_spt);
    begin(7);
    OK(hipMemcpy2DAsync_spt(device, PITCH, in, PITCH, WIDTH, HEIGHT, hipMemcpyHostToDevice, NULL));
    OK(hipMemcpy2DAsync_spt(out, PITCH, device, PITCH, WIDTH, HEIGHT, hipMemcpyDeviceToHost, NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    expect_area(HEIGHT);
    begin(8);
    hipMemcpy3DParms to = volume(device, in, hipMemcpyHostToDevice);
    hipMemcpy3DParms from = volume(out, device, hipMemcpyDeviceToHost);
    OK(hipMemcpy3DAsync_spt(&to, NULL));
    OK(hipMemcpy3DAsync_spt(&from, NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    expect_area(HEIGHT * DEPTH);
}

static void host_memory_by_its_other_names(void **state)
{
    void *memory[3] = {NULL, NULL, NULL};
    OK(hipMallocHost(&memory[0], SIZE));
    OK(hipMemAllocHost(&memory[1], SIZE));
    OK(hipHostAlloc(&memory[2], SIZE, hipHostMallocDefault));
    for (int i = 0; i < 3; i++) {
        pattern(memory[i], SIZE, 10U + (unsigned)i);
        OK(hipMemcpy(device, memory[i], SIZE, hipMemcpyHostToDevice));
        expect_device_bytes(device, memory[i], SIZE);
        OK(hipFreeHost(memory[i]));
    }
}

static void pitched_memory_the_drivers_way(void **state)
{
    hipDeviceptr_t memory = NULL;
    size_t pitch = 0;
    size_t size = 0;
    OK(hipMemAllocPitch(&memory, &pitch, 100, 5, 4));
    assert_true(pitch >= 100);
    OK(hipMemPtrGetInfo(memory, &size));
    assert_true(size >= pitch * 5);
    OK(hipFree(memory));
}

static void batches_are_carried_out(void **state)
{
    NEEDS(hipMemcpyBatchAsync);
    hipStream_t stream;
    size_t failed = 77;
    size_t first = 0;
    void *to[] = {device, device + 1000};
    void *from[] = {in, in + 1000};
    size_t sizes[] = {1000, 500};
    hipMemcpyAttributes attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.srcAccessOrder = hipMemcpySrcAccessOrderStream;
    attributes.srcLocHint.type = hipMemLocationTypeHost;
    attributes.dstLocHint.type = hipMemLocationTypeDevice;
    OK(hipStreamCreate(&stream));
    begin(9);
    EXPECT(hipMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream),
           HIP_BEFORE(7, 14) ? hipErrorNotSupported : hipSuccess); /* attributes */
    (void)hipGetLastError();
    OK(hipMemcpyBatchAsync(to, from, sizes, 2, NULL, NULL, 0, &failed, stream));
    OK(hipStreamSynchronize(stream));
    expect_device_bytes(device, in, 1500);
    OK(hipStreamDestroy(stream));
}

static void batches_of_volumes_are_carried_out(void **state)
{
    NEEDS(hipMemcpy3DBatchAsync);
    hipStream_t stream;
    size_t failed = 77;
    struct hipMemcpy3DBatchOp operation;
    memset(&operation, 0, sizeof operation);
    operation.src.type = hipMemcpyOperandTypePointer;
    operation.src.op.ptr.ptr = in;
    operation.src.op.ptr.rowLength = PITCH;
    operation.src.op.ptr.layerHeight = HEIGHT;
    operation.src.op.ptr.locHint.type = hipMemLocationTypeHost;
    operation.dst.type = hipMemcpyOperandTypePointer;
    operation.dst.op.ptr.ptr = device;
    operation.dst.op.ptr.rowLength = PITCH;
    operation.dst.op.ptr.layerHeight = HEIGHT;
    operation.dst.op.ptr.locHint.type = hipMemLocationTypeDevice;
    operation.extent = (hipExtent){WIDTH, HEIGHT, DEPTH};
    operation.srcAccessOrder = hipMemcpySrcAccessOrderStream;
    OK(hipStreamCreate(&stream));
    begin(10);
    OK(hipMemset(device, 0, SIZE));
    OK(hipMemcpy3DBatchAsync(1, &operation, &failed, 0, stream));
    OK(hipStreamSynchronize(stream));
    OK(hipMemcpy(out, device, SIZE, hipMemcpyDeviceToHost));
    expect_area(HEIGHT * DEPTH);
    OK(hipStreamDestroy(stream));
}

static void volumes_go_to_a_peer(void **state)
{
    NEEDS(hipMemcpy3DPeer);
    hipMemcpy3DPeerParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = (hipPitchedPtr){device, PITCH, WIDTH, HEIGHT};
    parms.dstPtr = (hipPitchedPtr){other, PITCH, WIDTH, HEIGHT};
    parms.extent = (hipExtent){WIDTH, HEIGHT, DEPTH};
    for (unsigned round = 0; round < 2; round++) {
        begin(11 + round);
        OK(hipMemset(other, 0, SIZE));
        OK(hipMemcpy(device, in, SIZE, hipMemcpyHostToDevice));
        if (round == 0) {
            OK(hipMemcpy3DPeer(&parms));
        } else {
            OK(hipMemcpy3DPeerAsync(&parms, NULL));
        }
        OK(hipDeviceSynchronize());
        OK(hipMemcpy(out, other, SIZE, hipMemcpyDeviceToHost));
        expect_area(HEIGHT * DEPTH);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drivers_copies_are_ordered),
        cmocka_unit_test(in_the_threads_stream),
        cmocka_unit_test(ordered_in_the_threads_stream),
        cmocka_unit_test(host_memory_by_its_other_names),
        cmocka_unit_test(pitched_memory_the_drivers_way),
        cmocka_unit_test(batches_are_carried_out),
        cmocka_unit_test(batches_of_volumes_are_carried_out),
        cmocka_unit_test(volumes_go_to_a_peer),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
