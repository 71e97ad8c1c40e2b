#!/bin/sh
# SPDX-License-Identifier: MIT
# Every #include and every import runs downward, from a folder to those that it may use, and none
# runs in a circle.  HACKING.md describes the folders.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
cd "$top" || exit 99
plan 11

# FOLDER: the folders that its files may include.  "contract" after a folder's name means that
# others may include its one header of that name only; the others are toolboxes.
cat >"$scratch/rules" <<'END'
base:
elf:
engine: base elf
hip: base elf engine
cache: base
kernel: base elf cache
embed: base elf cache kernel
tool: base elf cache
rocm: base engine
loopback: elf
python:
END
contracts="engine cache kernel"
# The engine has several.
engine="api by_caller dispatch hooks loader search_log tables version"

# Lines "FILE INCLUDED": of src, by path from src; what is not in src is left out.
find src -name '*.[ch]' | sort | while read -r file; do
    sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r header; do
        if [ -f "src/$header" ]; then
            printf '%s %s\n' "${file#src/}" "$header"
        elif [ -f "$(dirname "$file")/$header" ]; then
            printf '%s %s\n' "${file#src/}" "$(dirname "${file#src/}")/$header"
        fi
    done
done >"$scratch/includes"

# Prints the includes that the rules forbid.
forbidden() { # INCLUDES
    awk -v contracts=" $contracts " -v engine=" $engine " '
        function folder(path) { sub(/\/.*/, "", path); return path }
        NR == FNR {
            name = $1; sub(/:/, "", name); known[name] = 1
            for (i = 2; i <= NF; i++) may[name, $i] = 1
            next
        }
        {
            from = folder($1); to = folder($2)
            if (!(from in known)) { print $1 ": its folder has no rule"; next }
            if (from == to) next
            if (!((from, to) in may)) print $1 " includes " $2
            else if (to == "engine" && index(engine, " " substr($2, 8, length($2) - 9) " ")) next
            else if (index(contracts, " " to " ") && $2 != to "/" to ".h")
                print $1 " includes " $2 ", which is private to " to
        }' "$scratch/rules" "$1"
}

circles() { # EDGES: prints the members of circles
    awk '$1 != $2' "$1" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \(.*[/.].*\)/\1/p'
}

has "the includes of src were found" "$(cat "$scratch/includes")" "engine/dispatch.c base/error.h"
is "no include in src runs upward" "$(forbidden "$scratch/includes")" ""
is "no includes in src run in a circle" "$(circles "$scratch/includes")" ""

# The same checks find what they are for.
printf 'base/error.c engine/loader.h\n' >"$scratch/upward"
has "an include that runs upward is found" "$(forbidden "$scratch/upward")" "base/error.c includes"
printf 'hip/runtime.c engine/search.h\n' >"$scratch/private"
has "an include of a private header is found" "$(forbidden "$scratch/private")" "private to engine"
printf 'a/a.h b/b.h\nb/b.h c/c.h\nc/c.h a/a.h\n' >"$scratch/circle"
has "a circle is found" "$(circles "$scratch/circle")" "b/b.h"

# Generated sources serve the engine, the API's own code and two tables of the tool; tests and tool are included by nobody.
upward=$(grep -rl '#include "\(tool\|cache\|kernel\|embed\|rocm\)/' bindings | grep -v '^bindings/\(dropins\|words\).c$')
is "generated sources include engine, hip, elf and base only" "$upward" ""
is "no source includes tests" "$(grep -rn '#include ".*tests/' src bindings)" ""
is "no source asks for which library it is compiled" "$(grep -rn 'HS_DROP_IN' src bindings)" ""

# The generator: modules by their names.
for file in generator/hipgen/*.py; do
    module=$(basename "$file" .py)
    sed -n 's/^ *from hipgen\.\([a-z_]*\) import.*/\1/p; s/^ *from hipgen import \(.*\)/\1/p' "$file" |
        tr -s ', ' '\n' | grep '^[a-z]' | while read -r other; do
        printf '%s.py %s.py\n' "$module" "$other"
    done
done >"$scratch/imports"
is "no imports of the generator run in a circle" "$(circles "$scratch/imports")" ""
only() { # MODULE: the files that import it
    grep -l "^ *\(import\|from\) $1" generator/hipgen/*.py | xargs -n 1 basename | tr '\n' ' '
}
is "only the parser imports libclang, and only the renderer jinja2" "$(only clang)$(only jinja2)" \
    "libclang.py parse.py render.py "
