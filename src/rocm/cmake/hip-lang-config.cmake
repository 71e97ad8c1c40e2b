# SPDX-License-Identifier: MIT
# enable_language(HIP) reads this file of CMAKE_HIP_COMPILER_ROCM_ROOT: what it adds to every
# target with HIP sources.  CMake gives such a library no RPATH; a target that links hip::host has
# one.  ROCm's own file has --hip-link, by which clang++ adds ROCm's runtime.
get_filename_component(_hip_lang_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
include("${_hip_lang_here}/../../../../../cmake/hipshim/hipshim-config.cmake")

set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:-I${_hipshim_include}>"
    INTERFACE_LINK_LIBRARIES hipshim::hipshim)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
