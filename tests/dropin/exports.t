#!/bin/sh
# SPDX-License-Identifier: MIT
# A drop-in exports what the real library of its major does, each symbol at its version node, and
# the C++ names that only older releases of the major have; no symbol more and none less.  So do
# the baselines in generator/apis/hip/exports.  Where the real library at hand is of an older
# release than the baseline, the drop-in has all of its symbols and nodes.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
LC_ALL=C
export LC_ALL

runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}

exports_of() { # LIBRARY: name and node, sorted; the nodes themselves left out
    nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort
}

same_exports() { # WORDS FILE WANTED
    exports_of "$2" >"$scratch/got"
    if diff "$3" "$scratch/got" >"$scratch/diff"; then
        tap_result yes "$1"
    else
        tap_result no "$1"
        sed 's/^/#   /' "$scratch/diff" | head -n 20
    fi
}

# The nodes form a chain, as in the real library: a newer one implies the older.
chain_of() {
    objdump -p "$1" | sed -n '/^Version definitions/,/^$/p' | awk '$4 ~ /^hip_/ { print $4 }' | sort
}

# The symbols on standard input and those of older releases, sorted.
with_older() { # MAJOR
    case $1 in
    5)
        {
            cat
            grep 'SurfaceObjectP\|\(Activity\|Api\)Callback' "$top/generator/apis/hip/exports/libamdhip64-5.2.21153.txt"
            # Of 5.0, where a surface object is a number.
            echo _Z22hipCreateSurfaceObjectPyPK15hipResourceDesc@@hip_4.2
            echo _Z23hipDestroySurfaceObjecty@@hip_4.2
            # Of later majors, for libraries that look them up in libamdhip64.so.
            printf '%s@@HIPSHIM\n' hipChooseDeviceR0000 hipChooseDeviceR0600 \
                hipGetDevicePropertiesR0000 hipGetDevicePropertiesR0600
        } | sort -u
        ;;
    *) sort ;;
    esac
}

while read -r major patch debian; do
    library=$build/dropin/libamdhip64.so.$major
    baseline=$(echo "$top/generator/apis/hip/exports/libamdhip64-$major".*".$patch.txt")
    [ -s "$baseline" ] || {
        tap_result no "HIP $major has a baseline"
        continue
    }
    with_older "$major" <"$baseline" >"$scratch/wanted"
    same_exports "libamdhip64.so.$major exports what the baseline of $patch says" "$library" "$scratch/wanted"
    is "libamdhip64.so.$major says so itself" \
        "$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')" "libamdhip64.so.$major"
    is "libhiprtc.so.$major says so itself" \
        "$(objdump -p "$build/dropin/libhiprtc.so.$major" | awk '$1 == "SONAME" { print $2 }')" \
        "libhiprtc.so.$major"
    real=$runtimes/$debian/usr/lib/x86_64-linux-gnu
    if [ "$patch" = 60850 ] && [ -f "$real/libamdhip64.so.$major" ]; then
        exports_of "$real/libamdhip64.so.$major" >"$scratch/real"
        is "libamdhip64.so.$major exports all that the real one of $debian does" \
            "$(exports_of "$library" | comm -13 - "$scratch/real")" ""
        chain_of "$library" >"$scratch/chain"
        is "libamdhip64.so.$major has all version nodes of the real one of $debian" \
            "$(chain_of "$real/libamdhip64.so.$major" | comm -13 "$scratch/chain" -)" ""
    elif [ -f "$real/libamdhip64.so.$major" ]; then
        exports_of "$real/libamdhip64.so.$major" | with_older "$major" >"$scratch/real"
        same_exports "libamdhip64.so.$major exports what the real one does" "$library" "$scratch/real"
        is "libamdhip64.so.$major has the version nodes of the real one" \
            "$(chain_of "$library")" "$(chain_of "$real/libamdhip64.so.$major")"
    else
        skip "libamdhip64.so.$major exports what the real one does" "HIP $debian was not fetched"
    fi
    if [ -f "$real/libhiprtc.so.$major" ]; then
        exports_of "$real/libhiprtc.so.$major" >"$scratch/real"
        same_exports "libhiprtc.so.$major exports what the real one does" \
            "$build/dropin/libhiprtc.so.$major" "$scratch/real"
    fi
done <<END
5 31921 5.7
6 43484 6.4
7 60850 7.2
END
finish
