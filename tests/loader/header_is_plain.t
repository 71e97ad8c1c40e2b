#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim/hipshim.h needs nothing of its user: any C from C99, any C++ from C++98, every
# warning on, included twice.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/plain-header.sh
. "$top/tests/lib/plain-header.sh"

header_is_plain <<'END'
#include <hipshim/hipshim.h>
#include <hipshim/hipshim.h>
hipshim_status_t use(hipshim_runtime_t *runtime);
hipshim_status_t use(hipshim_runtime_t *runtime)
{
    runtime->size = sizeof *runtime;
    return hipshim_runtime_info(runtime);
}
END
finish
