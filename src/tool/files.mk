# SPDX-License-Identifier: MIT

bin_PROGRAMS = hipshim

hipshim_SOURCES = \
	bindings/words.c \
	$(base_kernel_sources) \
	$(build_id_sources) \
	$(cache_sources) \
	src/elf/dropin_note.c \
	src/elf/dropin_note.h \
	src/elf/file.c \
	src/elf/file.h \
	src/tool/abi.c \
	src/tool/cache.c \
	src/tool/dropins.c \
	src/tool/dropins.h \
	src/tool/embed/cuda.c \
	src/tool/embed/embed.c \
	src/tool/embed/embed.h \
	src/tool/embed/find.c \
	src/tool/embed/headers.c \
	src/tool/embed/scan.c \
	src/tool/embed/stamp.c \
	src/tool/embed/work.c \
	src/tool/embed/write.c \
	src/tool/info.c \
	src/tool/json.c \
	src/tool/json.h \
	src/tool/main.c \
	src/tool/run.c \
	src/tool/run.h \
	src/tool/run_abi.c \
	src/tool/scan.c \
	src/tool/scan.h \
	src/tool/scan_file.c \
	src/tool/tool.h \
	src/tool/words.h

hipshim_CPPFLAGS = $(AM_CPPFLAGS) -DHIPSHIM_LOOPBACK_DIR='"$(loopbackdir)"' \
	-DHIPSHIM_DROPIN_DIR='"$(dropindir)"'
hipshim_LDADD = libhipshim.la
hipshim_LDFLAGS =
