#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of tests/gpu hold on a real HIP 7.2 runtime with the loopback GPU.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
# shellcheck source=real.sh
. "$top/tests/real.sh"
# shellcheck source=loopback/run.sh
. "$top/tests/loopback/run.sh"
loopback_main 7.2
