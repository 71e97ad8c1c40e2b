#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of each folder of src, with the folders in it, use symbols of each other in one direction:
# `nm` of the object files of this build shows no circle.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
nm=${NM:-nm}
command -v "${nm%% *}" >/dev/null || skip_all "no $nm here"
[ -d src ] || skip_all "run this test in a build directory, because it reads the object files there"
plan 4

# Prints "FILE OBJECT" for the object files below a folder, with FILE relative to it, without suffix.
# A file that was compiled for several libraries has several objects, whose names begin with that of
# the library.  Objects of files that are gone may be left of an older build.
objects() { # FOLDER
    find "$1" -name '*.o' | while read -r object; do
        name=${object##*/}
        folder=${object%/*}
        name=${name%.o}
        file=${folder%/.libs}/${name##*-}
        [ -f "$top/$file.c" ] && echo "${file#"$1"/} $object"
    done
}

# Prints "USER OWNER SYMBOL" for each symbol of one file of the list that another one uses.
edges() { # LIST of lines "FILE OBJECT"
    while read -r file object; do
        # shellcheck disable=SC2086 # libtool sets NM to several words
        $nm -P "$object" | sed "s|^|$file |"
    done <"$1" | awk '
        { symbol = $2; sub(/@.*/, "", symbol) }
        $3 == "U" { uses[$1 " " symbol]; next }
        $3 ~ /^[A-Z]$/ { owners[symbol] = owners[symbol] " " $1 }
        END {
            for (use in uses) {
                split(use, part, " ")
                count = split(owners[part[2]], owner, " ")
                for (i = 1; i <= count; i++)
                    if (owner[i] != part[1]) print part[1], owner[i], part[2]
            }
        }' | sort -u
}

# Prints the edges that are part of a circle: those between files that reach each other.
circles() { # FILE of lines "USER OWNER SYMBOL"
    awk '
        { edge[NR] = $1 " " $2; symbol[NR] = $3; reach[$1, $2] = 1; file[$1]; file[$2] }
        END {
            for (k in file) for (i in file) if ((i, k) in reach)
                for (j in file) if ((k, j) in reach) reach[i, j] = 1
            for (n = 1; n <= NR; n++) {
                split(edge[n], part, " ")
                if ((part[2], part[1]) in reach) print part[1] " uses " symbol[n] " of " part[2]
            }
        }' "$1" | sort
}

found=''
for folder in src/*/; do
    folder=${folder%/}
    objects "$folder" >"$scratch/objects"
    edges "$scratch/objects" >"$scratch/edges"
    sed "s|^|$folder |" "$scratch/edges" >>"$scratch/all"
    found="$found$(circles "$scratch/edges" | sed "s|^|$folder: |")"
done
ok "symbols of cache and tool were found" \
    grep -q -x -e 'src/cache store entry hs_.*' -e 'src/tool main embed/embed tool_embed_run' "$scratch/all"
is "no symbols in a folder of src run in a circle" "$found" ""

# The same check finds what it is for.
printf 'a b f\nb c g\nc a h\nc d i\n' >"$scratch/circle"
is "a circle is found with its symbols" "$(circles "$scratch/circle")" \
    "$(printf 'a uses f of b\nb uses g of c\nc uses h of a')"
printf 'a b f\nb c g\na c g\n' >"$scratch/straight"
is "symbols in one direction are no circle" "$(circles "$scratch/straight")" ""
