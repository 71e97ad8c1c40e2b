# SPDX-License-Identifier: MIT
# find_package(hip) over hipshim: the targets and variables of ROCm's package.
#   hip::host      host programs
#   hip::device    C++ files that clang++ compiles as HIP; -DGPU_TARGETS= names the architectures.
#                  Its link directory stands for the one that ROCm's has by --hip-link.
#   hip::amdhip64  the library with HIP's own names, as ROCm's projects link it
get_filename_component(_hip_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_hip_root "${_hip_here}/../../.." ABSOLUTE)
include("${_hip_here}/../../../../../cmake/hipshim/hipshim-config.cmake")

set(HIP_PLATFORM amd)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(hip_INCLUDE_DIR "${_hip_root}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${_hip_root}/lib")
set(hip_BIN_INSTALL_DIR "${_hip_root}/bin")
set(hip_HIPCONFIG_EXECUTABLE "${hip_BIN_INSTALL_DIR}/hipconfig")
set(hip_LIBRARIES hip::host hip::device)
set(hip_LIBRARY "${hip_LIBRARIES}")
foreach(_hip_name INCLUDE_DIR INCLUDE_DIRS LIB_INSTALL_DIR BIN_INSTALL_DIR HIPCONFIG_EXECUTABLE
    LIBRARIES LIBRARY)
  set(HIP_${_hip_name} "${hip_${_hip_name}}")
endforeach()

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hipshim_lib}/libhipshim-rocm.so"
    INTERFACE_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}")
endif()
if(NOT TARGET hip::host)
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_LINK_LIBRARIES "hipshim::hipshim;hip::amdhip64")
endif()
if(NOT TARGET hip::device)
  if(NOT GPU_TARGETS AND AMDGPU_TARGETS)
    set(GPU_TARGETS "${AMDGPU_TARGETS}")
  endif()
  set(_hip_options "SHELL:-x hip")
  foreach(_hip_target IN LISTS GPU_TARGETS)
    list(APPEND _hip_options "--offload-arch=${_hip_target}")
  endforeach()
  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES
    INTERFACE_LINK_LIBRARIES "hip::host;hipshim::device"
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:${_hip_options}>"
    INTERFACE_LINK_DIRECTORIES "${hip_LIB_INSTALL_DIR}")
endif()
