# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of run
#
# The section "loopback" of run: kernels that the loopback carries out.

# rocPRIM has headers only.  Its host code asks for a member that properties have up to HIP 5, except
# in its sorts.
loopback_sort() {
    "$runtimes/hipcc/bin/hipcc" -w -O2 -std=c++17 --offload-arch=gfx90a -mcode-object-version=4 \
        -I"$top/include/hipshim" -I"$top/bindings" -c "$from/sort.hip" -o "$bench/sort.o" ||
        die "cannot compile sort.hip"
    ${CXX:-c++} -o "$bench/sort" "$bench/sort.o" -L"$build/.libs" -lhipshim || die "cannot link sort"
}

# The best of three runs, by the time; the loopback prints how many instructions a kernel had.
loopback_row() { # WHAT PROGRAM
    : >"$bench/out"
    for _ in 1 2 3; do
        LOOPBACK_LOG=1 "$loader" --library-path "$build/src/loopback/.libs:$path" "$bench/$2" \
            >"$bench/time" 2>"$bench/err" || {
            note "$1: not measured: $(tail -n 1 "$bench/err")"
            return
        }
        sed -n '/^begin$/,/^end$/s/.*: \([0-9]*\) instructions of waves by.*/\1/p' "$bench/err" |
            awk -v "time=$(cat "$bench/time")" '{ n += $1 } END { printf "%.0f %.0f\n", time, n }' >>"$bench/out"
    done
    out=$(sort -n "$bench/out" | head -n 1)
    row "$(compute "$1, %.2f s" "$(field "$out" 1) / 1e9")" \
        "$(compute %.2f "$(field "$out" 2) * 64 / $(field "$out" 1)")"
}

measure_loopback() {
    section "kernels on the loopback, thousand million instructions of lanes" "a second"
    loopback_sorts=
    if [ -d "$runtimes/hipcc/usr/include/rocprim" ]; then
        loopback_sort
        loopback_sorts=yes
    else
        note "no radix sort: no rocPRIM in $runtimes/hipcc (make runtimes)"
    fi
    for name in 5.2 5.7 6.4 7.2; do
        find_runtime $name || continue
        loopback_row "HIP $name: product of 512 x 512 floats" matmul
        [ -z "$loopback_sorts" ] || loopback_row "HIP $name: rocPRIM sorts 1,000,000 keys" sort
    done
}
