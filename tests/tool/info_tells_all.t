#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim info` says which runtime is used, to people and to programs, and its
# exit status says whether there is one.
#
# HIPSHIM_TOOL names the program to test; by default the one in the build tree,
# which is abs_builddir or else the working directory.

start=$(pwd)
# shellcheck source=../loader/common.sh
. "$(dirname "$0")/../loader/common.sh"

tool=${HIPSHIM_TOOL:-${abs_builddir:-$start}/hipshim}
[ -x "$tool" ] || skip_all "there is no program at $tool"

# is_json DESCRIPTION: the last output is JSON, as far as can be told here.
is_json() {
    if command -v python3 >python-path; then
        python3 -m json.tool output >formatted 2>&1
        result $? "$1"
    else
        skip 'there is no python3 to read JSON' "$1"
    fi
}

fake rt/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
HIPSHIM_LIBRARY=$scratch/rt
export HIPSHIM_LIBRARY
run "$tool" info
exits 0 'with a runtime the status is 0'
gives 'HIP +6\.4\.43484' 'the release is said'
gives "library +$scratch/rt/lib/libamdhip64\\.so\\.6 \\(soname libamdhip64\\.so\\.6\\)" \
    'the library is said'
gives 'found by +the variable HIPSHIM_LIBRARY' 'how it was found is said'
gives 'functions +[0-9]+: [0-9]+ direct, [0-9]+ converted, [0-9]+ emulated, [0-9]+ missing' \
    'the functions are counted'
gives '  used +.*/libamdhip64\.so\.6: 6\.4\.43484 is known.*' 'the steps are listed'

run "$tool" info --json
exits 0 'with --json the status is the same'
is_json 'the output is JSON'
gives '  "hip_version": "6\.4\.43484",' 'it has hip_version'
gives "  \"library\": \"$scratch/rt/lib/libamdhip64\\.so\\.6\"," 'it has library'
gives '  "soname": "libamdhip64\.so\.6",' 'it has soname'
gives '  "api_set": "6\.4\.[0-9]+",' 'it has api_set'
gives '  "exact": true,' 'it has exact'
gives '  "found_by": "HIPSHIM_LIBRARY",' 'it has found_by'
gives '  "hiprtc": null,' 'it has hiprtc, null without one'
for kind in direct converted emulated missing; do
    gives "    \"$kind\": [0-9]+,?" "it counts the functions that are $kind"
done

fake new/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60499999 -DFAKE_HIPRTC
HIPSHIM_LIBRARY=$scratch/new run "$tool" info --json
gives '  "match": "older",' 'an unknown release is matched with an older one'
gives '  "match_text": "6\.4\.99999 is not known to this hipshim; it is used as 6\.4\..*",' \
    'and that is put into words'
gives "  \"hiprtc\": \"$scratch/new/lib/libamdhip64\\.so\\.6\"," 'the path of hiprtc is given'

HIPSHIM_LIBRARY=$scratch/missing run "$tool" info
exits 1 'without a runtime the status is 1'
gives 'HIPSHIM_LIBRARY names no usable HIP runtime: .*no such file.*' 'the reason is said'
gives 'What helps:' 'and what would help'
odd=$(printf '%s/a"b\\\377' "$scratch")
HIPSHIM_LIBRARY=$odd run "$tool" info --json
exits 1 'with --json too'
is_json 'the output is JSON even with an odd path'
gives '  "hip_version": null,' 'there is no release then'
gives '  "error": "HIPSHIM_LIBRARY names no usable HIP runtime: .*",' 'but a reason'

run "$tool" --version
gives 'hipshim [0-9].*' '--version prints the version'
run "$tool" --help
gives '  info +Show the HIP runtime .*' '--help lists the commands'
run "$tool" info --help
gives 'Usage: hipshim info .*' 'a command has its own --help'
run "$tool" bogus
exits 2 'an unknown command is an error of usage'
run "$tool" info surplus
exits 2 'so is a surplus argument'
run "$tool"
exits 2 'and no command at all'
if [ -c /dev/full ]; then
    "$tool" info >/dev/full 2>output
    status=$?
    exits 3 'output that cannot be written is an error'
else
    skip 'there is no /dev/full' 'output that cannot be written is an error'
fi

finish
