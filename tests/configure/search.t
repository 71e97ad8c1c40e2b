#!/bin/sh
# SPDX-License-Identifier: MIT
# Without a prefix configure looks in HIP_PATH, ROCM_PATH, /opt/rocm/core*,
# /opt/rocm, /opt/rocm-* and /usr, in that order and by number.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

plan 24

install() { # PREFIX RELEASE
    header "$1/include/hip" "$2"
    library "$1/lib" "${2%%.*}"
}

detect
is "no HIP at all is fine" "$status $(found)" "0 none none"
is "then the newest bindings are the default" "$hip_bindings" 53211
is "and nothing is linked" "$hip_libs$hip_library" ""
is "without a word of warning" "$stderr" ""

hipconfig "$root/usr/bin" 'printf 5.2.21153-0'
detect
is "a hipconfig without header or library is no HIP" "$status $(found)" "0 none none"

# The last place first, so that each better place has to win.
install "$root/usr" 5.7.31921
detect
is "/usr" "$(found)" "5.7.31921 $root/usr"

install "$root/opt/rocm-6.2.0" 6.2.41133
detect
is "/opt/rocm-X.Y.Z before /usr" "$(found)" "6.2.41133 $root/opt/rocm-6.2.0"
install "$root/opt/rocm-6.4.2" 6.4.43484
install "$root/opt/rocm-6.3.4" 6.2.41134
detect
is "the newest of several /opt/rocm-X.Y.Z" "$(found)" "6.4.43484 $root/opt/rocm-6.4.2"
install "$root/opt/rocm-10.1.0" 7.2.53211
detect
is "/opt/rocm-10 is newer than /opt/rocm-6" "$(found)" "7.2.53211 $root/opt/rocm-10.1.0"
rm -r "$root/opt/rocm-10.1.0/include" "$root/opt/rocm-10.1.0/lib"
mkdir -p "$root/opt/rocm-10.1.0/.info"
detect
is "what an uninstall left behind is passed over" "$(found)" "6.4.43484 $root/opt/rocm-6.4.2"

ln -s rocm-6.2.0 "$root/opt/rocm"
detect
is "the /opt/rocm link before any /opt/rocm-X.Y.Z" "$(found)" "6.2.41133 $root/opt/rocm"
rm "$root/opt/rocm"
install "$root/opt/rocm/core-7.13" 7.1.25424
install "$root/opt/rocm/core-7.2" 6.4.43484
detect
is "core-7.13 is newer than core-7.2" "$(found)" "7.1.25424 $root/opt/rocm/core-7.13"
install "$root/opt/rocm/core-10.0" 7.2.53211
detect
is "core-10 is newer than core-7" "$(found)" "7.2.53211 $root/opt/rocm/core-10.0"
ln -s core-7.13 "$root/opt/rocm/core"
detect
is "the core link before any core-X.Y" "$(found)" "7.1.25424 $root/opt/rocm/core"

install "$scratch/rocm" 6.4.43484
ROCM_PATH=$scratch/rocm
export ROCM_PATH
detect
is "ROCM_PATH before system paths" "$(found) by $hip_found_by" "6.4.43484 $scratch/rocm by ROCM_PATH"
install "$scratch/hip" 5.7.31921
HIP_PATH=$scratch/hip
export HIP_PATH
detect
is "HIP_PATH before ROCM_PATH" "$(found) by $hip_found_by" "5.7.31921 $scratch/hip by HIP_PATH"
detect --without-hip
is "--without-hip looks nowhere" "$(found)" "none none"
detect "--with-hip=$root/opt/rocm-6.2.0"
is "--with-hip=PREFIX is not overruled by HIP_PATH" "$(found)" "6.2.41133 $root/opt/rocm-6.2.0"

HIP_PATH=$scratch/removed
mkdir -p "$scratch/removed/bin"
detect
is "a stale HIP_PATH is skipped" "$status $(found)" "0 6.4.43484 $scratch/rocm"
has "and reported" "$stderr" "HIP_PATH=$scratch/removed is skipped"

mkdir -p "$scratch/removed/lib"
: >"$scratch/removed/lib/libamdhip64.so.6"
detect
is "a library whose release nothing says is skipped" "$(found)" "6.4.43484 $scratch/rocm"
has "and named" "$stderr" "$scratch/removed/lib/libamdhip64.so.6 but no file with its release"

unset HIP_PATH ROCM_PATH
rm -r "${root:?}/opt" "${root:?}/usr"
detect --with-hip
is "--with-hip with no HIP anywhere is an error" $status 1
has "that says what to do" "$stderr" "Use --with-hip=PREFIX"
