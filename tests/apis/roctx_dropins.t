#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that were linked to libroctx64.so.1 or .so.4 run over the other one, through a drop-in.
# shellcheck source=../lib/tap.sh disable=SC2016
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

[ -e "$build/dropin/libroctx64.so.1" ] || skip_all "there is no $build/dropin/libroctx64.so.1"
cc=${CC:-cc}

# shellcheck disable=SC2086 # CC may be several words
compile() { $cc -Wall -Wextra -Werror "$@"; }
mkdir "$scratch/old" "$scratch/new"
old=$scratch/old/libroctx64.so.1 new=$scratch/new/libroctx64.so.4
new_library() { # MINOR FILE
    compile -DMAJOR=4 "-DMINOR=$1" -fPIC -shared -Wl,-soname,libroctx64.so.4 \
        "-Wl,--version-script=$scratch/new.map" "$top/tests/apis/libroctx64.c" -o "$2"
}
echo 'ROCTX_4.1 { global: roctx*; local: *; };' >"$scratch/new.map"
ok "a library as that of ROCm 5.0 compiles" compile -DOLD -DMAJOR=1 -DMINOR=7 -fPIC -shared \
    -Wl,-soname,libroctx64.so.1 "$top/tests/apis/libroctx64.c" -o "$old"
ok "a library as that of ROCm 6 compiles" new_library 7 "$new"
ok "a program for ROCm 5.0 compiles" compile -DOLD "$top/tests/apis/linked.c" "$old" -o "$scratch/for_old"
ok "a program for ROCm 6 compiles" compile "$top/tests/apis/linked.c" "$new" -o "$scratch/for_new"
ok "a program for ROCm 5.0 with a DT_RPATH compiles" compile -DOLD "$top/tests/apis/linked.c" "$old" \
    -Wl,--disable-new-dtags "-Wl,-rpath,$scratch/old" -o "$scratch/with_rpath"

# over LIBRARY PROGRAM [ARGUMENT]: what it prints with the drop-ins in place of its own library
over() {
    over_library=$1
    shift
    LD_LIBRARY_PATH=$build/dropin HIPSHIM_ROCTX_LIBRARY=$over_library timeout 60 "$@" 2>&1
}
real='version 4.1
pushed 0 1
popped 1 0
range 1'
empty='error ""'
for release in 5.7 6.4 7.2; do
    library=$(sibling_libraries "$release")/libroctx64.so.4
    if [ ! -e "$library" ]; then
        skip "programs run over the library of ROCm $release" "there is no $library (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    is "a program for ROCm 5.0 runs over ROCm $release" "$(over "$library" "$scratch/for_old")" "$real
$empty"
    is "a program for ROCm 6 runs over ROCm $release" "$(over "$library" "$scratch/for_new")" "$real"
    is "a tracer of ROCm $release sees what a program for 5.0 does" \
        "$(over "$library" "$scratch/for_old" trace)" "$real
$empty
traced 0x1f"
done

fake='pushed 111 105
popped 7 7
range 125344325566464'
fake_4="version 4.7
$fake"
fake_1="version 1.7
$fake"
is "the empty text is the drop-in's own where the library has none" "$(over "$new" "$scratch/for_old")" \
    "$fake_4
$empty"
is "the text is the library's where it has one" "$(over "$old" "$scratch/for_old")" "$fake_1
error \"of the library\""
is "a program for ROCm 6 runs over ROCm 5.0" "$(over "$old" "$scratch/for_new" trace)" "$fake_1"

# The dynamic linker answers both sonames with drop-ins, which must not take each other.
is "the library is found after the drop-ins on the library path" \
    "$(LD_LIBRARY_PATH=$build/dropin:$scratch/new "$scratch/for_old" 2>&1)" "$fake_4
$empty"
alone=$(LD_LIBRARY_PATH=$build/dropin "$scratch/for_old" 2>&1)
has "without a library a program says so" "$alone" "hipshim: libroctx64.so.1: no roctx library (libroctx64) was found"
has "without a library a program goes on" "$alone" 'version 0.0
pushed -1 -1
popped -1 -1
range 0
error ""'
is "a drop-in is no library for another one" \
    "$(over "$build/dropin/libroctx64.so.4" "$scratch/for_old" | grep -c 'hipshim itself, which needs a roctx library')" 1

# --- beside the HIP in use ---

mkdir -p "$scratch/hip/lib" "$scratch/rocm/lib"
ok "a library beside HIP compiles" new_library 1 "$scratch/hip/lib/libroctx64.so.4"
ok "one elsewhere compiles" new_library 2 "$scratch/rocm/lib/libroctx64.so.4"
ok "a HIP runtime compiles" compile -w -DFAKE_VERSION=60443484 -fPIC -shared -Wl,-soname,libamdhip64.so.6 \
    "$top/tests/loader/fake_runtime.c" -o "$scratch/hip/lib/libamdhip64.so.6"
minor() { # VARIABLE=VALUE...: the version of the library that is used
    env ROCM_PATH="$scratch/rocm" LD_LIBRARY_PATH="$build/dropin" "$@" "$scratch/for_old" 2>&1 | sed -n 's/^version //p'
}
is "without HIP the library of ROCM_PATH is used" "$(minor)" 4.2
is "the library beside a HIP that is loaded comes before it" \
    "$(minor LD_PRELOAD="$scratch/hip/lib/libamdhip64.so.6")" 4.1
is "so does the one beside a HIP that HIPSHIM_LIBRARY names" \
    "$(minor HIPSHIM_LIBRARY="$scratch/hip/lib/libamdhip64.so.6")" 4.1
is "HIPSHIM_LIBRARY may name its prefix" "$(minor HIPSHIM_LIBRARY="$scratch/hip")" 4.1
is "so does the one beside the HIP that a drop-in of HIP uses" \
    "$(minor LD_PRELOAD="$build/dropin/libamdhip64.so.5" LD_LIBRARY_PATH="$build/dropin:$scratch/hip/lib")" 4.1
mkdir "$scratch/links"
ln -s "$scratch/hip/lib/libamdhip64.so.6" "$scratch/links"
is "a link to HIP leads to the library" "$(minor HIPSHIM_LIBRARY="$scratch/links/libamdhip64.so.6")" 4.1
rm "$scratch/hip/lib/libroctx64.so.4"
is "where HIP has no library beside it, the search goes on" \
    "$(minor LD_PRELOAD="$scratch/hip/lib/libamdhip64.so.6")" 4.2

exports_of() { nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort; }
is "libroctx64.so.1 exports what AMD's does, and the tracer's function of later ones" \
    "$(exports_of "$build/dropin/libroctx64.so.1")" \
    "$(echo roctxRegisterTracerCallback | sort - "$top/generator/apis/roctx/exports/libroctx64-5.0.0.txt")"
is "libroctx64.so.4 exports what AMD's does at its version node, and what tracers of 5.0 to 5.3.0 look up" \
    "$(exports_of "$build/dropin/libroctx64.so.4")" \
    "$(printf '%s\n' RangeStackIterate@@HIPSHIM RegisterApiCallback@@ROCTX_4.1 RemoveApiCallback@@ROCTX_4.1 |
        sort - "$top/generator/apis/roctx/exports/libroctx64-5.3.0.txt")"
for number in 1 4; do
    is "libroctx64.so.$number says so itself" \
        "$(objdump -p "$build/dropin/libroctx64.so.$number" | awk '$1 == "SONAME" { print $2 }')" "libroctx64.so.$number"
done

for major in 5 6 7; do
    is "libroctx64.so in the tree of ROCm $major is the drop-in of its newest release" \
        "$(readlink -f "$build/rocm-$major/lib/libroctx64.so")" "$(readlink -f "$build/dropin/libroctx64.so.4")"
done

# --- the program hipshim ---

tool=$build/hipshim
if [ ! -x "$tool" ]; then
    skip "hipshim knows the drop-ins of roctx" "there is no program at $tool"
    finish
    exit
fi
HIPSHIM_ROCTX_LIBRARY=$new
export HIPSHIM_ROCTX_LIBRARY
is "hipshim run --abi auto lets a program find them" "$("$tool" run --abi auto "$scratch/for_old" 2>&1)" "$fake_4
$empty"
is "it does so against a DT_RPATH" "$("$tool" run --abi auto "$scratch/with_rpath" 2>&1)" "$fake_4
$empty"
is "hipshim which roctx prints the library" "$("$tool" which roctx 2>&1)" "$new"
is "hipshim which hip prints the HIP runtime" "$(HIPSHIM_LIBRARY=$build/none "$tool" which HIP 2>&1)" \
    "$(HIPSHIM_LIBRARY=$build/none "$tool" which 2>&1)"
is "hipshim which roctx writes JSON" "$("$tool" which --json roctx 2>&1)" "{
  \"library\": \"$new\"
}"
is "hipshim which roctx says why there is none" \
    "$(HIPSHIM_ROCTX_LIBRARY=$scratch/nowhere "$tool" which roctx 2>&1 | grep -c "HIPSHIM_ROCTX_LIBRARY names no usable")" 1
has "hipshim which names the APIs that it knows" "$("$tool" which nothing 2>&1)" "nothing: no such drop-in; there are HIP, amdsmi, comgr, "
has "hipshim scan says who serves the library" "$("$tool" scan "$scratch/for_old" 2>&1)" \
    'needs          libroctx64.so.1 of ROCm 5, which ROCm 6 and 7 do not have; its ABI stays the same; `hipshim run --abi` serves it'
is "hipshim scan knows a drop-in of roctx" "$("$tool" scan "$build/dropin/libroctx64.so.1" 2>&1)" \
    "$build/dropin/libroctx64.so.1: is hipshim's drop-in for libroctx64.so.1"
finish
