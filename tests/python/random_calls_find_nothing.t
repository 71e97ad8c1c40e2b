#!/bin/sh
# SPDX-License-Identifier: MIT
# 10,000 calls with arguments of every kind, right and wrong, to a library that reads every input and
# writes every output: AddressSanitizer and UndefinedBehaviorSanitizer find nothing in the Python module.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

package=$build/python/package
[ -d "$package" ] || skip_all "configure had no --with-python"
python=$(sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile")
include=$(sed -n 's/^PYTHON_INCLUDE = //p' "$build/Makefile")
"$python" -c 'import jinja2, tomllib' 2>/dev/null || skip_all "$python cannot import jinja2 and tomllib"
asan=$(${CC:-cc} -print-file-name=libasan.so) ubsan=$(${CC:-cc} -print-file-name=libubsan.so)
if [ ! -f "$asan" ] || [ ! -f "$ubsan" ]; then
    skip_all "${CC:-cc} has no libasan.so and libubsan.so"
fi

flags="-g -O1 -fPIC -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
headers="-I$top/src -I$top/include/hipshim -I$top/bindings -I$top/bindings/stable"
compile() { # OUTPUT ARG...
    # shellcheck disable=SC2086 # lists of flags
    ${CC:-cc} -std=gnu11 -w $flags $headers $include -o "$@"
}
build_module() { # NAME LIBRARY FOLDER, the folder of its bindings
    mkdir -p "$scratch/objects" && rm -f "$scratch"/objects/*
    for file in "$top"/src/python/*.c "$top/$3"/python/*.c; do
        compile "$scratch/objects/$(basename "$file" .c).o" -c -fvisibility=hidden -fno-strict-aliasing \
            -DPy_LIMITED_API=0x030B0000 -DHS_PYTHON_MODULE="_$1" -I"$top/$3" "$file" || return
    done
    compile "$scratch/package/hipshim/_$1.abi3.so" -shared "$scratch"/objects/*.o "$scratch/$2.so.0"
}
export PYTHONDONTWRITEBYTECODE=1
ok "the library is generated" sh -c \
    "PYTHONPATH='$top/generator' '$python' '$top/tests/python/make_fake.py' >'$scratch/fake.c'"
ok "it compiles" compile "$scratch/libhipshim.so.0" -shared -Wl,-soname,libhipshim.so.0 "$scratch/fake.c"
mkdir "$scratch/package" && cp -R "$package/hipshim" "$scratch/package" && rm -f "$scratch"/package/hipshim/_*.so
ok "the module compiles with the sanitizers" build_module hip libhipshim bindings
for seed in 1 2; do
    ok "5000 calls of seed $seed end well" env LD_LIBRARY_PATH="$scratch" LD_PRELOAD="$asan $ubsan" \
        ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$scratch/package" \
        timeout 200 "$python" "$top/tests/python/random_calls.py" 5000 $seed
done

# One with handles, lists, records by value and in memory, and types of HIP.
if [ ! -d "$top/bindings/rccl" ]; then
    skip "the module of RCCL does so" "autogen.sh had --without-siblings"
    finish
    exit
fi
ok "a library of RCCL is generated" sh -c \
    "PYTHONPATH='$top/generator' '$python' '$top/tests/python/make_fake.py' rccl >'$scratch/rccl.c'"
ok "it compiles" compile "$scratch/libhipshim-rccl.so.0" -shared -I"$top/bindings/rccl/include" \
    -Wl,-soname,libhipshim-rccl.so.0 "$scratch/rccl.c"
ok "the module of RCCL compiles with the sanitizers" build_module rccl libhipshim-rccl bindings/rccl
ok "5000 calls of the module of RCCL end well" env LD_LIBRARY_PATH="$scratch" LD_PRELOAD="$asan $ubsan" \
    ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$scratch/package" \
    timeout 200 "$python" "$top/tests/python/random_calls.py" 5000 3 rccl
finish
