# SPDX-License-Identifier: MIT

shell_tests += \
	tests/hardening/forks.t \
	tests/hardening/fuzz.t \
	tests/hardening/plugins.t \
	tests/hardening/short_memory.t \
	tests/hardening/small_stacks.t

EXTRA_DIST += \
	tests/hardening/fuzz/cases.sh \
	tests/hardening/fuzz/converters.c \
	tests/hardening/fuzz/entries.c \
	tests/hardening/fuzz/headers.py \
	tests/hardening/fuzz/objects.c \
	tests/hardening/fuzz/run.sh \
	tests/hardening/short_memory.c \
	tests/hardening/small_stack.c
