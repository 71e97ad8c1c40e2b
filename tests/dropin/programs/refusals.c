/* SPDX-License-Identifier: MIT */
/* Refusals are HIP's own; what the runtime below has no function for is said to be not supported.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "check.h"

#include "../../lib/programs/zeroed_heap.h"

static void external_memory(void)
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
}

/* HIP 6 made the structures larger, so that an array of them has another stride. */
static void external_semaphores(void)
{
    hipExternalSemaphore_t semaphore = NULL;
    hipExternalSemaphoreHandleDesc handle;
    hipExternalSemaphoreSignalParams signals[3];
    hipExternalSemaphoreWaitParams waits[3];
    memset(&handle, 0, sizeof handle);
    memset(signals, 0, sizeof signals);
    memset(waits, 0, sizeof waits);
    handle.type = hipExternalSemaphoreHandleTypeOpaqueFd;
    handle.handle.fd = -1;
    /* Not supported by the real runtimes themselves, on this device. */
    CHECK(hipImportExternalSemaphore(&semaphore, &handle) != hipSuccess);
    EXPECT(hipImportExternalSemaphore(NULL, &handle), hipErrorInvalidValue);
    EXPECT(hipSignalExternalSemaphoresAsync(NULL, signals, 3, NULL), hipErrorInvalidValue);
    EXPECT(hipWaitExternalSemaphoresAsync(NULL, waits, 3, NULL), hipErrorInvalidValue);
    EXPECT(hipDestroyExternalSemaphore(NULL), hipErrorInvalidValue);
}

/* Another process, which starts before the first use of HIP and opens one handle. */
static int to_other[2] = {-1, -1}, from_other[2] = {-1, -1};

static char opens_handle(void)
{
    hipIpcMemHandle_t handle;
    void *memory = NULL;
    char first = 0;
    if (read(to_other[0], &handle, sizeof handle) != sizeof handle) {
        _exit(0); /* the parent ended without a question */
    }
    if (hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess)) {
        return 'o';
    }
    if (hipMemcpy(&first, memory, 1, hipMemcpyDeviceToHost) || hipIpcCloseMemHandle(memory)) {
        return 'c';
    }
    return first;
}

__attribute__((constructor)) static void start_other_process(void)
{
    if (pipe(to_other) || pipe(from_other)) {
        abort();
    }
    if (fork() == 0) {
        close(to_other[1]);
        char answer = opens_handle();
        _exit(write(from_other[1], &answer, 1) != 1);
    }
    close(from_other[1]);
}

/* A handle is passed by value, 64 bytes of it, with flags behind. */
static void memory_of_other_processes(void)
{
    char answer = 0;
    hipIpcMemHandle_t handle, none;
    void *memory = NULL, *other = NULL;
    OK(hipMalloc(&memory, 70000));
    memset(&handle, 0, sizeof handle);
    memset(&none, 0, sizeof none);
    OK(hipIpcGetMemHandle(&handle, memory));
    CHECK(memcmp(&handle, &none, sizeof handle) != 0);
    OK(hipMemset(memory, 'y', 70000));
    OK(hipDeviceSynchronize());
    CHECK(write(to_other[1], &handle, sizeof handle) == sizeof handle);
    CHECK(read(from_other[0], &answer, 1) == 1);
    CHECK(answer == 'y');
    EXPECT(hipIpcOpenMemHandle(&other, handle, 0xf0), hipErrorInvalidValue);
    EXPECT(hipIpcOpenMemHandle(NULL, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidValue);
    /* One's own memory is not another process's, but to 5.2. */
    if (check_back >= 507) {
        REFUSED(hipIpcOpenMemHandle(&other, handle, hipIpcMemLazyEnablePeerAccess));
    }
    OK(hipFree(memory));
}

static void wrong_handles(void)
{
    hipGraph_t graph = NULL;
    hipFunction_t function = NULL;
    EXPECT(hipGraphDestroy(NULL), hipErrorInvalidValue);
    EXPECT(hipGraphInstantiate(NULL, graph, NULL, NULL, 0), hipErrorInvalidValue);
    REFUSED(hipModuleGetFunction(&function, NULL, "nothing"));
    REFUSED(hipEventRecord(NULL, NULL));
}

static void functions_that_are_newer(void)
{
#if HIP_VERSION_MAJOR >= 6
    void *address = NULL;
    hipError_t (*call)(hipPointerAttribute_t *, const void *) = NULL;
    hipPointerAttribute_t attributes;
    hipDriverProcAddressQueryResult found = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    (void)hipExtGetLastError();
    EXPECT(hipMalloc(NULL, 1), hipErrorInvalidValue);
    EXPECT(hipExtGetLastError(), hipErrorInvalidValue);
    OK(hipExtGetLastError());
    (void)hipGetLastError();
    /* Over HIP 5 it is answered for it, and what it gives takes this program's structures. */
    OK(hipGetProcAddress("hipPointerGetAttributes", &address, 60443484, 0, &found));
    SAME(found, HIP_GET_PROC_ADDRESS_SUCCESS);
    *(void **)&call = address;
    OK(hipMalloc(&address, 16));
    OK(call(&attributes, address));
    SAME(attributes.type, hipMemoryTypeDevice);
    OK(hipFree(address));
#else
    check_skips("HIP 5 has none of them");
#endif
}

static void functions_of_the_newest(void)
{
#if HIP_VERSION_MAJOR >= 7
    hipLibrary_t library = NULL;
    hipEvent_t event = NULL;
    OK(hipEventCreate(&event));
    OK(hipEventRecordWithFlags(event, NULL, 0));
    OK(hipEventSynchronize(event));
    OK(hipEventDestroy(event));
    NEEDS(702, hipLibraryLoadData(&library, "nothing", NULL, NULL, 0, NULL, NULL, 0));
    REFUSED(hipLibraryUnload(NULL));
#else
    check_skips("they are of HIP 7");
#endif
}

#if HIP_VERSION_MAJOR >= 6
static void expect_named(const void *address, const char *name)
{
    SAME(address == dlsym(RTLD_DEFAULT, name), 1);
}
#endif

static void addresses_of_functions(void)
{
#if HIP_VERSION_MAJOR >= 6
    void *address = NULL;
    hipDriverProcAddressQueryResult found = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    OK(hipGetProcAddress("hipGetDeviceProperties", &address, 500, 0, &found));
    expect_named(address, "hipGetDeviceProperties");
    OK(hipGetProcAddress("hipGetDeviceProperties", &address, 600, 0, &found));
    expect_named(address, "hipGetDevicePropertiesR0600");
    for (uint64_t flags = 0; flags < 4; flags++) { /* which no release before 7.14 reads */
        OK(hipGetProcAddress("hipMemcpy", &address, 600, flags, &found));
        expect_named(address, check_front >= 714 && (flags & 2) ? "hipMemcpy_spt" : "hipMemcpy");
    }
#else
    check_skips("HIP 5 has no hipGetProcAddress");
#endif
#if HIP_VERSION_MAJOR >= 7
    EXPECT(hipGetProcAddress("hiprtcVersion", &address, 700, 0, &found), hipErrorInvalidValue);
    SAME(found, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    hipDriverEntryPointQueryResult entry = hipDriverEntryPointSymbolNotFound;
    OK(hipGetDriverEntryPoint("hipMemcpy", &address, hipEnableLegacyStream, &entry));
    expect_named(address, "hipMemcpy");
    OK(hipGetDriverEntryPoint("hipMemcpy", &address, hipEnablePerThreadDefaultStream, &entry));
    expect_named(address, "hipMemcpy_spt");
    /* Without a version, a name is that of the symbol, whose structure is that of HIP 5. */
    OK(hipGetDriverEntryPoint("hipGetDeviceProperties", &address, hipEnableDefault, &entry));
    expect_named(address, "hipGetDeviceProperties");
    address = &entry;
    EXPECT(hipGetDriverEntryPoint("hipMalloc", &address, 3, &entry), hipErrorInvalidValue);
    SAME(address == &entry, 1);
#endif
}

const struct test refusal_tests[] = {
    {"external memory is refused as by HIP", external_memory},
    {"external semaphores are refused as by HIP", external_semaphores},
    {"memory of other processes, by value and with flags", memory_of_other_processes},
    {"wrong handles are refused", wrong_handles},
    {"functions of HIP 6, where there are any", functions_that_are_newer},
    {"functions of HIP 7, where there are any", functions_of_the_newest},
    {"the addresses of functions are those of HIP's symbols", addresses_of_functions},
    {NULL, NULL},
};
