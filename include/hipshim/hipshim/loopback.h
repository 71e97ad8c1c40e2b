/* SPDX-License-Identifier: MIT */
/*
 * The loopback: an HSA runtime (libhsa-runtime64.so.1) whose GPUs are host memory.  With it an
 * unmodified libamdhip64 runs on a machine without a GPU, so that the host side of HIP programs can
 * be tested.  Kernels for gfx90a are carried out instruction by instruction, so their numbers are
 * tested, too.  Nothing is said about hardware, timing, races in global memory or memory
 * visibility.
 *
 * `hipshim run --loopback PROGRAM` runs a program with it.  Without that command, put its directory
 * before that of the real libhsa-runtime64.so.1 in the library path.  It reads these variables:
 *
 *   LOOPBACK_GPUS=N        the number of GPUs, 0 to 8; 1 by default
 *   LOOPBACK_ISA=gfx90a    their processor; features may follow, as in gfx90a:xnack-
 *   LOOPBACK_LOG=1         print every refusal and life-cycle step to standard error
 *   LOOPBACK_STRICT=0      print and refuse a request that the loopback does not know, such as an
 *                          agent query or a packet; by default such a request ends the
 *                          process with one line and status 99
 *   LOOPBACK_GUARD=1       an access of the host to GPU memory faults
 *   LOOPBACK_CHECK=1       a kernel's access to memory ends at the size that was asked for, not at
 *                          the end of its page; races of waves in LDS end the launch
 *   LOOPBACK_FAULT=kernel  the first kernel of the program faults
 *
 * A dispatch of kernel `k` calls the function loopback_kernel_k, if the program exports it (link
 * with -rdynamic), in place of the kernel's instructions.  The function is a stand-in for the
 * kernel.  It gets the kernel arguments as the runtime packed them, the grid in work-items and the
 * size of a work-group.  Stand-ins run on a thread of their queue, one at a time in each queue.
 */
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stand-in. */
typedef void loopback_kernel(const void *kernarg, const uint32_t grid[3], const uint32_t group[3]);

/*
 * The address at which a stand-in accesses the memory that has `address` on the GPU.  It is another
 * one for registered host memory and with LOOPBACK_GUARD=1, else the same.  A program finds this
 * function and the next ones by dlsym on a handle of libhsa-runtime64.so.1 (RTLD_NOLOAD).  All of
 * them may be called from any thread.
 */
void *loopback_host_pointer(const void *address);

/*
 * Makes `function` the stand-in of the kernel `name`, which is copied, instead of an exported
 * function; NULL removes it.  Returns 0, or -1 if there is no room.
 */
int loopback_kernel_register(const char *name, loopback_kernel *function);

/* The number of kernel dispatches so far, without those of the runtime itself. */
uint64_t loopback_dispatches(void);

/* The number of code objects loaded so far, without those of the runtime itself. */
uint64_t loopback_code_objects(void);

#ifdef __cplusplus
}
#endif

#endif
