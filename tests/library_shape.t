#!/bin/sh
# SPDX-License-Identifier: MIT
# The built library exports what is reviewed, and a stub is one jump.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

library=$build/.libs/libhipshim.so
[ -f "$library" ] || skip_all "no shared library was built"
NM=${NM:-nm}

"$NM" -D --defined-only --with-symbol-versions "$library" |
    awk '$2 != "A" { print $3 }' | LC_ALL=C sort >"$scratch/exports"
LC_ALL=C sort "$top/tests/exports.txt" >"$scratch/reviewed"
ok "exports are the reviewed list, tests/exports.txt" diff "$scratch/reviewed" "$scratch/exports"
is "every export is hipshim's" "$(grep -vc '^hipshim_.*@@HIPSHIM_0$' "$scratch/exports")" 0

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^libclang_rt\|san\.so' | tr '\n' ' ')
is "nothing but libc is needed" "$needed" "libc.so.6 "
has "dlclose does not unload it" "$(readelf -d "$library")" NODELETE
has "packagers see what it opens" "$(readelf -p .note.dlopen "$library")" libamdhip64.so.7

if [ "$(uname -m)" != x86_64 ] || "$NM" "$library" | grep -q __asan_\\\|__tsan_\\\|__ubsan_; then
    skip "every stub is one jump through its slot" "only said of plain x86-64 builds"
elif ! objdump -d "$library" | grep -q 'jmp  *\*0x[0-9a-f]*(%rip).*hs_slots'; then
    skip "every stub is one jump through its slot" "built without optimisation"
else
    # Stubs that pass a struct in memory move it, and call; hip has one result of that kind.
    objdump -d --no-show-raw-insn "$library" | awk '
        /^[0-9a-f]+ <hipshim_hip.*>:$/ { name = $2; gsub(/[<>:]/, "", name); lines = 0; next }
        /^[0-9a-f]+ </ { name = "" }
        name != "" && /^ / && !/nop|xchg *%ax|data16|endbr64/ {
            if (++lines == 1 && $0 !~ /jmp  *\*0x[0-9a-f]*\(%rip\).*hs_slots/) print name ": " $0
            if (lines == 2) { print name ": more than a jump"; name = "" }
        }' >"$scratch/longer"
    ok "every stub is one jump through its slot" test ! -s "$scratch/longer"
    sed 's/^/# /' "$scratch/longer"
fi
stubs=$("$NM" --defined-only "$library" | grep -c ' T hipshim_\(hip\|__hip\)')
functions=$(grep -c '^    HS_FN_' "$top/bindings/functions.h")
is "every function of the stable header has its stub" "$stubs" "$functions"
printf '1..%d\n' "$tap_count"
