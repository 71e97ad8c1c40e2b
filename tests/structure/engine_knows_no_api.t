#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine has the names of an API only from its generated data (src/engine/api.h), so that every
# API can use it.  The public interface has names that begin with `hipshim`.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
cd "$top" || exit 99
plan 3

# Prints the words in files that begin with the name of an API, of a platform or of a vendor.  An
# underscore and a digit end a word: HS_HIP_X has the word HIP.
names() { # FILE...
    grep -noiE '(^|[^a-z])(hip|roc|amd|cuda)[a-z]*' "$@" | grep -viE '(:|[^a-z])hipshim$'
}

has "the files of the engine were found" "$(echo src/engine/*.[ch])" "src/engine/dispatch.c"
is "no word of the engine begins with a name of an API" "$(names src/engine/*.[ch])" ""

# The same check finds what it is for.
cat >"$scratch/engine.c" <<'END'
/* hipshim opens what the caller needs of hip. */
enum { HS_HIP_MAJOR, HIPSHIM_OPT_ROCM, process };
#include <hipshim/hipshim.h>
static const char *const names[] = {"libamdhip64", "__hipRegisterVar", "cudart", "rocblas"};
END
is "a name of an API is found in comments, names and texts" \
    "$(names "$scratch/engine.c" /dev/null | sed 's/.*:[^A-Za-z]*//' | tr '\n' ' ')" \
    "hip HIP ROCM hipRegisterVar cudart rocblas "
