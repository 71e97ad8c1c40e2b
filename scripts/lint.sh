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
    tests/*.sh tests/lib/fetch-hipcc tests/lib/fetch-runtimes tests/lib/run-python tests/bench/run tests/loopback/coverage/record \
    tests/loopback/*.sh tests/hardening/fuzz/*.sh tests/dropin/programs/*.sh
# A file at a time: clang-tidy 14 mistakes va_start in the second of several.
# shellcheck disable=SC2317 # called through verdict
tidy() {
    printf '%s\n' src/*.c | xargs -P 2 -I FILE clang-tidy --quiet FILE -- -std=gnu11 \
        -D_GNU_SOURCE -DPACKAGE_VERSION='"0"' -Iinclude/hipshim -Ibindings -Isrc
}
# shellcheck disable=SC2317 # called through verdict
tidy_drop_in() {
    printf '%s\n' src/dispatch/dispatch.c src/loader/loader.c src/elf/dropin_note.c src/dispatch/by_caller.c |
        xargs -P 2 -I FILE clang-tidy --quiet FILE -- -std=gnu11 -D_GNU_SOURCE -DHS_DROP_IN=6 \
            -Iinclude/hipshim -Ibindings/dropin/6 -Ibindings -Isrc
}
# gcc's warnings are those of every build; clang has others.
# shellcheck disable=SC2086,SC2317 # front is a list; called through verdict
clang_compiles() {
    printf '%s\n' "$@" | xargs -P 2 -I FILE clang -std=gnu11 -Wall -Wextra -Werror -fsyntax-only \
        -D_GNU_SOURCE -DPACKAGE_VERSION='"0"' -Iinclude/hipshim $front -Ibindings -Isrc FILE
}
if command -v clang >/dev/null; then
    front=
    verdict "clang's warnings" clang_compiles src/*.c bindings/*.c
    for major in 5 6 7; do
        front="-DHS_DROP_IN=$major -Ibindings/dropin/$major"
        verdict "clang's warnings, drop-in $major" clang_compiles src/dispatch/semantics.c src/dispatch/dispatch.c \
            src/dispatch/get_proc_address.c src/loader/loader.c src/elf/dropin_note.c src/dispatch/by_caller.c bindings/dropin/$major/*.c
    done
else
    echo "SKIP: clang: not here"
fi
if command -v clang-tidy >/dev/null; then
    verdict "clang-tidy, drop-in" tidy_drop_in
    verdict "clang-tidy" tidy
else
    echo "SKIP: clang-tidy: not here"
fi
verdict "cppcheck" cppcheck --quiet --error-exitcode=1 --enable=warning,portability,performance \
    --inline-suppr --suppress=missingIncludeSystem -D__x86_64__ -D_GNU_SOURCE -DPACKAGE_VERSION='"0"' \
    -Iinclude/hipshim -Ibindings -Isrc src
verdict "C formatting" clang-format --dry-run --Werror src/*.c src/*.h include/hipshim/hipshim/*.h \
    tests/loopback/gpu/*.[ch] tests/loopback/*.[ch] tests/loopback/checks/*.c tests/dropin/mixed/*.[ch] tests/dropin/programs/*.[ch]
verdict "Python formatting" black --quiet --check --config generator/pyproject.toml generator/hipgen tests
verdict "Python types" sh -c 'cd generator && mypy --cache-dir=/dev/null --no-error-summary hipgen'
verdict "Python types of the property tests" sh -c 'cd generator && MYPYPATH=../tests/lib/fakes \
    mypy --cache-dir=/dev/null --no-error-summary ../tests/lib/fakes/properties.py'
exit $status
