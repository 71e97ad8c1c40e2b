#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of tests/dispatch/real hold on a real HIP 7.2 runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
real_main 7.2
