#!/bin/sh
# SPDX-License-Identifier: MIT
# Run by `make lint` in the source tree: every checker that is installed, each
# named with its verdict; exit status 1 if one complains.
set -u
status=0
verdict() { # NAME COMMAND...
    name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        echo "SKIP: $name: no $1 here"
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
verdict "shell scripts" shellcheck -x install-deps run-tests try autogen.sh .ci/run m4/*.sh tests/*.t \
    tests/*.sh tests/fetch-runtimes tests/run-python tests/bench/run
# A file at a time: clang-tidy 14 mistakes va_start in the second of several.
# shellcheck disable=SC2317 # called through verdict
tidy() {
    printf '%s\n' src/*.c | xargs -P 2 -I FILE clang-tidy --quiet FILE -- -std=gnu11 \
        -D_GNU_SOURCE -DPACKAGE_VERSION='"0"' -Iinclude/hipshim -Ibindings -Isrc
}
if command -v clang-tidy >/dev/null; then
    verdict "clang-tidy" tidy
else
    echo "SKIP: clang-tidy: not here"
fi
verdict "cppcheck" cppcheck --quiet --error-exitcode=1 --enable=warning,portability,performance \
    --inline-suppr --suppress=missingIncludeSystem -D__x86_64__ -D_GNU_SOURCE -DPACKAGE_VERSION='"0"' \
    -Iinclude/hipshim -Ibindings -Isrc src
verdict "C formatting" clang-format --dry-run --Werror src/*.c src/*.h include/hipshim/hipshim/*.h \
    tests/gpu/*.[ch] tests/loopback/*.[ch] tests/loopback/checks/*.c
verdict "Python formatting" black --quiet --check --config generator/pyproject.toml generator/hipgen tests
verdict "Python types" sh -c 'cd generator && mypy --cache-dir=/dev/null --no-error-summary hipgen'
verdict "Python types of the property tests" sh -c 'cd generator && MYPYPATH=../tests/fakes \
    mypy --cache-dir=/dev/null --no-error-summary ../tests/fakes/properties.py'
exit $status
