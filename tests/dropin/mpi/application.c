/* SPDX-License-Identifier: MIT */
/*
 * An application with two ranks. It allocates and copies by its own HIP and leaves the rest to the
 * layer: rank 0 asks for the kind of four pointers and sends a handle, and rank 1, another process,
 * reads the memory of the handle and writes to it.
 */
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hip/hip_runtime_api.h>

enum { SIZE = 65536 };

static int to_rank_1[2];

#define OK(call)                                                                                   \
    do {                                                                                           \
        int error_ = (call);                                                                       \
        if (error_) {                                                                              \
            printf("%s: %d\n", #call, error_);                                                     \
            fflush(stdout);                                                                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static int differs(const void *device, int value)
{
    static unsigned char host[SIZE];
    OK(hipMemcpy(host, device, SIZE, hipMemcpyDeviceToHost));
    size_t same = 0;
    while (same < SIZE && host[same] == value) {
        same++;
    }
    return same != SIZE;
}

static void rank_1(void)
{
    unsigned char handle[LAYER_HANDLE];
    void *memory = NULL;
    /* So that the end of rank 0 ends this read. */
    close(to_rank_1[1]);
    if (read(to_rank_1[0], handle, sizeof handle) != sizeof handle) {
        _exit(1);
    }
    OK(layer_import(handle, &memory));
    OK(differs(memory, 0x21));
    OK(hipMemset(memory, 0x4d, SIZE));
    OK(hipDeviceSynchronize());
    OK(layer_release(memory));
    _exit(0);
}

static void tell_kinds(const char *device)
{
    char *pinned = NULL;
    char *managed = NULL;
    char *ordinary = malloc(SIZE);
    OK(hipHostMalloc((void **)&pinned, SIZE, hipHostMallocDefault));
    OK(hipMallocManaged((void **)&managed, SIZE, hipMemAttachGlobal));
    printf("device: %s\npinned: %s\n", layer_kind(device + 100), layer_kind(pinned + 100));
    printf("managed: %s\nmalloc: %s\n", layer_kind(managed + 100), layer_kind(ordinary + 100));
    OK(hipGetLastError());
    OK(hipHostFree(pinned));
    OK(hipFree(managed));
    free(ordinary);
}

int main(void)
{
    void *device = NULL;
    unsigned char handle[LAYER_HANDLE];
    if (pipe(to_rank_1)) {
        return 2;
    }
    /* Before the first use of HIP. */
    pid_t child = fork();
    if (child == 0) {
        rank_1();
    }
    OK(hipMalloc(&device, SIZE));
    tell_kinds(device);
    OK(hipMemset(device, 0x21, SIZE));
    OK(hipDeviceSynchronize());
    OK(layer_export(device, handle));
    int status = -1;
    if (write(to_rank_1[1], handle, sizeof handle) != sizeof handle ||
        waitpid(child, &status, 0) != child || status) {
        printf("rank 1: status %d\n", status);
        return 1;
    }
    OK(differs(device, 0x4d));
    OK(hipFree(device));
    puts("shared: both ways");
    return 0;
}
