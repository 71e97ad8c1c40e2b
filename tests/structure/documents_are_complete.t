#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages have every command, option and public function, doc/environment.md has every
# variable, and no link of an installed document leads out of the installed documents.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016,SC2086 # backquotes of Markdown; a list of words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
hipshim=$build/hipshim
[ -x "$hipshim" ] || skip_all "the program hipshim is not built"
cd "$top" || exit 99
plan 17

# --- manual pages ---

commands=$("$hipshim" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')

# Prints the words of standard input that PAGE does not have after MACRO.
lacking() { # PAGE MACRO
    while read -r word; do
        grep -Eq "^\.(It|Op|Nm|Fl|Fo|Fn).*$2[ \"]*$word( |,|$)|^\.$2[ \"]*$word( |,|$)" "$1" ||
            printf '%s: %s\n' "${1##*/}" "$word"
    done
}

# Prints the long options that the page of a command does not have.
lacking_options() { # COMMAND PAGE; "" for the program itself
    "$hipshim" $1 --help | grep -E '^ +(-., )?--' | grep -Eo ' --[a-z][a-z-]*' | sed 's/^ -//' | sort -u |
        lacking "$2" 'Fl '
}

has "the commands were found" "$(printf '%s ' $commands)" "info run scan"
is "hipshim(1) has every command" \
    "$(printf '%s\n' $commands | lacking doc/man/hipshim.1 'Cm ')" ""
is "hipshim(1) has every option" "$(lacking_options "" doc/man/hipshim.1)" ""
is "the page of each command has every option" \
    "$(for command in $commands; do lacking_options "$command" "doc/man/hipshim-$command.1"; done)" ""

functions() { # HEADER...: prints the names of public functions
    sed 's|^ \*.*||' "$@" | grep -Eo '\bhipshim_[a-z_]+\(' | tr -d '(' | sort -u
}
headers=include/hipshim/hipshim
has "the public functions were found" "$(functions $headers/*.h)" hipshim_function_address
is "hipshim(3) has every function of hipshim.h" \
    "$(functions $headers/hipshim.h | lacking doc/man/hipshim.3 'F[on] ')" ""
is "hipshim-kernel(3) has every function of the other headers" \
    "$(functions $headers/kernel.h $headers/embed.h $headers/embed_build.h |
        lacking doc/man/hipshim-kernel.3 'F[on] ')" ""
is "every page is in doc/files.mk, and the other way round" \
    "$(sed -n 's|^	\(doc/man/[a-z0-9.-]*\).*|\1|p' doc/files.mk | sort)" \
    "$(printf '%s\n' doc/man/* | sort)"

# The same checks find what they are for.
grep -v -e '-json' doc/man/hipshim-info.1 >"$scratch/page.1"
has "an option that a page lacks is found" "$(lacking_options info "$scratch/page.1")" "page.1: -json"
grep -v 'hipshim_init' doc/man/hipshim.3 >"$scratch/page.3"
has "a function that a page lacks is found" \
    "$(functions $headers/hipshim.h | lacking "$scratch/page.3" 'F[on] ')" "page.3: hipshim_init"

if command -v mandoc >/dev/null; then
    is "the pages have no warnings" "$(mandoc -T lint -W warning doc/man/* 2>&1)" ""
elif command -v groff >/dev/null; then
    is "the pages have no warnings" "$(groff -mdoc -Tutf8 -ww -z doc/man/* 2>&1)" ""
else
    skip "the pages have no warnings" "neither mandoc nor groff is installed"
fi

# --- variables ---

# In the sources that read the environment, a string of capitals is the name of a variable, except for
# words of the command line and units.  The search reads the variables of api.toml, too.
{ sed -n 's/.*{ name = \("[A-Z_0-9]*"\).*/\1/p; s/^pin = //p' generator/apis/*/api.toml
grep -rlE '(getenv|hs_variable_is_on|hs_variable_path) ?\(' src | xargs grep -hoE '"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"'; } | tr -d '"' |
    grep -vxE 'DIR|GPUS|KMG|MAJOR|MINOR|NAME|OPTION|PATCH|PROCESSOR' | sort -u >"$scratch/read"
sed -n '/^## The search/,/^## Macros/p' doc/environment.md | grep '^| `' | cut -d'|' -f2 |
    grep -oE '`[A-Z_0-9]+`' | tr -d '`' | sort -u >"$scratch/described"
sed -n '/^`hipshim run` sets/,/^$/p' doc/environment.md | grep -oE '`[A-Z_0-9]+`' | tr -d '`' |
    sort -u - "$scratch/described" -o "$scratch/described"
has "the variables were found" "$(cat "$scratch/read")" HIPSHIM_LIBRARY
is "doc/environment.md has every variable that src reads" \
    "$(comm -23 "$scratch/read" "$scratch/described")" ""
is "doc/environment.md names no other variable" \
    "$(comm -13 "$scratch/read" "$scratch/described")" ""

# --- links ---

installed=$(sed -n '/^nobase_dist_doc_DATA/,$s/^	\([A-Za-z/.-]*\).*/\1/p' doc/files.mk)
is "every link of an installed document leads to an installed document" \
    "$(for file in $installed; do
        grep -oE '\]\([^):]+\)' "$file" | sed 's/^](//; s/[#)].*//' | sort -u | while read -r link; do
            path=$(realpath -m --relative-to=. "$(dirname "$file")/$link")
            printf '%s\n' "$installed" | grep -qxF "$path" || echo "$file: $link"
        done
    done)" ""
# As web pages make them of headings: lower case, words with hyphens, no other signs.
anchors() { # FILE
    sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_ \n-' | tr ' ' '-'
}
is "every link to a section leads to a heading" \
    "$(for file in $(printf '%s\n' $installed | grep '\.md$'); do
        grep -oE '\]\([^):]*#[^):]+\)' "$file" | sed 's/^](//; s/)$//' | sort -u | while read -r link; do
            path=$(dirname "$file")/${link%%#*}
            [ -n "${link%%#*}" ] || path=$file
            anchors "$path" | grep -qxF "${link##*#}" || echo "$file: $link"
        done
    done)" ""
words=$(wc -w <README.md)
ok "README.md has at most 1,200 words ($words)" test "$words" -le 1200
