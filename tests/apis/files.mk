# SPDX-License-Identifier: MIT

shell_tests += \
	tests/apis/roctx.t

EXTRA_DIST += \
	tests/apis/roctx.c
