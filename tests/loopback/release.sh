# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # real_* are of real.sh, loopback_* of run.sh
# shellcheck source-path=SCRIPTDIR
#
# The programs of tests/loopback/gpu hold on the real HIP runtime that the name of the test
# says, with the loopback for a GPU, each in a process of its own with a time limit.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"

# Each process compiles the same few kernels of the runtime's own before it copies or fills.
AMD_COMGR_CACHE=1
export AMD_COMGR_CACHE
real_name=$(real_release_of_test)
real_find "$real_name"
real_lend_cmocka
loopback_build "$real_name"
tap_comment "HIP $real_release from $real_tree, with the loopback"
real_record_begin loopback
for name in $loopback_programs; do
    loopback_settings "$name"
    loopback_program "" "$name"
done
real_record_end loopback
# Again with memory that the host cannot touch: nothing may have relied on it.
loopback_settings guarded
for name in copies graphs memory modules_launch streams_events; do
    loopback_program "under guard, " "$name"
done
finish
