#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/products/table.sh RESULTS DOCUMENT: writes the table of the results of `make check-products`
# between the two marks of the document.
set -eu
results=${1:?usage: table.sh RESULTS DOCUMENT}
document=${2:?usage: table.sh RESULTS DOCUMENT}
for result in "$results"/*; do
    [ -s "$result" ] || {
        echo "table.sh: $result is empty, because its test was skipped; $document stays as it is" >&2
        exit 1
    }
done
made=$(mktemp)
trap 'rm -f "$made"' EXIT
cat "$results"/* | awk -F '|' '
    function age(name, part) { split(name, part, /[.-]/); return part[1] * 1000 + part[2] }
    !($1 in seen) { seen[$1] = 1; clients[++rows] = $1 }
    !($2 in known) && $2 != "natively" { known[$2] = 1; columns[++width] = $2 }
    { value[$1, $2] = $3 }
    END {
        for (i = 2; i <= width; i++) # by release
            for (j = i; j > 1 && age(columns[j]) < age(columns[j - 1]); j--) {
                kept = columns[j]; columns[j] = columns[j - 1]; columns[j - 1] = kept
            }
        head = "| program | without hipshim |"; line = "|---|---|"
        for (i = 1; i <= width; i++) { head = head " over " columns[i] " |"; line = line "---|" }
        print head; print line
        for (row = 1; row <= rows; row++) {
            text = "| " clients[row] " | " value[clients[row], "natively"] " |"
            for (i = 1; i <= width; i++) {
                cell = value[clients[row], columns[i]]
                text = text " " (cell == "" ? "–" : cell) " |"
            }
            print text
        }
    }' >"$made"
awk -v table="$made" '
    /^<!-- results of make check-products -->$/ {
        print; print ""
        while ((getline text < table) > 0) print text
        print ""; inside = 1; next
    }
    /^<!-- end of the results -->$/ { inside = 0 }
    !inside' "$document" >"$made.document"
cat "$made.document" >"$document"
rm -f "$made.document"
