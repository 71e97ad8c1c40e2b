/* SPDX-License-Identifier: MIT */
/*
 * What an MPI asks of its layer for GPUs, without a type of HIP: the application, the MPI and the
 * layer may have been built with different releases.
 */
#ifndef HIPSHIM_TESTS_DROPIN_LAYER_H
#define HIPSHIM_TESTS_DROPIN_LAYER_H

enum { LAYER_HANDLE = 64 };

/* "device", "pinned", "managed" or "ordinary". The caller may read memory of all kinds but the
   first. */
const char *layer_kind(const void *memory);

/* A handle of memory on the device for another process, and the memory of such a handle.
   Each returns 0, or the error of HIP. */
int layer_export(void *memory, unsigned char handle[LAYER_HANDLE]);
int layer_import(const unsigned char handle[LAYER_HANDLE], void **memory);
int layer_release(void *memory);

#endif
