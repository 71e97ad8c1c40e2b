#!/bin/sh
# SPDX-License-Identifier: MIT
# Host programs that others wrote for HIP compile unmodified with our headers,
# link with -lhipshim, and run: without a runtime, and on each real one.
#
# HIPSHIM_VENDOR_PROGRAMS is a directory that holds checkouts of
# ROCm/rocm-examples and ROCm/hip-tests as rocm-examples and hip-tests; one of
# the two is enough.  The programs want a GPU: where there is none, a clean
# end with HIP's error in words is what they are held to.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

[ -n "${HIPSHIM_VENDOR_PROGRAMS:-}" ] || skip_all "set HIPSHIM_VENDOR_PROGRAMS to a directory" \
    "with checkouts of ROCm/rocm-examples and ROCm/hip-tests, by those names"
[ -e "$build/.libs/libhipshim.so" ] || skip_all "no shared libhipshim in $build/.libs"
checkouts=$(cd "$HIPSHIM_VENDOR_PROGRAMS" && pwd) || exit 99

# Sorted; each is host code alone.
programs="
rocm-examples/HIP-Basic/bandwidth/main.hip
rocm-examples/HIP-Basic/device_query/main.cpp
rocm-examples/HIP-Basic/module_api/main.hip
rocm-examples/HIP-Basic/runtime_compilation/main.hip
hip-tests/catch/stress/memory/hold_memory.cc
hip-tests/samples/0_Intro/module_api/defaultDriver.cpp
hip-tests/samples/0_Intro/module_api/launchKernelHcc.cpp
hip-tests/samples/0_Intro/module_api/runKernel.cpp
hip-tests/samples/0_Intro/module_api_global/runKernel.cpp
hip-tests/samples/1_Utils/hipInfo/hipInfo.cpp
hip-tests/samples/2_Cookbook/11_texture_driver/texture2dDrv.cpp
hip-tests/samples/2_Cookbook/23_cmake_hiprtc/saxpy.cpp
"
flags="-std=c++17 -w -I$checkouts/rocm-examples/Common -I$checkouts/hip-tests/samples/common
    -I$top/include/hipshim -I$top/bindings"

# Every other way to end than by itself: a signal that is not the program's
# own abort() on a HIP error, or a time-out.
ended() { # STATUS
    case $1 in
    124 | 127 | 132 | 135 | 136 | 137 | 139) echo "crash or time-out, status $1" ;;
    *) echo "an end of its own" ;;
    esac
}

# In HIP's words, which in 5.2 are others; one program says what failed alone.
no_device() { # TEXT
    case $1 in
    *"no ROCm-capable device is detected"*) echo "no device" ;;
    *hipErrorNoDevice* | *hipErrorInvalidDevice*) echo "no device" ;;
    *"Failed in: hip"*) echo "no device" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

no_runtime() { # TEXT
    case $1 in
    *hipErrorInsufficientDriver* | *"no HIP runtime (libamdhip64) was found"* | *"Failed in: hip"*) echo "no runtime" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

run_without() { # NAME PROGRAM
    said=$(cd "$scratch" && HIPSHIM_LIBRARY=$scratch/absent.so LD_LIBRARY_PATH=$build/.libs \
        timeout 60 "$2" </dev/null 2>&1)
    is "$1 ends by itself without a runtime" "$(ended $?)" "an end of its own"
    is "$1 says so" "$(no_runtime "$said")" "no runtime"
}

run_on() { # NAME PROGRAM TREE
    real_tree=$real_runtimes/$3
    for real_loader in "$real_tree/usr/lib64/ld-linux-x86-64.so.2" \
        "$real_tree/lib64/ld-linux-x86-64.so.2"; do
        [ -f "$real_loader" ] && break
    done
    real_release=$3
    if [ ! -f "$real_loader" ]; then
        skip "$1 on HIP $3" "no real runtime in $real_tree"
        return
    fi
    said=$(cd "$scratch" && real_run "$2" </dev/null 2>&1)
    status=$?
    if [ -e /dev/kfd ]; then
        is "$1 on HIP $3 ends by itself" "$(ended $status)" "an end of its own"
    else
        is "$1 on HIP $3 finds no device and ends by itself" \
            "$(no_device "$said"), $(ended $status)" "no device, an end of its own"
    fi
}

compile() { # NAME SOURCE OUTPUT COMPILER...
    name=$1 source=$2 output=$3
    shift 3
    ok "$name" "$@" $flags -x c++ "$source" -x none "-L$build/.libs" -lhipshim -o "$output"
}

found=0
for program in $programs; do
    if [ ! -f "$checkouts/$program" ]; then
        skip "$program" "it is not in $checkouts"
        continue
    fi
    found=$((found + 1))
    binary=$scratch/program$found
    compile "$program compiles with ${CXX:-c++}" "$checkouts/$program" "$binary" ${CXX:-c++}
    if command -v clang++ >/dev/null 2>&1; then
        compile "$program compiles with clang++" "$checkouts/$program" "$binary.clang" clang++
    else
        skip "$program compiles with clang++" "there is no clang++"
    fi
    [ -x "$binary" ] || continue
    run_without "$program" "$binary"
    for tree in $real_releases; do
        run_on "$program" "$binary" "$tree"
    done
done
ok "at least three programs are there ($found)" [ "$found" -ge 3 ]
finish
