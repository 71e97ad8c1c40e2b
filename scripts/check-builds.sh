#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-builds.sh [NAME...], in a build directory with srcdir set, where `make check-builds`
# runs it: builds hipshim with other compilers and flags in ./builds/NAME, with warnings as
# errors, and runs a few tests there.  The names, all by default:
#   clang      clang in place of gcc
#   lto        link-time optimisation, as distributions do it
#   hardened   the hardening flags of distributions, and -O3
# Three builds try all of them, because each takes a minute.
#
# Exit status: 0 all are right, 1 one is not, 2 usage.
set -u
# shellcheck source=usage.sh
. "$(dirname "$0")/usage.sh"

names='clang lto hardened'
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
    "$top/configure" --quiet --enable-werror "$@"
}
configure_as() { # NAME
    case $1 in
    clang) configure CC=clang CXX=clang++ ;;
    lto) configure CFLAGS='-g -O2 -flto -ffat-lto-objects' CXXFLAGS='-g -O2 -flto -ffat-lto-objects' ;;
    hardened)
        hardening='-O3 -fstack-protector-strong -fstack-clash-protection'
        case $(uname -m) in
        x86_64) hardening="$hardening -fcf-protection" ;;
        esac
        configure CFLAGS="$hardening" CXXFLAGS="$hardening" \
            CPPFLAGS='-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3' LDFLAGS='-Wl,-z,relro -Wl,-z,now'
        ;;
    esac
}

jobs=$(nproc 2>/dev/null || echo 1)
# shellcheck disable=SC2016 # variables of make
check() { # NAME, in its directory
    # Another compiler may do all that the language leaves to it.
    case $1 in clang) programs="\$(c_tests) $programs" tests="\$(built_c_tests) $tests" ;; esac
    { [ -f config.status ] || configure_as "$1"; } &&
        make -s -j "$jobs" &&
        make -s -j "$jobs" check check_PROGRAMS="$programs" TESTS="$tests"
}

status=0
for name in "$@"; do
    if [ "$name" = clang ] && ! command -v clang++ >/dev/null; then
        echo "SKIP: $name: there is no clang++"
        continue
    fi
    mkdir -p "builds/$name"
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
