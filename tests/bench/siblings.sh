# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of run
#
# The section "siblings" of run: calls of libraries beside HIP.  The libraries have the exports of the real
# ones, and each function does nothing.

sibling_fake() { # API SONAME EXPORTS
    mkdir -p "$bench/fake-$2"
    awk '{ sub(/@.*/, ""); print "int " $1 "(void) { return 0; }" }' "$top/generator/apis/$1/exports/$3.txt" |
        $cc -w -O2 -fPIC -shared -Wl,-soname,"$2" -x c - -o "$bench/fake-$2/$2" || die "cannot build $2"
}

# The same program over a library of its release, and through the drop-in over one of another.
sibling_rows() { # API OWN-SONAME OTHER-SONAME EQUAL CONVERTED LIMIT PIN
    for _ in 1 2 3 4 5 6 7; do
        own=$(LD_BIND_NOW=1 LD_LIBRARY_PATH=$bench/fake-$2 "$bench/sibling-$1") &&
            through=$(env LD_BIND_NOW=1 LD_LIBRARY_PATH="$build/dropin/siblings:$bench/fake" \
                HIPSHIM_LIBRARY="$bench/fake/libamdhip64.so.6" "HIPSHIM_${7}_LIBRARY=$bench/fake-$3/$3" \
                "$bench/sibling-$1") || return
        echo "$(field "$own" 1) $(field "$own" 2) $(field "$through" 1) $(field "$through" 2)"
    done >"$bench/out"
    middle() { cut -d ' ' -f "$1" "$bench/out" | sort -n | sed -n 4p; } # COLUMN
    row "$4, $(middle 3) ns: more than without hipshim, ns" "$(compute %.2f "$(middle 3) - $(middle 1)")" "$6"
    row "$5, $(middle 4) ns: more than without hipshim, ns" "$(compute %.2f "$(middle 4) - $(middle 2)")" "$6"
}

measure_siblings() {
    section "calls of the libraries beside HIP, through drop-ins" more limit
    if [ ! -e "$build/dropin/siblings/libhipblas.so.2" ]; then
        note "not measured: configured with --disable-siblings"
        return
    fi
    sibling_fake hipblas libhipblas.so.2 libhipblas-6.4.4
    sibling_fake hipblas libhipblas.so.3 libhipblas-7.2.4
    sibling_fake amdsmi libamd_smi.so.23 libamd_smi-6.0.2
    sibling_fake amdsmi libamd_smi.so.26 libamd_smi-7.0.2
    compile sibling-hipblas "$from/sibling.c" "$bench/fake-libhipblas.so.2/libhipblas.so.2"
    compile sibling-amdsmi -DSIBLING_SMI "$from/sibling.c" \
        "$bench/fake-libamd_smi.so.23/libamd_smi.so.23"
    sibling_rows hipblas libhipblas.so.2 libhipblas.so.3 "hipBLAS 6 over 7: hipblasSgemm, whose ABI is equal" \
        "hipBLAS 6 over 7: hipblasGemmEx, four data types" 30 HIPBLAS
    sibling_rows amdsmi libamd_smi.so.23 libamd_smi.so.26 "AMD SMI 6.0 over 7.0: amdsmi_power_info_t" \
        "AMD SMI 6.0 over 7.0: amdsmi_gpu_metrics_t" '' AMDSMI
}
