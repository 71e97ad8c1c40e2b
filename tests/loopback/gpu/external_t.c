/* SPDX-License-Identifier: MIT */
/* Memory and semaphores of other interfaces, of which there are none here: refusals, not crashes.
 */
#include <sys/resource.h>

#include "gpu.h"

#if HIP_VERSION >= 60000000
#include <hip/hip_gl_interop.h>
#endif

#include "../../lib/programs/zeroed_heap.h"

static void memory_is_refused(void **state)
{
    hipExternalMemory_t memory = NULL;
    void *device = NULL;
    hipExternalMemoryHandleDesc handle;
    hipExternalMemoryBufferDesc buffer;
    memset(&handle, 0, sizeof handle);
    memset(&buffer, 0, sizeof buffer);
    handle.type = hipExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = -1;
    handle.size = 4096;
    buffer.size = 4096;
    fill_free_heap(0);
    REFUSED(hipImportExternalMemory(&memory, &handle));
    EXPECT(hipExternalMemoryGetMappedBuffer(&device, NULL, &buffer), hipErrorInvalidValue);
    EXPECT(hipDestroyExternalMemory(NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void semaphores_are_refused(void **state)
{
    hipExternalSemaphore_t semaphore = NULL;
    hipExternalSemaphoreHandleDesc handle;
    /* HIP 6 made the structures larger, so an array of them has another stride. */
    hipExternalSemaphoreSignalParams signals[3];
    hipExternalSemaphoreWaitParams waits[3];
    memset(&handle, 0, sizeof handle);
    memset(signals, 0, sizeof signals);
    memset(waits, 0, sizeof waits);
    handle.type = hipExternalSemaphoreHandleTypeOpaqueFd;
    handle.handle.fd = -1;
    assert_int_not_equal(hipImportExternalSemaphore(&semaphore, &handle), hipSuccess);
    EXPECT(hipImportExternalSemaphore(NULL, &handle), hipErrorInvalidValue);
    EXPECT(hipSignalExternalSemaphoresAsync(NULL, signals, 3, NULL), hipErrorInvalidValue);
    EXPECT(hipWaitExternalSemaphoresAsync(NULL, waits, 3, NULL), hipErrorInvalidValue);
    EXPECT(hipDestroyExternalSemaphore(NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

/* The list for 5.x is larger than the memory. */
static void missing_memory_is_told(void **state)
{
    if (!HIP_BEFORE(6, 0) || ANSWERS_BEFORE(6, 0)) {
        skip(); /* the structures are the same */
    }
    hipExternalSemaphoreSignalParams one;
    struct rlimit old, tight;
    int semaphore = 0;
    memset(&one, 0, sizeof one);
    getrlimit(RLIMIT_AS, &old);
    tight = old, tight.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_AS, &tight);
    hipError_t error = hipSignalExternalSemaphoresAsync((void *)&semaphore, &one, 1u << 31, NULL);
    setrlimit(RLIMIT_AS, &old);
    assert_int_equal(error, hipErrorOutOfMemory);
#ifndef OWN_HEADERS
    assert_non_null(strstr(hipshim_error_text(), "hipSignalExternalSemaphoresAsync: no memory"));
#endif
    (void)hipGetLastError();
}

/* Before OpenGL is asked for: from then on 5.x and 6.x look into a resource that is NULL. */
static void resources_of_graphics_are_refused(void **state)
{
    hipArray_t array = NULL;
    hipError_t wanted = HIP_BEFORE(7, 1) ? hipErrorUnknown : hipErrorInvalidValue;
    EXPECT(hipGraphicsMapResources(1, NULL, NULL), wanted);
    EXPECT(hipGraphicsUnmapResources(1, NULL, NULL), wanted);
    EXPECT(hipGraphicsResourceGetMappedPointer(NULL, NULL, NULL), wanted);
    EXPECT(hipGraphicsSubResourceGetMappedArray(&array, NULL, 0, 0), hipErrorInvalidValue);
    /* 5.2 says it has done it. */
    EXPECT(hipGraphicsUnregisterResource(NULL),
           HIP_BEFORE(5, 7) ? hipSuccess : hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void opengl_is_refused(void **state)
{
    hipGraphicsResource *resource = NULL;
    unsigned count = 77;
    int device = -1;
    assert_int_not_equal(hipGLGetDevices(&count, &device, 1, hipGLDeviceListAll), hipSuccess);
    assert_int_not_equal(hipGraphicsGLRegisterBuffer(&resource, 0, 0), hipSuccess);
    assert_int_not_equal(hipGraphicsGLRegisterImage(&resource, 0, 0, 0), hipSuccess);
    (void)hipGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_refused),
        cmocka_unit_test(semaphores_are_refused),
        cmocka_unit_test(missing_memory_is_told),
        cmocka_unit_test(resources_of_graphics_are_refused),
        cmocka_unit_test(opengl_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
