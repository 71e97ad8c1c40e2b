# SPDX-License-Identifier: MIT

long_tests += \
	tests/tool/doctor_finds.t \
	tests/tool/scan_looks_inside.t

shell_tests += \
	tests/tool/abi_answers.t \
	tests/tool/completes_commands.t \
	tests/tool/info_tells_all.t \
	tests/tool/run_lends_a_gpu.t \
	tests/tool/run_lends_an_abi.t \
	tests/tool/run_starts_programs.t \
	tests/tool/scan_names_needs.t \
	tests/tool/scan_tells.t \
	tests/tool/shows_progress.t \
	tests/tool/which_names_the_runtime.t

c_tests += \
	tests/tool/json_is_valid_t

tests_tool_json_is_valid_t_SOURCES = \
	src/tool/json.c \
	tests/tool/json_is_valid_t.c
tests_tool_json_is_valid_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

EXTRA_DIST += \
	tests/tool/packages.py
