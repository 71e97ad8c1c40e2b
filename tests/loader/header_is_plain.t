#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim/hipshim.h needs nothing of its user: any C from C99, any C++ from
# C++98, every warning on, included twice.

# shellcheck source=../loader/common.sh
. "$(dirname "$0")/../loader/common.sh"

cat >user.c <<'END'
#include <hipshim/hipshim.h>
#include <hipshim/hipshim.h>
hipshim_status_t use(hipshim_runtime_t *runtime);
hipshim_status_t use(hipshim_runtime_t *runtime)
{
    runtime->size = sizeof *runtime;
    return hipshim_runtime_info(runtime);
}
END
cp user.c user.cpp

# compiles SUFFIX STANDARD COMPILER...
compiles() {
    suffix=$1
    standard=$2
    shift 2
    if ! command -v "$1" >compiler-path; then
        skip "there is no $1" "it compiles as $standard"
        return
    fi
    run "$@" "-std=$standard" -Wall -Wextra -Wpedantic -Werror -I"$top/include/hipshim" \
        -c "user.$suffix" -o user.o
    exits 0 "it compiles as $standard with $1"
}

# shellcheck disable=SC2086 # CC and CXX may be several words
for standard in c99 c11 c2x; do
    compiles c "$standard" $cc
done
# shellcheck disable=SC2086
for standard in c++98 c++17; do
    compiles cpp "$standard" ${CXX:-c++}
done

finish
