#!/bin/sh
# SPDX-License-Identifier: MIT
# "since" and "last" are what the bindings headers say, read without hipgen; but
# for functions that some or all releases declare in another header.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
names() { sed -n "s/^ *{ \([0-9]*\), \([0-9]*\), \([0-9]*\), [0-9]*, [0-9]*, [0-9]* },.*/\2 \3/p" "$1"; }
sed -n '/hs_function_entries\[\]/,/^};/p' "$top/bindings/stable/tables.c" | names /dev/stdin >"$scratch/spans"
sed -n 's/^    HS_FN_\([A-Za-z0-9_]*\),$/\1/p' "$top/bindings/stable/functions.h" | paste -d' ' - "$scratch/spans" >"$scratch/ours"
n=0
awk '!/^#/ && !seen[$2]++ { print $2 }' "$top/bindings/releases.list" >"$scratch/api_sets"
while read -r patch; do
    sed -n 's/^[a-z][A-Za-z0-9_ ]*[ *]\(_*hip[A-Za-z0-9_]*\)(.*;$/\1/p' "$top/bindings/bindings_$patch.h" | sed "s/\$/ $n/"
    n=$((n + 1))
done <"$scratch/api_sets" | sed 's/^hipGetDeviceProperties /hipGetDevicePropertiesR0600 /; s/^hipChooseDevice /hipChooseDeviceR0600 /' |
    awk '!($1 in first) { first[$1] = $2 } { last[$1] = $2 } END { for (f in first) print f, first[f], last[f] }' |
    LC_ALL=C sort >"$scratch/theirs"
elsewhere='^hip\(GLGetDevices\|GraphicsGLRegister.*\|\(Ext\|Hcc\)ModuleLaunchKernel\) '
grep -v "$elsewhere" "$scratch/theirs" >"$scratch/declared"
grep -v "$elsewhere" "$scratch/ours" | LC_ALL=C sort >"$scratch/sorted"
ok "every function's first and last release are the headers'" diff "$scratch/declared" "$scratch/sorted"
finish
