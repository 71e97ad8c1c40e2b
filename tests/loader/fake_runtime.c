/* SPDX-License-Identifier: MIT */
/*
 * The least that hipshim's loader takes for a HIP runtime, or for a hiprtc.
 * Compiled by the tests, with:
 *   FAKE_VERSION  what hipRuntimeGetVersion gives; not defined: no such function
 *   FAKE_STATUS   what it returns (0)
 *   FAKE_HIPRTC   defined: hiprtc is in this library
 *   FAKE_RESULT   what its hiprtcCreateProgram returns (0)
 *   FAKE_DROP_IN  defined: this is a drop-in library on top of hipshim
 *   FAKE_NEEDS    the name of a function that nothing defines, to be called
 *   FAKE_DATA     defined: hipRuntimeGetVersion is a variable, as in programs
 *                 that keep their own function pointers
 *   FAKE_MALLOC   defined: there is a hipMalloc too
 *   FAKE_IFUNC    defined: there is a hipMemGetInfo, which is an IFUNC
 *   FAKE_CALLS_BACK
 *                 defined: its constructor calls hipshim, as a preloaded tool might
 *   FAKE_BINDINGS the header with the bindings of its release: it has a device then
 *   FAKE_LAUNCHES defined, with the bindings of HIP 6: it has the functions that programs
 *                 with kernels call, which do nothing
 *   FAKE_CALLS    defined: it has the functions that the benchmarks call, which do
 *                 almost nothing, so that the cost of a call is that of the way to it
 */
#ifdef FAKE_BINDINGS
#include FAKE_BINDINGS
#include <string.h>
#else
typedef int hipError_t;
#endif
#ifndef FAKE_STATUS
#define FAKE_STATUS 0
#endif
#ifndef FAKE_RESULT
#define FAKE_RESULT 0
#endif

int fake_runtime_marker = 1;

#if defined(FAKE_VERSION) && !defined(FAKE_DATA)
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipRuntimeGetVersion(int *version)
{
    *version = FAKE_VERSION;
    return (hipError_t)FAKE_STATUS;
}
#endif

#ifdef FAKE_DATA
int (*hipRuntimeGetVersion)(int *version);
#endif

#ifdef FAKE_MALLOC
int hipMalloc(void **pointer, unsigned long size);
int hipMalloc(void **pointer, unsigned long size)
{
    *pointer = 0;
    return size ? 2 : 0;
}
#endif

#ifdef FAKE_IFUNC
static int tell_memory(unsigned long *available, unsigned long *total)
{
    return (int)(*available = *total = 3);
}

static void *choose(void)
{
    return tell_memory;
}

int hipMemGetInfo(unsigned long *available, unsigned long *total) __attribute__((ifunc("choose")));
#endif

#ifdef FAKE_CALLS_BACK
#include <dlfcn.h>

__attribute__((constructor)) static void call_back(void)
{
    int version = 0;
    int (*get_version)(int *) = (int (*)(int *))dlsym(RTLD_DEFAULT, "hipshim_hipRuntimeGetVersion");
    if (get_version) {
        get_version(&version);
    }
}
#endif

#ifdef FAKE_BINDINGS
#if HIP_VERSION_MAJOR < 6
#define GET_PROPERTIES hipGetDeviceProperties
typedef hipDeviceProp_t properties;
#else
#define GET_PROPERTIES hipGetDevicePropertiesR0600
typedef hipDeviceProp_tR0600 properties;
#endif

hipError_t hipGetDeviceCount(int *count)
{
    *count = 1;
    return hipSuccess;
}

hipError_t GET_PROPERTIES(properties *out, int device)
{
    (void)device;
    memset(out, 0, sizeof *out);
    strcpy(out->gcnArchName, "gfx90a");
    out->warpSize = 64;
    return hipSuccess;
}

/* All memory is the device's. */
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *out, const void *pointer)
{
    (void)pointer;
    memset(out, 0, sizeof *out);
#if HIP_VERSION_MAJOR < 6
    out->memoryType = hipMemoryTypeDevice;
#else
    out->type = hipMemoryTypeDevice;
#endif
    return hipSuccess;
}
#endif

#ifdef FAKE_LAUNCHES
void **__hipRegisterFatBinary(const void *wrapper);
void **__hipRegisterFatBinary(const void *wrapper)
{
    return (void **)wrapper;
}

#define REGISTERS(name)                                                                            \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
    }
REGISTERS(__hipRegisterFunction)
REGISTERS(__hipRegisterVar)
REGISTERS(__hipRegisterManagedVar)
REGISTERS(__hipRegisterSurface)
REGISTERS(__hipRegisterTexture)
REGISTERS(__hipUnregisterFatBinary)

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream)
{
    (void)grid, (void)block, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream)
{
    (void)grid, (void)block, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           size_t shared, hipStream_t stream)
{
    (void)function, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t hipGetLastError(void)
{
    return hipSuccess;
}
#endif

#ifdef FAKE_CALLS
const char *hipGetErrorName(int error);
const char *hipGetErrorName(int error)
{
    return error == 0 ? "hipSuccess" : "hipErrorUnknown";
}

int hipCtxDestroy(void *context);
int hipCtxDestroy(void *context)
{
    (void)context;
    return 0;
}
#endif

#ifdef FAKE_HIPRTC
int hiprtcCreateProgram(void);
int hiprtcCreateProgram(void)
{
    return FAKE_RESULT;
}

int hiprtcVersion(int *major, int *minor);
int hiprtcVersion(int *major, int *minor)
{
    *major = *minor = 9;
    return 0;
}
#endif

#ifdef FAKE_DROP_IN
/* The note of src/elf/notes.h, which makes it a drop-in. */
static const struct {
    unsigned owner_size, content_size, type;
    char owner[8];
    unsigned number;
    char api[16];
    unsigned notify[2], library[2];
} note __attribute__((used, aligned(4), section(".note.hipshim"))) = {8, 36,    1,      "hipshim",
                                                                      6, "HIP", {0, 0}, {0, 0}};
#endif

#ifdef FAKE_NEEDS
int FAKE_NEEDS(void);
int fake_runtime_calls(void);
int fake_runtime_calls(void)
{
    return FAKE_NEEDS();
}
#endif
