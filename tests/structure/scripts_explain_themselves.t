#!/bin/sh
# SPDX-License-Identifier: MIT
# Every script that a person starts explains itself by --help, and refuses an argument that it does
# not know before it does anything.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
cd "$scratch" || exit 99

# The executable files that are no test and no tool of the tests themselves.
scripts=$(cd "$top" && find run-tests try install-deps autogen.sh .ci scripts tests/lib tests/bench \
    -type f -perm -u+x ! -name '*.t' ! -name run-python ! -name timed-driver 2>/dev/null | sort)
has "the scripts were found" "$(echo "$scripts" | tr '\n' ' ')" "install-deps run-tests scripts/"

# No script gets to work here: it finds no compiler, no package manager and no make.
# The interpreter itself: a python3 in PATH may be a script that needs more programs than these.
mkdir bin
for program in sh bash sed cat env dirname basename uname grep cut; do
    ln -s "$(command -v $program)" bin/
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" bin/python3
stopped() { # SCRIPT ARGUMENT: output in said and error, status in status
    said=$(timeout 20 env PATH="$scratch/bin" "$top/$1" "$2" 2>error)
    status=$?
}
for script in $scripts; do
    for argument in --nonsense nonsense; do
        stopped "$script" $argument
        is "$script $argument is refused in one line" \
            "$status [$said] $(wc -l <error) $(grep -c -- "$argument.*; " error)" "2 [] 1 1"
    done
    stopped "$script" --help
    is "$script --help succeeds" "$status [$(cat error)]" "0 []"
    has "$script --help names the script" "$said" "${script##*/}"
    first=$said
    stopped "$script" -h
    is "$script -h is the same" "$status $said" "0 $first"
done
finish
