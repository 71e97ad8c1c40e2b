#!/bin/sh
# SPDX-License-Identifier: MIT
# hipRAND's generators on the host give the same numbers through hipshim over each of its releases: in a program
# that knows hipshim's header alone, and in one of ROCm 5.7, which finds hipRAND itself by its
# soname, which never changed, and needs a drop-in for HIP alone.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"

library=$build/.libs/libhipshim-hiprand.so
[ -e "$library" ] || skip_all "there is no $library (./autogen.sh --all makes it)"
dropin_prepare
unset HIPSHIM_HIPRAND_LIBRARY HIPSHIM_STRICT HIP_PATH ROCM_PATH ROCM_HOME VIRTUAL_ENV CONDA_PREFIX GUIX_ENVIRONMENT SNAP NIX_PROFILES
LC_ALL=C
export LC_ALL
siblings=$real_runtimes/siblings

# missing NAME...: why one of these packages is not there; empty if all are
missing() {
    for one in "$@"; do
        [ -e "$siblings/$one/.hipshim-sibling" ] || {
            echo "NO $one HERE (tests/lib/fetch-siblings $* gets it)"
            cat "$siblings/$one.reason" 2>/dev/null
            return
        }
    done
}

# libraries RELEASE: the directories of hipRAND and rocRAND
libraries() { printf '%s' "$siblings/libhiprand1-$1/usr/lib/x86_64-linux-gnu:$siblings/librocrand1-$1/usr/lib/x86_64-linux-gnu"; }

# Those of philox are what the definition of the generator gives, computed apart; the others were measured.
numbers='xorwow 0.593329 0.044911 0.943458 0.569340, 10.016767, 510245525
philox 0.127208 0.853469 0.265649 0.796055, 10.316542, 4196888723
mrg32k3a 0.475567 0.292405 0.584999 0.950784, 10.433784, 4031179462'

# shellcheck disable=SC2086 # CC may be several words
ok "a program compiles with hipRAND's own header name and no ROCm" ${CC:-cc} -std=c11 -Wall -Wextra -Werror \
    -I"$top/include/hipshim" -I"$top/bindings" -I"$top/bindings/hiprand/include" "$top/tests/apis/hiprand.c" \
    -L"$build/.libs" -lhipshim-hiprand -lhipshim -o "$scratch/stable"

# Of ROCm 5.7 are the headers, the libraries that it is linked to, and so its sonames.
reason=$(missing libhiprand-dev-5.7 librocrand-dev-5.7 libhiprand1-5.7)
[ -d "$real_runtimes/5.7" ] || reason="no real runtime of HIP 5.7"
if [ -n "$reason" ]; then
    skip "a program compiles for ROCm 5.7" "$reason"
else
    dropin_find 5.7
    # shellcheck disable=SC2086 # CXX may be several words
    ok "a program compiles for ROCm 5.7" ${CXX:-c++} -x c++ -w -D__HIP_PLATFORM_AMD__ -isystem "$real_tree/usr/include" \
        -isystem "$siblings/libhiprand-dev-5.7/usr/include" -isystem "$siblings/librocrand-dev-5.7/usr/include" \
        "$top/tests/apis/hiprand.c" -x none "$siblings/libhiprand1-5.7/usr/lib/x86_64-linux-gnu/libhiprand.so.1" \
        "$dropin_hip" -Wl,--allow-shlib-undefined -Wl,-z,nodefaultlib -o "$scratch/linked"
    has "it is linked to HIP 5" "$(objdump -p "$scratch/linked")" libamdhip64.so.5
fi
mkdir "$scratch/five"
ln -s "$build/dropin/libamdhip64.so.5" "$scratch/five"

for release in 6.4 7.2; do
    reason=$(missing "libhiprand1-$release" "librocrand1-$release")
    [ -d "$real_runtimes/$release" ] || reason="no real runtime of HIP $release"
    if [ -n "$reason" ]; then
        skip "everything over hipRAND $release" "$reason"
        continue
    fi
    dropin_find "$release"
    is "a program of the stable header over hipRAND $release" "$(HIPSHIM_LIBRARY=$dropin_hip \
        dropin_run "$release" "$build/.libs:$(libraries "$release")" "$scratch/stable" 2>&1)" "$numbers"
    [ -x "$scratch/linked" ] || continue
    is "a program of ROCm 5.7 over hipRAND $release" "$(HIPSHIM_LIBRARY=$dropin_hip \
        dropin_run "$release" "$scratch/five:$(libraries "$release")" "$scratch/linked" 2>&1)" "$numbers"
done
finish
