#!/bin/sh
# SPDX-License-Identifier: MIT
# "make install" puts everything under DESTDIR, and "make uninstall" takes all
# of it away again.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$build/Makefile" ] || skip_all "not configured"
plan 35

dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"

installed() { find "$dest" -name "$2" -path "*$1/$2" | grep -q .; }
for file in bin/hipshim lib*/libhipshim.so.0 lib*/libhipshim.a \
    lib*/hipshim/loopback/libhsa-runtime64.so.1 lib*/libhipshim-kernel.so.0 lib*/libhipshim-embed.a \
    lib*/libhipshim-rocm.so.0 lib*/hipshim/rocm/lib/libamdhip64.so lib*/hipshim/rocm/bin/hipconfig \
    lib*/hipshim/rocm-6/lib/libamdhip64.so lib*/hipshim/rocm-7/.info/version \
    lib*/cmake/hipshim/hipshim-config.cmake lib*/pkgconfig/hipshim-device.pc \
    lib*/pkgconfig/hipshim-kernel.pc lib*/pkgconfig/hipshim-embed.pc lib*/pkgconfig/hipshim.pc lib*/pkgconfig/hipshim-bindings.pc \
    include/hipshim/hipshim/hipshim.h include/hipshim/hip/hip_runtime_api.h include/hipshim/hip/stable.h \
    include/hipshim/bindings/bindings.h include/hipshim/hipshim/embed.h \
    share/man/man1/hipshim.1 share/man/man1/hipshim-run.1 share/man/man3/hipshim.3 \
    share/bash-completion/completions/hipshim share/fish/vendor_completions.d/hipshim.fish \
    share/zsh/site-functions/_hipshim share/doc/hipshim/doc/environment.md share/hipshim/abi.json; do
    ok "$file is installed" installed "/${file%/*}" "${file##*/}"
done

# DESTDIR makes the tree as a moved prefix does.
tool=$(find "$dest" -path '*/bin/hipshim')
lends() { # VARIABLE ARGUMENT...: its value under `hipshim run` of the moved prefix
    variable=$1
    shift
    LD_LIBRARY_PATH=$(dirname "$(find "$dest" -name libhipshim-kernel.so.0)") "$tool" run "$@" -- env 2>&1 |
        sed -n "s|^$variable=||p; /^hipshim/p"
}
has "after the prefix was moved as a whole, run --loopback finds the loopback" \
    "$(lends LD_PRELOAD --loopback)" "$dest/"
has "run --abi finds the drop-ins" "$(lends LD_LIBRARY_PATH --abi=6)" /hipshim/dropin:

ok "make uninstall works" "${MAKE:-make}" -C "$build" uninstall "DESTDIR=$dest"
is "it leaves no file and no directory of ours" \
    "$(cd "$dest" && find . ! -type d -o -path '*/hipshim*')" ""
