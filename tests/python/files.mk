# SPDX-License-Identifier: MIT

shell_tests += \
	tests/python/hip_5_2.t \
	tests/python/hip_5_7.t \
	tests/python/hip_6_4.t \
	tests/python/hip_7_0_amd.t \
	tests/python/hip_7_2.t \
	tests/python/random_calls_find_nothing.t \
	tests/python/stubs.t \
	tests/python/wrong_arguments_are_named.t

EXTRA_DIST += \
	tests/python/callbacks_test.py \
	tests/python/calls_test.py \
	tests/python/case.py \
	tests/python/every_call.py \
	tests/python/examples_test.py \
	tests/python/hip_python_test.py \
	tests/python/kernels_test.py \
	tests/python/make_fake.py \
	tests/python/memory_test.py \
	tests/python/modules_test.py \
	tests/python/pending_at_exit.py \
	tests/python/protocols_test.py \
	tests/python/random_calls.py \
	tests/python/release.sh \
	tests/python/sibling_names_test.py \
	tests/python/sizes_test.py \
	tests/python/wrong_arguments.py
