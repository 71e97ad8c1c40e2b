#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/hardening/fuzz/cases.sh CONVERT.H: the cases of converters.c, one for each
# converter that the header declares.
set -eu
sed -n \
    -e 's/^bool \(hs_convert_[A-Za-z0-9_]*\)(int \*dst, int value);$/VALUE(\1)/p' \
    -e 's/^const char \*\(hs_convert_[A-Za-z0-9_]*\)(\([a-z]* [A-Za-z0-9_]*\) \*dst, const \([a-z]* [A-Za-z0-9_]*\) \*src);$/RECORD(\1, \2, \3)/p' \
    -e 's/^const char \*\(hs_convert_[A-Za-z0-9_]*\)(\([a-z]* [A-Za-z0-9_]*\) \*dst, const \([a-z]* [A-Za-z0-9_]*\) \*src, struct hs_arena \*arena);$/LIST(\1, \2, \3)/p' \
    "$1"
