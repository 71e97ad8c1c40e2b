#!/bin/sh
# SPDX-License-Identifier: MIT
# A setuid program does not let its user choose the libraries it opens.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'only root can make a program that runs as another user'
nobody=$(id -u nobody 2>output) || skip_all 'there is no user nobody to run as'

# A sanitizer refuses to run in such a process.
CFLAGS='' build_probe ./probe
fake pin/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
fake hip/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
chmod 755 .
HIPSHIM_LIBRARY=$scratch/pin HIP_PATH=$scratch/hip HIPSHIM_TRACE=1 HIPSHIM_ALLOW_UNKNOWN=1
export HIPSHIM_LIBRARY HIP_PATH HIPSHIM_TRACE HIPSHIM_ALLOW_UNKNOWN

run ./probe
gives 'the environment counts in an ordinary process' 'found_by=HIPSHIM_LIBRARY'

chown "$nobody" probe
chmod u+s probe
run ./probe -s
if grep -q '^found_by=HIPSHIM_LIBRARY$' output && findmnt -no OPTIONS -T . | grep -q nosuid; then
    skip "a setuid process ignores the environment" "setuid has no effect in $scratch"
    finish
    exit 0
fi
gives 'neither HIPSHIM_LIBRARY nor HIP_PATH count in a setuid process' 'found_by=nothing'
gives 'which is recorded' 'step HIPSHIM_LIBRARY\|skipped\|HIPSHIM_LIBRARY\|ignored, .*raised privileges'
gives 'for each variable' 'step environment\|skipped\|HIP_PATH\|ignored, .*raised privileges'
never 'and HIPSHIM_TRACE is ignored' 'hipshim: .*'
fake opt/rocm/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443485
chmod -R a+rX opt
HIPSHIM_STRICT=1 run ./probe
gives 'and so is HIPSHIM_STRICT' 'used_as=6\.4\.43484'

finish
