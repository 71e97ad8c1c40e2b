# SPDX-License-Identifier: MIT

long_tests += \
	tests/configure/cross.t

shell_tests += \
	tests/configure/bindings.t \
	tests/configure/errors.t \
	tests/configure/layouts.t \
	tests/configure/real.t \
	tests/configure/search.t \
	tests/configure/versions.t
