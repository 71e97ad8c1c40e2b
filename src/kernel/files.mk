# SPDX-License-Identifier: MIT

lib_LTLIBRARIES += libhipshim-kernel.la
libhipshim_kernel_la_SOURCES = \
	src/embed/dlopen_note.c \
	src/embed/embedded.c \
	src/kernel/arch.c \
	src/kernel/compile.c \
	src/kernel/compiler_id.c \
	src/kernel/driver.c \
	src/kernel/hermetic.c \
	src/kernel/hiprtc.c \
	src/kernel/kernel.h \
	src/kernel/key.c \
	src/kernel/log_paths.c \
	src/kernel/module.c \
	src/kernel/offline.c \
	src/kernel/options.c \
	src/kernel/output.c \
	src/kernel/place.c
# libhipshim goes to the linker directly.  For a library of ours in LIBADD libtool
# would link this one again in `make install`, and move the file away meanwhile that
# tests in the same directory use.
libhipshim_kernel_la_LIBADD = libcache.la libkernelbase.la libelf.la
libhipshim_kernel_la_LDFLAGS = \
	-version-info $(HIPSHIM_ABI) \
	-no-undefined \
	-Wl,-z,defs \
	-Wl,-z,relro \
	-Wl,--version-script=libhipshim-kernel.map \
	-Wl,.libs/libhipshim.so
EXTRA_libhipshim_kernel_la_DEPENDENCIES = libhipshim-kernel.map libhipshim.la
