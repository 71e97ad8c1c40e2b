#!/bin/sh
# SPDX-License-Identifier: MIT
# Parts of one process that were built for different majors of HIP share streams
# and pointers over one runtime, through drop-ins, in whatever order they come.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}
libraries=usr/lib/x86_64-linux-gnu

for debian in 5.7 6.4 7.2; do
    [ -d "$runtimes/$debian/usr/include/hip" ] || real_missing "$debian" "no tree in $runtimes"
done
real_hide
HIPSHIM_RUNTIMES=$runtimes sh "$top/tests/loopback/build.sh" "$scratch/loopback" >"$scratch/log" 2>&1
is "the loopback compiles" $? 0

# Linked to the real library, so with its version needs; -O2: a plugin's calls
# may be jumps, and then the return address is that of the plugin's own caller.
# shellcheck disable=SC2086 # CC is a list
compile() { # DEBIAN OUTPUT SOURCES AND OPTIONS
    compile_tree=$runtimes/$1 compile_out=$2
    shift 2
    ${CC:-cc} -O2 -std=gnu11 -Wall -Wextra -Werror -Wno-deprecated-declarations \
        -D__HIP_PLATFORM_AMD__=1 -isystem "$compile_tree/usr/include" -I"$top/tests/dropin/mixed" \
        -o "$compile_out" "$@" "$compile_tree/$libraries"/libamdhip64.so.[0-9] \
        -Wl,--allow-shlib-undefined -ldl
}
for debian in 5.7 6.4 7.2; do
    ok "a plugin of $debian compiles" compile $debian "$scratch/plugin-$debian.so" -shared -fPIC \
        "$top/tests/dropin/mixed/plugin.c"
    ok "a program of $debian compiles" compile $debian "$scratch/program-$debian" -rdynamic \
        "$top/tests/dropin/mixed/program.c" "$top/tests/dropin/mixed/plugin.c"
done

# In the tree of a runtime, with the directories named first.
run_over() { # DEBIAN PIN DIRECTORIES PROGRAM ARGS
    run_tree=$runtimes/$1 run_pin=$2 run_path=$3
    shift 3
    (
        cd "$scratch" || exit 99
        HIPSHIM_LIBRARY=$run_pin AMD_COMGR_CACHE=1 AMD_COMGR_CACHE_DIR=$scratch/comgr HOME=$scratch timeout -k 5 60 \
            "$run_tree/usr/lib64/ld-linux-x86-64.so.2" --library-path \
            "$run_path:$scratch/loopback:$run_tree/$libraries:$run_tree/lib/x86_64-linux-gnu:$scratch/hide" \
            "$@"
    ) >"$scratch/out" 2>"$scratch/err"
}

agrees() { # WORDS DEBIAN PIN DIRECTORIES PROGRAM ARGS
    agrees_words=$1
    shift
    run_over "$@"
    agrees_status=$?
    if [ $agrees_status -eq 0 ] && [ ! -s "$scratch/err" ]; then
        tap_result yes "$agrees_words"
    else
        tap_result no "$agrees_words (status $agrees_status)"
        cat "$scratch/out" "$scratch/err" | head -n 20 | sed 's/^/#   /'
    fi
}

real_library() { # DEBIAN
    printf '%s\n' "$runtimes/$1/$libraries/libamdhip64.so.${1%%.*}"
}

five=$scratch/plugin-5.7.so six=$scratch/plugin-6.4.so seven=$scratch/plugin-7.2.so
for back in $real_releases; do
    [ -f "$(real_library "$back")" ] || {
        skip "over $back" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    }
    pin=$(real_library "$back")
    for main in 5.7 6.4 7.2; do
        program=$scratch/program-$main
        agrees "over $back: a program of $main loads plugins of 5, 6 and 7" \
            "$back" "$pin" "$build/dropin" "$program" "$five" "$six" "$seven"
        agrees "over $back: a program of $main loads plugins of 7, 6 and 5, names global" \
            "$back" "$pin" "$build/dropin" "$program" "g:$seven" "g:$six" "g:$five"
        agrees "over $back: a program of $main loads plugins of 6, 5 and 7, without a pin" \
            "$back" "" "$build/dropin" "$program" "$six" "g:$five" "$seven"
    done
done

# Only one drop-in: what needs the runtime's own major is given the runtime.
for front in 5.7 6.4; do
    mkdir -p "$scratch/only-$front"
    ln -sf "$build/dropin/libamdhip64.so.${front%%.*}" "$scratch/only-$front/"
    agrees "a program of $front uses its drop-in, and its plugin of 7 the real library behind it" \
        7.2 "$(real_library 7.2)" "$scratch/only-$front" "$scratch/program-$front" "$seven"
    agrees "a program of 7 uses the real library though a drop-in of ${front%%.*} is in the path" \
        7.2 "$(real_library 7.2)" "$scratch/only-$front" "$scratch/program-7.2"
done

# Here the objects that were built for HIP 5 call HIP 6 with their own ABI.  They get another
# kind of memory, and properties that are larger than their structure, which may end the
# process.  The drop-in can only report it.
run_over 6.4 "" "$scratch/only-5.7" "$scratch/program-6.4" "$five" 2>/dev/null
status=$?
case $status in
1 | 139) status="1 or 139" ;;
esac
is "with a real library in front of a drop-in, the plugin of 5 gets wrong answers" \
    "$status, $(head -n 1 "$scratch/out")" "1 or 139, built for HIP 5: device memory has its type: 0"
ok "the drop-in reports the wrong order when it is loaded" \
    grep -q "libamdhip64.so.6 comes before the drop-in libamdhip64.so.5 .*hipshim run --abi" "$scratch/err"

mkdir "$scratch/other"
ln -s "$(real_library 6.4)" "$scratch/other/"
run_over 7.2 "$(real_library 7.2)" "$scratch/only-5.7:$scratch/other" "$scratch/program-5.7" "$six"
ok "a second real runtime that a plugin loads is reported" \
    grep -q "hipshim: this process has two HIP runtimes: libamdhip64.so.6" "$scratch/err"

# A drop-in is never its own back, nor another's: alone on the path there is none.
run_over 6.4 "$build/dropin" "$build/dropin" "$scratch/program-5.7"
ok "HIPSHIM_LIBRARY that names the drop-ins is refused" grep -q "it is hipshim itself" "$scratch/err"
run_over 6.4 libamdhip64_absent.so "$build/dropin" "$scratch/program-5.7"
ok "HIPSHIM_LIBRARY that names what the dynamic linker does not find is refused by name" \
    grep -q "HIPSHIM_LIBRARY names no usable HIP runtime.*: libamdhip64_absent.so: " "$scratch/err"
finish
