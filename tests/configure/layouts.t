#!/bin/sh
# SPDX-License-Identifier: MIT
# Given a prefix, configure finds header, release and library in every layout
# HIP is shipped in.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

plan 26

# layout NAME PREFIX RELEASE INCLUDEDIR LIBRARY: three tests
layout() {
    detect "--with-hip=$2"
    is "$1: the release" "$status $(found)" "0 $3 $2"
    is "$1: the headers" "$hip_includedir" "$4"
    is "$1: the library" "$hip_library" "$5"
}

p=$scratch/rocm-5.1.0
header "$p/hip/include/hip" 5.7.31921
library "$p/hip/lib" 5 .1.50100
mkdir "$p/include"
layout "AMD 5.0 to 5.1, in hip/" "$p" 5.7.31921 "$p/hip/include" "$p/hip/lib/libamdhip64.so.5"

p=$scratch/rocm-6.4.2
header "$p/include/hip" 6.4.43484
version_file "$p/share/hip/version" 6.4.43484
library "$p/lib" 6 .4.60402
hipconfig "$p/bin" 'printf "6.4.43484-0f2d60242\n"'
layout "AMD 5.2 to 7.2" "$p" 6.4.43484 "$p/include" "$p/lib/libamdhip64.so.6"

p=$scratch/opt/rocm/core-7.2
header "$p/include/hip" 7.2.53211
version_file "$p/share/hip/version" 7.2.53211
library "$p/lib" 7 .2.53211
layout "core-X.Y" "$p" 7.2.53211 "$p/include" "$p/lib/libamdhip64.so.7"

p=$scratch/debian/usr
header "$p/include/hip" 5.7.31921
version_file "$p/share/hip/version" 5.7.31921
library "$p/lib/$triple" 5 .7.31921
hipconfig "$p/bin" 'printf "5.7.31921-0"'
layout "Debian, lib/<triple>" "$p" 5.7.31921 "$p/include" "$p/lib/$triple/libamdhip64.so.5"

p=$scratch/foreign/usr
header "$p/include/hip" 5.7.31921
library "$p/lib/sparc-linux-gnu" 5
detect "--with-hip=$p"
is "a library for another machine is not taken" "$hip_library" ""
has "and its absence is said" "$stderr" "no libamdhip64.so.5"

p=$scratch/fedora/usr
header "$p/include/hip" 7.2.53211
version_file "$p/share/hip/version" 7.2.53211
library "$p/lib64" 7
layout "Fedora, lib64" "$p" 7.2.53211 "$p/include" "$p/lib64/libamdhip64.so.7"

p="$scratch/nix/store/0i'x clr-6.4.2"
header "$p/include/hip" 6.4.43484
version_file "$p/share/hip/version" 6.4.43484
library "$p/lib" 6
layout "Nix-like, an odd prefix of its own" "$p" 6.4.43484 "$p/include" "$p/lib/libamdhip64.so.6"

p=$scratch/wheel
header "$p/include/hip" 7.2.53211
mkdir "$p/lib"
: >"$p/lib/libamdhip64.so.7"
: >"$p/lib/libhiprtc.so.7"
layout "a wheel, sonames only" "$p" 7.2.53211 "$p/include" "$p/lib/libamdhip64.so.7"
is "a wheel: linked by soname" "$hip_libs" "-l:libamdhip64.so.7 -l:libhiprtc.so.7"

p=$scratch/two-majors
header "$p/include/hip" 6.4.43484
library "$p/lib" 6
library "$p/lib" 5 # its development link is the last one
detect "--with-hip=$p"
is "two majors in one prefix: the header's is taken" "$hip_library" "$p/lib/libamdhip64.so.6"
is "and linked by soname, as the bare name is the other's" "$hip_libs" "-l:libamdhip64.so.6"
