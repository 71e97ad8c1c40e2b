# SPDX-License-Identifier: MIT

long_tests += \
	tests/dispatch/fakes_hold_properties.t

shell_tests += \
	tests/dispatch/bench_builds.t \
	tests/dispatch/kernels_are_waited_for.t \
	tests/dispatch/real_hip_5_2.t \
	tests/dispatch/real_hip_5_7.t \
	tests/dispatch/real_hip_6_4.t \
	tests/dispatch/real_hip_7_0_amd.t \
	tests/dispatch/real_hip_7_14_amd.t \
	tests/dispatch/real_hip_7_2.t \
	tests/dispatch/real_hip_7_2_amd.t \
	tests/dispatch/stubs_reach_their_functions.t \
	tests/dispatch/threads_share_first_use.t

c_tests += \
	tests/dispatch/arena_frees_all_t \
	tests/dispatch/arena_holds_lists_t \
	tests/dispatch/resolvers_keep_arguments_t

real_programs += \
	tests/dispatch/real/calls_inline_t \
	tests/dispatch/real/compiles_kernels_t \
	tests/dispatch/real/finds_what_dlsym_finds_t \
	tests/dispatch/real/first_use_from_8_threads_t \
	tests/dispatch/real/first_use_in_a_constructor_t \
	tests/dispatch/real/joins_a_mapped_runtime_t \
	tests/dispatch/real/resolves_what_is_exported_t \
	tests/dispatch/real/tells_its_release_t \
	tests/dispatch/real/works_after_fork_t \
	tests/dispatch/threads_t

EXTRA_DIST += \
	tests/dispatch/real/check.h \
	tests/dispatch/release.sh \
	tests/dispatch/resolvers/functions.h

tests_dispatch_arena_frees_all_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_dispatch_arena_holds_lists_t_SOURCES = \
	src/base/arena.c \
	tests/dispatch/arena_holds_lists_t.c
tests_dispatch_arena_holds_lists_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_dispatch_resolvers_keep_arguments_t_SOURCES = \
	src/engine/resolvers.S \
	tests/dispatch/resolvers_keep_arguments_t.c
tests_dispatch_resolvers_keep_arguments_t_CPPFLAGS = -I$(srcdir)/tests/dispatch/resolvers $(AM_CPPFLAGS)
tests_dispatch_resolvers_keep_arguments_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
