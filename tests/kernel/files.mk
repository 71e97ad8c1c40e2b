# SPDX-License-Identifier: MIT

long_tests += \
	tests/kernel/examples.t \
	tests/kernel/hipcc_compiles.t \
	tests/kernel/variables_are_known.t

shell_tests += \
	tests/kernel/header_is_plain.t \
	tests/kernel/hip_5_2.t \
	tests/kernel/hip_5_7.t \
	tests/kernel/hip_6_4.t \
	tests/kernel/hip_7_0_amd.t \
	tests/kernel/hip_7_14_amd.t \
	tests/kernel/hip_7_2.t \
	tests/kernel/modules_are_shared.t

c_tests += \
	tests/kernel/api_keeps_its_contract_t \
	tests/kernel/arch_is_detected_t \
	tests/kernel/spawn_connects_streams_t

kernel_programs += \
	tests/kernel/closer \
	tests/kernel/constructed \
	tests/kernel/hipcc_t \
	tests/kernel/modules_t \
	tests/kernel/real_t \
	tests/kernel/sharer \
	tests/kernel/worker \
	tests/kernel/writes_code

EXTRA_DIST += \
	tests/kernel/fake.c \
	tests/kernel/fake.h \
	tests/kernel/recorder.c \
	tests/kernel/release.sh

# Has an arch.c of its own, with another topology and no runtime.
tests_kernel_arch_is_detected_t_SOURCES = \
	src/base/read.c \
	src/kernel/arch.c \
	tests/kernel/arch_is_detected_t.c
tests_kernel_arch_is_detected_t_CPPFLAGS = $(AM_CPPFLAGS) -DHIPSHIM_TOPOLOGY='"nodes"'
tests_kernel_arch_is_detected_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_kernel_api_keeps_its_contract_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_kernel_api_keeps_its_contract_t_LDADD = libhipshim-kernel.la $(LDADD)
# Has a kernel library of its own, where threads wait for one second only.
tests_kernel_constructed_SOURCES = \
	$(libhipshim_kernel_la_SOURCES) \
	tests/kernel/constructed.c
tests_kernel_constructed_CPPFLAGS = $(AM_CPPFLAGS) -DHIPSHIM_MODULE_WAIT=1
tests_kernel_constructed_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_kernel_constructed_LDADD = libcache.la libkernelbase.la libelf.la $(LDADD)
tests_kernel_hipcc_t_LDADD = libhipshim-kernel.la $(LDADD)
tests_kernel_modules_t_LDADD = libhipshim-kernel.la $(LDADD)
tests_kernel_real_t_LDADD = libhipshim-kernel.la $(LDADD)
tests_kernel_sharer_LDADD = libhipshim-kernel.la $(LDADD)
tests_kernel_worker_LDADD = libhipshim-kernel.la $(LDADD)
tests_kernel_spawn_connects_streams_t_SOURCES = \
	src/base/spawn.c \
	tests/kernel/spawn_connects_streams_t.c
tests_kernel_spawn_connects_streams_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_kernel_writes_code_LDADD = libhipshim-kernel.la $(LDADD)
