/* SPDX-License-Identifier: MIT */
/*
 * The loopback: an HSA runtime (libhsa-runtime64.so.1) that presents GPUs made
 * of host memory to an unmodified libamdhip64, so that the host side of HIP can
 * be tested on a machine without a GPU.  No device code runs: it is evidence
 * about structures, enumerators, handles, argument packing, ordering, data
 * movement and error codes of the real HIP runtime, never about kernels,
 * hardware, timing or memory visibility.
 *
 * Put its directory before that of the real libhsa-runtime64.so.1 in the
 * library path of a process that loads libamdhip64.  Environment:
 *
 *   LOOPBACK_GPUS=1..8     how many GPUs there are (1)
 *   LOOPBACK_ISA=gfx90a    what they are; features may follow: gfx90a:xnack-
 *   LOOPBACK_LOG=1         every refusal and life-cycle step on stderr
 *   LOOPBACK_STRICT=0      what the loopback does not know (an agent query, a
 *                          blit kernel) is refused with a log line; without it
 *                          the process ends with status 99 and one line
 *   LOOPBACK_ALIAS=0       registered host memory keeps its address for the GPU
 *                          (else it gets another one, as on a discrete card)
 *   LOOPBACK_GUARD=1       GPU memory faults on a host access through the
 *                          address that the program has
 *   LOOPBACK_FAULT=kernel  the first kernel of the program faults
 *
 * A dispatch of kernel `k` calls loopback_kernel_k of the process, if the
 * program exports it (link with -rdynamic), with the real kernarg block, the
 * grid in work-items and the work-group size; else it only completes.  Stand-ins
 * run on a thread of the queue, one at a time in a queue.
 */
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void loopback_kernel(const void *kernarg, const uint32_t grid[3], const uint32_t group[3]);

/*
 * Where a stand-in may touch what the GPU calls address: itself, the user's own
 * memory for registered host memory, the private mapping in guard mode.  Use
 * dlsym on a handle of libhsa-runtime64.so.1 (RTLD_NOLOAD) to get at it.
 */
void *loopback_host_pointer(const void *address);

/* Another way than an exported function to stand in for a kernel; NULL removes it. */
int loopback_kernel_register(const char *name, loopback_kernel *function);

/* Kernel dispatches (of the program, not of the runtime itself) so far. */
uint64_t loopback_dispatches(void);

#ifdef __cplusplus
}
#endif

#endif
