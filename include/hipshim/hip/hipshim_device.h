/* SPDX-License-Identifier: MIT */
/*
 * hipshim: whole programs, with kernels and `<<< >>>`.  hip/hip_runtime.h includes this
 * header under a HIP compiler; do not include it by name.
 *
 * Device code uses the functions of the compiler's own ROCm.  On the host the compiler
 * emits calls of functions that no header declares, under their plain names.  They are
 * defined here, hidden, so that each program and each shared library has its own, which
 * calls libhipshim, and nothing else in the process binds to them.
 */
#ifndef HIPSHIM_HIP_HIPSHIM_DEVICE_H
#define HIPSHIM_HIP_HIPSHIM_DEVICE_H

#ifdef __HIP__

#include "hip_runtime_api.h"

extern "C" {

/*
 * The compiler's calls before main, in libhipshim, which keeps what they say and tells the
 * runtime once the program's first HIP call has opened it.  Only a managed variable opens
 * it at once, because the host reads such a variable without a HIP call.
 */
#define HIPSHIM_EMITTED_TO(name) __asm__("hipshim_" #name)
void **__hipRegisterFatBinary(const void *wrapper) HIPSHIM_EMITTED_TO(__hipRegisterFatBinary);
void __hipRegisterFunction(void **binary, const void *host, char *device, const char *name,
                           unsigned int threads, void *thread, void *block, void *block_dim,
                           void *grid_dim, int *warp) HIPSHIM_EMITTED_TO(__hipRegisterFunction);
void __hipRegisterVar(void **binary, void *host, char *device, char *name, int is_extern,
                      size_t size, int is_constant, int is_global)
    HIPSHIM_EMITTED_TO(__hipRegisterVar);
void __hipRegisterManagedVar(void *binary, void **host, void *initial, const char *name,
                             size_t size, unsigned int alignment)
    HIPSHIM_EMITTED_TO(__hipRegisterManagedVar);
void __hipRegisterSurface(void **binary, void *host, char *device, char *name, int kind,
                          int is_extern) HIPSHIM_EMITTED_TO(__hipRegisterSurface);
void __hipRegisterTexture(void **binary, void *host, char *device, char *name, int kind,
                          int is_normalized, int is_extern)
    HIPSHIM_EMITTED_TO(__hipRegisterTexture);
void __hipUnregisterFatBinary(void **binary) HIPSHIM_EMITTED_TO(__hipUnregisterFatBinary);

/* Defines `name` as the compiler calls it; it calls libhipshim's function of that name. */
#define HIPSHIM_EMITTED(type, name, parameters, arguments)                                         \
    type hipshim_emitted_##name parameters __asm__(#name);                                         \
    __attribute__((visibility("hidden"), used)) inline type hipshim_emitted_##name parameters      \
    {                                                                                              \
        return name arguments;                                                                     \
    }

HIPSHIM_EMITTED(void **, __hipRegisterFatBinary, (const void *wrapper), (wrapper))
HIPSHIM_EMITTED(void, __hipRegisterFunction,
                (void **binary, const void *host, char *device, const char *name,
                 unsigned int threads, void *thread, void *block, void *block_dim, void *grid_dim,
                 int *warp),
                (binary, host, device, name, threads, thread, block, block_dim, grid_dim, warp))
HIPSHIM_EMITTED(void, __hipRegisterVar,
                (void **binary, void *host, char *device, char *name, int is_extern, size_t size,
                 int is_constant, int is_global),
                (binary, host, device, name, is_extern, size, is_constant, is_global))
HIPSHIM_EMITTED(void, __hipRegisterManagedVar,
                (void *binary, void **host, void *initial, const char *name, size_t size,
                 unsigned int alignment),
                (binary, host, initial, name, size, alignment))
HIPSHIM_EMITTED(void, __hipRegisterSurface,
                (void **binary, void *host, char *device, char *name, int kind, int is_extern),
                (binary, host, device, name, kind, is_extern))
HIPSHIM_EMITTED(void, __hipRegisterTexture,
                (void **binary, void *host, char *device, char *name, int kind, int is_normalized,
                 int is_extern),
                (binary, host, device, name, kind, is_normalized, is_extern))
HIPSHIM_EMITTED(void, __hipUnregisterFatBinary, (void **binary), (binary))
HIPSHIM_EMITTED(hipError_t, __hipPopCallConfiguration,
                (dim3 * grid, dim3 *block, size_t *shared, hipStream_t *stream),
                (grid, block, shared, stream))
HIPSHIM_EMITTED(hipError_t, hipLaunchKernel,
                (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                 hipStream_t stream),
                (function, grid, block, arguments, shared, stream))
HIPSHIM_EMITTED(hipError_t, hipLaunchKernel_spt,
                (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                 hipStream_t stream),
                (function, grid, block, arguments, shared, stream))

#undef HIPSHIM_EMITTED
#undef HIPSHIM_EMITTED_TO

} /* extern "C" */

#endif /* __HIP__ */
#endif
