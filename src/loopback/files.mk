# SPDX-License-Identifier: MIT

# The GPU of host memory that `hipshim run --loopback` lends; see doc/loopback.md.
# Only a shared library can take the place of ROCm's.
if SHARED
loopbackdir = $(pkglibdir)/loopback
loopback_LTLIBRARIES = src/loopback/libhsa-runtime64.la

src_loopback_libhsa_runtime64_la_SOURCES = \
	src/loopback/agents.c \
	src/loopback/clock.c \
	src/loopback/copies.c \
	src/loopback/exit.c \
	src/loopback/handles.c \
	src/loopback/hsa.h \
	src/loopback/images.c \
	src/loopback/internal.h \
	src/loopback/isa/atomic.c \
	src/loopback/isa/code.c \
	src/loopback/isa/comgr.c \
	src/loopback/isa/compare.c \
	src/loopback/isa/decode.c \
	src/loopback/isa/image.c \
	src/loopback/isa/isa.h \
	src/loopback/isa/groups.c \
	src/loopback/isa/half.c \
	src/loopback/isa/launch.c \
	src/loopback/isa/launch.h \
	src/loopback/isa/lds.c \
	src/loopback/isa/matrix.c \
	src/loopback/isa/memory.c \
	src/loopback/isa/names.c \
	src/loopback/isa/numbers.c \
	src/loopback/isa/numbers.h \
	src/loopback/isa/operands.c \
	src/loopback/isa/registers.c \
	src/loopback/isa/run.c \
	src/loopback/isa/scalar.c \
	src/loopback/isa/vector.c \
	src/loopback/isa/wide.c \
	src/loopback/ipc.c \
	src/loopback/log.c \
	src/loopback/memory.c \
	src/loopback/objects.c \
	src/loopback/pools.c \
	src/loopback/processors.c \
	src/loopback/queues.c \
	src/loopback/ranges.c \
	src/loopback/signals.c \
	src/loopback/svm.c \
	src/loopback/texels.c \
	src/loopback/unsupported.c \
	src/loopback/vmem.c

# The version script says what is visible: HSA's declarations do not.
src_loopback_libhsa_runtime64_la_CFLAGS = -std=gnu11 $(HIPSHIM_WARNINGS) -ffp-contract=off -fno-math-errno -fno-trapping-math -ftree-vectorize $(SHARED_ONLY)
src_loopback_libhsa_runtime64_la_LDFLAGS = \
	-shared \
	-version-info 1:0:0 \
	-no-undefined \
	$(BSYMBOLIC) \
	-Wl,-z,relro \
	-Wl,--version-script=$(srcdir)/src/loopback/loopback.map
src_loopback_libhsa_runtime64_la_LIBADD = libelf.la -lm
EXTRA_src_loopback_libhsa_runtime64_la_DEPENDENCIES = src/loopback/loopback.map
endif

EXTRA_DIST += \
	src/loopback/loopback.map
