/* SPDX-License-Identifier: MIT */
/*
 * A host program in C as users write them: memory, a stream and events, and
 * the CPU where there is no GPU.  Its last line is the sum that either gives;
 * exit status 1 says that a GPU was there and failed.
 */
#include <hip/hip_runtime.h>
#include <stdio.h>

enum { LENGTH = 256 };

/* Fills `bytes` on the device with ones and brings them back. */
static hipError_t fill(unsigned char *bytes, float *milliseconds)
{
    void *device = NULL;
    hipStream_t stream = NULL;
    hipEvent_t start = NULL, stop = NULL;
    hipError_t status = hipMalloc(&device, LENGTH);

    if (status == hipSuccess)
        status = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    if (status == hipSuccess)
        status = hipEventCreate(&start);
    if (status == hipSuccess)
        status = hipEventCreate(&stop);
    if (status == hipSuccess)
        status = hipEventRecord(start, stream);
    if (status == hipSuccess)
        status = hipMemsetAsync(device, 1, LENGTH, stream);
    if (status == hipSuccess)
        status = hipMemcpyAsync(bytes, device, LENGTH, hipMemcpyDeviceToHost, stream);
    if (status == hipSuccess)
        status = hipEventRecord(stop, stream);
    if (status == hipSuccess)
        status = hipStreamSynchronize(stream);
    if (status == hipSuccess)
        status = hipEventElapsedTime(milliseconds, start, stop);
    if (stop != NULL)
        (void)hipEventDestroy(stop);
    if (start != NULL)
        (void)hipEventDestroy(start);
    if (stream != NULL)
        (void)hipStreamDestroy(stream);
    if (device != NULL)
        (void)hipFree(device);
    return status;
}

int main(void)
{
    unsigned char bytes[LENGTH] = {0};
    float milliseconds = 0;
    int devices = -1, sum = 0;
    hipError_t status = hipGetDeviceCount(&devices);

    if (devices > 0) {
        hipDeviceProp_t properties;

        if (hipGetDeviceProperties(&properties, 0) == hipSuccess)
            printf("%s, %s\n", properties.name, properties.gcnArchName);
        status = fill(bytes, &milliseconds);
        if (status != hipSuccess) {
            fprintf(stderr, "%s: %s\n", hipGetErrorName(status), hipGetErrorString(status));
            return 1;
        }
    } else {
        printf("no device (%s): on the CPU\n", hipGetErrorName(status));
        memset(bytes, 1, sizeof bytes);
    }
    for (size_t i = 0; i < LENGTH; i++)
        sum += bytes[i];
    printf("%d\n", sum);
    return 0;
}
