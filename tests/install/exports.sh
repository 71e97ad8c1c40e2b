# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # `top` of tap.sh
# For tests of exports; after tests/lib/tap.sh.

node_version=$(sed -n 's/^AC_INIT(\[hipshim\], \[\([0-9]*\.[0-9]*\)\..*/\1/p' "$top/configure.ac")

# The names of the list FILE, each in the node of the version that published it, or else of this one.
exports_expected() { # PREFIX FILE
    awk -v node="$1_$node_version" '
        NR == FNR { split($2, part, "@@"); if ($1 == "export") at[part[1]] = part[2]; next }
        { print $1 "@@" ($1 in at ? at[$1] : node) }' "$top/tests/hipgen/promised.txt" "$2" |
        LC_ALL=C sort
}

exports_of() { # LIBRARY; NM may hold options
    ${NM:-nm} -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' |
        sed 's/^hs_forward_[0-9a-f]*@/hs_forward_CHECKSUM@/' | LC_ALL=C sort
}
