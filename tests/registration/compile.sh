# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # for the tests; top, build and scratch are of tap.sh, real_* of real.sh
#
# After tap.sh and real.sh: compiles HIP programs as users do.
#   compile_find             sets compilers to those that are there, hipcc first; fails without one
#   compile_use COMPILER     the one that compile_device takes from now on
#   compile_device SOURCE OBJECT FLAGS...    a .hip file; the architecture is one of FLAGS
#   compile_link PROGRAM OBJECTS AND FLAGS...
# A compiler is "hipcc", a clang++ of the machine, or "clang++ of hipcc", which is the same
# without hipcc's own flags.

compile_tree=$real_runtimes/hipcc # of tests/lib/fetch-hipcc
compile_flags="-std=c++17 -O1 -fPIC -Wall -Wextra"

compile_find() {
    compilers=
    if [ -x "$compile_tree/bin/hipcc" ]; then
        compilers="hipcc clang++_of_hipcc"
    fi
    for compile_one in 15 16 17 18 19 20 21; do
        if [ -d "$compile_tree" ] && command -v "clang++-$compile_one" >/dev/null 2>&1; then
            compilers="$compilers clang++-$compile_one"
        fi
    done
    [ -n "$compilers" ]
}

compile_use() { # COMPILER
    compile_with=$1
    compile_rocm=$compile_tree/usr
}

# shellcheck disable=SC2086 # lists
compile_device() { # SOURCE OBJECT FLAGS...
    compile_source=$1 compile_object=$2
    shift 2
    set -- -I "$top/include/hipshim" -I "$top/bindings" $compile_flags "$@" -c "$compile_source" -o "$compile_object"
    if [ "$compile_with" = hipcc ]; then
        "$compile_tree/bin/hipcc" "$@"
        return
    fi
    compile_clang "$@" -x hip --rocm-path="$compile_rocm" \
        --rocm-device-lib-path="$compile_tree/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
}

compile_clang() { # ARGS
    case $compile_with in
    clang++_of_hipcc | hipcc)
        for compile_one in "$compile_tree"/usr/lib/llvm-*/bin/clang++; do
            LD_LIBRARY_PATH=$compile_tree/usr/lib/x86_64-linux-gnu "$compile_one" "$@"
            return
        done
        ;;
    *) "$compile_with" "$@" ;;
    esac
}

# shellcheck disable=SC2086 # CXX may be several words
compile_link() { # PROGRAM OBJECTS...
    compile_program=$1
    shift
    ${CXX:-c++} -rdynamic -o "$compile_program" "$@" -L"$build/.libs" -lhipshim -ldl -pthread
}
