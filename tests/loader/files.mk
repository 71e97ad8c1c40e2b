# SPDX-License-Identifier: MIT

shell_tests += \
	tests/loader/finds_what_the_linker_finds.t \
	tests/loader/first_use_cannot_deadlock.t \
	tests/loader/header_is_plain.t \
	tests/loader/ignores_environment_when_privileged.t \
	tests/loader/joins_mapped_runtime.t \
	tests/loader/pairs_hiprtc.t \
	tests/loader/says_what_is_wrong.t \
	tests/loader/searches_in_order.t \
	tests/loader/unknown_releases.t

c_tests += \
	tests/loader/absent_runtime_lets_programs_go_on_t \
	tests/loader/api_keeps_its_contract_t \
	tests/loader/matches_nearest_release_t \
	tests/loader/records_steps_t \
	tests/loader/structures_of_other_ages_t

real_programs += \
	tests/loader/plugin_t

EXTRA_DIST += \
	tests/loader/common.sh \
	tests/loader/fake_runtime.c \
	tests/loader/first_call.c \
	tests/loader/loader_probe.c \
	tests/loader/plugin.c

tests_loader_matches_nearest_release_t_SOURCES = \
	src/engine/release.c \
	src/engine/tables.c \
	tests/loader/loader_tables.c \
	tests/loader/matches_nearest_release_t.c
tests_loader_matches_nearest_release_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_loader_records_steps_t_SOURCES = \
	src/base/error.c \
	src/engine/search_log.c \
	tests/loader/records_steps_t.c
tests_loader_records_steps_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_loader_plugin_t_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
