#!/bin/sh
# SPDX-License-Identifier: MIT
# The loopback's own HSA declarations (src/loopback/hsa.h) are those of the
# vendor's headers, as the C compiler sees both: every size, offset, value and
# prototype; and they are what `hipgen excerpt` writes.
# shellcheck source-path=SCRIPTDIR disable=SC2016
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

ours=$top/src/loopback/hsa.h
runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}
newest=7.2
cc=${CC:-cc}

# Asserts of the header, and its prototypes: a second declaration with another
# type is an error.
sed -n 's/^HIPSHIM_ASSERT(\(.*\));$/_Static_assert(\1, "&");/p' "$ours" >"$scratch/asserts"
sed -n '/^[a-z].* \**hsa_[a-z0-9_]*(.*);$/p' "$ours" | grep -v '^typedef' >"$scratch/prototypes"
tap_comment "$(wc -l <"$scratch/asserts") sizes, offsets and values, $(wc -l <"$scratch/prototypes") prototypes"
ok "there are many of each" sh -c '[ "$(wc -l <"$1")" -gt 500 ] && [ "$(wc -l <"$2")" -gt 90 ]' \
    - "$scratch/asserts" "$scratch/prototypes"

for word in Copyright "Advanced Micro" '^ \*.*[Pp]aram' @brief '//'; do
    ok "no text of the vendor: $word" sh -c '! sed 1,5d "$1" | grep -q -- "$2"' - "$ours" "$word"
done

compare() { # HEADERS-DIR
    {
        for name in hsa hsa_ext_amd hsa_ext_image amd_hsa_queue amd_hsa_signal hsa_ven_amd_loader; do
            echo "#include <hsa/$name.h>"
        done
        cat "$scratch/chosen"
    } >"$scratch/compare.c"
    $cc -std=gnu11 -isystem "$1" -fsyntax-only "$scratch/compare.c"
}

# Of an older release: what it has, but the layouts that have grown since.
choose_for() { # HEADERS-DIR
    cat "$1"/hsa/*.h | tr -c 'A-Za-z0-9_' '\n' | sort -u >"$scratch/words"
    awk 'NR == FNR { known[$1] = 1; next }
        {
            line = $0
            sub(/, ".*/, "", line)
            while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
                word = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (word != "_Static_assert" && !(word in known)) next
            }
            print
        }' "$scratch/words" "$scratch/asserts" | grep -v 'sizeof\|offsetof\|_LAST_' >"$scratch/chosen"
}

refuses() { ! compare "$@"; }
wrong_fact() { # LINE
    cp "$scratch/chosen" "$scratch/right"
    printf '%s\n' "$1" >>"$scratch/chosen"
    ok "a wrong fact is seen: $1" refuses "$runtimes/$newest/usr/include"
    cp "$scratch/right" "$scratch/chosen"
}

cp "$scratch/asserts" "$scratch/chosen"
cat "$scratch/prototypes" >>"$scratch/chosen"
if [ -f "$runtimes/$newest/usr/include/hsa/hsa.h" ]; then
    ok "the facts are those of HIP $newest" compare "$runtimes/$newest/usr/include"
    wrong_fact '_Static_assert(HSA_STATUS_SUCCESS == 1, "");'
    wrong_fact 'hsa_status_t hsa_init(int argument);'
else
    skip "the facts are those of HIP $newest" "no HSA headers of HIP $newest (tests/lib/fetch-runtimes)"
fi
for release in 6.4 5.7 5.2; do
    if ! [ -f "$runtimes/$release/usr/include/hsa/hsa.h" ]; then
        skip "the values are those of HIP $release" "no HSA headers of HIP $release"
        continue
    fi
    choose_for "$runtimes/$release/usr/include"
    tap_comment "HIP $release: $(wc -l <"$scratch/chosen") values"
    ok "the values are those of HIP $release" compare "$runtimes/$release/usr/include"
done

generated() {
    (cd "$top/generator" && PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" -m hipgen excerpt --api hsa \
        --headers "$runtimes/$newest" --out -) >"$scratch/generated" &&
        diff "$ours" "$scratch/generated"
}
if ! [ -f "$runtimes/$newest/usr/include/hsa/hsa.h" ]; then
    skip "hipgen excerpt writes this" "no HSA headers of HIP $newest (tests/lib/fetch-runtimes)"
elif ! "${PYTHON:-python3}" -c 'import clang.cindex, jinja2' 2>/dev/null; then
    skip "hipgen excerpt writes this" "no Python with clang and jinja2"
else
    ok "hipgen excerpt writes this" generated
fi
finish
