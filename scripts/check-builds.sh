#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-builds.sh [NAME...], in a build directory with srcdir set, where `make check-builds`
# runs it: builds hipshim with other compilers and flags in ./builds/NAME, with warnings as
# errors, and runs a few tests there.  The names, all by default:
#   clang      clang in place of gcc
#   distro     the flags of distributions: link-time optimisation, hardening, and -O3
#   aarch64    another machine, by a cross compiler and -O0; its tests run in an emulator, also
#              over the HIP 5.2 of Debian with the loopback
# Few builds try all of them, because each takes a minute.
#
# Exit status: 0 all are right, 1 one is not, 2 usage.
set -u
# shellcheck source=usage.sh
. "$(dirname "$0")/usage.sh"

names='clang distro aarch64'
for arg in "$@"; do
    case " $names " in
    *" $arg "*) ;;
    *) usage_answer "$arg" ;;
    esac
done
[ $# -gt 0 ] || eval "set -- $names"
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
HIPSHIM_RUNTIMES=${HIPSHIM_RUNTIMES:-$PWD/runtimes}
export HIPSHIM_RUNTIMES

# Consumers and the installed files, exports, and one real runtime.
tests="tests/install/consumers.t tests/install/library_shape.t tests/install/kernel_library_shape.t \
tests/dropin/exports.t tests/kernel/hip_6_4.t tests/tool/scan_tells.t"
programs='tests/kernel/modules_t tests/kernel/real_t tests/dispatch/real/tells_its_release_t'

configure() { # ARGUMENT...
    "$top/configure" --quiet --enable-werror --disable-siblings "$@"
}
configure_as() { # NAME
    case $1 in
    clang) configure CC=clang CXX=clang++ ;;
    distro)
        flags='-g -O3 -fstack-protector-strong -fstack-clash-protection'
        case $(uname -m) in
        x86_64) flags="$flags -fcf-protection" ;;
        esac
        # Objects without machine code of their own are compiled once, not twice.
        configure AR=gcc-ar NM=gcc-nm RANLIB=gcc-ranlib CFLAGS="$flags -flto=auto" CXXFLAGS="$flags -flto=auto" \
            CPPFLAGS='-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3' LDFLAGS='-Wl,-z,relro -Wl,-z,now'
        ;;
    aarch64)
        libraries=$arm64/usr/lib/aarch64-linux-gnu
        configure --host=aarch64-linux-gnu --without-hip --disable-static CFLAGS=-O0 CXXFLAGS=-O0 \
            HIPSHIM_FOR_BUILD="$here/hipshim" CMOCKA_CFLAGS="-idirafter $arm64/usr/include" \
            CMOCKA_LIBS="-L$libraries -Wl,-rpath-link,$libraries -lcmocka"
        ;;
    esac
}

# The libraries of the other machine, which the emulator opens in place of those in /.
here=$PWD
arm64=$here/builds/arm64
fetch_arm64() {
    [ ! -d "$arm64" ] || return 0
    rm -rf "$arm64.new"
    mmdebstrap --variant=extract --architectures=arm64 --aptopt='Apt::Install-Recommends "false"' \
        --include=libamdhip64-5,libcmocka-dev,libstdc++6,libzstd1 bookworm "$arm64.new" &&
        mv "$arm64.new" "$arm64"
}
emulator="qemu-aarch64 -L $arm64"
gpu_programs=$(printf 'tests/loopback/gpu/%s_t ' copies memory modules_launch)

# Over a real runtime and the loopback; the other programs of tests/loopback/gpu pass, too, but all
# take three minutes.
check_gpu_programs() {
    for program in $gpu_programs; do
        CMOCKA_MESSAGE_OUTPUT=STDOUT $emulator -E HIPSHIM_LIBRARY=libamdhip64.so.5 -E LOOPBACK_GPUS=1 \
            -E LD_PRELOAD="$PWD/src/loopback/.libs/libhsa-runtime64.so.1" "$program" ||
            return 1
    done
}

check_aarch64() { # in its directory
    { [ -f config.status ] || configure_as aarch64; } &&
        make -s -j "$jobs" &&
        make -s -j "$jobs" check check_PROGRAMS="\$(c_tests) $gpu_programs" TESTS="\$(built_c_tests)" \
            LOG_COMPILER="$emulator" &&
        check_gpu_programs &&
        $emulator -E LD_LIBRARY_PATH="$PWD/.libs" -E HIPSHIM_LIBRARY=libamdhip64.so.5 \
            .libs/hipshim info | grep '^HIP  *5\.2'
}

jobs=$(nproc 2>/dev/null || echo 1)
# shellcheck disable=SC2016 # variables of make
check() { # NAME, in its directory
    case $1 in aarch64) check_aarch64; return ;; esac
    # Another compiler may do all that the language leaves to it.
    case $1 in clang) programs="\$(c_tests) $programs" tests="\$(built_c_tests) $tests" ;; esac
    { [ -f config.status ] || configure_as "$1"; } &&
        make -s -j "$jobs" &&
        make -s -j "$jobs" check check_PROGRAMS="$programs" TESTS="$tests"
}

needs() { # NAME: the programs that it takes
    case $1 in
    clang) echo clang++ ;;
    aarch64) echo aarch64-linux-gnu-gcc qemu-aarch64 mmdebstrap ;;
    esac
}

status=0
for name in "$@"; do
    for program in $(needs "$name"); do
        command -v "$program" >/dev/null && continue
        echo "SKIP: $name: there is no $program (install-deps all)"
        continue 2
    done
    mkdir -p "builds/$name"
    if [ "$name" = aarch64 ] && ! fetch_arm64 >"builds/$name.log" 2>&1; then
        echo "SKIP: $name: mmdebstrap did not get Debian's libraries for arm64, see builds/$name.log"
        continue
    fi
    began=$(date +%s)
    if (cd "builds/$name" && check "$name") >"builds/$name.log" 2>&1; then
        echo "ok: $name, in $(($(date +%s) - began)) s"
    else
        grep -E 'error|warning|^(FAIL|ERROR)|^not ok' "builds/$name.log" | head -n 30
        echo "not ok: $name, see builds/$name.log"
        status=1
    fi
done
exit $status
