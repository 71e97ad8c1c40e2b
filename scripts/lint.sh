#!/bin/sh
# SPDX-License-Identifier: MIT
# lint.sh, without arguments, in the source tree, where `make lint` runs it: every checker that is installed, each
# named with its verdict; exit status 1 if one complains.
set -u
# shellcheck source=usage.sh
. "$(dirname "$0")/usage.sh"
usage_none "$@"
status=0
verdict() { # NAME [with PROGRAM] COMMAND...: PROGRAM is the one that COMMAND needs
    name=$1
    shift
    program=$1
    if [ "$1" = with ]; then
        program=$2
        shift 2
    fi
    if ! command -v "$program" >/dev/null; then
        echo "SKIP: $name: no $program here"
        return
    fi
    if "$@" >lint.out 2>&1; then
        echo "ok: $name"
    else
        cat lint.out
        echo "not ok: $name"
        status=1
    fi
    rm -f lint.out
}
# shellcheck disable=SC2046 # lists of words
verdict "shell scripts" shellcheck -x -P SCRIPTDIR install-deps run-tests try autogen.sh .ci/run scripts/*.sh \
    src/rocm/hipconfig.in $(find tests -name '*.t' -o -name '*.sh' | sort) tests/lib/fetch-bindings tests/lib/fetch-hipcc \
    tests/lib/fetch-runtimes tests/lib/fetch-siblings tests/lib/run-python tests/lib/timed-driver tests/bench/run \
    debian/tests/consumer debian/tests/runtime
# A list in bindings/files.mk: NAME_SOURCES or the include path NAME_CPPFLAGS of a caller ABI.
listed() { # VARIABLE
    sed -n "/^$1 = /,/[^\\\\]\$/{ s|\$(srcdir)/||; s|^[[:space:]]*\([^ ]*bindings/[^ ]*\).*|\1|p; }" \
        bindings/files.mk
}
callers="BINDINGS $(sed -n 's/^\(libdropin[0-9]*_la\)_SOURCES.*/\1/p' bindings/files.mk)"
# shellcheck disable=SC2317 # called through verdict
sources_of() { # CALLER: the .c files that are compiled for it
    listed "$1_SOURCES" | grep '\.c$'
    if [ "$1" = BINDINGS ]; then
        find src -name '*.c' ! -path 'src/loopback/*' ! -path 'src/python/*' ! -name registration_at_once.c ! -name dropin_hooks.c
    else
        find src/hip -name '*.c' ! -name registration_deferred.c ! -name single_caller.c \
            ! -name releases.c ! -name runtime.c
    fi
}
flags="-std=gnu11 -D_GNU_SOURCE -Iinclude/hipshim"
# One file at a time, because clang-tidy 14 misunderstands va_start in the second of several.
# shellcheck disable=SC2046,SC2086,SC2317 # lists of words; called through verdict
tidy() { # CALLER
    sources_of "$1" | grep '^src/' | xargs -P 2 -I FILE clang-tidy --quiet FILE -- \
        $flags $(listed "$1_CPPFLAGS") -Ibindings -Isrc
}
# The callers of one kind differ in generated headers only, so one of the drop-ins is enough.
for caller in BINDINGS "${callers##*[[:space:]]}"; do
    verdict "clang-tidy, $caller" with clang-tidy tidy "$caller"
done
# shellcheck disable=SC2046,SC2086 # lists of words
verdict "clang-tidy, the Python modules" with python3-config clang-tidy --quiet src/python/*.c -- $flags -Ibindings \
    -Ibindings/stable -Isrc $(python3-config --includes 2>/dev/null) -DPy_LIMITED_API=0x030B0000 -DHS_PYTHON_MODULE=_hip
# It does not know __typeof__, by which the functions of that list are called.
# shellcheck disable=SC2046 # a list of words
verdict "cppcheck" cppcheck --quiet -j 2 --error-exitcode=1 --enable=warning,portability,performance \
    --suppress='CastIntegerToAddressAtReturn:*registered_functions.h' --inline-suppr --suppress=missingIncludeSystem -D__x86_64__ -D_GNU_SOURCE \
    -Iinclude/hipshim $(listed BINDINGS_CPPFLAGS) -Ibindings -Isrc src
# shellcheck disable=SC2046 # a list of words
verdict "C formatting" clang-format --dry-run --Werror $(find src include/hipshim/hipshim examples \
    tests -name '*.[ch]' ! -path src/loopback/hsa.h | sort)
verdict "Python formatting" black --quiet --check --config generator/pyproject.toml generator/hipgen scripts tests
verdict "Python types" with mypy sh -c 'cd generator && mypy --cache-dir=/dev/null --no-error-summary hipgen ../scripts/figures.py'
verdict "Python types of the property tests" with mypy sh -c 'cd generator && MYPYPATH=../tests/lib/fakes \
    mypy --cache-dir=/dev/null --no-error-summary ../tests/lib/fakes/properties.py'
exit $status
