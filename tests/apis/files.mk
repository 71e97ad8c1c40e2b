# SPDX-License-Identifier: MIT

shell_tests += \
	tests/apis/amdsmi.t \
	tests/apis/made_up.t \
	tests/apis/roctx.t \
	tests/apis/roctx_dropins.t

EXTRA_DIST += \
	tests/apis/amdsmi_pair.py \
	tests/apis/gear.c \
	tests/apis/gear_adapters.c \
	tests/apis/libroctx64.c \
	tests/apis/linked.c \
	tests/apis/roctx.c
