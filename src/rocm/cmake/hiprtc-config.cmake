# SPDX-License-Identifier: MIT
# find_package(hiprtc) over hipshim, whose library has the functions of hiprtc, too.
get_filename_component(_hiprtc_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_hiprtc_root "${_hiprtc_here}/../../.." ABSOLUTE)
include("${_hiprtc_here}/../../../../../cmake/hipshim/hipshim-config.cmake")

set(hiprtc_INCLUDE_DIR "${_hiprtc_root}/include")
set(hiprtc_LIB_INSTALL_DIR "${_hiprtc_root}/lib")
set(hiprtc_BIN_INSTALL_DIR "${_hiprtc_root}/bin")
if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_hipshim_lib}/libhipshim-rocm.so"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__"
    INTERFACE_INCLUDE_DIRECTORIES "${hiprtc_INCLUDE_DIR}")
endif()
