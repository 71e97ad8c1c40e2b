#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim/kernel.h needs nothing of its user: any C from C99, any C++ from
# C++98, every warning on, included twice.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

cat >"$scratch/user.c" <<'END'
#include <hipshim/kernel.h>
#include <hipshim/kernel.h>
hipshim_status_t use(hipshim_kernel_options_t *options, hipshim_kernel_t **kernel);
hipshim_status_t use(hipshim_kernel_options_t *options, hipshim_kernel_t **kernel)
{
    options->size = sizeof *options;
    options->flags = HIPSHIM_KERNEL_NO_CACHE | HIPSHIM_KERNEL_HIPCC;
    return hipshim_kernel_compile(options, kernel);
}
END
cp "$scratch/user.c" "$scratch/user.cpp"

compiles() { # SUFFIX STANDARD COMPILER...
    suffix=$1
    standard=$2
    shift 2
    ok "it compiles as $standard" "$@" "-std=$standard" -Wall -Wextra -Wpedantic -Werror \
        -I"$top/include/hipshim" -c "$scratch/user.$suffix" -o "$scratch/user.o"
}
# shellcheck disable=SC2086 # CC and CXX may be several words
for standard in c99 c11 c2x; do
    compiles c "$standard" ${CC:-cc}
done
# shellcheck disable=SC2086
for standard in c++98 c++17; do
    compiles cpp "$standard" ${CXX:-c++}
done
plan "$tap_count"
