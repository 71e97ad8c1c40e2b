# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # scratch is of tap.sh; for the tests
#
# After tap.sh, for tests of the scripts that fetch, without a network:
#   $bin       a directory for stand-ins of the programs that a script runs
#   $FAKE_LOG  the file in which a stand-in notes its calls
#   run [VARIABLE=VALUE...] COMMAND...   sets $out and $status

bin=$scratch/bin
mkdir "$bin"
FAKE_LOG=$scratch/log
HIPSHIM_DEBIAN_MIRROR=http://mirror.invalid/debian
export FAKE_LOG HIPSHIM_DEBIAN_MIRROR
unset HIPSHIM_RUNTIME_CACHE

run() {
    out=$(env PATH="$bin:$PATH" "$@" 2>&1)
    status=$?
}
