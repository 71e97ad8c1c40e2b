/* SPDX-License-Identifier: MIT */
/* Streams, events and callbacks, which get the very stream and data that were given. */
#include "check.h"

struct log {
    int count;
    int order[16];
    hipStream_t stream;
    hipError_t status;
};
struct entry {
    struct log *log;
    int number;
};

static void note(struct entry *entry)
{
    struct log *log = entry->log;
    if (log->count < 16) {
        log->order[log->count] = entry->number;
    }
    __atomic_add_fetch(&log->count, 1, __ATOMIC_RELEASE);
}

static void of_stream(hipStream_t stream, hipError_t status, void *data)
{
    struct entry *entry = data;
    entry->log->stream = stream;
    entry->log->status = status;
    note(entry);
}

static void callbacks(void)
{
    struct log log = {0, {0}, NULL, hipErrorUnknown};
    struct entry entries[8];
    hipStream_t stream = NULL;
    void *device = NULL;
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipMalloc(&device, 4096));
    for (int i = 0; i < 8; i++) {
        entries[i] = (struct entry){&log, i};
        OK(hipMemsetAsync(device, i, 4096, stream));
        OK(hipStreamAddCallback(stream, of_stream, &entries[i], 0));
    }
    OK(hipStreamSynchronize(stream));
    SAME(log.count, 8);
    for (int i = 0; i < 8; i++) {
        SAME(log.order[i], i);
    }
    SAME(log.status, hipSuccess);
    CHECK(log.stream == stream);
    CHECK(check_device_filled(device, 7, 4096));
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR >= 507
static void of_host(void *data)
{
    note(data);
}
#endif

static void host_functions(void)
{
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR >= 507
    struct log log = {0, {0}, NULL, hipErrorUnknown};
    struct entry entry = {&log, 5};
    hipStream_t stream = NULL;
    OK(hipStreamCreate(&stream));
    OK(hipLaunchHostFunc(stream, of_host, &entry));
    OK(hipStreamSynchronize(stream));
    SAME(log.count, 1);
    SAME(log.order[0], 5);
    OK(hipStreamDestroy(stream));
#else
    check_skips("HIP 5.2 has no hipLaunchHostFunc");
#endif
}

static void streams_tell_their_ways(void)
{
    hipStream_t stream = NULL;
    unsigned flags = 77;
    int priority = 77, least = 0, greatest = 0;
    OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
    OK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
    OK(hipStreamGetFlags(stream, &flags));
    SAME(flags, hipStreamNonBlocking);
    OK(hipStreamGetPriority(stream, &priority));
    SAME(priority, greatest);
    OK(hipStreamQuery(stream));
    OK(hipStreamDestroy(stream));
}

static void events_order_streams(void)
{
    static unsigned char host[64];
    hipStream_t one = NULL, two = NULL;
    hipEvent_t start = NULL, stop = NULL;
    void *device = NULL;
    float milliseconds = -1;
    OK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    OK(hipEventCreate(&start));
    OK(hipEventCreateWithFlags(&stop, hipEventDefault));
    OK(hipMalloc(&device, 64));
    OK(hipEventRecord(start, one));
    OK(hipMemsetAsync(device, 9, 64, one));
    OK(hipEventRecord(stop, one));
    OK(hipStreamWaitEvent(two, stop, 0));
    OK(hipMemcpyAsync(host, device, 64, hipMemcpyDeviceToHost, two));
    OK(hipStreamSynchronize(two));
    SAME(host[63], 9);
    OK(hipEventSynchronize(stop));
    OK(hipEventQuery(stop));
    OK(hipEventElapsedTime(&milliseconds, start, stop));
    CHECK(milliseconds >= 0 && milliseconds < 60000);
    OK(hipEventDestroy(start));
    OK(hipEventDestroy(stop));
    OK(hipFree(device));
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
}

static void streams_have_numbers(void)
{
#if HIP_VERSION_MAJOR >= 7
    hipStream_t one = NULL, two = NULL;
    unsigned long long a = 0, b = 0;
    OK(hipStreamCreate(&one));
    OK(hipStreamCreate(&two));
    NEEDS(701, hipStreamGetId(one, &a));
    OK(hipStreamGetId(one, &a));
    OK(hipStreamGetId(two, &b));
    CHECK(a != b);
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
#else
    check_skips("hipStreamGetId is of HIP 7");
#endif
}

const struct test stream_tests[] = {
    {"callbacks run in order, with their data", callbacks},
    {"host functions run in their stream", host_functions},
    {"streams tell their flags and priority", streams_tell_their_ways},
    {"events order streams", events_order_streams},
    {"streams have numbers", streams_have_numbers},
    {NULL, NULL},
};
