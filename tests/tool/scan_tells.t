#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim scan` tells which HIP a file was built for, what it runs on and what
# is converted, from the file alone, and survives files of any content.
# shellcheck source-path=SCRIPTDIR disable=SC2086 # CC may be several words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
newest=$(sed -n '$s/ .*//p' "$top/bindings/releases.list")

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
cc=${CC:-cc}
unset HIPSHIM_DROPIN

scan() { # ARGUMENTS
    output=$("$tool" scan "$@" 2>&1)
    status=$?
}
one_line() { # DESCRIPTION PART: refused, with one line that says why
    is "$1: exit status" $status 1
    is "$1: one line" "$(printf '%s\n' "$output" | grep -c .)" 1
    has "$1: which says why" "$output" "$2"
}

# --- files that have nothing to do with HIP ---

printf 'int main(void) { return 0; }\n' >"$scratch/empty.c"
ok "a program without HIP is built" $cc -o "$scratch/plain" "$scratch/empty.c"
scan "$scratch/plain"
is "a program without HIP: nothing is wrong" $status 0
is "a program without HIP is told" "$output" "$scratch/plain: does not use HIP"
if $cc -static -o "$scratch/static" "$scratch/empty.c" 2>/dev/null; then
    scan "$scratch/static"
    has "a static program is told" "$output" "loads no libraries, so it loads no HIP"
else
    skip "a static program is told" "this compiler makes none"
fi
scan
is "without a file, the usage is told" $status 2

# --- a made-up program for HIP 6: a renamed function, C++ names, hiprtc, a symbol nobody has ---

mkdir "$scratch/fake"
cat >"$scratch/hip.c" <<'SOURCE'
#define FUNCTION(name) int name(void); int name(void) { return 0; }
FUNCTION(hipMalloc)
FUNCTION(hipGetDevicePropertiesR0600)
FUNCTION(hipPointerGetAttributes)
FUNCTION(hipStreamGetId)
FUNCTION(_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j)
FUNCTION(_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc)
FUNCTION(_Z22hipCreateSurfaceObjectPyPK15hipResourceDesc)
FUNCTION(_Z24hipExtModuleLaunchKernelv)
FUNCTION(hipOfNobody)
SOURCE
cat >"$scratch/map" <<'MAP'
hip_4.2 { global: hipMalloc; hipPointerGetAttributes; _Z2*; hipOfNobody; local: *; };
hip_6.0 { global: hipGetDevicePropertiesR0600; } hip_4.2;
hip_7.1 { global: hipStreamGetId; } hip_6.0;
MAP
cat >"$scratch/hiprtc.c" <<'SOURCE'
int hiprtcVersion(int *major, int *minor);
int hiprtcVersion(int *major, int *minor) { return *major + *minor; }
SOURCE
build_fake() { # MAJOR
    $cc -shared -fPIC -o "$scratch/fake/libamdhip64.so.$1" -Wl,-soname,"libamdhip64.so.$1" \
        -Wl,--version-script="$scratch/map" "$scratch/hip.c" &&
        $cc -shared -fPIC -o "$scratch/fake/libhiprtc.so.$1" -Wl,-soname,"libhiprtc.so.$1" \
            "$scratch/hiprtc.c"
}
uses() { # PROGRAM MAJOR FUNCTION...: a program that calls them
    uses_program=$1
    uses_major=$2
    shift 2
    {
        printf 'int %s();\n' "$@"
        printf 'int main(void) { return 0'
        printf ' + %s(0, 0)' "$@"
        printf '; }\n'
    } >"$uses_program.c"
    $cc -w -o "$uses_program" "$uses_program.c" "$scratch/fake/libamdhip64.so.$uses_major" \
        "$scratch/fake/libhiprtc.so.$uses_major"
}
mangled=_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j
ok "libraries are built" build_fake 6
scan "$scratch/fake/libamdhip64.so.6"
has "a runtime that lacks most functions is not taken for AMD's" "$output" \
    "  beware         it exports 3 of the "
ok "a program for HIP 6 is built" uses "$scratch/six" 6 hipMalloc hipGetDevicePropertiesR0600 \
    hipPointerGetAttributes $mangled hiprtcVersion
scan "$scratch/six"
is "HIP 6: exit status" $status 0
has "HIP 6: its major and oldest minor" "$output" \
    "was built for HIP 6 (libamdhip64.so.6, not before hip_6.0)"
has "HIP 6: what it runs on" "$output" "as it is       on 6.0.32830 to 6.4.43484"
has "HIP 6: and with drop-ins" "$output" \
    "with drop-ins  on 5.0.13601 to $newest, all 5 symbols it needs are served"
has "HIP 6: what is converted on older ones" "$output" \
    "converted      hipGetDevicePropertiesR0600 on 5.0.13601 to 5.7.31921"
has "HIP 6: what changed without a new name" "$output" \
    "converted      hipPointerGetAttributes on 5.0.13601 to 5.7.31921"
has "HIP 6: a change that was taken back counts on the releases that have it" "$output" \
    "converted      hiprtcVersion on 5.3.22061 to 5.3.22062"
lacks "HIP 6: and nothing else" "$output" "hipMalloc"
HIPSHIM_DROPIN=$scratch/fake
export HIPSHIM_DROPIN
scan "$scratch/six"
has "libraries that are no drop-ins are not taken for such" "$output" "is not hipshim's drop-in"
unset HIPSHIM_DROPIN
ok "one with a function that nobody has is built" uses "$scratch/odd" 6 hipMalloc hipOfNobody
scan "$scratch/odd"
has "a function that nobody has is named" "$output" "not served     hipOfNobody@hip_4.2"
has "and nothing runs it" "$output" "with drop-ins  on none: of the 2 symbols it needs, 1 are not"
ok "libraries of HIP 7 are built" build_fake 7
ok "a program for HIP 7 is built" uses "$scratch/seven" 7 hipMalloc hipStreamGetId
scan "$scratch/seven"
has "HIP 7: what is missing on older ones" "$output" \
    "missing        hipStreamGetId on 5.0.13601 to 7.0.51831"
has "HIP 7: what it runs on" "$output" "as it is       on 7.1.25424 to $newest"
ok "libraries of HIP 5 are built" build_fake 5
ok "a C++ program for HIP 5.2 is built" uses "$scratch/five" 5 hipMalloc \
    _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc
scan "$scratch/five"
has "HIP 5: the C++ name of a function is in the libraries without its C name" "$output" \
    "as it is       on 5.1.20531 to 5.6.31062"
has "HIP 5: the drop-in serves it" "$output" \
    "with drop-ins  on 5.0.13601 to $newest, all 2 symbols it needs are served"
lacks "HIP 5: and no release lacks it" "$output" "hipCreateSurfaceObject"
ok "a C++ program for HIP 5.0 is built" uses "$scratch/first" 5 hipMalloc \
    _Z22hipCreateSurfaceObjectPyPK15hipResourceDesc
scan "$scratch/first"
has "HIP 5: a C++ name with other types of parameters is another name" "$output" \
    "as it is       on 5.0.13601
"
ok "a program with a C++ name that nobody has is built" uses "$scratch/types" 5 hipMalloc \
    _Z24hipExtModuleLaunchKernelv
scan "$scratch/types"
has "HIP 5: a C++ name with types that no release has runs nowhere" "$output" \
    "as it is       on no release known to hipshim"
$cc -w -shared -fPIC -o "$scratch/unnamed.so" "$scratch/six.c"
scan "$scratch/unnamed.so"
has "a plugin that names no library is told" "$output" "calls HIP and names no release"

# --- the bare name, as in PyTorch's wheels ---

mkdir "$scratch/bare"
ok "a runtime with the bare name is built" $cc -shared -fPIC -o "$scratch/bare/libamdhip64.so" \
    -Wl,-soname,libamdhip64.so -Wl,--version-script="$scratch/map" "$scratch/hip.c"
printf 'int hipStreamGetId(void);\nint use(void) { return hipStreamGetId(); }\n' >"$scratch/bare.c"
ok "a library that needs it is built" $cc -shared -fPIC -o "$scratch/bare/libuse.so" \
    "$scratch/bare.c" "$scratch/bare/libamdhip64.so"
scan "$scratch/bare"
has "a runtime with the bare name is told by its version nodes" "$output" \
    "libamdhip64.so: is a real runtime of HIP 7 (libamdhip64.so, up to hip_7.1)"
has "the oldest release of a library that needs it is told" "$output" \
    "the program that loads it does (libamdhip64.so, not before hip_7.1)"

for file in five:libamdhip64.so.5:5 seven:libhiprtc.so.7:7; do
    library=${file#*:}
    scan "$build/dropin/${library%:*}"
    has "a drop-in is told from a runtime (${library%:*})" "$output" \
        "is hipshim's drop-in for HIP ${file##*:}"
done
scan "$build/.libs/libhipshim.so.0"
holds="holds libhipshim, and so starts on every release"
is "libhipshim itself is told" "$output" "$build/.libs/libhipshim.so.0: $holds"
printf 'extern int hipshim_hipMalloc(void **p, unsigned long n);\nint main(void) { void *p; return hipshim_hipMalloc(&p, 1); }\n' >"$scratch/calls.c"
if [ -f "$build/.libs/libhipshim.a" ]; then
    # shellcheck disable=SC2086 # lists
    for form in program:-O1 plugin:-shared\ -fPIC collected:-Wl,--gc-sections static:-static; do
        if $cc ${form#*:} -o "$scratch/holds-${form%%:*}" "$scratch/calls.c" "$build/.libs/libhipshim.a" -ldl 2>/dev/null; then
            strip "$scratch/holds-${form%%:*}"
            scan "$scratch/holds-${form%%:*}"
            is "what holds libhipshim.a is told (${form%%:*}), also when it was stripped" "$output" \
                "$scratch/holds-${form%%:*}: $holds"
        else
            skip "what holds libhipshim.a is told (${form%%:*})" "this compiler makes none"
        fi
    done
    scan --json "$scratch/holds-program"
    has "--json: what holds libhipshim.a is told" "$output" '"kind": "holds-libhipshim"'
else
    skip "what holds libhipshim.a is told" "no static library was built"
fi

# --- JSON ---

"$tool" scan --json "$scratch/six" "$scratch/plain" "$scratch/empty.c" >"$scratch/json" 2>/dev/null
is "--json: the exit status is the same" $? 1
cat >"$scratch/read.py" <<'SOURCE'
import json
import sys

six, plain, text = json.load(open(sys.argv[1], encoding="utf-8"))
assert six["major"] == 6 and six["kind"] == "uses" and six["error"] is None
assert six["as_it_is"] == {"oldest": "6.0.32830", "newest": "6.4.43484"}
by_name = {one["name"]: one for one in six["functions"]}
assert by_name["hipExtModuleLaunchKernel"]["symbol"].startswith("_Z24")
assert by_name["hiprtcVersion"]["version"] is None
assert "5.7.31921" in by_name["hipGetDevicePropertiesR0600"]["converted"]
assert all(one["served"] for one in six["functions"])
assert plain["kind"] == "none" and text["error"].startswith("it is not an ELF file and not")
SOURCE
ok "--json: programs can read it" "${PYTHON:-python3}" "$scratch/read.py" "$scratch/json"

# --- a library like those of ROCm: gigabytes of GPU code in the segment of the symbols ---

cat >"$scratch/enlarge.py" <<'SOURCE'
import os
import struct
import sys

# Lets the segment that holds the symbols reach over 300 MB more, which take no room on the disk.
size = os.path.getsize(sys.argv[1]) + (300 << 20)
with open(sys.argv[1], "r+b") as file:
    (headers,) = struct.unpack("<32xQ", file.read(40))
    (count,) = struct.unpack("<56xH", (file.seek(0), file.read(58))[1])
    for at in range(headers, headers + 56 * count, 56):
        file.seek(at)
        kind, offset = struct.unpack("<I4xQ", file.read(16))
        if kind == 1 and offset == 0:
            file.seek(at + 32)
            file.write(struct.pack("<Q", size))
            break
    file.truncate(size)
SOURCE
cp "$scratch/six" "$scratch/large"
ok "a program grows" "${PYTHON:-python3}" "$scratch/enlarge.py" "$scratch/large"
scan "$scratch/large"
has "a large segment with the symbols is no obstacle" "$output" \
    "was built for HIP 6 (libamdhip64.so.6, not before hip_6.0)"

# --- files that would do harm ---

scan "$scratch/absent"
one_line "a file that is not there" "absent: No such file or directory"
: >"$scratch/nothing"
scan "$scratch/nothing"
one_line "an empty file" "the file is empty"
mkfifo "$scratch/fifo"
scan "$scratch/fifo"
one_line "a FIFO" "it is not a regular file"
printf '\177ELF\001\001\001\0\0\0\0\0\0\0\0\0\003\0\003\0\001\0\0\0%052d' 0 >"$scratch/i386"
scan "$scratch/i386"
one_line "a 32-bit file" "it is for 32-bit machines"
head -c 1000 "$scratch/six" >"$scratch/short"
scan "$scratch/short"
one_line "a file cut short" "the file is cut short"
scan "$scratch/six.c" "$scratch/plain"
is "one bad file among good ones: exit status" $status 1
has "one bad file among good ones: the good ones are told" "$output" "plain: does not use HIP"
# --- programs and runtimes of real releases ---

spans() { # RELEASE OLDEST [to NEWEST]: in the order of bindings/releases.list
    awk -v one="$1" -v oldest="$2" -v newest="${4:-$2}" '
        $1 == oldest { inside = 1 }
        $1 == one { found = inside }
        $1 == newest { inside = 0 }
        END { exit !found }' "$top/bindings/releases.list"
}

for release in $real_releases; do
    [ -d "${HIPSHIM_RUNTIMES:-$build/runtimes}/$release" ] || {
        skip "HIP $release: its programs are told" "no real runtime of it (tests/lib/fetch-runtimes gets it)"
        continue
    }
    dropin_find "$release"
    ok "HIP $release: a plugin is built" dropin_compile "$release" "$scratch/plugin-$release.so" \
        -fPIC -shared "$top/tests/dropin/programs/plugin.c"
    scan "$scratch/plugin-$release.so"
    has "HIP $release: what its plugin was built for is told" "$output" \
        "was built for HIP $dropin_major (libamdhip64.so.$dropin_major"
    # shellcheck disable=SC2046 # "OLDEST to NEWEST", or one release
    ok "HIP $release: its plugin runs there as it is" spans "$real_release" \
        $(printf '%s\n' "$output" | sed -n 's/.*as it is *on//p')
    has "HIP $release: and everywhere with drop-ins" "$output" "on 5.0.13601 to $newest, all "
    scan "$dropin_hip"
    has "HIP $release: its runtime is told" "$output" "is a real runtime of HIP $dropin_major ("
    lacks "HIP $release: and is AMD's" "$output" beware
done
finish
