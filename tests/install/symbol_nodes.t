#!/bin/sh
# SPDX-License-Identifier: MIT
# A function that a later version adds gets a node of that version without hand work, so the
# dynamic linker and package managers can tell a library that is too old.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2086 # CC and AWK may hold options
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=exports.sh
. "$top/tests/install/exports.sh"

[ -f "$build/.libs/libhipshim.so" ] || skip_all "no shared library was built"
cd "$scratch" || exit 99
awk=${AWK:-awk} cc=${CC:-cc}

# make_map RECORD VERSION PREFIX PATTERNS [SETTING...]
make_map() {
    record=$1 version=$2 prefix=$3 patterns=$4
    shift 4
    $awk -f "$top/scripts/symbol-map.awk" -v version="$version" -v prefix="$prefix" \
        -v names="$patterns" "$@" "$record"
}

cat >record <<'END'
export hipshim_hipFirst@@HIPSHIM_0.1
export hipshim_hipTenth@@HIPSHIM_0.10
export hipshim_hipSecond@@HIPSHIM_0.2
export hipshim_kernel_first@@HIPSHIM_KERNEL_0.1
node HIPSHIM_0.3
struct hipOther 4 4: n @0 int
END
is "each published name is in its node, each other one in the newest, and the nodes depend on each other" \
    "$(make_map record 0.11 HIPSHIM 'hipshim_*' | tr -s '\n ' ' ')" \
    "HIPSHIM_0.1 { global: hipshim_hipFirst; }; HIPSHIM_0.2 { global: hipshim_hipSecond; } HIPSHIM_0.1; HIPSHIM_0.3 { } HIPSHIM_0.2; HIPSHIM_0.10 { global: hipshim_hipTenth; } HIPSHIM_0.3; HIPSHIM_0.11 { global: hipshim_*; local: *; } HIPSHIM_0.10; "
is "libhipshim-rocm has them in nodes of the same versions" \
    "$(make_map record 0.2 HIPSHIM_ROCM 'hip* __hip*' -v forwards=1 | tr -s '\n ' ' ' | sed 's/ HIPSHIM_ROCM_0.10.*//')" \
    "HIPSHIM_ROCM_0.1 { global: hipshim_hipFirst; hipFirst; }; HIPSHIM_ROCM_0.2 { global: hipshim_hipSecond; hipSecond; hip*; __hip*; local: *; } HIPSHIM_ROCM_0.1;"

# A library of today's version, one of the next, and a program for the latter.
next=${node_version%.*}.$((${node_version#*.} + 1))
record=$top/tests/hipgen/promised.txt
printf '%s\n' 'int hipshim_version(void);' 'int hipshim_version(void) { return 1; }' >old.c
cp old.c new.c
printf '%s\n' 'int hipshim_brand_new(void);' 'int hipshim_brand_new(void) { return 2; }' >>new.c
printf '%s\n' 'int hipshim_version(void);' 'int hipshim_brand_new(void);' \
    'int main(void) { return hipshim_version() + hipshim_brand_new() - 3; }' >program.c
library() { # NAME VERSION
    mkdir -p "$1" && make_map "$record" "$2" HIPSHIM 'hipshim_*' >"$1.map" &&
        $cc -shared -fPIC -o "$1/libhipshim.so.0" "$1.c" -Wl,-soname,libhipshim.so.0 \
            -Wl,--version-script="$1.map"
}
ok "a library of this version links with the map" library old "$node_version"
ok "so does one of the next version" library new "$next"
ok "a program of the next version links" $cc -o program program.c new/libhipshim.so.0
needs=$(readelf -V --wide program)
has "it needs the node of a function that was published" "$needs" "Name: HIPSHIM_$node_version "
has "it needs the node of the next version for the new function" "$needs" "Name: HIPSHIM_$next "
ok "it runs with the next version" env LD_LIBRARY_PATH=new ./program
run env LD_LIBRARY_PATH=old ./program
has "it does not start with this version, and the reason is the node" "$(cat "$scratch/output")" \
    "version \`HIPSHIM_$next' not found"

if command -v dpkg-gensymbols >/dev/null; then
    mkdir -p debian pkg/DEBIAN pkg/usr/lib
    cp new/libhipshim.so.0 pkg/usr/lib
    printf 'Source: hipshim\n\nPackage: libhipshim0\nArchitecture: any\n' >debian/control
    {
        sed '/PRIVATE/d' "$top/debian/libhipshim0.symbols"
        echo " (symver)HIPSHIM_$next $next.0"
    } >symbols.in
    ok "dpkg-gensymbols finds each symbol covered by the pattern of its node" \
        dpkg-gensymbols -c4 -v"$next.0" -plibhipshim0 -Isymbols.in -Ppkg -Osymbols
    has "a package that uses the new function depends on the next version" \
        "$(cat symbols)" "hipshim_brand_new@HIPSHIM_$next $next.0"
else
    skip "dpkg-gensymbols finds each symbol covered by the pattern of its node" "there is no dpkg-gensymbols (dpkg-dev has it)"
    skip "a package that uses the new function depends on the next version" "there is no dpkg-gensymbols (dpkg-dev has it)"
fi
elfdeps=$(command -v elfdeps || echo /usr/lib/rpm/elfdeps)
if [ -x "$elfdeps" ]; then
    has "rpm requires the node" "$(echo ./program | "$elfdeps" --requires)" "libhipshim.so.0(HIPSHIM_$next)"
else
    skip "rpm requires the node" "there is no elfdeps (the package rpm has it)"
fi
finish
