#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions, files, templates, makefiles and folders are no longer than HACKING.md allows.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
python=${PYTHON:-python3}
command -v "$python" >/dev/null || skip_all "no $python here"
plan 4

cd "$top" || exit 99
is "nothing is too long" "$("$python" "$top/scripts/check-sizes.py")" ""

# The same check finds what it is for.
mkdir -p "$scratch/src"
{
    echo 'int long_one(void)'
    echo '{'
    yes '    f();' | head -n 41
    echo '}'
} >"$scratch/src/long.c"
mkdir -p "$scratch/scripts"
{
    echo 'def long_two():'
    yes '    f()' | head -n 41
} >"$scratch/scripts/long.py"
found=$(cd "$scratch" && "$python" "$top/scripts/check-sizes.py")
has "a long function of C is found" "$found" "src/long.c: long_one: 41 lines"
has "a long function of Python is found" "$found" "scripts/long.py: long_two: 42 lines"
mkdir -p "$scratch/src/cache" "$scratch/src/kernel"
yes 'extern int one_line;' | head -n 400 >"$scratch/src/cache/half.c"
for part in 1 2 3 4 5 6 7 8 9 10 11 12; do
    cp "$scratch/src/cache/half.c" "$scratch/src/kernel/$part.c"
done
has "folders that are too large together are found" \
    "$(cd "$scratch" && "$python" "$top/scripts/check-sizes.py")" \
    "src/cache and src/embed and src/kernel: 5200 lines"
