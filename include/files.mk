# SPDX-License-Identifier: MIT

hipincludedir = $(includedir)/hipshim/hip
hipinclude_HEADERS = \
	bindings/inline.h \
	bindings/stable.h \
	include/hipshim/hip/channel_descriptor.h \
	include/hipshim/hip/device_functions.h \
	include/hipshim/hip/driver_types.h \
	include/hipshim/hip/hip_bf16.h \
	include/hipshim/hip/hip_bfloat16.h \
	include/hipshim/hip/hip_common.h \
	include/hipshim/hip/hip_complex.h \
	include/hipshim/hip/hip_cooperative_groups.h \
	include/hipshim/hip/hip_deprecated.h \
	include/hipshim/hip/hip_ext.h \
	include/hipshim/hip/hip_ext_ocp.h \
	include/hipshim/hip/hip_fp16.h \
	include/hipshim/hip/hip_fp4.h \
	include/hipshim/hip/hip_fp6.h \
	include/hipshim/hip/hip_fp8.h \
	include/hipshim/hip/hip_gl_interop.h \
	include/hipshim/hip/hip_hcc.h \
	include/hipshim/hip/hip_math_constants.h \
	include/hipshim/hip/hip_profile.h \
	include/hipshim/hip/hip_runtime.h \
	include/hipshim/hip/hip_runtime_api.h \
	include/hipshim/hip/hip_texture_types.h \
	include/hipshim/hip/hip_vector_types.h \
	include/hipshim/hip/hip_version.h \
	include/hipshim/hip/hiprtc.h \
	include/hipshim/hip/hipshim_cxx.h \
	include/hipshim/hip/hipshim_device.h \
	include/hipshim/hip/library_types.h \
	include/hipshim/hip/linker_types.h \
	include/hipshim/hip/math_functions.h \
	include/hipshim/hip/surface_types.h \
	include/hipshim/hip/texture_types.h

# Parts of ROCm's headers that programs, or ROCm's other headers, include by name.
hipdetaildir = $(hipincludedir)/amd_detail
hipdetail_HEADERS = \
	include/hipshim/hip/amd_detail/amd_hip_runtime_pt_api.h \
	include/hipshim/hip/amd_detail/hip_fp16_gcc.h \
	include/hipshim/hip/amd_detail/host_defines.h

ownincludedir = $(includedir)/hipshim/hipshim
owninclude_HEADERS = \
	include/hipshim/hipshim/embed.h \
	include/hipshim/hipshim/embed_build.h \
	include/hipshim/hipshim/hipshim.h \
	include/hipshim/hipshim/kernel.h

# Installs BINDINGS_HEADERS: automake reads that name as "headers for BINDINGSdir".
BINDINGSdir = $(includedir)/hipshim/bindings
