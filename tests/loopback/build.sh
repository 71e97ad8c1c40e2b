#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/loopback/build.sh OUTDIR: compiles OUTDIR/libhsa-runtime64.so.1 with $CC
# and $LOOPBACK_CFLAGS (sanitizers, say), where make's own is not what is wanted.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/src/loopback
out=${1:?usage: build.sh OUTDIR}

mkdir -p "$out"
# A name of its own first: another test may be loading or building the same.
made=$out/.libhsa-runtime64.so.1.$$
trap 'rm -f "$made"' EXIT
# shellcheck disable=SC2086 # CC and CFLAGS are words
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE ${LOOPBACK_CFLAGS:-} \
    -I"$here" -I"$top/src" -fPIC -shared -Wl,-Bsymbolic-functions -o "$made" \
    -Wl,-soname,libhsa-runtime64.so.1 -Wl,--version-script="$here/loopback.map" \
    "$here"/*.c "$here"/isa/*.c "$top/src/elf/image.c" -pthread -ldl -lm
mv -f "$made" "$out/libhsa-runtime64.so.1"
