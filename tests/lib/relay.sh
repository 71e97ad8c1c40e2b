# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # scratch is of tap.sh
#
# After tap.sh: relay WORDS STATUS [REASON] gives on, with WORDS before each, the TAP lines
# that a program wrote to $scratch/out before it ended with STATUS.  REASON is that of the
# tests that cmocka reports as skipped, since it gives none.  One more line says whether
# the program ran to its end: a crash, a hang and an early exit leave fewer lines than
# its groups planned, or another status than 0.

relay() { # WORDS STATUS [REASON]
    relay_words=$(printf '%s\n' "$1" | tr _ ' ')
    # The name of a C function becomes words; what has spaces is a title already.
    sed -e '/^[not ]*ok [0-9]* - [^ ]*$/y/_/ /' -e '/^[not ]*ok [0-9]* # SKIP [^ ]*$/y/_/ /' \
        "$scratch/out" >"$scratch/relayed"
    while IFS= read -r relay_line; do
        case $relay_line in
        "# ok - "* | "# not ok - "*) ;; # cmocka's word on the whole program
        "# "*) printf '%s\n' "$relay_line" ;;
        "ok "[0-9]*" # SKIP "* | "not ok "[0-9]*" # SKIP "*) relay_skip "$relay_words" "$relay_line" "${3:-the program skips it}" ;;
        "ok "[0-9]*) tap_result yes "$relay_words: ${relay_line#* - }" ;;
        "not ok "[0-9]*) tap_result no "$relay_words: ${relay_line#* - }" ;;
        *) ;;
        esac
    done <"$scratch/relayed"
    relay_planned=$(awk -F. '/^1\.\.[0-9]+$/ { sum += $3 } END { print sum }' "$scratch/out")
    is "$relay_words: the program ran to its end" \
        "$2, $(grep -c '^\(not \)\{0,1\}ok [0-9]' "$scratch/out") tests" "0, ${relay_planned:-no} tests"
    [ "$2" -eq 0 ] || cat "$scratch/out" "$scratch/err" | tail -n 40 | sed 's/^/#   /'
}

# cmocka writes "ok 3 # SKIP name", or "not ok" in old versions; other programs "ok 3 - title # SKIP reason".
relay_skip() { # WORDS LINE REASON
    case $2 in
    *" - "*" # SKIP "*)
        relay_line=${2#* - }
        skip "$1: ${relay_line%% # SKIP *}" "${2##* # SKIP }"
        ;;
    *) skip "$1: ${2##* # SKIP }" "$3" ;;
    esac
}
