#!/bin/sh
# SPDX-License-Identifier: MIT
# The completions for bash, zsh and fish offer every command, action and option, and files where
# files are wanted.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016,SC2086 # scripts of other shells; a list of words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
cd "$scratch" || exit 99
mkdir empty place
cd place || exit 99
mkdir folder
: >'a file.so'
PATH=$build:$PATH
scripts=$scratch/share # as installed
mkdir -p "$scripts/bash-completion/completions" "$scripts/zsh/site-functions"
cp "$top/src/tool/completion/hipshim" "$scripts/bash-completion/completions/"
cp "$top/src/tool/completion/_hipshim" "$scripts/zsh/site-functions/"

# What each shell offers for a command line that ends in the last argument, sorted, on one line.
offer_bash() { # WORD...
    bash --norc -c '. "$1"; shift
        COMP_WORDS=(hipshim "$@"); COMP_CWORD=$#
        _hipshim; printf "%s\n" "${COMPREPLY[@]}"' - "$scripts/bash-completion/completions/hipshim" "$@"
}
# Only the functions that offer something are replaced; they know nothing of the words.
offer_zsh() {
    zsh -f -c 'show() { local i; for i; do [[ $i == "$PREFIX"* ]] && print -r -- $before$i; done }
        compadd() { show ${(P)@[-1]} }
        compset() { local rest=${PREFIX##$~2}; before+=${PREFIX%$rest} PREFIX=$rest }
        _files() { show *(N) }
        _command_names() { show ${(k)commands} }
        file=$1; shift
        words=(hipshim "$@") CURRENT=$(($# + 1)) PREFIX=$@[-1] before=
        . $file' - "$scripts/zsh/site-functions/_hipshim" "$@"
}
offer_fish() {
    fish --no-config -c 'source $argv[1]; complete -C "hipshim $argv[2]"' \
        "$top/src/tool/completion/hipshim.fish" "$*" | cut -f1
}
HOME=$scratch/empty
XDG_CONFIG_HOME=$HOME
XDG_DATA_HOME=$HOME
export HOME XDG_CONFIG_HOME XDG_DATA_HOME
offers() { # WORD...
    said=$("offer_$shell" "$@" 2>&1 | sed 's/\\ / /g' | LC_ALL=C sort -u | tr '\n' ' ')
    said=${said% }
}

words() { LC_ALL=C sort -u | tr '\n' ' ' | sed 's/ $//'; }
commands=$("$tool" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
has "the commands were found" "$(printf '%s ' $commands)" "cache doctor embed"

options_of() { # COMMAND: its long options
    "$tool" "$1" --help | grep -E '^ +(-., *)*--' | grep -Eo ' --[a-z][a-z-]*' | tr -d ' ' | words
}
check_commands() {
    offers ''
    is "$shell: every command" "$said" "$(printf '%s\n' $commands help version | words)"
    offers ca
    is "$shell: a command that begins so" "$said" cache
    for command in $commands; do
        offers "$command" --
        is "$shell: every option of $command" "$said" "$(options_of "$command")"
    done
    offers help sc
    is "$shell: a command after help" "$said" scan
}
check_words() {
    offers cache ''
    has "$shell: the actions of cache" " $said" " clear"
    offers cache ve
    is "$shell: an action that begins so" "$said" verify
    offers --json abi s
    is "$shell: an action after --json" "$said" show
    offers abi show hipMallocA
    is "$shell: the functions of HIP" "$said" "hipMallocArray hipMallocAsync"
    offers abi diff 5.7 6.4.43484 ''
    has "$shell: the releases of HIP" " $said " " 7.2.53211 "
    offers embed --arch gfx900,gfx94
    is "$shell: architectures, also after a comma" "$said" "gfx900,gfx940 gfx900,gfx941 gfx900,gfx942"
    offers run --arch gfx95
    is "$shell: processors of the loopback" "$said" gfx950
    offers abi --fail-on ''
    is "$shell: the words of a value" "$said" "any breaking"
    offers run --abi ''
    is "$shell: the majors of HIP for run --abi" "$said" "5 6 7 auto"
    offers info ''
    is "$shell: nothing where nothing is wanted" "$said" ""
    offers embed --jobs ''
    is "$shell: nothing for a number" "$said" ""
}
check_files() {
    offers scan ''
    has "$shell: files for scan" " $said/" " a file.so folder/"
    offers embed --rocm ''
    has "$shell: files for an option" " $said/" " folder/"
    offers run --abi auto ls ''
    has "$shell: files for a program's arguments" " $said/" " folder/"
    offers run --abi auto env
    has "$shell: programs for run" " $said " " env "
}

for shell in bash zsh fish; do
    if command -v $shell >"$scratch/path"; then
        check_commands
        check_words
        check_files
    else
        skip "$shell: 26 tests of its completion" "$shell is not installed"
    fi
done

# bash takes "--option=value" apart; zsh does not.
if command -v bash >"$scratch/path"; then
    shell=bash
    offers embed --rocm = ''
    has "bash: files after the sign of equality" " $said/" " folder/"
    offers embed --rocm =
    has "bash: and directly after it" " $said/" " folder/"
else
    skip "bash: 2 tests of the sign of equality" "bash is not installed"
fi
if command -v zsh >"$scratch/path"; then
    shell=zsh
    offers abi --fail-on=b
    is "zsh: a word after the sign of equality" "$said" --fail-on=breaking
else
    skip "zsh: a word after the sign of equality" "zsh is not installed"
fi

finish
