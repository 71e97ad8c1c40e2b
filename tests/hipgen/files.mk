# SPDX-License-Identifier: MIT

shell_tests += \
	tests/hipgen/spans_follow_the_headers.t

python_tests += \
	tests/hipgen/abi_test.py \
	tests/hipgen/add_release_test.py \
	tests/hipgen/api_data_test.py \
	tests/hipgen/bad_input_test.py \
	tests/hipgen/cython_test.py \
	tests/hipgen/diff_test.py \
	tests/hipgen/directions_test.py \
	tests/hipgen/facts_test.py \
	tests/hipgen/flags_test.py \
	tests/hipgen/header_forms_test.py \
	tests/hipgen/knows_no_api_test.py \
	tests/hipgen/libclang_versions_test.py \
	tests/hipgen/next_major_test.py \
	tests/hipgen/other_apis_test.py \
	tests/hipgen/promises_test.py \
	tests/hipgen/records_test.py \
	tests/hipgen/round_trip_test.py

EXTRA_DIST += \
	tests/hipgen/case.py \
	tests/hipgen/promised.py \
	tests/hipgen/promised.txt
