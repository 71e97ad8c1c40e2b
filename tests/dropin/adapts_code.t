#!/bin/sh
# SPDX-License-Identifier: MIT
# A drop-in gives the runtime code objects in a form that it reads, and says in one line which code
# it cannot read and why.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=../registration/compile.sh
. "$top/tests/registration/compile.sh"
compile_find || skip_all "NO HIP COMPILER HERE (tests/lib/fetch-hipcc gets hipcc)"
compile_use "${compilers%% *}"
dropin_prepare
newest=${dropin_releases##* }
dropin_find "$newest"

recode() { # PROGRAM OUTPUT ACTION NUMBER
    cp "$1" "$2" && "${PYTHON:-python3}" "$top/tests/dropin/programs/recode.py" "$2" "$3" "$4"
}
compile() { # OBJECT FLAGS...
    compile_clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc -std=c++17 -O1 -fPIC -D__HIP_PLATFORM_AMD__ \
        -isystem "$real_tree/usr/include" -c "$top/tests/dropin/programs/compiled.hip" -o "$@"
}
link() { # PROGRAM OBJECT
    ${CXX:-c++} -o "$1" "$2" "$dropin_hip" -Wl,--allow-shlib-undefined
}
for version in 4 5; do
    ok "a program with version $version is compiled for HIP $newest" compile "$scratch/$version.o" \
        -mcode-object-version=$version
    ok "it is linked" link "$scratch/version-$version" "$scratch/$version.o"
done
"${PYTHON:-python3}" -c 'import ctypes; ctypes.CDLL("libzstd.so.1")' 2>/dev/null || skip_all "there is no Python with libzstd.so.1"
# The compiler here has no version 6, which is version 5 with another number.
ok "version 6 is made" recode "$scratch/version-5" "$scratch/version-6" version 6
ok "a compressed bundle of format 2 is made" recode "$scratch/version-4" "$scratch/format-2" compress 2
ok "a compressed bundle of format 3 is made" recode "$scratch/version-4" "$scratch/format-3" compress 3

for version in 4 6; do
    ok "a code object of version $version is made" recode "$scratch/version-$version" \
        "$scratch/object-$version" object 1
done
ok "a file with a compressed bundle is made" recode "$scratch/version-4" "$scratch/bundle-3" bundle 3
ok "a file with a bundle of version 6 is made" recode "$scratch/version-6" "$scratch/bundle-6" bundle 0
ok "a program that loads modules is built" dropin_compile "$newest" "$scratch/load" \
    "$top/tests/dropin/programs/load_code.c"

loads() { # RELEASE FILE
    is "HIP $1: modules of $2 are loaded and unloaded" \
        "$(dropin_over "$1" "$scratch/load" "$scratch/$2" 2>&1 | tr '\n' ' ')" "file 0 0 0 data 0 0 0 extended 0 0 0 "
}

right() { # RELEASE PROGRAM
    is "HIP $1: $2 is right" "$(dropin_over "$1" "$scratch/$2" 2>&1)" "right, step 0"
}
refused() { # RELEASE PROGRAM VERSION
    said=$(dropin_over "$1" "$scratch/$2" 2>&1)
    has "HIP $1: $2 has an error at the launch" "$said" "wrong, step 2"
    has "HIP $1: $2 is named with its kernel and the reason" "$said" \
        "hipshim: add_to of $scratch/$2: its code object has version $3, and this HIP reads up to 4; compile with -mcode-object-version=4"
    is "HIP $1: that is one line" "$(printf '%s\n' "$said" | grep -c '^hipshim:')" 1
}

for release in $dropin_releases; do
    right "$release" version-4
    loads "$release" object-4
    # Later runtimes unpack the others themselves, if a compiler of their age has packed them.
    case $release in
    5.*) right "$release" format-2 && right "$release" format-3 && loads "$release" bundle-3 ;;
    6.*) right "$release" format-3 && loads "$release" bundle-3 ;;
    esac
    for version in 5 6; do
        case $release in
        5.2) refused "$release" version-$version $version ;;
        *) right "$release" version-$version ;;
        esac
    done
    for file in object-6 bundle-6; do
        if [ "$release" = 5.2 ]; then
            said=$(dropin_over "$release" "$scratch/load" "$scratch/$file" 2>&1 | tr '\n' ' ')
            has "HIP 5.2: modules of $file have an error" "$said" "file 209 last 209 data 209 last 209 extended 209 last 209"
            has "HIP 5.2: the reason is given" "$said" "hipshim: $scratch/$file: its code object has version 6"
        else
            loads "$release" $file
        fi
    done
done
finish
