#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel cache uses nothing that others may have written, serves nothing
# that is damaged, and goes without where it cannot write.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

uncached="compiled=1 cached=0 uncached=1 failed=0 wrong=0"
warm() { # a cache with the one entry, and its name in $entry
    forget
    work 1
    entry=$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel')
}

# --- damage ---

is_replaced() { # DESCRIPTION: the entry was spoiled
    work 1
    is "$1 is compiled again" "$said" "$compiled"
    work 1
    is "and replaced" "$said" "$cached"
}
warm
: >"$entry"
is_replaced "an empty entry"
printf 'X' | dd of="$entry" bs=1 seek=700 conv=notrunc 2>/dev/null
is_replaced "an entry with a wrong byte"
truncate -s 300 "$entry"
is_replaced "half an entry"
WORKER_ARCH=gfx942 "$worker" >/dev/null
cp "$(find "$scratch/cache/gfx942-6.4.43484" -name '*.kernel')" "$entry"
is_replaced "another key's entry"
ln -s "$entry" "$scratch/link"
mv "$entry" "$scratch/real"
ln -s "$scratch/real" "$entry"
is_replaced "a link to an entry"
ok "and the link is gone" test ! -L "$entry"
rm "$entry"
mkfifo "$entry"
said=$(timeout 20 "$worker")
is "a FIFO keeps nobody" "$said" "$compiled"
rm -rf "$entry"
work 1
chmod o+w "$entry"
is_replaced "an entry that others may write to"
warm
for at in $(seq 0 159); do
    byte=$(dd if="$entry" bs=1 skip="$at" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\$(printf %o $(((byte + 1) % 256)))" | dd of="$entry" bs=1 seek="$at" conv=notrunc 2>/dev/null
    work 1
    [ "$said" = "$compiled" ] || break
done
is "any byte of the header changed: compiled again" "$at $said" "159 $compiled"

# --- directories ---

refused() { # DESCRIPTION PART
    work 1
    has "$1: it works" "$said" "$uncached"
    has "$1: and says why it is not kept" "$said" "$2"
}
warm
chmod 777 "$scratch/cache"
refused "a cache that all may write to" "others may write to it"
chmod 770 "$scratch/cache"
refused "a cache that the group may write to" "others may write to it"
chmod 700 "$scratch/cache"
chmod 777 "$scratch/cache/gfx90a-6.4.43484"
refused "a group that all may write to" "another user may write to it"
warm
mv "$scratch/cache" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$scratch/cache"
refused "a link for a cache" "it is a link"
HIPSHIM_CACHE_DIR=$scratch/cache/
refused "with a slash at its end" "it is a link"
HIPSHIM_CACHE_DIR=$scratch/cache
rm "$scratch/cache"
mv "$scratch/elsewhere" "$scratch/cache"
mv "$scratch/cache/gfx90a-6.4.43484" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$scratch/cache/gfx90a-6.4.43484"
refused "a link for a group" "gfx90a-6.4.43484"
rm -rf "$scratch/cache" "$scratch/elsewhere"
: >"$scratch/cache"
refused "a file for a cache" "not a directory"
forget

# --- users ---

if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    skip "somebody else's cache is not used" "needs root and setpriv"
    skip "it says whose it is" "needs root and setpriv"
    skip "a home that cannot be written to does no harm" "needs root and setpriv"
    skip "nor does a cache" "needs root and setpriv"
    skip "root's shared cache answers others" "needs root and setpriv"
else
    copy=$(mktemp -d /tmp/hipshim-cache.XXXXXX)
    cp "$build/tests/kernel/.libs/worker" "$copy/" 2>/dev/null || cp "$worker" "$copy/"
    cp "$build"/.libs/libhipshim.so.0 "$build"/.libs/libhipshim-kernel.so.0 "$copy/"
    cp "$scratch/hip/libamdhip64.so.6" "$copy/"
    mkdir "$copy/own"
    chown nobody "$copy/own"
    chmod 755 "$copy"
    as_nobody() { # VARIABLE=VALUE...
        said=$(cd / && env -u XDG_CACHE_HOME -u FAKE_COMPILES HIPSHIM_LIBRARY="$copy/libamdhip64.so.6" LD_LIBRARY_PATH="$copy" "$@" \
            setpriv --reuid=nobody --regid=nogroup --clear-groups "$copy/worker" 2>&1)
    }
    if ! setpriv --reuid=nobody --regid=nogroup --clear-groups test -x "$copy/worker"; then
        skip "users: 5 tests" "nobody cannot run programs here"
    else
        HIPSHIM_LIBRARY="$copy/libamdhip64.so.6" HIPSHIM_CACHE_DIR="$copy/shared" \
            LD_LIBRARY_PATH="$copy" "$worker" >/dev/null
        mkdir -m 755 "$copy/theirs"
        chown daemon "$copy/theirs"
        as_nobody HIPSHIM_CACHE_DIR="$copy/theirs"
        has "somebody else's cache is not used" "$said" "$uncached"
        has "it says whose it is" "$said" "belongs to another user"
        mkdir -m 555 "$copy/home"
        as_nobody HIPSHIM_CACHE_DIR= HOME="$copy/home"
        has "a home that cannot be written to does no harm" "$said" \
            "$uncached not kept in the kernel cache: $copy/home/.cache/hipshim: Permission denied"
        mkdir -p "$copy/home/.cache/hipshim"
        chmod 755 "$copy/home/.cache" "$copy/home/.cache/hipshim"
        as_nobody HIPSHIM_CACHE_DIR= HOME="$copy/home"
        has "nor does a cache" "$said" "$uncached"
        chmod -R a+rX "$copy/shared"
        as_nobody HIPSHIM_CACHE_DIR="$copy/own/cache:$copy/shared"
        is "root's shared cache answers others" "$said" "$cached"
    fi
    # Raised privileges: the runtime is linked in, since no variable may name it.
    # shellcheck disable=SC2086 # CC may be several words
    if nm -D "$copy/libhipshim.so.0" | grep -q '__asan_\|__tsan_'; then
        skip "a setuid program's environment chooses nothing" "a sanitizer refuses to run in one"
    elif $cc -std=gnu11 -D_GNU_SOURCE -I"$top/include/hipshim" -I"$top/bindings" -o "$copy/setuid" \
        "$top/tests/kernel/worker.c" -L"$copy" -Wl,--no-as-needed -l:libhipshim-kernel.so.0 \
        -l:libhipshim.so.0 \
        -l:libamdhip64.so.6 -Wl,-rpath,"$copy" -lpthread >"$scratch/cc.log" 2>&1 &&
        chown nobody "$copy/setuid" && chmod u+s "$copy/setuid" &&
        ! findmnt -no OPTIONS -T "$copy" | grep -q nosuid; then
        said=$(env HIPSHIM_CACHE_DIR="$copy/own/cache" "$copy/setuid" 2>&1)
        has "a setuid program's environment chooses no cache" "$said" \
            "$uncached not kept in the kernel cache: this process runs with raised privileges"
        said=$(env HIPSHIM_ARCH=gfx90a WORKER_ARCH= "$copy/setuid" 2>&1)
        lacks "nor an architecture" "$said" "compiled=1"
    else
        skip "a setuid program's environment chooses no cache" "no setuid program can be made here"
        tap_comment "$(cat "$scratch/cc.log")"
    fi
    rm -rf "$copy"
fi
finish
