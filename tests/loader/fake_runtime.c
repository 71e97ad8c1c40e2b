/* SPDX-License-Identifier: MIT */
/*
 * The least that hipshim's loader takes for a HIP runtime, or for a hiprtc.
 * Compiled by the tests, with:
 *   FAKE_VERSION  what hipRuntimeGetVersion gives; not defined: no such function
 *   FAKE_STATUS   what it returns (0)
 *   FAKE_HIPRTC   defined: hiprtc is in this library
 *   FAKE_DROP_IN  defined: this is a drop-in library on top of hipshim
 *   FAKE_NEEDS    the name of a function that nothing defines, to be called
 *   FAKE_DATA     defined: hipRuntimeGetVersion is a variable, as in programs
 *                 that keep their own function pointers
 *   FAKE_MALLOC   defined: there is a hipMalloc too
 *   FAKE_CALLS    defined: it has the functions that the benchmarks call, which do
 *                 almost nothing, so that the cost of a call is that of the way to it
 */
#ifndef FAKE_STATUS
#define FAKE_STATUS 0
#endif

int fake_runtime_marker = 1;

#if defined(FAKE_VERSION) && !defined(FAKE_DATA)
int hipRuntimeGetVersion(int *version);
int hipRuntimeGetVersion(int *version)
{
    *version = FAKE_VERSION;
    return FAKE_STATUS;
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
