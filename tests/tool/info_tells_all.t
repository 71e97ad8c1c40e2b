#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim info` says which runtime is used, to people and to programs, and its
# exit status says whether there is one.
#
# HIPSHIM_TOOL names the program to test; by default the one in the build tree.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loader/common.sh
. "$top/tests/loader/common.sh"

tool=${HIPSHIM_TOOL:-$build/hipshim}
[ -x "$tool" ] || skip_all "there is no program at $tool"

# is_json DESCRIPTION: the last output is JSON, as far as can be told here.
is_json() {
    if command -v python3 >python-path; then
        ok "$1" python3 -m json.tool output
    else
        skip "$1" 'there is no python3 to read JSON'
    fi
}

fake rt/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
HIPSHIM_LIBRARY=$scratch/rt
export HIPSHIM_LIBRARY
run "$tool" info
exits 'with a runtime the status is 0' 0
gives 'the release is said' 'HIP +6\.4\.43484'
gives 'the library is said' "library +$scratch/rt/lib/libamdhip64\\.so\\.6 \\(soname libamdhip64\\.so\\.6\\)"
gives 'the release that it is treated as is said' \
    'treated as  6\.4\.43484, an exact match \(ROCm 6\.4\.2 to 6\.4\.4\)'
gives 'how it was found is said' 'found by +the variable HIPSHIM_LIBRARY'
gives 'the functions are counted' \
    'functions +[0-9]+ known: [0-9]+ direct, [0-9]+ converted, [0-9]+ emulated; [0-9]+ are not in this HIP'
gives 'a runtime that lacks most functions is not taken for AMD'"'s" \
    "beware +it exports 1 of the [0-9]+ functions that every known HIP 6 has, none with a version node \
of HIP, so it is not AMD's runtime"
gives 'the steps are listed' '  used +.*/libamdhip64\.so\.6: 6\.4\.43484 is known.*'

run "$tool" info --json
exits 'with --json the status is the same' 0
is_json 'the output is JSON'
gives 'it has hip_version' '  "hip_version": "6\.4\.43484",'
gives 'it has library' "  \"library\": \"$scratch/rt/lib/libamdhip64\\.so\\.6\","
gives 'it has soname' '  "soname": "libamdhip64\.so\.6",'
gives 'it has api_set' '  "api_set": "6\.4\.[0-9]+",'
gives 'it has exact' '  "exact": true,'
gives 'it has found_by' '  "found_by": "HIPSHIM_LIBRARY",'
gives 'it has hiprtc, null without one' '  "hiprtc": null,'
for kind in direct converted emulated missing; do
    gives "it counts the functions that are $kind" "    \"$kind\": [0-9]+,?"
done

run "$tool" info --json
gives 'JSON says so, too' '  "foreign": "it exports 1 of .*",'
fakes_export_all
# shellcheck disable=SC2086 # CC may be several words
ok 'a library with all functions and no versions of symbols is built' $cc -w -shared -fPIC -o bare.so \
    -Wl,-soname,libamdhip64.so.6 -DFAKE_VERSION=60443484 exports-libamdhip64.so.6.c \
    "$top/tests/loader/fake_runtime.c"
HIPSHIM_LIBRARY=$scratch/bare.so run "$tool" info
gives 'nor is it one' \
    "beware +its functions have no version nodes of HIP, so it is not AMD's runtime"
fake amd/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
HIPSHIM_LIBRARY=$scratch/amd run "$tool" info
never "AMD's exports are no reason for that" 'beware.*'
HIPSHIM_LIBRARY=$scratch/amd run "$tool" info --json
gives 'and JSON has null' '  "foreign": null,'

fake new/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60499999 -DFAKE_HIPRTC
HIPSHIM_LIBRARY=$scratch/new run "$tool" info --json
gives 'an unknown release is matched with an older one' '  "match": "older",'
gives 'and that is put into words' \
    '  "match_text": "6\.4\.99999 is not known to this hipshim; it is used as 6\.4\..*",'
gives 'the path of hiprtc is given' "  \"hiprtc\": \"$scratch/new/lib/libamdhip64\\.so\\.6\","

HIPSHIM_LIBRARY=$scratch/missing run "$tool" info
exits 'without a runtime the status is 1' 1
gives 'the reason is said' 'HIPSHIM_LIBRARY names no usable HIP runtime; correct it, or unset it to search elsewhere: .*no such file.*'
gives 'and what would help' 'What helps:'
odd=$(printf '%s/a"b\\\377' "$scratch")
HIPSHIM_LIBRARY=$odd run "$tool" info --json
exits 'with --json too' 1
is_json 'the output is JSON even with an odd path'
gives 'there is no release then' '  "hip_version": null,'
gives 'but a reason' '  "error": "HIPSHIM_LIBRARY names no usable HIP runtime; .*",'

run "$tool" --version
gives '--version prints the version' 'hipshim [0-9].*'
run "$tool" --help
gives '--help lists the commands' '  info +Show the HIP runtime .*'
for command in abi cache doctor embed info run scan which; do
    run "$tool" "$command" --help
    gives "hipshim $command --help says its exit status" '.*Exit status: .*'
done
run "$tool" info --help
gives 'a command has its own --help' 'Usage: hipshim info .*'
for help in '-h' '-?' 'help'; do
    run "$tool" "$help"
    exits "$help succeeds" 0
    gives "$help lists the commands, too" '  info +Show the HIP runtime .*'
done
for help in 'help info' 'info -h' 'info -?'; do
    # shellcheck disable=SC2086 # two words
    run "$tool" $help
    exits "$help succeeds" 0
    gives "$help describes the command" 'Usage: hipshim info .*'
done
run "$tool" version
exits 'version succeeds' 0
gives 'version is --version' 'hipshim [0-9][0-9.]*'
run "$tool" abi --json list
mv "$scratch/output" list.json
run "$tool" --json abi list
ok '--json may come before the command' cmp "$scratch/output" list.json
run "$tool" help bogus
exits 'an unknown command behind help is an error of usage' 2
run "$tool" bogus
exits 'an unknown command is an error of usage' 2
run "$tool" info surplus
exits 'so is a surplus argument' 2
run "$tool"
exits 'and no command at all' 2
if [ -c /dev/full ]; then
    for words in info --help --version 'help run' 'run --help'; do
        # shellcheck disable=SC2086 # several words
        "$tool" $words >/dev/full 2>output
        status=$?
        exits "hipshim $words has the status 3 if its output cannot be written" 3
    done
else
    skip 'output that cannot be written is an error' 'there is no /dev/full'
fi

finish
