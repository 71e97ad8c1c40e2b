# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the loader_*.t and tool_*.t tests: TAP, a scratch directory as the
# working directory, fake runtimes, and the loader on its own as ./probe.
#
# Uses CC and CFLAGS from the environment, and srcdir as automake sets it.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cc=${CC:-cc}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/hipshim-loader.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
cd "$scratch" || exit 99
# mktemp may answer with a path through a link; the loader resolves them.
scratch=$(pwd -P)

unset HIPSHIM_LIBRARY HIPSHIM_TRACE HIPSHIM_ALLOW_UNKNOWN
unset HIP_PATH ROCM_PATH ROCM_HOME CONDA_PREFIX LD_LIBRARY_PATH LD_PRELOAD
LC_ALL=C
export LC_ALL

tests=0
failures=0

# result STATUS DESCRIPTION: one TAP line.
result() {
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        echo "not ok $tests - $2"
        failures=$((failures + 1))
        sed 's/^/# /' output
    fi
}

# skip REASON DESCRIPTION
skip() {
    tests=$((tests + 1))
    echo "ok $tests - $2 # SKIP $1"
}

# run COMMAND...: leaves its output in ./output and its status in $status.
run() {
    "$@" >output 2>&1
    status=$?
}

# gives PATTERN DESCRIPTION: some line of the last output matches the whole
# extended regular expression.
gives() {
    grep -E -x -q -- "$1" output
    result $? "$2"
}

# lacks PATTERN DESCRIPTION: no line does.
lacks() {
    ! grep -E -x -q -- "$1" output
    result $? "$2"
}

# exits STATUS DESCRIPTION
exits() {
    [ "$status" -eq "$1" ]
    result $? "$2"
}

# skip_all REASON: the whole file.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# finish: the plan, last.
finish() {
    echo "1..$tests"
    [ "$failures" -eq 0 ] || exit 1
    exit 0
}

# fake FILE SONAME FLAG...: a library made of fake_runtime.c.
fake() {
    fake_file=$1
    fake_soname=$2
    shift 2
    mkdir -p "$(dirname "$fake_file")"
    # The sanitizers of CFLAGS are left out: their run time must come first in
    # a process, and the fakes are mapped into programs that have none.
    # shellcheck disable=SC2086 # CC may be several words
    $cc -fPIC -shared -o "$fake_file" -Wl,-soname,"$fake_soname" "$@" \
        "$top/tests/loader/fake_runtime.c" || exit 99
}

# build_probe FILE [FLAG...]: the loader with the tests' own releases, looking
# for installs under the working directory.  The dynamic linker is asked for
# libamdhip64-of-tests.so.N, because the machine may have a libamdhip64.so.N.
build_probe() {
    probe_file=$1
    shift
    # shellcheck disable=SC2086 # CC and CFLAGS are lists of words
    $cc -std=gnu11 -D_GNU_SOURCE -DHIPSHIM_OPT_ROCM='"opt/rocm"' \
        -DHIPSHIM_COMPAT_ROCM='"compat"' -DHIPSHIM_MULTIARCH='"multi-arch"' \
        -DHIPSHIM_SONAME='"libamdhip64-of-tests.so"' \
        -I"$top/include/hipshim" -I"$top/bindings" -I"$top/src" ${CFLAGS-} "$@" -o "$probe_file" \
        "$top/tests/loader/loader_probe.c" "$top/tests/loader/loader_tables.c" \
        "$top"/src/loader/*.c "$top/src/elf/check.c" "$top/src/elf/image.c" "$top/src/elf/notes.c" \
        "$top/src/base/error.c" "$top/src/base/once.c" "$top/src/base/path.c" -ldl -lpthread || exit 99
}
