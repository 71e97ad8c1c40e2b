#!/bin/sh
# SPDX-License-Identifier: MIT
# configure picks the bindings of the release it found; near ones only where
# nobody asked for that HIP, and never by comparing patches across minors.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

plan 22

p=$scratch/p
hip() { # RELEASE: a prefix that holds it
    rm -rf "$p"
    header "$p/include/hip" "$1"
    library "$p/lib" "${1%%.*}"
}

hip 6.4.43484
detect "--with-hip=$p"
is "a known release has its own bindings" "$hip_bindings, $hip_bindings_from" "43484, of this release"
is "and its ROCm releases are named" "$hip_rocm" "6.4.2, 6.4.3"
hip 6.2.41134
detect "--with-hip=$p"
is "an equal api_set is used, and said" "$hip_bindings, $hip_bindings_from" \
    "41134, of this release, equal to bindings_41133.h"

hip 6.2.41999
detect "--with-hip=$p"
is "an unknown release under --with-hip is an error" "$status" 1
has "that names the release" "$stderr" "$p is HIP 6.2.41999"
has "and the nearest known" "$stderr" "nearest known: 6.2.41134 and 6.4.43484"
has "and --with-hip-patch" "$stderr" "--with-hip-patch=N, N one of 31921 41133 41134 43484 25424 53211"
has "and add-release" "$stderr" "hipgen add-release --headers $p/include"
is "and nothing is printed to be used" "$detect_out" ""
detect "--with-hip=$p" --with-hip-patch=41134
is "--with-hip-patch settles it" "$status $hip_release $hip_bindings" "0 6.2.41999 41134"
has "and says so" "$stderr" "selects the bindings of 6.2.41134 for HIP 6.2.41999"

# Found in HIP_PATH: nobody asked for this very one.
HIP_PATH=$p
export HIP_PATH
near() { # DESCRIPTION RELEASE BINDINGS TEXT
    hip "$2"
    detect
    is "unknown $2, not asked for: $1" "$status $hip_bindings $hip_bindings_from" "0 $3 $4"
}
near "the older patch of its minor" 6.2.41999 41134 "6.2.41134, the nearest known of HIP 6.2"
near "an older minor, whatever its patch" 7.2.100 25424 "7.1.25424, the nearest known of HIP 7"
near "an unknown patch of the newest" 7.2.60000 53211 "7.2.53211, the nearest known of HIP 7.2"
near "a patch of 0 in a new minor" 7.15.0 53211 "7.2.53211, the nearest known of HIP 7"
near "a low patch in a known minor" 6.4.5 41134 "6.2.41134, the nearest known of HIP 6"
near "older than all of its major" 5.2.21153 31921 "5.7.31921, the nearest known of HIP 5"
near "older than every major" 4.4.0 53211 "7.2.53211, the newest: none of HIP 4 is known"
near "a new major" 8.0.1 53211 "7.2.53211, the newest: none of HIP 8 is known"
has "and warns" "$stderr" "warning: HIP 8.0.1 is unknown"

unset HIP_PATH
detect --with-hip-patch=31921
is "--with-hip-patch works without HIP" "$hip_bindings $hip_bindings_from" "31921 --with-hip-patch, of 5.7.31921"
detect --with-hip-patch=99
has "an unknown patch is an error with the known ones" "$status $stderr" "known: 31921 41133 41134 43484 25424 53211"
