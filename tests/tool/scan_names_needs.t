#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim scan` names what a file needs besides HIP's symbols: libraries of ROCm that change, a HIP
# that its package brings or that it opens by name, and runtimes that read its code for GPUs.
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
library() { # FILE SONAME SOURCE [ARGUMENTS]
    library_file=$1
    library_name=$2
    library_source=$3
    shift 3
    printf '%s\n' "$library_source" >"$scratch/source.c"
    $cc -w -shared -fPIC -o "$library_file" -Wl,-soname,"$library_name" "$scratch/source.c" "$@"
}

# --- libraries of ROCm ---

mkdir "$scratch/lib"
printf 'hip_4.2 { global: *; };\n' >"$scratch/map"
hip=$scratch/lib/libamdhip64.so.6
ok "a library of HIP 6 is built" library "$hip" libamdhip64.so.6 'int hipMalloc(void) { return 0; }' \
    -Wl,--version-script="$scratch/map"
for soname in libhipblas.so.2 libhiprand.so.1 libhipsolver.so.0 librocm_smi64.so.99 libother.so.1; do
    ok "$soname is built" library "$scratch/lib/$soname" $soname "int ${soname%%.*}(void) { return 0; }"
done
use='int hipMalloc(void); int use(void) { return hipMalloc(); }'
ok "a client of six libraries is built" library "$scratch/libuse.so" libuse.so "$use" \
    -Wl,--no-as-needed "$hip" "$scratch"/lib/lib[hro]*.so.*
scan "$scratch/libuse.so"
has "a library with another soname on other ROCm releases is named" "$output" \
    "  needs          libhipblas.so.2 of ROCm 6, which ROCm 5 and 7 do not have; its ABI changes with 6 and 7"
has "a library with another soname and the same ABI is named" "$output" \
    "  needs          libhipsolver.so.0 of ROCm 5 and 6, which ROCm 7 does not have; its ABI stays the same"
has "a library that every ROCm has is named" "$output" \
    "  needs          libhiprand.so.1, which ROCm 5, 6 and 7 have; its ABI stays the same"
has "a soname that no table has is named" "$output" \
    "  needs          librocm_smi64.so.99, which no ROCm known to hipshim has"
lacks "a library that is not ROCm's is not named" "$output" libother

# --- code for GPUs ---

cat >"$scratch/append.py" <<'SOURCE'
"""append.py FILE KIND...: appends heads of code objects, which are all that `scan` reads."""
import ctypes
import struct
import sys

AMDGPU, GFX90A, GFX942, UNKNOWN = 224, 0x3F, 0x4C, 0xEE


def code(version, machine):
    ident = b"\177ELF\2\1\1\x40" + bytes([version - 2]) + bytes(7)
    return ident + struct.pack("<HHIQQQIHHHHHH", 3, AMDGPU, 1, 0, 64, 0, machine, 64, 56, 0, 64, 0, 0)


def bundle(format_number):
    plain = b"__CLANG_OFFLOAD_BUNDLE__".ljust(4096, b"\0") + code(5, GFX942).ljust(4096, b"\0")
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(len(plain) + 1024)
    size = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), plain, ctypes.c_size_t(len(plain)), 3)
    sizes = "<QQ8x" if format_number == 3 else "<II8x"
    head = 8 + struct.calcsize(sizes)
    return b"CCOB" + struct.pack("<HH", format_number, 1) + struct.pack(sizes, head + size, len(plain)) + room.raw[:size]


data = open(sys.argv[1], "rb").read()
for kind in sys.argv[2:]:
    data += bytes(-len(data) % 4096)
    data += {
        "v4": code(4, GFX90A),
        "v6": code(6, GFX90A) + code(6, GFX942) + code(6, GFX90A) + code(6, UNKNOWN),
        "format2": bundle(2),
        "format3": bundle(3),
        "text": b"CCOB, and \177ELF are words",
    }[kind] if kind != "far" else bytes((3 << 20) - 4) + code(6, GFX90A)
open(sys.argv[1], "wb").write(data)
SOURCE
append() { # FILE KIND...
    cp "$scratch/libuse.so" "$scratch/$1"
    append_file=$1
    shift
    "$python" "$scratch/append.py" "$scratch/$append_file" "$@"
}
ok "code objects are put into libraries" append libv6.so v6 v4 text
scan "$scratch/libv6.so"
has "code objects of version 6 are named with the releases that read them" "$output" \
    "  code objects   version 6 (gfx90a, gfx942, machine 0xee): read by HIP 6.2 and later; from 5.3 on through hipshim, unless the target is generic"
has "code objects of version 4 are named" "$output" \
    "  code objects   version 4 (gfx90a): read by every known HIP"
lacks "words are no compressed bundle" "$output" compressed
ok "a code object far behind is put into a library" append libfar.so far
scan "$scratch/libfar.so"
has "a code object far behind is found" "$output" "version 6 (gfx90a)"
if "$python" -c 'import ctypes; ctypes.CDLL("libzstd.so.1")' 2>/dev/null; then
    ok "compressed bundles are put into a library" append libpacked.so format2 format3
    scan "$scratch/libpacked.so"
    has "compressed bundles of format 2 are named" "$output" \
        "  code objects   compressed in format 2: read by HIP 6.2 and later; hipshim unpacks it for others"
    has "compressed bundles of format 3 are named" "$output" \
        "  code objects   compressed in format 3: read by HIP 7.0 and later; hipshim unpacks it for others"
    has "the code objects in a compressed bundle are named" "$output" \
        "  code objects   version 5 (gfx942): read by HIP 5.3 and later"
else
    skip "compressed bundles are named" "there is no libzstd.so.1"
fi

# --- a HIP that the package brings ---

mkdir "$scratch/bundled"
own=libamdhip64-69e34bce.so.7.14.60850-0000000
foreign=libother-69e34bce.so.1
ok "another bundled library is built" library "$scratch/bundled/$foreign" $foreign 'int other;'
sed 's/hip_4.2/hip_7.1/' "$scratch/map" >"$scratch/map7"
ok "a bundled runtime is built" library "$scratch/bundled/$own" $own 'int hipMalloc(void) { return 0; }' \
    -Wl,--version-script="$scratch/map7"
ok "its client is built" library "$scratch/bundled/libuse.so" libuse.so "$use" -Wl,--no-as-needed "$scratch/bundled/$own" "$scratch/bundled/$foreign"
printf 'libamdhip64.so.7\n' >>"$scratch/bundled/libuse.so" # as patchelf leaves it
scan "$scratch/bundled"
lacks "other bundled libraries are not told" "$output" "$foreign:"
lacks "the former name of a bundled library is not one that is opened" "$output" " opens "
has "a runtime with a mangled name is told" "$output" \
    "$own: is a real runtime of HIP 7 ($own, up to hip_7.1)"
has "it is told that no drop-in can replace it" "$output" \
    "  bundled        its package brings this library under a name of its own, which a drop-in cannot replace"
has "its client is told" "$output" "libuse.so: uses $own, the HIP that its package brings"
has "it is told that no drop-in can serve its client" "$output" \
    "  with drop-ins  on none: a drop-in cannot replace a library that the package brings under a name of its own"

# --- a HIP that is opened by name ---

mkdir "$scratch/opens"
ok "a library that opens HIP by name is built" library "$scratch/opens/libopens.so" libopens.so \
    'const char *names[] = {"/opt/rocm/lib/libamdhip64.so", "libhiprtc.so.6"};'
printf 'import ctypes\nhip = ctypes.CDLL("libamdhip64.so")\n' >"$scratch/opens/driver.py"
printf 'import os\n' >"$scratch/opens/other.py"
scan "$scratch/opens"
is "opening HIP by name is nothing wrong" $status 0
has "a library that opens HIP by name is told" "$output" "libopens.so: opens HIP by name"
has "the name without a number is told with the command that serves it" "$output" \
    "  opens          libamdhip64.so by name: \`hipshim run --abi N\` chooses its HIP"
has "the name with a number is told with the command that serves it" "$output" \
    "  opens          libhiprtc.so.6 by name: \`hipshim run --abi 6\` serves it"
has "a Python file that opens HIP by name is told" "$output" "driver.py: opens HIP by name"
lacks "other Python files are not told" "$output" other.py
lacks "a library is not said to open what it is linked to" "$(timeout 60 "$tool" scan "$scratch/libuse.so")" " opens "
(cd "$scratch" && "$python" -m zipfile -c opens.whl opens/driver.py opens/libopens.so)
if "$python" -c 'import ctypes; ctypes.CDLL("libarchive.so.13")' 2>/dev/null; then
    scan "$scratch/opens.whl"
    has "files of a wheel that open HIP by name are told" "$output" "driver.py: opens HIP by name"
else
    skip "files of a wheel that open HIP by name are told" "there is no libarchive.so.13"
fi

# --- JSON ---

"$tool" scan --json "$scratch/libv6.so" "$scratch/bundled" "$scratch/opens" >"$scratch/json"
cat >"$scratch/read.py" <<'SOURCE'
import json
import sys

v6, runtime, client, python, library = json.load(open(sys.argv[1], encoding="utf-8"))
blas = next(one for one in v6["siblings"] if one["library"] == "libhipblas.so.2")
assert blas["rocm"] == [6] and blas["abi_changes"] == [6, 7]
assert v6["code_objects"][1] == {
    "version": 6, "targets": ["gfx90a", "gfx942", "machine 0xee"], "read_from": "6.2"}
assert v6["compressed_bundles"] == [] and v6["opens"] == [] and not v6["bundled"]
assert runtime["kind"] == "runtime" and runtime["bundled"]
assert client["kind"] == "bundled" and client["bundled"]
assert python["kind"] == "opens" and python["opens"] == ["libamdhip64.so"]
assert library["opens"] == ["libamdhip64.so", "libhiprtc.so.6"]
SOURCE
ok "--json: programs can read it" "$python" "$scratch/read.py" "$scratch/json"
finish
