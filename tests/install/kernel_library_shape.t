#!/bin/sh
# SPDX-License-Identifier: MIT
# libhipshim-kernel exports what is reviewed, and uses of libhipshim only what that
# declares in its public headers, and the two functions of the error text.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=exports.sh
. "$top/tests/install/exports.sh"

library=$build/.libs/libhipshim-kernel.so
[ -f "$library" ] || skip_all "no shared library was built"
nm() { command ${NM:-nm} "$@"; } # NM may hold options

exports_of "$library" >"$scratch/exports"
exports_expected HIPSHIM_KERNEL "$top/tests/install/exports-kernel.txt" >"$scratch/reviewed"
ok "exports are the reviewed list, tests/install/exports-kernel.txt" \
    diff "$scratch/reviewed" "$scratch/exports"
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^libclang_rt\|san\.so\|^ld-linux' | tr '\n' ' ')
is "it needs libhipshim and libc" "$needed" "libhipshim.so.0 libc.so.6 "
is "of libhipshim it uses the public functions, and two for the error text" \
    "$(nm -D --undefined-only --with-symbol-versions "$library" | sed -n 's/.* U \(.*@HIPSHIM_PRIVATE\)/\1/p' | tr '\n' ' ')" \
    "hs_error_get@HIPSHIM_PRIVATE hs_error_set@HIPSHIM_PRIVATE "
has "packagers see that it opens libzstd" "$(readelf -p .note.dlopen "$library")" libzstd.so.1
lacks "and no HIP itself" "$(readelf -p .note.dlopen "$library")" libamdhip64
finish
