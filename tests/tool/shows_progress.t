#!/bin/sh
# SPDX-License-Identifier: MIT
# Long work shows on a terminal how far it is.  The line is gone before results are printed, and
# nothing of it gets into a pipe or a file.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"
# shellcheck source=../../scripts/progress.sh
. "$top/scripts/progress.sh"

python=${PYTHON:-python3}
"$python" -c 'import os; os.openpty()' 2>/dev/null || skip_all "$python can open no pseudo-terminal"
cd "$scratch" || exit 99

# compare WHAT LINE COMMAND...: the terminal has LINE for a while, and at the end what a pipe gets.
compare() {
    what=$1
    line=$2
    shift 2
    forget
    "$@" >piped 2>&1
    piped_status=$?
    forget
    "$python" "$top/tests/lib/on_terminal.py" written "$@" >shown </dev/null
    is "$what has the same exit status on a terminal" $? $piped_status
    has "$what shows on a terminal how far it is" "$(tr '\r' '\n' <written)" "$line"
    is "$what leaves nothing of that on the screen" "$(cat shown)" "$(cat piped)"
    lacks "$what writes nothing of that into a pipe" "$(cat piped)" "$(printf '\033')"
    lacks "$what writes no carriage return into a pipe" "$(cat piped)" "$(printf '\r')"
    forget
    "$@" >piped 2>filed
    is "$what writes nothing of that into a file" "$(tr '\r\033' '##' <filed | grep -c '#')" 0
}

mkdir kernels place
for name in a b c; do
    printf '\n// key %s SIZE=1000\n' $name >kernels/$name.hip
    cp "$scratch/hip/libamdhip64.so.6" "place/lib$name.so"
done
HIPSHIM_CACHE=0
export HIPSHIM_CACHE
compare "embed" "hipshim embed: 0 of 6 compiled" \
    "$tool" embed --force -o out --arch gfx90a,gfx942 kernels
printf '#error\n' >kernels/d.hip
compare "embed with a source that does not compile" "hipshim embed: 0 of 4 compiled" \
    "$tool" embed --force -o out --arch gfx90a kernels
rm kernels/d.hip
unset HIPSHIM_CACHE
compare "cache warm" "hipshim cache: 0 of 6 compiled" \
    "$tool" cache warm --arch gfx90a,gfx942 kernels/a.hip kernels/b.hip kernels/c.hip
compare "scan of a directory" "files read, now lib" "$tool" scan place
compare "scan of a directory as JSON" "files read, now lib" "$tool" scan --json place
mkdir odd
cp "$scratch/hip/libamdhip64.so.6" "odd/$(printf 'x\033]0;title\007.so')"
"$python" "$top/tests/lib/on_terminal.py" written "$tool" scan odd >/dev/null </dev/null
has "the line has no control characters of a file's name" "$(tr '\r' '\n' <written)" \
    "$(printf '\033[K')hipshim scan: 0 files read, now x?]0;title?.so"
lacks "the report has none either" "$(cat written)" "$(printf '\033]')"
"$python" "$top/tests/lib/on_terminal.py" written "$tool" scan "$(printf 'no\033]0;title\007')" >/dev/null </dev/null
has "a message about a file has none either" "$(cat written)" "no?]0;title?: "
"$tool" scan --json odd >piped
"$python" -c 'import json; print(ascii(json.load(open("piped"))[0]["file"]))' >name
is "JSON has the exact name" "$(cat name)" "'odd/x\\x1b]0;title\\x07.so'"
"$python" -c 'import sys, zipfile
with zipfile.ZipFile("three.whl", "w") as file:
    for name in "abc":
        file.write(f"place/lib{name}.so")'
"$tool" scan three.whl >/dev/null 2>&1 # whether there is libarchive is for another test
compare "scan of a package" "files read, now lib" "$tool" scan three.whl

# Reads the entries of a cache that stays.
"$tool" cache warm --arch gfx90a,gfx942 kernels/a.hip kernels/b.hip >/dev/null 2>&1
mv cache kept
HIPSHIM_CACHE_DIR=$scratch/kept
compare "cache verify" "hipshim cache: 0 of " "$tool" cache verify
entry=$(find kept -path '*/gfx*' -name '*.kernel' | head -n 1)
printf X | dd of="$entry" bs=1 seek=500 conv=notrunc 2>/dev/null
compare "cache verify of a damaged entry" "hipshim cache: 0 of " "$tool" cache verify

# The scripts.
cat >script <<SCRIPT
. "$top/scripts/progress.sh"
rm -f log
echo before
progress "building" log sh -c 'echo CC one; echo CC two >&2; printf "no end"; exit \$1' - "\$1"
status=\$?
cat log
exit \$status
SCRIPT
compare "a script" "building: 2, CC two" sh script 0
compare "a script whose command fails" "building: 2, CC two" sh script 7
is "the script has the status of its command" "$piped_status" 7

# Neither is long, and neither asks for a terminal.
for words in 'abi list' 'info' 'info --json' 'abi diff 6.3 6.4'; do
    # shellcheck disable=SC2086 # several words
    "$python" "$top/tests/lib/on_terminal.py" written "$tool" $words >shown </dev/null
    # shellcheck disable=SC2086 # several words
    is "hipshim $words has no colours and no pager on a terminal" \
        "$(tr -d '\r' <written)" "$("$tool" $words 2>&1)"
done
finish
