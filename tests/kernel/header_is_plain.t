#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim/kernel.h needs nothing of its user: any C from C99, any C++ from C++98, every
# warning on, included twice.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/plain-header.sh
. "$top/tests/lib/plain-header.sh"

header_is_plain <<'END'
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
finish
