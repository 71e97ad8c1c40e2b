/* SPDX-License-Identifier: MIT */
/*
 * A file of 256 MB in the GPU's sight without reading it into a buffer: mapped,
 * registered, and a few bytes of it fetched by the device.
 *
 * hipHostRegister pins the pages, so that any GPU can read them over the bus.  A
 * device that takes page faults needs not even that: with XNACK on (gfx90a and
 * gfx942, HSA_XNACK=1) or HMM in the kernel, hipDeviceAttributePageableMemoryAccess
 * is 1 and the mapping's own address works, each page read when it is touched.
 *
 *   cc 04_mmap_lazy.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out [DIRECTORY]
 */
#include "example.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 256 << 20, PICKED = 64 };

static const char source[] =
    "extern \"C\" __global__ void pick(const unsigned char *file, const unsigned *where,\n"
    "                                unsigned char *out, unsigned n) {\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) out[i] = file[where[i]];\n"
    "}\n";

static unsigned char value(unsigned i)
{
    return (unsigned char)(i * 37 + 11);
}

/* A file that is empty but for the bytes that are picked; it has no name left. */
static int make_file(const char *directory, unsigned where[PICKED])
{
    char path[4000];
    int file;

    snprintf(path, sizeof path, "%s/hipshim-example-XXXXXX", directory);
    file = mkstemp(path);
    if (file < 0 || unlink(path) != 0 || ftruncate(file, BYTES) != 0) {
        example_end(EXAMPLE_SKIP, "no file of 256 MB in %s: %s", directory, strerror(errno));
    }
    for (unsigned i = 0; i < PICKED; i++) {
        unsigned char byte = value(i);

        where[i] = i == 0 ? BYTES - 1 : (i * 2654435761u) % BYTES; /* all over, and the last */
        if (pwrite(file, &byte, 1, where[i]) != 1) {
            example_end(EXAMPLE_SKIP, "cannot write to %s: %s", directory, strerror(errno));
        }
    }
    return file;
}

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[1] : getenv("TMPDIR");
    unsigned where[PICKED], n = PICKED;
    unsigned char out[PICKED];
    void *device_file, *device_where, *device_out;
    int pageable = 0;

    example_begin("64 bytes out of a mapped file of 256 MB");
    int file = make_file(directory ? directory : "/tmp", where);
    void *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) {
        example_end(EXIT_FAILURE, "mmap: %s", strerror(errno));
    }
    HIP(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, 0));
    printf("this device %s on page faults (XNACK, HMM): the file is registered in any case\n",
           pageable ? "reads pageable memory" : "does not read pageable memory");

    HIP(hipHostRegister(map, BYTES, hipHostRegisterMapped));
    HIP(hipHostGetDevicePointer(&device_file, map, 0));
    HIP(hipMalloc(&device_where, sizeof where));
    HIP(hipMalloc(&device_out, sizeof out));
    HIP(hipMemcpy(device_where, where, sizeof where, hipMemcpyHostToDevice));

    hipFunction_t pick = example_kernel(source, "pick");
    example_launch(pick, PICKED, (void *[]){&device_file, &device_where, &device_out, &n});

    HIP(hipMemcpy(out, device_out, sizeof out, hipMemcpyDeviceToHost));
    HIP(hipHostUnregister(map));
    HIP(hipFree(device_where));
    HIP(hipFree(device_out));
    munmap(map, BYTES);
    close(file);
    for (unsigned i = 0; i < PICKED; i++) {
        if (out[i] != value(i)) {
            example_end(EXIT_FAILURE, "byte %u is %u, not %u", where[i], out[i], value(i));
        }
    }
    example_end(EXIT_SUCCESS, "all %d bytes are right", PICKED);
}
