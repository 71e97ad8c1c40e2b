# SPDX-License-Identifier: MIT

noinst_PROGRAMS = \
	examples/01_simple_add \
	examples/02_matrix_mul \
	examples/03_lazy_managed \
	examples/04_mmap_lazy \
	examples/05_cached_kernel \
	examples/07_two_releases \
	examples/hiprtc_compile
if TOOL_RUNS
noinst_PROGRAMS += examples/06_embedded_kernel
endif
examples_01_simple_add_SOURCES = \
	examples/01_simple_add.c \
	examples/example.h
examples_01_simple_add_LDADD = libhipshim-kernel.la libhipshim.la
examples_01_simple_add_LDFLAGS =
examples_02_matrix_mul_SOURCES = \
	examples/02_matrix_mul.c \
	examples/example.h
examples_02_matrix_mul_LDADD = libhipshim-kernel.la libhipshim.la
examples_02_matrix_mul_LDFLAGS =
examples_03_lazy_managed_SOURCES = \
	examples/03_lazy_managed.c \
	examples/example.h
examples_03_lazy_managed_LDADD = libhipshim-kernel.la libhipshim.la
examples_03_lazy_managed_LDFLAGS =
examples_04_mmap_lazy_SOURCES = \
	examples/04_mmap_lazy.c \
	examples/example.h
examples_04_mmap_lazy_LDADD = libhipshim-kernel.la libhipshim.la
examples_04_mmap_lazy_LDFLAGS =
examples_05_cached_kernel_SOURCES = \
	examples/05_cached_kernel.c \
	examples/example.h
examples_05_cached_kernel_LDADD = libhipshim-kernel.la libhipshim.la
examples_05_cached_kernel_LDFLAGS =
examples_06_embedded_kernel_SOURCES = \
	examples/06_embedded_kernel.c \
	examples/example.h
nodist_examples_06_embedded_kernel_SOURCES = \
	examples/kernels.c
examples_06_embedded_kernel_CPPFLAGS = $(AM_CPPFLAGS) -Iexamples
examples_06_embedded_kernel_LDADD = libhipshim-kernel.la libhipshim.la
examples_06_embedded_kernel_LDFLAGS =
examples/06_embedded_kernel-06_embedded_kernel.$(OBJEXT): examples/kernels.c
# The source alone where there is no compiler that knows these architectures.
examples/kernels.c: hipshim$(EXEEXT) $(srcdir)/examples/kernels/axpy.hip
	$(AM_V_GEN)$(MKDIR_P) examples; \
	embed="env HIPSHIM_CACHE=0 $(HIPSHIM_FOR_BUILD) embed --quiet --source -o examples/kernels"; \
	$$embed --arch gfx90a,gfx1030 "$(srcdir)/examples/kernels" 2>examples/kernels.log || { \
	  echo "examples/kernels.c: no code objects, only the source; see examples/kernels.log"; \
	  $$embed --arch none "$(srcdir)/examples/kernels"; }
examples_07_two_releases_LDADD = libhipshim.la
examples_07_two_releases_LDFLAGS =
examples_hiprtc_compile_LDADD = libhipshim.la
examples_hiprtc_compile_LDFLAGS =

EXTRA_DIST += \
	examples/08_whole_program.hip \
	examples/kernels/axpy.hip

EXTRA_DIST += examples/python
