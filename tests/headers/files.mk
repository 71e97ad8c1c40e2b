# SPDX-License-Identifier: MIT

shell_tests += \
	tests/headers/agree_with_rocm.t \
	tests/headers/bindings_stand_alone.t \
	tests/headers/calls_avoid_plt.t \
	tests/headers/compile_alone.t \
	tests/headers/consumers_run.t \
	tests/headers/halves_round_once.t \
	tests/headers/overloads_pass_on.t \
	tests/headers/stand_beside_rocm.t
