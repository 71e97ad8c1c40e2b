#!/bin/sh
# SPDX-License-Identifier: MIT
# A client of one release of AMD SMI or ROCm SMI gets each member of each struct from the library of
# another one, and nothing behind its own struct is written.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

dropins=$build/dropin/siblings
sibling_built "$dropins/libamd_smi.so.27"
sibling_python
cc=${CC:-cc}

# shellcheck disable=SC2086 # CC may be several words
compile() { $cc "$@"; }

# One allocates a list for the client, whose records were shorter before 7.0; the value of the other may
# be of an enum that was renumbered.
left_out="amdsmi_get_gpu_reg_table_info rsmi_func_iter_value_get"

# make_pair API STEM LIBRARY N CLIENT M: the library LIBRARY with the soname of N, and a client of
# CLIENT for M
make_pair() {
    # shellcheck disable=SC2086 # a list
    "$python" "$top/tests/apis/smi_pair.py" "$1" "$3" "$5" "$scratch" $left_out &&
        compile -w -fPIC -shared "-Wl,-soname,$2.so.$4" "$scratch/fake.c" -o "$scratch/$2.so.$4" &&
        compile -Wall -Wextra -Werror "$scratch/client.c" "$dropins/$2.so.$6" -o "$scratch/client"
}

over() { # SONAME: the client over this library
    LD_LIBRARY_PATH=$dropins HIPSHIM_AMDSMI_LIBRARY=$scratch/$1 HIPSHIM_ROCMSMI_LIBRARY=$scratch/$1 \
        timeout 60 "$scratch/client" 2>&1
}

while read -r api stem library number client own; do
    ok "a library of $api $library and a client of $client compile" \
        make_pair "$api" "$stem" "$library" "$number" "$client" "$own"
    has "a client of $api $client runs over the library of $library" "$(over "$stem.so.$number" | tail -n 12)" ' checks, 0 failed'
done <<END
amdsmi libamd_smi 10.1.0 27 6.3.1 24
amdsmi libamd_smi 6.3.1 24 10.1.0 27
amdsmi libamd_smi 10.1.0 27 7.0.2 26
amdsmi libamd_smi 7.0.2 26 10.1.0 27
amdsmi libamd_smi 7.0.2 26 6.3.1 24
amdsmi libamd_smi 6.3.1 24 7.0.2 26
amdsmi libamd_smi 6.4.1 25 6.3.1 24
amdsmi libamd_smi 6.1.0 24 6.4.2 25
amdsmi libamd_smi 6.0.2 23 7.0.2 26
rocmsmi librocm_smi64 7.2.4 7 5.7.0 5
rocmsmi librocm_smi64 7.2.4 7 6.0.2 6
rocmsmi librocm_smi64 6.2.0 7 5.7.0 5
rocmsmi librocm_smi64 6.1.2 7 6.0.2 6
rocmsmi librocm_smi64 6.0.2 6 5.7.0 5
rocmsmi librocm_smi64 5.7.0 5 6.0.2 6
rocmsmi librocm_smi64 5.2.0 5 7.2.4 7
END

# The same client without a drop-in, as with a link from the old soname to the new library.
ok "a library of 10.1 and a client of 6.3 compile again" make_pair amdsmi libamd_smi 10.1.0 27 6.3.1 24
mkdir "$scratch/link"
ln -s ../libamd_smi.so.27 "$scratch/link/libamd_smi.so.24"
linked=$(LD_LIBRARY_PATH=$scratch/link timeout 60 "$scratch/client" 2>&1)
has "a link to another release shows that the checks see the difference" "$linked" 'amdsmi_get_gpu_vbios_info: after the struct'
lacks "a link to another release does not pass" "$linked" ', 0 failed'

alone=$(LD_LIBRARY_PATH=$dropins "$scratch/client" 2>&1)
has "without a library a client gets a status" "$alone" 'amdsmi_get_gpu_asic_info: its status'
has "without a library a client is told why" "$alone" 'hipshim: libamd_smi.so.24: no AMD SMI library (libamd_smi) was found'
# The real library, which finds no GPU here.
answers() { # LIBRARY: of a program that is linked to it
    compile "$top/tests/apis/smi.c" "$1" -Wl,--allow-shlib-undefined -o "$scratch/real" &&
        HIPSHIM_ROCMSMI_LIBRARY=$folder/librocm_smi64.so.7 sibling_over 7.2 "${1%/*}" "$scratch/real" 2>&1
}
folder=$(sibling_libraries librocm-smi64-7-7.2)
lacking=$(sibling_missing 7.2 librocm-smi64-7-7.2)
[ -n "$lacking" ] || {
    own=$(answers "$folder/librocm_smi64.so.7")
    has "a client of 7.2 has answers to compare with" "$own" 'status 2: 0, RSMI_STATUS_NOT_SUPPORTED'
}
for number in 5 6; do
    title="a client for librocm_smi64.so.$number gets what Debian's 7.2 answers"
    if [ -n "$lacking" ]; then
        skip "$title" "$lacking"
    else
        is "$title" "$(answers "$dropins/librocm_smi64.so.$number")" "$own"
    fi
done
finish
