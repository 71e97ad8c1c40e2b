#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of tests/real hold on a real HIP 5.7 runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
# shellcheck source=real.sh
. "$top/tests/real.sh"
real_main 5.7
