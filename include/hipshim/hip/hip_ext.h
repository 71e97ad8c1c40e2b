/* SPDX-License-Identifier: MIT */
/*
 * hipshim: AMD's extensions of the launch.  hip_runtime_api.h declares
 * hipExtLaunchKernel(); this header adds the C++ form, which takes the arguments of
 * the kernel themselves.
 */
#ifndef HIPSHIM_HIP_HIP_EXT_H
#define HIPSHIM_HIP_HIP_EXT_H

#include "hip_runtime.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_HIP_EXT_H

#ifdef __cplusplus
extern "C++" {

/*
 * `kernel` is the host handle of a kernel that a HIP compiler compiled.  Each
 * argument is converted to the type that the kernel declares.  The function returns
 * nothing; hipGetLastError() returns its error.
 */
template <typename... Formals, typename... Actuals>
inline void hipExtLaunchKernelGGL(void (*kernel)(Formals...), const dim3 &numBlocks,
                                  const dim3 &dimBlocks, std::uint32_t sharedMemBytes,
                                  hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent,
                                  std::uint32_t flags, Actuals... actuals)
{
    static_assert(sizeof...(Formals) == sizeof...(Actuals),
                  "a kernel takes as many arguments as it declares");
    hipshim_cxx::with_addresses<Formals...>(
        [&](void **arguments) {
            return hipExtLaunchKernel(reinterpret_cast<const void *>(kernel), numBlocks, dimBlocks,
                                      arguments, sharedMemBytes, stream, startEvent, stopEvent,
                                      static_cast<int>(flags));
        },
        actuals...);
}

} /* extern "C++" */
#endif

#endif
