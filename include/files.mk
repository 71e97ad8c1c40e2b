# SPDX-License-Identifier: MIT

hipincludedir = $(includedir)/hipshim/hip
hipinclude_HEADERS = \
	bindings/inline.h \
	bindings/stable.h \
	include/hipshim/hip/channel_descriptor.h \
	include/hipshim/hip/driver_types.h \
	include/hipshim/hip/hip_common.h \
	include/hipshim/hip/hip_complex.h \
	include/hipshim/hip/hip_ext.h \
	include/hipshim/hip/hip_gl_interop.h \
	include/hipshim/hip/hip_hcc.h \
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
	include/hipshim/hip/surface_types.h \
	include/hipshim/hip/texture_types.h

ownincludedir = $(includedir)/hipshim/hipshim
owninclude_HEADERS = \
	include/hipshim/hipshim/embed.h \
	include/hipshim/hipshim/embed_build.h \
	include/hipshim/hipshim/hipshim.h \
	include/hipshim/hipshim/kernel.h \
	include/hipshim/hipshim/loopback.h

# Installs BINDINGS_HEADERS: automake reads that name as "headers for BINDINGSdir".
BINDINGSdir = $(includedir)/hipshim/bindings
