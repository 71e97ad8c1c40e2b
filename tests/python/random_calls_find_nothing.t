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
build_module() {
    for file in "$top"/src/python/*.c "$top"/bindings/python/*.c; do
        compile "$scratch/$(basename "$file" .c).o" -c -fvisibility=hidden -fno-strict-aliasing \
            -DPy_LIMITED_API=0x030B0000 -DHS_PYTHON_MODULE=_hip "$file" || return
    done
    compile "$scratch/package/hipshim/_hip.abi3.so" -shared "$scratch"/*.o "$scratch/libhipshim.so.0"
}
export PYTHONDONTWRITEBYTECODE=1
ok "the library is generated" sh -c \
    "PYTHONPATH='$top/generator' '$python' '$top/tests/python/make_fake.py' >'$scratch/fake.c'"
ok "it compiles" compile "$scratch/libhipshim.so.0" -shared -Wl,-soname,libhipshim.so.0 "$scratch/fake.c"
mkdir "$scratch/package" && cp -R "$package/hipshim" "$scratch/package" && rm -f "$scratch"/package/hipshim/_*.so
ok "the module compiles with the sanitizers" build_module
for seed in 1 2; do
    ok "5000 calls of seed $seed end well" env LD_LIBRARY_PATH="$scratch" LD_PRELOAD="$asan $ubsan" \
        ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$scratch/package" \
        timeout 200 "$python" "$top/tests/python/random_calls.py" 5000 $seed
done
finish
