#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of tests/loopback/gpu hold on a real HIP 6.4 runtime with the loopback GPU.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"
loopback_main 6.4
