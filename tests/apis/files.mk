# SPDX-License-Identifier: MIT

shell_tests += \
	tests/apis/hiprand.t \
	tests/apis/made_up.t \
	tests/apis/rocsparse.t \
	tests/apis/roctx.t \
	tests/apis/roctx_dropins.t

EXTRA_DIST += \
	tests/apis/gear.c \
	tests/apis/gear_adapters.c \
	tests/apis/hiprand.c \
	tests/apis/libroctx64.c \
	tests/apis/linked.c \
	tests/apis/rocsparse.c \
	tests/apis/roctx.c
