#!/bin/sh
# SPDX-License-Identifier: MIT
# Each exit status that a manual page names is reached, and each variable of doc/environment.md with a
# value that cannot be used is said to be so.  statuses.txt and variables.txt have the commands.
# shellcheck source-path=SCRIPTDIR disable=SC2016 # backquotes of Markdown
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

[ -c /dev/full ] || skip_all "there is no /dev/full"
HIPSHIM_DROPIN=$build/dropin
HIPSHIM_LOOPBACK=$build/src/loopback/.libs
HOME=$scratch/home
PATH=$build:$PATH
export HIPSHIM_DROPIN HIPSHIM_LOOPBACK HOME PATH
unset HIPSHIM_CACHE_DIR XDG_CACHE_HOME HIP_CLANG_PATH TMPDIR HIPSHIM_ALLOW_UNKNOWN HIPSHIM_STRICT
unset GUIX_ENVIRONMENT SNAP NIX_PROFILES VIRTUAL_ENV CONDA_PREFIX
unknown=$scratch/unknown/libamdhip64.so.9
build_fake "$unknown" -DFAKE_VERSION=90000000
# A prefix in which a compiler is looked for.
rocm=$scratch/rocm
mkdir -p "$rocm/include/hip"
: >"$rocm/include/hip/hip_runtime.h"
export unknown rocm
cd "$scratch" || exit 99
printf '__global__ void axpy() {}\n' >axpy.hip
printf '#error\n' >bad.hip
table() { grep -v '^#' "$top/tests/documents/$1" | grep .; }

# --- exit statuses ---

for page in "$top"/doc/man/*.1; do
    name=${page##*/}
    name=${name%.1}
    awk -v name="${name#hipshim-}" '/^\.Sh/ { inside = /EXIT STATUS/ }
        inside && /^\.It / { print name, $2 }' "$page"
done | sort -u >named
has "the statuses of the pages are found" "$(cat named)" "run 125"
table statuses.txt | cut -d' ' -f 1,2 | sort -u >reached
is "every status that a page names has a way to it" "$(comm -23 named reached)" ""
is "and no status is reached that its page does not name" "$(comm -13 named reached)" ""
table statuses.txt >statuses
while read -r command status words; do
    case $words in
    in\ *) ok "hipshim $command has status $status in a test that is there" test -f "$top/${words#in }" ;;
    *)
        sh -c "$words" >output 2>&1 </dev/null
        got=$?
        is "$words has status $status" "$got" "$status"
        [ "$got" = "$status" ] || tap_comment "$(cat output)"
        ;;
    esac
done <statuses

# --- variables ---

awk '/^## The search/ { inside = 1 } /^## Macros/ { inside = 0 } inside && /^\| `/' \
    "$top/doc/environment.md" | cut -d'|' -f 2 | grep -oE '`[A-Z_0-9]+`' | tr -d '`' | sort -u >described
has "the variables are found" "$(cat described)" HIPSHIM_CACHE_SIZE
table variables.txt >variables
: >decided
while read -r pattern value words; do
    while read -r name; do
        # shellcheck disable=SC2254 # it is a pattern
        case $name in $pattern) ;; *) continue ;; esac
        printf '%s\n' "$name" >>decided
        case $value in
        -) ;;
        in) has "$name is in ${words##*/}" "$(cat "$top/$words")" "${name#LOOPBACK_}=" ;;
        *)
            said=$(env "$name=$value" sh -c "$words" 2>&1 </dev/null)
            has "$name=$value is said not to be used" "$said" "$name"
            ;;
        esac
    done <described
done <variables
is "every variable has a value that cannot be used, or a reason" "$(sort -u decided | comm -23 described -)" ""
is "no variable is named twice with a reason and a value" \
    "$(awk '$2 == "-" { print $1 }' variables | while read -r name; do grep "^$name [^-]" variables; done)" ""

# --- commands in the middle of a sentence, of which most are a part only ---

commands=" $("$build/hipshim" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')help version "
# Prints each `hipshim COMMAND --OPTION` of the files with a command or an option that is not there.
unknown_words() { # FILE...
    grep -ohE '`hipshim [a-z][^`]*`' "$@" | tr -d '`' | sort -u | while read -r _ command words; do
        case $commands in
        *" $command "*) ;;
        *) echo "hipshim $command" ;;
        esac
        for option in $(printf '%s\n' "$words" | grep -oE '(^| )--[a-z][a-z-]*'); do
            "$build/hipshim" "$command" --help 2>&1 | grep -qE -- "$option([^a-z-]|\$)" || echo "hipshim $command $option"
        done
    done
}
is "documents and headers name only commands and options that there are" \
    "$(unknown_words "$top/README.md" "$top/HACKING.md" "$top"/doc/*.md "$top"/include/hipshim/hipshim/*.h)" ""
printf '`hipshim cache sweep --dust` and `hipshim sweep`\n' >wrong.md
is "others are found" "$(unknown_words wrong.md)" "hipshim cache --dust
hipshim sweep"
finish
