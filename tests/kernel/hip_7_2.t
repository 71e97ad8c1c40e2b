#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim/kernel.h and its cache hold on a real HIP 7.2 runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=real.sh
. "$top/tests/kernel/real.sh"
kernel_main 7.2
