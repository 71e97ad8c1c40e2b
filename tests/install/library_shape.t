#!/bin/sh
# SPDX-License-Identifier: MIT
# The built library exports what is reviewed, and a stub is one jump.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=exports.sh
. "$top/tests/install/exports.sh"

library=$build/.libs/libhipshim.so
[ -f "$library" ] || skip_all "no shared library was built"
nm() { command ${NM:-nm} "$@"; } # NM may hold options

exports_of "$library" >"$scratch/exports"
exports_expected HIPSHIM "$top/tests/install/exports.txt" >"$scratch/reviewed"
grep -v '@@HIPSHIM_PRIVATE$' "$scratch/exports" >"$scratch/public"
ok "exports are the reviewed list, tests/install/exports.txt, in the nodes of their versions" \
    diff "$scratch/reviewed" "$scratch/public"
is "every other export is for libhipshim-kernel and libhipshim-rocm" \
    "$(sed -n 's/@@HIPSHIM_PRIVATE$//p' "$scratch/exports" | tr '\n' ' ')" \
    "hs_error_get hs_error_set hs_forward_CHECKSUM hs_forward_emitted hs_forward_older "
# No function of libc that starts a process, or that creates, changes or removes files,
# but open and write: files are only opened for reading, and HIPSHIM_TRACE writes to
# standard error.
nm -D --undefined-only "$library" | sed 's/.* [UwW] //; s/@.*//' | LC_ALL=C sort -u >"$scratch/undefined"
is "it starts no process and changes no file" "$(grep -E '^_*(posix_spawn|fork|vfork|clone|exec|popen|system|daemon|p?write|truncate|ftruncate|creat|openat|fopen|freopen|fdopen|rename|remove|unlink|link|symlink|mk|tmp|rmdir|chmod|chown|fch|lch|utim|futim|flock|fsync|memfd|fputs|fwrite|fprintf)' "$scratch/undefined" | tr '\n' ' ')" "write "
opens=$(cd "$top/src" && grep -n '[^a-z_>]open(' base/error.c base/once.c base/arena.c elf/*.c loader/*.c dispatch/*.c api/*.c | grep -v O_RDONLY)
is "every file is opened for reading" "$opens" ""

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^libclang_rt\|san\.so\|^ld-linux' | tr '\n' ' ')
is "nothing but libc is needed" "$needed" "libc.so.6 "
has "dlclose does not unload it" "$(readelf -d "$library")" NODELETE
has "packagers see what it opens" "$(readelf -p .note.dlopen "$library")" libamdhip64.so.7
has "packagers see that it opens libzstd" "$(readelf -p .note.dlopen "$library")" libzstd.so.1

if [ "$(uname -m)" != x86_64 ] || nm "$library" | grep -q __asan_\\\|__tsan_\\\|__ubsan_; then
    skip "every stub is one jump through its slot" "only said of plain x86-64 builds"
elif ! objdump -d "$library" | grep -q '\(jmp  *\*\|mov  *\)0x[0-9a-f]*(%rip).*hs_slots'; then
    skip "every stub is one jump through its slot" "built without optimisation"
else
    # Before the jump a compiler may widen narrow arguments, register to
    # register.  A result in memory (hipCreateChannelDesc) needs a call.
    objdump -d --no-show-raw-insn "$library" | awk '
        /^[0-9a-f]+ <hipshim_(hip|__hipGet|__hipP).*>:$/ {
            name = $2; gsub(/[<>:]/, "", name); jumped = 0
            if (name == "hipshim_hipCreateChannelDesc") name = ""
            next
        }
        /^[0-9a-f]+ </ { name = "" }
        name == "" || !/^ / || /nop|xchg *%ax|data16|endbr64/ || jumped { next }
        /[ \t]jmp  *\*0x[0-9a-f]*\(%rip\).*hs_slots/ { jumped = 1; next }
        # clang loads the slot first.
        /[ \t]mov  *0x[0-9a-f]*\(%rip\),%r[a-z0-9]+ .*hs_slots/ { loaded = name; next }
        /[ \t]jmp  *\*%r[a-z0-9]+$/ && loaded == name { jumped = 1; next }
        /[ \t](mov|movz[a-z]*|movs[a-z]*) +%[a-z0-9]+,%[a-z0-9]+$/ { next }
        { print name ": " $0; name = "" }' >"$scratch/longer"
    ok "every stub is one jump through its slot" test ! -s "$scratch/longer"
    sed 's/^/# /' "$scratch/longer"
fi
stubs=$(nm --defined-only "$library" | grep -c ' T hipshim_\(hip\|__hipGet\|__hipP\)')
functions=$(grep -c '^    HS_FN_' "$top/bindings/stable/functions.h")
is "every function of the stable header has its stub" "$stubs" "$functions"
finish
