# SPDX-License-Identifier: MIT
# find_package(hip) and find_package(hiprtc) over the drop-ins of one major: the libraries of ROCm's
# targets.  There are no headers of HIP here, so a project brings its own declarations.
get_filename_component(_dropin_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_dropin_root "${_dropin_here}/../../.." ABSOLUTE)

set(HIP_PLATFORM amd)
foreach(_dropin_name amdhip64 hiprtc)
  string(REGEX REPLACE "amd.*" "hip" _dropin_package ${_dropin_name})
  set(${_dropin_package}_LIB_INSTALL_DIR "${_dropin_root}/lib")
  set(${_dropin_package}_BIN_INSTALL_DIR "${_dropin_root}/bin")
  if(NOT TARGET ${_dropin_package}::${_dropin_name})
    add_library(${_dropin_package}::${_dropin_name} SHARED IMPORTED)
    set_target_properties(${_dropin_package}::${_dropin_name} PROPERTIES
      IMPORTED_LOCATION "${_dropin_root}/lib/lib${_dropin_name}.so"
      INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1")
  endif()
endforeach()
