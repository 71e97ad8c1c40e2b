/* SPDX-License-Identifier: MIT */
/*
 * Memory and events shared between processes: a child, which started before the first use
 * of HIP, sees what its parent wrote and the parent what the child wrote.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"

enum { SIZE = 70000 };

static int to_child[2];
static int to_parent[2];
static pid_t child;

/* An event of the parent's that has happened. */
static int open_event(void)
{
    hipIpcEventHandle_t handle;
    hipEvent_t event = NULL;
    if (read(to_child[0], &handle, sizeof handle) != sizeof handle) {
        return 15;
    }
    if (!HIP_BEFORE(7, 14)) {
        return 0; /* the loopback shares no signals */
    }
    if (hipIpcOpenEventHandle(&event, handle) || !event) {
        return 16;
    }
    if (hipEventSynchronize(event) || hipEventQuery(event)) {
        return 17;
    }
    return hipEventDestroy(event) ? 18 : 0;
}

/* Not cmocka's checks: they would report into the parent's output. */
static int in_child(void)
{
    hipIpcMemHandle_t handle;
    void *memory = NULL;
    static unsigned char host[SIZE];
    static unsigned char wanted[SIZE];
    if (read(to_child[0], &handle, sizeof handle) != sizeof handle) {
        return 10;
    }
    if (hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess)) {
        return 11;
    }
    pattern(wanted, SIZE, 21);
    if (hipMemcpy(host, memory, SIZE, hipMemcpyDeviceToHost) || memcmp(host, wanted, SIZE)) {
        return 12;
    }
    if (hipMemset(memory, 0x4d, SIZE) || hipDeviceSynchronize()) {
        return 13;
    }
    if (hipIpcCloseMemHandle(memory)) {
        return 14;
    }
    return open_event();
}

static int start(void **state)
{
    if (pipe(to_child) || pipe(to_parent)) {
        return -1;
    }
    child = fork();
    if (child == 0) {
        char status = (char)in_child();
        if (write(to_parent[1], &status, 1) != 1) {
            _exit(20);
        }
        _exit(status);
    }
    return child < 0 ? -1 : 0;
}

static void another_process_shares_memory_and_events(void **state)
{
    hipIpcMemHandle_t handle;
    void *memory = NULL;
    void *other = NULL;
    unsigned char *host = pattern_new(SIZE, 21);
    hipIpcEventHandle_t event_handle;
    hipEvent_t event;
    char status = 77;
    OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
    OK(hipEventRecord(event, NULL));
    OK(hipEventSynchronize(event));
    memset(&event_handle, 0, sizeof event_handle);
    if (HIP_BEFORE(7, 14)) {
        OK(hipIpcGetEventHandle(&event_handle, event));
    }
    OK(hipMalloc(&memory, SIZE));
    OK(hipMemcpy(memory, host, SIZE, hipMemcpyHostToDevice));
    OK(hipIpcGetMemHandle(&handle, memory));
    assert_int_equal(write(to_child[1], &handle, sizeof handle), sizeof handle);
    assert_int_equal(write(to_child[1], &event_handle, sizeof event_handle), sizeof event_handle);
    assert_int_equal(read(to_parent[0], &status, 1), 1);
    assert_int_equal(status, 0);
    waitpid(child, NULL, 0);
    expect_device_filled(memory, 0x4d, SIZE);
    /* The handle is passed by value, with flags after it. */
    EXPECT(hipIpcOpenMemHandle(&other, handle, 0xf0), hipErrorInvalidValue);
    EXPECT(hipIpcOpenMemHandle(NULL, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidValue);
    if (!HIP_BEFORE(5, 7)) { /* to 5.2 its own memory is that of another process */
        REFUSED(hipIpcOpenMemHandle(&other, handle, hipIpcMemLazyEnablePeerAccess));
    }
    (void)hipGetLastError();
    OK(hipFree(memory));
    OK(hipEventDestroy(event));
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(another_process_shares_memory_and_events)};
    return cmocka_run_group_tests(tests, start, NULL);
}
