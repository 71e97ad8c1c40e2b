# SPDX-License-Identifier: MIT

long_tests += \
	tests/registration/plugins_reload.t \
	tests/registration/whole_programs.t

shell_tests += \
	tests/registration/threads_register.t

c_tests += \
	tests/registration/bundles_are_judged_t

tests_registration_bundles_are_judged_t_SOURCES = \
	tests/registration/bundles_are_judged_t.c
tests_registration_bundles_are_judged_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_registration_bundles_are_judged_t_LDADD = libhip.la libkernelbase.la $(LDADD)

EXTRA_DIST += \
	tests/registration/check.h \
	tests/registration/compile.sh \
	tests/registration/features.hip \
	tests/registration/lazy.hip \
	tests/registration/order.h \
	tests/registration/order.hip \
	tests/registration/order_objects.cc \
	tests/registration/parts_functions.hip \
	tests/registration/parts_kernels.hip \
	tests/registration/plugin.hip \
	tests/registration/plugin_end.cc \
	tests/registration/plugin_host.cc \
	tests/registration/recording_runtime.c \
	tests/registration/refused.hip \
	tests/registration/reload_host.cc \
	tests/registration/reloaded.hip \
	tests/registration/textures.hip \
	tests/registration/threads.c
