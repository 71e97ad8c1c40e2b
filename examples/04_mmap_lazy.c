/* SPDX-License-Identifier: MIT */
/*
 * Lets the GPU read a file of 256 MB without a buffer: maps the file, registers the mapping, and
 * lets the device read a few bytes of it.
 *
 * hipHostRegister pins the pages, so that any GPU can read them over the bus.  A device that takes
 * page faults does not need it.  With XNACK (gfx90a and gfx942, HSA_XNACK=1) or HMM in the Linux
 * kernel, hipDeviceAttributePageableMemoryAccess is 1.  The device can then use the address of the
 * mapping, and each page is read when it is touched.
 *
 *   cc 04_mmap_lazy.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out
 *
 * An argument names the directory of the file
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

/* A file of zeros, except for the bytes that the kernel picks; it has no name any more. */
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

        where[i] = i == 0 ? BYTES - 1
                          : (i * 2654435761u) % BYTES; /* spread over the file, and its last byte */
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

    example_begin("64 bytes from a mapped file of 256 MB");
    int file = make_file(directory ? directory : "/tmp", where);
    void *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) {
        example_end(EXIT_FAILURE, "mmap: %s", strerror(errno));
    }
    HIP(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, 0));
    printf("this device %s (page faults by XNACK or HMM); the file is registered in any case\n",
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
