#!/bin/sh
# SPDX-License-Identifier: MIT
# A drop-in finds the library that the dynamic linker would find without it: run path and
# LD_LIBRARY_PATH, the cache of ldconfig in each of its formats, then the system's directories.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
PATH=$PATH:/usr/sbin:/sbin

cat >"$scratch/find.c" <<'C'
#include <stdio.h>
#include "elf/ld_search.h"

int main(int count, char **arguments)
{
    char path[4096] = "";
    if (count != 2 || !hs_ld_search_find(arguments[1], path, sizeof path)) {
        return 1;
    }
    puts(path);
    return 0;
}
C
# shellcheck disable=SC2086 # CC may be several words
build_finder() {
    ${CC:-cc} -D_GNU_SOURCE -std=gnu11 -I"$top/src" -I"$top/include" -I"$top/include/hipshim" \
        -DHIPSHIM_LD_SO_CACHE="\"$scratch/cache\"" -o "$scratch/find" "$scratch/find.c" \
        "$top/src/elf/ld_search.c" "$top"/src/elf/check.c "$top"/src/elf/image.c \
        "$top"/src/elf/notes.c "$top"/src/elf/file*.c -ldl
}
# shellcheck disable=SC2086
library() { # DIRECTORY SONAME
    mkdir -p "$1"
    ${CC:-cc} -shared -nostdlib -Wl,-soname,"$2" -o "$1/$2" -x c /dev/null
}

ok "the finder is built" build_finder
[ -x "$scratch/find" ] || { finish && exit 1; }
ok "a library is built" library "$scratch/configured" libhs-test.so.1
ok "and one of a name that the system has" library "$scratch/configured" libm.so.6
ok "and one for LD_LIBRARY_PATH" library "$scratch/named" libhs-test.so.1
echo "$scratch/configured" >"$scratch/conf"

unset LD_LIBRARY_PATH
system=$(dirname "$(ldd "$scratch/find" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')")
for format in new compat old; do
    rm -f "$scratch/cache"
    if ! ldconfig -f "$scratch/conf" -C "$scratch/cache" -c $format -X >"$scratch/out" 2>&1; then
        skip "the cache in the $format format" "ldconfig cannot write it: $(head -n 1 "$scratch/out")"
        continue
    fi
    is "$format cache: a library that only the cache has" \
        "$("$scratch/find" libhs-test.so.1)" "$scratch/configured/libhs-test.so.1"
    is "$format cache: before the system's directories" \
        "$("$scratch/find" libm.so.6)" "$scratch/configured/libm.so.6"
    is "$format cache: after LD_LIBRARY_PATH" \
        "$(LD_LIBRARY_PATH=$scratch/named "$scratch/find" libhs-test.so.1)" "$scratch/named/libhs-test.so.1"
    is "$format cache: after a system directory that LD_LIBRARY_PATH names" \
        "$(LD_LIBRARY_PATH=$system "$scratch/find" libm.so.6)" "$system/libm.so.6"
    run "$scratch/find" libhs-absent.so.1
    exits "$format cache: what is nowhere is not found" 1
    # Damage of each kind: cut at many lengths, and numbers that lead out of the file.
    cp "$scratch/cache" "$scratch/whole"
    size=$(wc -c <"$scratch/whole")
    crashed=0
    for cut in 0 1 8 12 16 20 47 48 49 60 72 100 "$((size / 2))" "$((size - 1))"; do
        head -c "$cut" "$scratch/whole" >"$scratch/cache"
        "$scratch/find" libhs-test.so.1 >/dev/null
        [ $? -le 1 ] || crashed=$((crashed + 1))
    done
    for at in 12 20 24 52 56 60 64 76 80 100; do
        cp "$scratch/whole" "$scratch/cache"
        printf '\377\377\377\377' | dd of="$scratch/cache" bs=1 seek=$at conv=notrunc 2>/dev/null
        "$scratch/find" libhs-test.so.1 >/dev/null
        [ $? -le 1 ] || crashed=$((crashed + 1))
    done
    is "$format cache: damaged ones crash nothing" $crashed 0
done

rm -f "$scratch/cache"
has "without a cache the system's directories are searched" "$("$scratch/find" libm.so.6)" /libm.so.6
finish
