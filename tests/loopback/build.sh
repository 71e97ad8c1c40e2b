#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/loopback/build.sh OUTDIR: compiles OUTDIR/libhsa-runtime64.so.1 with $CC
# (and $LOOPBACK_CFLAGS) against the HSA headers of the newest runtime tree in
# $HIPSHIM_RUNTIMES (tests/fetch-runtimes makes such trees).  Exit status 77,
# with a line, if no tree has them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh OUTDIR}
runtimes=${HIPSHIM_RUNTIMES:-runtimes}

headers=
for release in 7.2 6.4; do
    if [ -f "$runtimes/$release/usr/include/hsa/hsa_ext_amd.h" ]; then
        headers=$runtimes/$release/usr/include
        break
    fi
done
if [ -z "$headers" ]; then
    echo "loopback: no hsa headers of HIP 7.2 or 6.4 in $runtimes (tests/fetch-runtimes gets them)"
    exit 77
fi

mkdir -p "$out"
# A name of its own first: another test may be loading or building the same.
made=$out/.libhsa-runtime64.so.1.$$
trap 'rm -f "$made"' EXIT
# shellcheck disable=SC2086 # CC and CFLAGS are words
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE ${LOOPBACK_CFLAGS:-} \
    -I"$here" -isystem "$headers" -fPIC -shared -Wl,-Bsymbolic-functions -o "$made" \
    -Wl,-soname,libhsa-runtime64.so.1 -Wl,--version-script="$here/loopback.map" \
    "$here"/*.c -pthread -ldl
mv -f "$made" "$out/libhsa-runtime64.so.1"
