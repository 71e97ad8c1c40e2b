#!/bin/sh
# SPDX-License-Identifier: MIT
# Each single allocation of hipshim's code may fail, and all from one on: a command then ends with an
# error, or does without, and neither crashes nor gives another answer.  `info` may also say that
# there is no memory for a part of its answer.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2086 # CC may be several words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

program=$build/.libs/hipshim
[ -x "$program" ] || skip_all "the program does not use the shared libraries"
[ -z "$no_meddling" ] || skip_all "$no_meddling"
HIPSHIM_CACHE=0
export HIPSHIM_CACHE
cd "$scratch" || exit 99
ok "the library that lets allocations fail is built" $cc -std=gnu11 -D_GNU_SOURCE -w -fPIC -shared \
    -o short.so "$top/tests/hardening/short_memory.c" -ldl
echo 'SIZE=40' >axpy.hip

short() { # SETTING...: the command in $command, with standard output in got
    env LD_LIBRARY_PATH="$build/.libs" LD_PRELOAD="$scratch/short.so" "$@" timeout 60 "$program" \
        $command >got 2>error
    status=$?
}

# The command holds: it neither crashes nor succeeds with another answer.
holds() { # COMMAND
    command=$1
    short SHORT_COUNT=1
    plain=$status
    cp got wanted
    count=$(sed -n 's/^allocations //p' error | sort -n | tail -n 1)
    is "\`$command\` allocates memory" "$((${count:-0} > 0))" 1
    bad=
    number=0
    while [ $number -lt "$count" ]; do
        number=$((number + 1))
        for all in "" SHORT_ALL=1; do
            rm -f out.c out.rs out.bin out.d
            short SHORT_AT=$number $all
            # 128 and more are signals; doctor says that findings are missing by its status
            if [ $status -ge 124 ] || grep -qi 'double free\|ended its process by signal' error ||
                { [ "$status:$plain" = 0:0 ] && [ "$command" != info ] && ! cmp -s got wanted; }; then
                bad="$bad $number${all:+ and on} (status $status)"
            fi
        done
    done
    is "\`$command\` holds if any of its $count allocations fails" "$bad" ""
}

holds which
holds info
holds doctor
holds "cache warm --arch gfx90a axpy.hip"
holds "embed --rust --arch gfx90a -o out axpy.hip"
finish
