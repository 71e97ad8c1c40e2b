#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim abi` answers from tables, and as the generator's own comparison does.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
plan 46
newest=$(sed -n '$s/ .*//p' "$top/bindings/releases.list")

abi() { HIPSHIM_LIBRARY=/dev/null/none "$build/hipshim" abi "$@"; }

text=$(abi show hipPointerGetAttributes)
has "show: what is done on old releases" "$text" "5.0.13601  to 5.7.31921   arguments converted"
has "show: and on new ones" "$text" "6.0.32830  to $newest  the runtime's own function"
has "show: where it changed" "$text" "changed in 6.0.32830: attributes: hipPointerAttribute_t"
text=$(abi show hipGetProcAddress)
has "show: what hipshim answers itself" "$text" "answered by hipshim"
text=$(abi show hipNoSuchThing 2>&1)
is "show: an unknown name fails" $? 1
has "show: and says how to find the right one" "$text" "hipshim abi list"
has "show: the name people write" "$(abi show hipGetDeviceProperties)" "792 -> 1472 bytes"

text=$(abi diff 6.1 6.2)
has "diff: what came" "$text" "  + hipGetProcAddress"
has "diff: what went" "$(abi diff 5.2 5.5)" "  - hipRemoveApiCallback"
text=$(abi diff 31921 32830)
has "diff: what changed, with sizes" "$text" "HIP_MEMCPY3D 128 -> 184 bytes"
text=$(abi diff 5.2 9.9 2>&1)
is "diff: an unknown release fails" $? 1
has "diff: and names the known ones, with their releases of ROCm" "$text" "7.2.53211   (ROCm 7.2.1 to 7.2.4)"
for rocm in 10.0 10.0.0 10; do
    is "diff: $rocm is a release of ROCm" "$(abi diff "$rocm" 7.2 2>&1)" "$(abi diff 7.15.26333 7.2)"
done
is "diff: so is 7.14.0, which ROCm calls 7.14" "$(abi diff 7.14.0 7.2 2>&1)" "$(abi diff 7.14 7.2)"
is "diff: 6 is the newest HIP 6" "$(abi diff 6 7.2 2>&1)" "$(abi diff 6.4.43484 7.2)"
is "diff: 6.0.0 is the ROCm of that number" "$(abi diff 6.0.0 7.2 2>&1)" "$(abi diff 32830 7.2)"

# --fail-on: 6.2 to 6.3 only adds, 6.3 to 6.4 only adds and changes, 6.3 to 6.2 only takes away.
fails_on() { # KIND A B STATUS
    abi diff --fail-on="$1" "$2" "$3" >/dev/null 2>&1
    is "diff --fail-on=$1 $2 $3 has the status $4" $? "$4"
}
fails_on breaking 6.2 6.3 0
fails_on any 6.2 6.3 1
fails_on breaking 5.7 6.0 1
fails_on breaking 6.3 6.4 1
fails_on any 5.7 6.0 1
fails_on breaking 6.3 6.2 1
fails_on breaking 6.2 6.2 0
fails_on any 6.2 6.2 0
fails_on breaking 5.2 9.9 2
fails_on nonsense 6.2 6.3 2
abi diff 5.7 6.0 >/dev/null
is "diff: without --fail-on a difference is no failure" $? 0
has "diff --fail-on still prints the difference" "$(abi diff --fail-on=any 6.1 6.2)" "  + hipGetProcAddress"
has "diff --json: what breaks nothing" "$(abi diff --json 6.2 6.3)" '"breaking": false'
has "diff --json: what breaks programs" "$(abi diff --json --fail-on=any 5.7 6.0)" '"breaking": true'
has "diff --json: a function that is gone" "$(abi diff --json 6.3 6.2)" '"breaking": true'
text=$(abi list --fail-on=any 2>&1)
is "--fail-on is for diff only" $? 2
has "and the message says so" "$text" "list does not take --fail-on"

is "list: a line for each function" "$(abi list | wc -l | tr -d ' ')" \
    "$(grep -c '^    HS_FN_' "$top/bindings/stable/functions.h")"
has "list: since when" "$(abi list | grep '^hipLaunchKernelExC ')" "since 7.0.51831"
abi nonsense >/dev/null 2>&1
is "anything else is a usage error" $? 2

# The whole history, which must give the answers of diff.
cat >"$scratch/history.py" <<'PY'
import json, subprocess, sys
with open(sys.argv[1], encoding="utf-8") as file:
    history = json.load(file)
assert history["format"] == 1
releases = [one["release"] for one in history["releases"]]
with open(sys.argv[3], encoding="utf-8") as file:
    assert releases == [line.split()[0] for line in file if line.strip() and line[0] != "#"]
assert all(one["rocm"] and one["api_set"] in releases for one in history["releases"])
place = {release: i for i, release in enumerate(releases)}
declared = {}
for function in history["functions"]:
    ranges = [(place[one["from"]], place[one["to"]] + 1) for one in function["on"]]
    assert [at for one in ranges for at in range(*one)] == list(range(len(releases))), function
    assert all(one["kind"] in ("direct", "converted", "emulated", "missing") for one in function["on"])
    parts = zip(ranges, function["on"])
    declared[function["name"]] = {at for one, on in parts if on["declared"] for at in range(*one)}
step = max(1, len(releases) // 8)
for a in range(0, len(releases), step):
    for b in range(len(releases) - 1, -1, -step):
        command = [sys.argv[2], "abi", "diff", "--json", releases[a], releases[b]]
        diff = json.loads(subprocess.check_output(command))
        assert diff["added"] == [f for f, on in declared.items() if b in on and a not in on], (a, b)
        assert diff["removed"] == [f for f, on in declared.items() if a in on and b not in on], (a, b)
        between = range(min(a, b) + 1, max(a, b) + 1)
        assert diff["changed"] == [c for c in history["changes"] if place[c["release"]] in between]
PY
ok "abi.json agrees with diff" "${PYTHON:-python3}" "$scratch/history.py" "$build/abi.json" "$build/hipshim" \
    "$top/bindings/releases.list"
is "export writes abi.json" "$(abi export | cmp - "$build/abi.json" 2>&1)" ""
has "pkg-config tells where abi.json is" \
    "$(PKG_CONFIG_PATH=$build "${PKG_CONFIG:-pkg-config}" --variable=abi_json hipshim)" \
    /share/hipshim/abi.json

# Added and removed functions, against the generator's comparison of the headers.
agree() {
    "${PYTHON:-python3}" - "$1" "$2" <<'PY'
import json, subprocess, sys, os
a, b = sys.argv[1:]
tool = json.loads(subprocess.check_output([os.environ["TOOL"], "abi", "diff", "--json", a, b]))
hipgen = json.loads(subprocess.check_output([sys.executable, "-m", "hipgen", "diff", "--json", a, b]))
known = {"hipGLGetDevices", "hipGraphicsGLRegisterBuffer", "hipGraphicsGLRegisterImage",
         "hipGetDeviceProperties", "hipChooseDevice", "hipGetDevicePropertiesR0600",
         "hipChooseDeviceR0600", "hipDeviceGetTexture1DLinearMaxWidth",
         "hipGraphExternalSemaphoresSignalNodeGetParams", "hipGraphExternalSemaphoresWaitNodeGetParams"}
for key in ("added", "removed"):
    ours, theirs = set(tool[key]) - known, set(hipgen["function"][key]) - known
    assert ours == theirs, (a, b, key, ours ^ theirs)
PY
}
all_agree() {
    agree 21153 30201 && agree 31921 32830 && agree 32830 40091 && agree 41134 42131 &&
        agree 43484 53211 && agree 53211 60850 && agree 60850 26333
}
same_answer() { # A B: two names of one release
    [ "$("$build/hipshim" abi diff "$1" 53211 2>&1)" = "$("$build/hipshim" abi diff "$2" 53211)" ]
}
ok "diff takes ROCm's numbers, of the first of a range" same_answer 6.2.1 6.2.41134
ok "... of one within it" same_answer 6.2.3 6.2.41134
ok "... and of the last of two" same_answer 6.4.3 6.4.43484
not_known() { ! "$build/hipshim" abi diff 6.2.5 53211 >/dev/null 2>&1; }
ok "... and none that is not there" not_known

if "${PYTHON:-python3}" -c 'import clang.cindex' 2>/dev/null; then
    TOOL=$build/hipshim PYTHONPATH=$top/generator
    export TOOL PYTHONPATH
    ok "diff: the same functions come and go as in the headers" all_agree
else
    skip "diff: the same functions come and go as in the headers" "no python3-clang here"
fi
