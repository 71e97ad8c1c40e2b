# SPDX-License-Identifier: MIT

long_tests += \
	tests/apis/recorded.t

# What check-siblings runs.
sibling_tests = \
	tests/apis/comgr.t \
	tests/apis/ggml.t \
	tests/apis/hiprand.t \
	tests/apis/numbers.t \
	tests/apis/python.t \
	tests/apis/recorded.t \
	tests/apis/smi.t

shell_tests += \
	tests/apis/comgr.t \
	tests/apis/ggml.t \
	tests/apis/hiprand.t \
	tests/apis/made_up.t \
	tests/apis/numbers.t \
	tests/apis/python.t \
	tests/apis/recorded.t \
	tests/apis/rocsparse.t \
	tests/apis/roctx.t \
	tests/apis/roctx_dropins.t \
	tests/apis/smi.t

EXTRA_DIST += \
	tests/apis/calls.h \
	tests/apis/comgr.c \
	tests/apis/gear.c \
	tests/apis/gear_adapters.c \
	tests/apis/ggml.c \
	tests/apis/hipblas.c \
	tests/apis/hipblas_numbers.py \
	tests/apis/hiprand.c \
	tests/apis/hiprand_numbers.py \
	tests/apis/hipsparse.c \
	tests/apis/hipsparse_numbers.py \
	tests/apis/libroctx64.c \
	tests/apis/linked.c \
	tests/apis/record_calls.py \
	tests/apis/rocsparse.c \
	tests/apis/roctx.c \
	tests/apis/siblings.sh \
	tests/apis/smi.c \
	tests/apis/smi_pair.py
