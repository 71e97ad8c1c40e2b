#!/bin/sh
# SPDX-License-Identifier: MIT
# Over a generated fake of every release, random values arrive and come out as
# tests/lib/fakes/properties.py says, through libhipshim and through the drop-ins.
# HIPSHIM_PROPERTY_RUNS sets how many calls each function that converts gets,
# HIPSHIM_PROPERTY_SEED another sequence.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

python=${PYTHON:-python3}
"$python" -c "import tomllib" 2>/dev/null || skip_all "$python is no Python 3.11"
library=$build/.libs/libhipshim.so.0
[ -f "$library" ] || library=$build/libhipshim.so.0
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# AddressSanitizer has to be in the process before libhipshim is.
preload=
case ${CFLAGS:-} in
*-fsanitize=thread*) skip_all "one thread, nothing for ThreadSanitizer to see" ;;
*-fsanitize=*address*) preload=$(${CC:-cc} -print-file-name=libasan.so) ;;
esac

# Without CFLAGS: the fakes are neither measured nor sanitized, and most of the time would go there.
# shellcheck disable=SC2086 # CC is a list
compile() {
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
        -I"$top/bindings" -I"$top/tests/lib/fakes" "$@"
}

compile_once() { # FILE.o ARGS...
    [ -f "$1" ] && return
    object=$1
    shift
    compile -c "$@" -o "$object"
}

# Releases of one API set share its objects, one for each set of MACROS.
fake_library() { # APISET MACROS VERSION FILE
    [ -f "$scratch/$1.c" ] || "$python" "$top/tests/lib/fakes/make_fake.py" "$1" >"$scratch/$1.c" ||
        return 1
    # shellcheck disable=SC2086 # a list of macros
    compile_once "$scratch/$1.$2.o" "$scratch/$1.c" $2 &&
        compile_once "$scratch/fake.o" "$top/tests/lib/fakes/fake.c" &&
        printf 'const int fake_version = %s;\n' "$3" >"$scratch/version.c" &&
        compile -shared "$scratch/$1.$2.o" "$scratch/fake.o" "$scratch/version.c" \
            -Wl,-soname,"${4##*/}" -o "$4"
}

# A library that needs the last symbol of a drop-in's newest release.  In front of its own major a drop-in converts
# only for a process that needs a later release than the runtime's.
# shellcheck disable=SC2086 # CC is a list
needs_newest() { # FOLDER FILE
    needs_major=${1##*/}
    needs_function=$(awk '/^HIPSHIM {/ { exit } /^    [A-Za-z_0-9]*;/ { sub(/;/, ""); last = $1 }
        END { print last }' "$1/libamdhip64.so.$needs_major.map")
    printf 'extern int %s(void);\nint (*hs_need)(void) = %s;\n' "$needs_function" "$needs_function" |
        ${CC:-cc} -shared -fPIC -x c - -x none -o "$2" "$build/dropin/libamdhip64.so.$needs_major" \
            -Wl,-rpath,"$build/dropin"
}

for folder in "$top"/bindings/dropin/*; do
    ok "a library that needs the newest HIP ${folder##*/}" \
        needs_newest "$folder" "$scratch/needs-${folder##*/}.so"
done

# For each library properties.py has a process, whose last words tell that it ran to its end.
properties() { # WORDS LIBRARIES, as properties.py takes them
    properties_words=$1
    shift
    properties_count=$#
    for properties_library; do
        set -- "$@" --library "$properties_library"
        shift
    done
    LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 HIPSHIM_LIBRARY=$hip \
        "$python" "$top/tests/lib/fakes/properties.py" --patch "$patch" --fake "$hip" \
        --fake-hiprtc "$rtc" --seed "${HIPSHIM_PROPERTY_SEED:-1}" "$@" \
        >"$scratch/out" 2>"$scratch/err"
    properties_status=$?
    while IFS= read -r line; do
        case $line in
        "ok - "*) tap_result yes "${line#ok - }" ;;
        "not ok - "*) tap_result no "${line#not ok - }" ;;
        "# "*) printf '%s\n' "$line" ;;
        *) ;;
        esac
    done <"$scratch/out"
    is "$properties_words: all libraries were tried" \
        "$properties_status, $(grep -c 'it lacks say so' "$scratch/out")" "0, $properties_count"
    [ $properties_status -eq 0 ] || head -n 40 "$scratch/err" | sed 's/^/#   /'
}

while read -r release api_set _; do
    case $release in '#'*) continue ;; esac
    patch=${release##*.} major=${release%%.*}
    minor=${release#*.} minor=${minor%%.*}
    version=$((major * 10000000 + minor * 100000 + patch))
    runs=${HIPSHIM_PROPERTY_RUNS:-20}
    [ "$patch" = "$api_set" ] || runs=$((runs / 10)) # what it declares was tried already
    mkdir "$scratch/$patch"
    hip=$scratch/$patch/libamdhip64.so.$major
    rtc=$scratch/$patch/libhiprtc.so.$major
    if [ "$major" -lt 6 ]; then
        rtc=$hip
        ok "HIP $release: the fake compiles" fake_library "$api_set" "-DFAKE_HIP -DFAKE_HIPRTC" "$version" "$hip"
    else
        ok "HIP $release: the fake compiles" fake_library "$api_set" -DFAKE_HIP "$version" "$hip"
        ok "HIP $release: the fake hiprtc compiles" fake_library "$api_set" -DFAKE_HIPRTC "$version" "$rtc"
    fi
    set -- "0:$runs:$library"
    if [ "$patch" = "$api_set" ]; then
        for folder in "$top"/bindings/dropin/*; do
            caller_patch=$(sed -n 's/^#include ".*bindings_\([0-9]*\)\.h"$/\1/p' "$folder/caller_abi.h")
            set -- "$@" "$caller_patch:$((runs * 2 / 5)):$scratch/needs-${folder##*/}.so"
        done
    fi
    properties "HIP $release" "$@"
done <"$top/bindings/releases.list"
finish
