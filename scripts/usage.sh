# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Sourced by the scripts of the project:
#   usage_print         prints the comment at the head of the script, its description
#   usage_answer WORD   --help: prints that and ends the script; other words: refuses them
#   usage_none "$@"     the same for the first argument of a script that takes none

usage_print() {
    sed -n '2,${ /^#/!q; /^# SPDX/d; /^# shellcheck/d; s/^# \{0,1\}//; p; }' "$0" | sed '/./,$!d'
}

usage_answer() { # WORD
    case $1 in
    -h | --help)
        usage_print
        exit 0
        ;;
    esac
    echo "${0##*/}: $1: unknown argument; $0 --help lists those that there are" >&2
    exit 2
}

usage_none() {
    [ $# -eq 0 ] || usage_answer "$1"
}
