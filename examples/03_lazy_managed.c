/* SPDX-License-Identifier: MIT */
/*
 * Managed memory: the host writes memory, the device changes it, and the host reads it, all
 * through one pointer.  The program copies nothing.
 *
 * If the device can take page faults (XNACK on gfx90a and gfx942, with HSA_XNACK=1), a page moves
 * to the side that touches it.  Otherwise all pages are where both sides can reach them.  The
 * program is the same in both cases.
 *
 *   cc 03_lazy_managed.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out
 */
#include "example.h"

enum { COUNT = 1 << 20 };

static const char source[] = "extern \"C\" __global__ void triple(int *x, unsigned n) {\n"
                             "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) x[i] *= 3;\n"
                             "}\n";

int main(void)
{
    void *memory;
    unsigned n = COUNT;
    int managed = 0, concurrent = 0;

    example_begin("Managed memory: host, device, host");
    HIP(hipDeviceGetAttribute(&managed, hipDeviceAttributeManagedMemory, 0));
    HIP(hipDeviceGetAttribute(&concurrent, hipDeviceAttributeConcurrentManagedAccess, 0));
    printf("managed memory: %s; host and device at the same time: %s\n", managed ? "yes" : "no",
           concurrent ? "yes" : "no");

    HIP(hipMallocManaged(&memory, COUNT * sizeof(int), hipMemAttachGlobal));
    int *x = memory;
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
    }
    hipFunction_t triple = example_kernel(source, "triple");
    example_launch(triple, COUNT, (void *[]){&memory, &n}); /* waits, so the host may read */
    for (int i = 0; i < COUNT; i++) {
        if (x[i] != 3 * i) {
            example_end(EXIT_FAILURE, "x[%d] is %d, not %d", i, x[i], 3 * i);
        }
    }
    /* A second time: the pages move to the device again. */
    x[7] = 100;
    example_launch(triple, COUNT, (void *[]){&memory, &n});
    int again = x[7];
    HIP(hipFree(memory));
    if (again != 300) {
        example_end(EXIT_FAILURE, "the second value of the host is %d, not 300", again);
    }
    example_end(EXIT_SUCCESS, "%d numbers went there and back", COUNT);
}
