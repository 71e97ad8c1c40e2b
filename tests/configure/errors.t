#!/bin/sh
# SPDX-License-Identifier: MIT
# What configure cannot work with it says in one clear text, with a non-zero
# status and nothing on standard output.
# shellcheck disable=SC2016 # dollars that no shell may expand
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

plan 28

# configure itself refuses these before it looks for a compiler.
mkdir "$scratch/configured"
newline='
'
for odd in '/opt/a b' "/opt/a${newline}b" "/opt/a'b" '/opt/a"b' '/opt/a$b' '/opt/a`b' '/opt/a;b' '/opt/a\b'; do
    run sh -c 'cd "$1" && "$2" "--prefix=$3" 2>&1' - "$scratch/configured" "$top/configure" "$odd"
    has "a prefix with an odd character is refused" "$(cat "$scratch/output")" \
        "configure: error: --prefix=$odd: make and libtool cannot install"
done
run sh -c 'cd "$1" && "$2" "--libdir=\${exec_prefix}/lib dir" 2>&1' - "$scratch/configured" "$top/configure"
has "so is another directory, whose option is named" "$(cat "$scratch/output")" \
    'error: --libdir=${exec_prefix}/lib dir: make'
run sh -c 'cd "$1" && "$2" --libdir=\${exec_prefix}/lib64 --with-hip-patch= 2>&1' - "$scratch/configured" "$top/configure"
has "a --with-hip-patch without a number is refused" "$(cat "$scratch/output")" "--with-hip-patch=: no number"
lacks "a variable of make in a directory is fine" "$(cat "$scratch/output")" "cannot install"

p=$scratch/p
detect "--with-hip=$p"
has "a prefix that does not exist" "$status $stderr" "1 detect-hip: error: --with-hip=$p: no such directory"

mkdir "$p"
detect "--with-hip=$p"
has "an empty prefix" "$status $stderr" "1 detect-hip: error: --with-hip=$p: no HIP release found"
has "with the files looked for" "$stderr" "$p/share/hip/version"
detect "--with-hip=$p" --with-hip-patch=43484
is "an empty prefix is none with --with-hip-patch either" $status 1

header "$p/include/hip" 6.4.43484
library "$p/lib" 5
detect "--with-hip=$p"
is "header and library of different majors" $status 1
has "names the header" "$stderr" "release 6.4.43484: $p/include/hip/hip_version.h"
has "and the library" "$stderr" "major 5: $p/lib/libamdhip64.so.5"
is "and prints nothing to be used" "$detect_out" ""
HIP_PATH=$p
export HIP_PATH
detect
has "the same without --with-hip" "$status $stderr" "1 detect-hip: error: $p holds"
unset HIP_PATH

rm -r "${p:?}/lib"
library "$p/lib" 7 .2.70200
rm "$p/lib/libamdhip64.so.7"
ln -sf libamdhip64.so.7.2.70200 "$p/lib/libamdhip64.so"
detect "--with-hip=$p"
has "a bare link is taken at what it links to" "$status $stderr" "major 7: $p/lib/libamdhip64.so"

rm -r "${p:?}/lib"
detect "--with-hip=$p"
has "headers alone are enough, with a warning" "$status $stderr" "0 detect-hip: warning: $p has HIP headers but no libamdhip64.so.6"

rm -r "${p:?}/include"
library "$p/lib" 6
detect "--with-hip=$p" --with-hip-patch=43484
is "a library alone is enough with --with-hip-patch" "$status $hip_bindings $hip_library" "0 43484 $p/lib/libamdhip64.so.6"

detect --with-hip-patch=6.4
is "a patch that is no number" $status 2
printf 'not a list\n' >"$releases"
detect
has "a list that is none" "$status $stderr" "not a list of releases"
rm "$releases"
detect
has "no list" "$status $stderr" "2 detect-hip: cannot read the list of releases"

# A compiler for which a pointer has 4 bytes.
mkdir "$scratch/narrow"
cat >"$scratch/narrow/cc" <<END
#!/bin/sh
exec ${CC:-cc} '-Dsizeof(x)=4' "\$@"
END
chmod +x "$scratch/narrow/cc"
if [ -x "$top/configure" ]; then
    (cd "$scratch/narrow" && "$top/configure" --quiet CC="$scratch/narrow/cc") >"$scratch/said" 2>&1
    is "a 32-bit compiler is refused" $? 1
    has "and the reason is said" "$(cat "$scratch/said")" "hipshim is for 64-bit machines, because ROCm is"
else
    skip "a 32-bit compiler is refused" "there is no configure"
    skip "and the reason is said" "there is no configure"
fi
