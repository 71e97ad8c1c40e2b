/* SPDX-License-Identifier: MIT */
/*
 * hipshim: AMD's extensions of the launch.  hipExtLaunchKernel() is in
 * hip_runtime_api.h already; C++ has a form of it that takes the kernel's
 * arguments as they are.
 */
#ifndef HIPSHIM_HIP_HIP_EXT_H
#define HIPSHIM_HIP_HIP_EXT_H

#include "hip_runtime.h"

#ifdef __cplusplus
extern "C++" {

/*
 * `kernel` is the host's handle of a kernel that a HIP compiler compiled.  Its
 * arguments become the types the kernel declares.  An error is left to
 * hipGetLastError().
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
