# SPDX-License-Identifier: MIT

shell_tests += \
	tests/structure/documents_are_complete.t \
	tests/structure/engine_knows_no_api.t \
	tests/structure/includes_run_downward.t \
	tests/structure/release_is_checked.t \
	tests/structure/scripts_explain_themselves.t \
	tests/structure/sizes_are_limited.t \
	tests/structure/symbols_have_no_circles.t
