#!/bin/sh
# SPDX-License-Identifier: MIT
# The snippets of doc/embed.md, as they stand there, build a program with kernels
# inside, do nothing when nothing changed, and see a header of a kernel change.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

[ -f "$build/Makefile" ] || skip_all "not configured"
dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"
pc=$(find "$dest" -name hipshim.pc)
PKG_CONFIG_LIBDIR=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_PATH=
bin=$(find "$dest" -type f -name hipshim -perm -100)
PATH=${bin%/*}:$PATH
LD_LIBRARY_PATH=${pc%/*/*}
unset CFLAGS LDFLAGS LIBS DESTDIR
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH PATH

snippet() { # KIND FILE: to standard output
    awk -v "mark=<!-- snippet $1: $2 -->" '
        $0 == mark { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$top/doc/embed.md"
}

project() { # KIND FILE...: in a directory of its own
    kind=$1
    shift
    mkdir -p "$scratch/$kind/gpu"
    cd "$scratch/$kind" || exit 99
    printf '#include "size.h"\n// SIZE=77\n' >gpu/axpy.hip
    echo '// a' >gpu/size.h
    cat >main.c <<'SOURCE'
#include "kernels.h"
#include <stdio.h>
int main(void)
{
    const hipshim_embedded_code_t *code;
    if (hipshim_embedded_find(&kernels, "axpy", "gfx1030:xnack-", &code) != HIPSHIM_OK)
        return 1;
    printf("%zu codes, %s, %zu bytes\n", kernels.code_count, code->arch, code->code_size);
    return 0;
}
SOURCE
    for file in "$@"; do
        # shellcheck disable=SC2094 # it is the doc that is read
        snippet "$kind" "$file" >"$file"
    done
}

# The clock of files may be coarse, and ninja and make see only newer files.
later() { # FILE
    touch "$scratch/now"
    touch "$1"
    until [ -n "$(find "$1" -newer "$scratch/now")" ]; do touch "$1"; done
}

check() { # TITLE PROGRAM COMMAND...
    title=$1 program=$2
    shift 2
    forget
    ok "$title: builds" "$@"
    is "$title: the program has its kernels" "$("$program" 2>&1)" "2 codes, gfx1030, 77 bytes"
    is "$title: each was compiled once" "$(compilations)" 2
    rm -f "$FAKE_COMPILES"
    ok "$title: builds again" "$@"
    is "$title: and compiles nothing" "$(compilations)" 0
    echo '// b' >gpu/size.h
    later gpu/size.h
    ok "$title: builds with a changed header" "$@"
    is "$title: and compiles" "$(compilations)" 2
    printf '// SIZE=78\n' >gpu/dot.hip
    later gpu/dot.hip
    forget
    ok "$title: builds with another kernel" "$@"
    is "$title: which is inside" "$("$program" 2>&1)" "4 codes, gfx1030, 77 bytes"
    rm gpu/dot.hip
    ok "$title: builds without it" "$@"
    is "$title: it is inside no more" "$("$program" 2>&1)" "2 codes, gfx1030, 77 bytes"
    rm -f "$FAKE_COMPILES"
    ok "$title: builds at last" "$@"
    is "$title: and compiles nothing then" "$(compilations)" 0
}

project make Makefile
check Make ./program "${MAKE:-make}"

automake_build() {
    [ -f configure ] || { autoreconf -i && ./configure; } && "${MAKE:-make}"
}
if command -v autoreconf >/dev/null && command -v automake >/dev/null; then
    project automake configure.ac Makefile.am
    check Automake ./program automake_build
else
    skip "Automake: builds" "NO AUTOMAKE HERE (install-deps build gets it)"
fi

cmake_build() {
    [ -d b ] || cmake -G "$generator" -B b . && cmake --build b
}
for generator in "Unix Makefiles" Ninja; do
    if ! command -v cmake >/dev/null; then
        skip "CMake, $generator: builds" "NO CMAKE HERE (install-deps test gets it)"
    elif [ "$generator" = Ninja ] && ! command -v ninja >/dev/null; then
        skip "CMake, $generator: builds" "NO NINJA HERE (install-deps test gets it)"
    else
        rm -rf "$scratch/cmake"
        project cmake CMakeLists.txt
        check "CMake, $generator" b/program cmake_build
    fi
done

meson_build() {
    [ -d b ] || meson setup b && ninja -C b
}
if command -v meson >/dev/null && command -v ninja >/dev/null; then
    project meson meson.build
    check Meson b/program meson_build
else
    skip "Meson: builds" "NO MESON OR NINJA HERE (install-deps test gets them)"
fi

PATH=$PATH:${HOME:-}/.cargo/bin
if command -v cargo >/dev/null && rustc --version >/dev/null 2>&1; then
    mkdir -p "$scratch/rust/src"
    project rust build.rs src/main.rs
    printf '[package]\nname = "demo"\nversion = "1.0.0"\nedition = "2021"\n' >Cargo.toml
    forget
    ok "Cargo: builds" cargo build --offline
    is "Cargo: the program has its kernels" "$(target/debug/demo)" "axpy for gfx90a: 77 bytes
axpy for gfx1030: 77 bytes"
    echo '// b' >gpu/size.h
    later gpu/size.h
    ok "Cargo: builds with a changed header" cargo build --offline
    is "Cargo: and compiles" "$(compilations)" 4
else
    skip "Cargo: builds" "NO CARGO HERE"
fi
finish
