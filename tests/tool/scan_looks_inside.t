#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim scan` finds what uses HIP in directories, wheels, Debian and RPM packages and tar
# archives, and survives packages of any content.
# shellcheck source-path=SCRIPTDIR disable=SC2086 # CC may be several words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
cc=${CC:-cc}
python=${PYTHON:-python3}
unset HIPSHIM_DROPIN

scan() { # ARGUMENTS
    output=$(timeout 60 "$tool" scan "$@" 2>&1)
    status=$?
}
findings() { printf '%s\n' "$output" | grep -v '^  '; }
one_line() { # DESCRIPTION PART: refused, with one line that says why
    is "$1: exit status" $status 1
    is "$1: one line" "$(printf '%s\n' "$output" | grep -c .)" 1
    has "$1: which says why" "$output" "$2"
}
write() { # PACKAGE ACTION...: by packages.py
    ok "a package is made: $1 $2" "$python" "$top/tests/tool/packages.py" "$scratch/$1" "$scratch" \
        "$2"
}

# --- what lies in them ---

mkdir -p "$scratch/tree/lib" "$scratch/tree/bin" "$scratch/fake" "$scratch/outside"
printf 'int hipMalloc(void) { return 0; }\n' >"$scratch/hip.c"
printf 'int hipMalloc(void);\nint use(void) { return hipMalloc(); }\n' >"$scratch/use.c"
printf 'int main(void) { return 0; }\n' >"$scratch/main.c"
printf 'hip_4.2 { global: *; };\n' >"$scratch/map"
ok "libraries are built" $cc -shared -fPIC -o "$scratch/fake/libamdhip64.so.6" \
    -Wl,-soname,libamdhip64.so.6 -Wl,--version-script="$scratch/map" "$scratch/hip.c"
lib=$scratch/tree/lib/libuse.so.1
ok "a library that uses HIP is built" $cc -shared -fPIC -o "$lib" "$scratch/use.c" \
    "$scratch/fake/libamdhip64.so.6"
ok "a program without HIP is built" $cc -o "$scratch/tree/bin/plain" "$scratch/main.c"
ok "an object file is built" $cc -c -o "$scratch/tree/lib/object.o" "$scratch/use.c"
found="was built for HIP 6 (libamdhip64.so.6)"

# --- directories ---

ln -s .. "$scratch/tree/circle"
ln -s ../../outside "$scratch/tree/lib/out"
ln -s libuse.so.1 "$scratch/tree/lib/libuse.so"
cp "$lib" "$scratch/outside/libother.so"
printf 'text\n' >"$scratch/tree/README"
mkfifo "$scratch/tree/fifo"
scan "$scratch/tree"
is "a directory: exit status" $status 0
is "a directory: what uses HIP in it, once, and nothing else" "$(findings)" "$lib: $found"
has "a directory: the releases of a finding" "$output" "  as it is       on 6.0.32830 to"
scan "$scratch/tree/bin"
is "a directory without HIP" "$output" \
    "$scratch/tree/bin: has no file that is linked to HIP or names it; scan the packages that it needs, too"
ln -s tree "$scratch/link"
scan "$scratch/link"
is "a directory that is named by a link is followed" "$(findings)" "$scratch/link/lib/libuse.so.1: $found"
mkdir "$scratch/broken"
head -c 600 "$lib" >"$scratch/broken/libshort.so"
cp "$lib" "$scratch/broken/libwhole.so"
scan "$scratch/broken"
is "a damaged library in a directory: exit status" $status 1
has "a damaged library in a directory is named" "$output" "libshort.so: the file is cut short"
has "a damaged library in a directory hides no other" "$output" "libwhole.so: $found"
rm "$scratch/tree/fifo"

# --- packages ---

if ! "$python" -c 'import ctypes; ctypes.CDLL("libarchive.so.13")' 2>/dev/null; then
    scan "$scratch/main.c"
    one_line "without libarchive" "install libarchive 3 (libarchive13 of Debian)"
    skip "packages are scanned" "there is no libarchive.so.13"
    finish
    exit 0
fi
for kind in stored deflated zip64 apart; do
    write "$kind.whl" $kind
    scan "$scratch/$kind.whl"
    is "a wheel ($kind): exit status" $status 0
    is "a wheel ($kind): what uses HIP in it" "$(findings)" \
        "$scratch/$kind.whl:torch/lib/libuse.so.1: $found"
done
write many.whl many
scan "$scratch/many.whl"
is "members are reported in their order" "$(findings | sed 's/.*whl:\(.*\): was.*/\1/' | tr '\n' ' ')" \
    "$(for i in 0 1 2 3 4 5 6 7 8 9; do printf 'lib%s.so ' $i; done)"
write odd.whl odd
scan "$scratch/odd.whl"
is "a damaged library in a wheel: exit status" $status 1
has "a damaged library in a wheel is named" "$output" "odd.whl:lib/odd.so: the file is cut short"
has "a damaged library in a wheel hides no other" "$output" "odd.whl:lib/whole.so: $found"
write names.whl names
scan "$scratch/names.whl"
is "names with .. are only shown, and control characters are not" "$(findings)" \
    "$scratch/names.whl:../../evil.so: $found
$scratch/names.whl:a?b.so: $found"
write plain.whl plain
scan "$scratch/plain.whl"
is "a wheel without HIP" "$output" "$scratch/plain.whl: has no file that is linked to HIP or names it; scan the packages that it needs, too"
write use.rpm rpm
tar -C "$scratch" -czf "$scratch/use.tar.gz" tree/lib/libuse.so.1
for package in use.rpm use.tar.gz; do
    scan "$scratch/$package"
    is "$package: what uses HIP in it" "$(findings)" "$scratch/$package:tree/lib/libuse.so.1: $found"
done
if command -v dpkg-deb >/dev/null; then
    mkdir -p "$scratch/deb/DEBIAN" "$scratch/deb/usr/lib"
    cp "$lib" "$scratch/deb/usr/lib"
    printf 'Package: use\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: use\n' \
        >"$scratch/deb/DEBIAN/control"
    for compression in none gzip xz zstd; do
        dpkg-deb --help | grep -q "$compression" || continue
        deb=$scratch/$compression.deb
        ok "a Debian package is built ($compression)" \
            dpkg-deb --root-owner-group -Z$compression --build "$scratch/deb" "$deb"
        scan "$deb"
        is "a Debian package ($compression): what uses HIP in it" "$(findings)" \
            "$deb:./usr/lib/libuse.so.1: $found"
    done
    mkdir "$scratch/deb/usr/share"
    head -c 200000 /dev/urandom >"$scratch/deb/usr/share/data"
    dpkg-deb --root-owner-group -Znone --build "$scratch/deb" "$scratch/whole.deb" >/dev/null
    head -c -60000 "$scratch/whole.deb" >"$scratch/short.deb"
    scan "$scratch/short.deb"
    has "a Debian package that is cut short: what comes before is found" "$output" \
        "$scratch/short.deb:./usr/lib/libuse.so.1: $found"
    has "a Debian package that is cut short: the reason" "$output" "Truncated input file"
else
    skip "a Debian package" "there is no dpkg-deb"
fi
mkdir "$scratch/house"
cp "$scratch/stored.whl" "$scratch/house"
printf 'text\n' >"$scratch/house/text.txt"
scan "$scratch/house"
is "a wheel in a directory is looked into" "$(findings)" \
    "$scratch/house/stored.whl:torch/lib/libuse.so.1: $found"

"$tool" scan --json "$scratch/tree" "$scratch/many.whl" "$scratch/plain.whl" >"$scratch/json"
cat >"$scratch/read.py" <<'SOURCE'
import json
import sys

tree, *many, plain = json.load(open(sys.argv[1], encoding="utf-8"))
assert tree["file"].endswith("/tree/lib/libuse.so.1") and tree["member"] is None
assert [one["member"] for one in many] == [f"lib{i}.so" for i in range(10)]
assert all(one["file"].endswith("/many.whl") and one["kind"] == "uses" for one in many)
assert all(one["functions"] == tree["functions"] and one["major"] == 6 for one in many)
assert plain["kind"] == "none" and plain["member"] is None and plain["error"] is None
SOURCE
ok "--json: programs can read it" "$python" "$scratch/read.py" "$scratch/json"

# --- packages that would do harm ---

write bomb.whl bomb
scan "$scratch/bomb.whl"
is "a wheel that claims 90 GB: exit status" $status 1
has "a wheel that claims 90 GB: one line says why" "$output" \
    "$scratch/bomb.whl: its members would unpack to more than 1 GiB, the limit for its size"
for kind in notes symbols; do
    write $kind.whl $kind
    started=$(date +%s)
    scan "$scratch/$kind.whl"
    ok "a small wheel that is made to take hours ends in seconds ($kind)" \
        test $(($(date +%s) - started)) -lt 15
done
has "a library with too many symbols is named" "$output" "it would have 3000000 symbols"
write twice.whl twice
started=$(date +%s)
scan "$scratch/twice.whl"
ok "a name that is needed 500,000 times is looked up once" test $(($(date +%s) - started)) -lt 10
has "a library that needs a name many times is told" "$output" "was built for HIP 6"
write encrypted.whl encrypted
scan "$scratch/encrypted.whl"
one_line "an encrypted wheel" "encrypted.whl: its members are encrypted"
write long.whl long
scan "$scratch/long.whl"
one_line "a member that is shorter than the wheel says" "is shorter or longer than"
write divided.whl divided
scan "$scratch/divided.whl"
is "symbols that lie in two segments are read" "$(findings)" \
    "$scratch/divided.whl:torch/lib/libuse.so.1: $found"
head -c 1500 "$scratch/deflated.whl" >"$scratch/short.whl"
scan "$scratch/short.whl"
one_line "a wheel that is cut short" "it is a zip file that is cut short or damaged"
head -c 1500 "$scratch/use.tar.gz" >"$scratch/short.tar.gz"
scan "$scratch/short.tar.gz"
one_line "an archive that is cut short" "truncated gzip"
scan "$scratch/main.c" "$scratch/plain.whl"
is "a text among good ones: exit status" $status 1
has "a text among good ones is named" "$output" "main.c: it is not an ELF file and not a readable package"
has "a text among good ones hides none" "$output" "plain.whl: has no file"
mkdir "$scratch/none"
: >"$scratch/none/libarchive.so.13"
LD_LIBRARY_PATH=$scratch/none${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} scan "$scratch/plain.whl"
one_line "without libarchive" "install libarchive 3 (libarchive13 of Debian)"

program=$build/.libs/hipshim
[ -f "$program" ] || program=$tool
has "packagers see that it opens libarchive" "$(readelf -p .note.dlopen "$program" 2>&1)" \
    libarchive.so.13
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
if $cc $sanitizers -o "$scratch/sanitized" "$scratch/main.c" 2>/dev/null && "$scratch/sanitized"; then
    ok "what reads files compiles with sanitizers" $cc -std=gnu11 -D_GNU_SOURCE -g -O1 $sanitizers \
        -I"$top/src" -o "$scratch/mutations" "$top/tests/dropin/programs/elf_mutations.c" \
        "$top/src/elf/file.c" "$top/src/elf/file_reader.c" "$top/src/elf/file_symbols.c" "$top/src/elf/notes.c" \
        "$top/src/tool/scan/package.c" "$top/src/tool/scan/code.c" "$top/src/base/program.c" \
        "$top/src/base/zstd.c" -ldl
    cp "$lib" "$scratch/libcode.so.1"
    for at in 1 2 3; do
        printf 'CCOB\%o\0\1\0%060d\177ELF\2%060d\340libamdhip64.so.6.\0' $at 0 0
    done >>"$scratch/libcode.so.1"
    for file in "$lib" "$scratch/libcode.so.1" "$scratch/fake/libamdhip64.so.6" "$scratch/stored.whl" \
        "$scratch/deflated.whl" "$scratch/use.rpm" "$scratch/use.tar.gz" "$scratch/none.deb"; do
        [ -f "$file" ] || continue
        # Each package is opened anew, with libarchive.
        case $file in *.so.*) count=2000 ;; *) count=300 ;; esac
        ok "$count damaged copies of ${file##*/} do no harm" \
            timeout 120 "$scratch/mutations" "$file" "$scratch/damaged" $count
    done
else
    skip "damaged files do no harm" "this compiler has no sanitizers"
fi
finish
