#!/bin/sh
# SPDX-License-Identifier: MIT
# hipRAND's generators on the host give the same numbers through hipshim over each of its releases: in a program
# that knows hipshim's header alone, and in one of ROCm 5.7, which finds hipRAND itself by its
# soname, which never changed, and needs a drop-in for HIP alone.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/.libs/libhipshim-hiprand.so"
dropin_prepare

# Those of philox are what the definition of the generator gives, computed apart; the others were measured.
numbers='xorwow 0.593329 0.044911 0.943458 0.569340, 10.016767, 510245525
philox 0.127208 0.853469 0.265649 0.796055, 10.316542, 4196888723
mrg32k3a 0.475567 0.292405 0.584999 0.950784, 10.433784, 4031179462'

# shellcheck disable=SC2086 # CC may be several words
ok "a program compiles with hipRAND's own header name and no ROCm" ${CC:-cc} -std=c11 -Wall -Wextra -Werror \
    -I"$top/include/hipshim" -I"$top/bindings" -I"$top/bindings/hiprand/include" "$top/tests/apis/hiprand.c" \
    -L"$build/.libs" -lhipshim-hiprand -lhipshim -o "$scratch/stable"

# Of ROCm 5.7 are the headers, the libraries that it is linked to, and so its sonames.
reason=$(sibling_missing 5.7 libhiprand-dev-5.7 librocrand-dev-5.7 libhiprand1-5.7)
if [ -n "$reason" ]; then
    skip "a program compiles for ROCm 5.7" "$reason"
else
    dropin_find 5.7
    # shellcheck disable=SC2086 # CXX may be several words
    ok "a program compiles for ROCm 5.7" ${CXX:-c++} -x c++ -w -D__HIP_PLATFORM_AMD__ -isystem "$real_tree/usr/include" \
        -isystem "$(sibling_tree libhiprand-dev-5.7)/usr/include" -isystem "$(sibling_tree librocrand-dev-5.7)/usr/include" \
        "$top/tests/apis/hiprand.c" -x none "$(sibling_libraries libhiprand1-5.7)/libhiprand.so.1" \
        "$dropin_hip" -Wl,--allow-shlib-undefined -Wl,-z,nodefaultlib -o "$scratch/linked"
    has "it is linked to HIP 5" "$(objdump -p "$scratch/linked")" libamdhip64.so.5
fi
mkdir "$scratch/five"
ln -s "$build/dropin/libamdhip64.so.5" "$scratch/five"

for release in 6.4 7.2; do
    reason=$(sibling_missing "$release" "libhiprand1-$release" "librocrand1-$release")
    if [ -n "$reason" ]; then
        skip "everything over hipRAND $release" "$reason"
        continue
    fi
    dropin_find "$release"
    libraries=$(sibling_libraries "libhiprand1-$release" "librocrand1-$release")
    is "a program of the stable header over hipRAND $release" "$(HIPSHIM_LIBRARY=$dropin_hip \
        dropin_run "$release" "$build/.libs:$libraries" "$scratch/stable" 2>&1)" "$numbers"
    [ -x "$scratch/linked" ] || continue
    is "a program of ROCm 5.7 over hipRAND $release" "$(HIPSHIM_LIBRARY=$dropin_hip \
        dropin_run "$release" "$scratch/five:$libraries" "$scratch/linked" 2>&1)" "$numbers"
done
finish
