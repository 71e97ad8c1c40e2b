# SPDX-License-Identifier: MIT

long_tests += \
	tests/documents/commands_run.t

shell_tests += \
	tests/documents/tables_hold.t

EXTRA_DIST += \
	tests/documents/commands.awk \
	tests/documents/not_run.txt \
	tests/documents/statuses.txt \
	tests/documents/variables.txt
