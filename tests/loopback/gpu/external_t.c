/* SPDX-License-Identifier: MIT */
/* Memory and semaphores of other interfaces, of which there are none here: refusals, not crashes.
 */
#include "gpu.h"

#include "../../lib/programs/zeroed_heap.h"

/* Any refusal will do: which one follows from the driver below. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hipError_t got_ = (call);                                                                  \
        if (got_ == hipSuccess) {                                                                  \
            fail_msg("%s: success", #call);                                                        \
        }                                                                                          \
        (void)hipGetLastError();                                                                   \
    } while (0)

static void memory_is_refused(void **state)
{
    (void)state;
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
    (void)state;
    hipExternalSemaphore_t semaphore = NULL;
    hipExternalSemaphoreHandleDesc handle;
    hipExternalSemaphoreSignalParams signal;
    hipExternalSemaphoreWaitParams wait;
    memset(&handle, 0, sizeof handle);
    memset(&signal, 0, sizeof signal);
    memset(&wait, 0, sizeof wait);
    handle.type = hipExternalSemaphoreHandleTypeOpaqueFd;
    handle.handle.fd = -1;
    REFUSED(hipImportExternalSemaphore(&semaphore, &handle));
    EXPECT(hipImportExternalSemaphore(NULL, &handle), hipErrorInvalidValue);
    EXPECT(hipSignalExternalSemaphoresAsync(NULL, &signal, 1, NULL), hipErrorInvalidValue);
    EXPECT(hipWaitExternalSemaphoresAsync(NULL, &wait, 1, NULL), hipErrorInvalidValue);
    EXPECT(hipDestroyExternalSemaphore(NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

/* Before OpenGL is asked for: from then on 5.x and 6.x look into a resource that is NULL. */
static void resources_of_graphics_are_refused(void **state)
{
    (void)state;
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
    (void)state;
    hipGraphicsResource *resource = NULL;
    unsigned count = 77;
    int device = -1;
    REFUSED(hipGLGetDevices(&count, &device, 1, hipGLDeviceListAll));
    REFUSED(hipGraphicsGLRegisterBuffer(&resource, 0, 0));
    REFUSED(hipGraphicsGLRegisterImage(&resource, 0, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_refused),
        cmocka_unit_test(semaphores_are_refused),
        cmocka_unit_test(resources_of_graphics_are_refused),
        cmocka_unit_test(opengl_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
