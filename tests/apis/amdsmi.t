#!/bin/sh
# SPDX-License-Identifier: MIT
# A client of one release of AMD SMI gets each member of each struct from the library of another one,
# and nothing behind its own struct is written.
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

# It allocates a list for the client, whose records were shorter before 7.0.
list=amdsmi_get_gpu_reg_table_info

# make_pair LIBRARY N CLIENT M: the library LIBRARY with the soname of N, and a client of CLIENT for M
make_pair() {
    "$python" "$top/tests/apis/amdsmi_pair.py" "$1" "$3" "$scratch" "$list" &&
        compile -w -fPIC -shared "-Wl,-soname,libamd_smi.so.$2" "$scratch/fake.c" -o "$scratch/libamd_smi.so.$2" &&
        compile -Wall -Wextra -Werror "$scratch/client.c" "$dropins/libamd_smi.so.$4" -o "$scratch/client"
}

over() { # NUMBER: the client over the library of this soname
    LD_LIBRARY_PATH=$dropins HIPSHIM_AMDSMI_LIBRARY=$scratch/libamd_smi.so.$1 timeout 60 "$scratch/client" 2>&1
}

while read -r library number client own; do
    ok "a library of $library and a client of $client compile" make_pair "$library" "$number" "$client" "$own"
    has "a client of $client runs over the library of $library" "$(over "$number" | tail -n 12)" ' checks, 0 failed'
done <<END
10.1.0 27 6.3.1 24
6.3.1 24 10.1.0 27
10.1.0 27 7.0.2 26
7.0.2 26 10.1.0 27
7.0.2 26 6.3.1 24
6.3.1 24 7.0.2 26
6.4.1 25 6.3.1 24
6.1.0 24 6.4.2 25
6.0.2 23 7.0.2 26
END

# The same client without a drop-in, as with a link from the old soname to the new library.
ok "a library of 10.1 and a client of 6.3 compile again" make_pair 10.1.0 27 6.3.1 24
mkdir "$scratch/link"
ln -s ../libamd_smi.so.27 "$scratch/link/libamd_smi.so.24"
linked=$(LD_LIBRARY_PATH=$scratch/link timeout 60 "$scratch/client" 2>&1)
has "a link to another release shows that the checks see the difference" "$linked" 'amdsmi_get_gpu_vbios_info: after the struct'
lacks "a link to another release does not pass" "$linked" ', 0 failed'

alone=$(LD_LIBRARY_PATH=$dropins "$scratch/client" 2>&1)
has "without a library a client gets a status" "$alone" 'amdsmi_get_gpu_asic_info: its status'
has "without a library a client is told why" "$alone" 'hipshim: libamd_smi.so.24: no AMD SMI library (libamd_smi) was found'
finish
