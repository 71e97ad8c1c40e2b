#!/bin/sh
# SPDX-License-Identifier: MIT
#
# detect-hip.sh: finds the HIP of this machine and the bindings that match it.
# configure runs it, and the tests run the same file on small fake trees.
#
#   detect-hip.sh --releases=FILE [--with-hip=PREFIX | --with-hip |
#                 --without-hip] [--with-hip-patch=N] [--multiarch=TRIPLE]
#
# Standard output is shell assignments, for eval:
#   hip_prefix hip_found_by         the prefix and the place where it was found
#   hip_release hip_release_from    MAJOR.MINOR.PATCH and the file that has it
#   hip_rocm                        the ROCm releases that carry it, as text
#   hip_includedir hip_libdir hip_library hip_libs
#   hip_bindings hip_bindings_from  N of bindings_N.h and the reason
# Without HIP, which is not an error, all but the last two are empty.
# Warnings and errors go to standard error; an error exits 1, bad usage 2.
#
# It reads HIP_PATH and ROCM_PATH.  HIPSHIM_DETECT_ROOT, for tests, is a prefix of
# every system path (/opt, /usr).
set -u
LC_ALL=C
export LC_ALL

# The time limit for hipconfig in seconds; some call perl, a compiler and device discovery.
hipconfig_limit=10

say() { printf '%s\n' "detect-hip: $*" >&2; }
warn() { say "warning: $*"; }
fail() {
    say "error: $1"
    shift
    for line in "$@"; do printf '  %s\n' "$line" >&2; done
    exit 1
}
usage() {
    say "$1"
    exit 2
}
# shellcheck source=usage.sh
. "$(dirname "$0")/usage.sh"

releases=
with=search
prefix=
patch=
multiarch=$(uname -m)-linux-gnu
root=${HIPSHIM_DETECT_ROOT:-}

for arg in "$@"; do
    case $arg in
    --releases=*) releases=${arg#*=} ;;
    --with-hip=no | --without-hip) with=none ;;
    --with-hip=yes | --with-hip) with=required ;;
    --with-hip=) usage "--with-hip= needs a prefix" ;;
    --with-hip=*) with=prefix prefix=${arg#*=} ;;
    --with-hip-patch=*) patch=${arg#*=} ;;
    --multiarch=?*) multiarch=${arg#*=} ;;
    --multiarch=) ;;
    *) usage_answer "$arg" ;;
    esac
done
[ -r "$releases" ] || usage "cannot read the list of releases: '$releases'"

hip_prefix='' hip_found_by='' hip_release='' hip_release_from='' hip_rocm=''
hip_includedir='' hip_libdir='' hip_library='' hip_libs=''
hip_bindings='' hip_bindings_from=''

# --- queries of the list of releases -------------------------------------

# list_query QUESTION [ARGUMENT] prints the answer as one line:
#   newest            RELEASE PATCH
#   patches           every patch, in the order of the list
#   patch N           RELEASE of the newest release with patch N
#   exact RELEASE     PATCH API-SET-PATCH ROCM-TEXT
#   near RELEASE      RELEASE PATCH of the nearest older of the same
#                     major.minor, else of the same major, else of the
#                     nearest younger of the same major
#   around RELEASE    the nearest known releases on both sides, as text
# Patches are compared within one major.minor only: from 7.1 on they fall
# again from one minor to the next.
list_query() {
    awk -v question="$1" -v argument="${2:-}" '
        function before(a, b,    x, y) { # true: a is older than b
            split(a, x, "."); split(b, y, ".")
            if (x[1] + 0 != y[1] + 0) return x[1] + 0 < y[1] + 0
            if (x[2] + 0 != y[2] + 0) return x[2] + 0 < y[2] + 0
            return x[3] + 0 < y[3] + 0
        }
        function major(r,    x) { split(r, x, "."); return x[1] + 0 }
        /^[ \t]*(#|$)/ { next }
        $1 !~ /^[0-9]+\.[0-9]+\.[0-9]+$/ || $2 !~ /^[0-9]+$/ { bad = FNR; exit 3 }
        {
            split($1, part, ".")
            release = $1; own = part[3]; api_set = $2
            text = $0; sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]*/, "", text)
            patches = patches " " own
            newest = release " " own
            if (question == "patch" && own == argument) answer = release
            if (question == "exact" && release == argument)
                answer = own " " api_set " " text
            if (argument ~ /\./ && before(release, argument)) {
                older = release
                if (major(release) == major(argument)) answer_older = release " " own
            }
            if (argument ~ /\./ && younger == "" && before(argument, release)) {
                younger = release
                if (major(release) == major(argument)) answer_younger = release " " own
            }
        }
        END {
            if (bad) exit 3
            if (question == "newest") answer = newest
            if (question == "patches") answer = substr(patches, 2)
            if (question == "near")
                answer = answer_older != "" ? answer_older : answer_younger
            if (question == "around")
                answer = older (older != "" && younger != "" ? " and " : "") younger
            print answer
        }' "$releases" || fail "$releases: not a list of releases"
}

# --- the content of a prefix -------------------------------------------------

# version_triplet PATTERN FILE: MAJOR.MINOR.PATCH of a file that gives them
# as "#define HIP_VERSION_MAJOR 6" or "HIP_VERSION_MAJOR=6"; nothing if one
# of the three is missing.
version_triplet() {
    awk '
        { sub(/\r$/, "") }
        match($0, /^[ \t]*(#[ \t]*define[ \t]+)?HIP_VERSION_(MAJOR|MINOR|PATCH)[ \t=]+[0-9]+/) {
            line = substr($0, RSTART, RLENGTH)
            value = line; sub(/^.*[^0-9]/, "", value)
            key = line; sub(/^.*HIP_VERSION_/, "", key); sub(/[^A-Z].*$/, "", key)
            if (!(key in seen)) seen[key] = value
        }
        END {
            if (("MAJOR" in seen) && ("MINOR" in seen) && ("PATCH" in seen))
                printf "%d.%d.%d\n", seen["MAJOR"], seen["MINOR"], seen["PATCH"]
        }' "$1" 2>/dev/null
}

# hipconfig_triplet FILE PREFIX: the release that hipconfig prints.  hipconfig may
# print other text, omit the newline, add -HASH or -9999, or hang.
hipconfig_triplet() {
    if ! command -v timeout >/dev/null 2>&1; then
        warn "$1 is not run, because there is no timeout(1) to limit it"
        return
    fi
    HIP_PATH=$2 ROCM_PATH=$2 timeout -k 1 "$hipconfig_limit" "$1" --version \
        2>/dev/null </dev/null |
        awk 'match($0, /^[ \t]*[0-9]+\.[0-9]+\.[0-9]+/) {
            if (!done) { v = substr($0, RSTART, RLENGTH); gsub(/[ \t]/, "", v); print v }
            done = 1
        }'
}

# read_release PREFIX sets hip_release, hip_release_from and hip_includedir.
read_release() {
    hip_release='' hip_release_from='' hip_includedir=''
    for dir in "$1/include" "$1/hip/include"; do
        if [ -f "$dir/hip/hip_runtime_api.h" ] || [ -f "$dir/hip/hip_version.h" ]; then
            hip_includedir=$dir
            break
        fi
    done
    for file in "${hip_includedir:-$1/include}/hip/hip_version.h" \
        "$1/share/hip/version" "$1/hip/share/hip/version" \
        "$1/bin/.hipVersion" "$1/hip/bin/.hipVersion"; do
        [ -f "$file" ] || continue
        hip_release=$(version_triplet "$file")
        hip_release_from=$file
        [ -z "$hip_release" ] || return 0
        warn "$file does not have HIP_VERSION_MAJOR, MINOR and PATCH"
    done
    for file in "$1/bin/hipconfig" "$1/hip/bin/hipconfig"; do
        { [ -f "$file" ] && [ -x "$file" ]; } || continue
        hip_release=$(hipconfig_triplet "$file" "$1")
        hip_release_from=$file
        [ -z "$hip_release" ] || return 0
        warn "$file prints no release"
    done
    hip_release_from=''
    return 1
}

# The N of libamdhip64.so.N; for a bare libamdhip64.so, that of its link's target.
library_major() {
    name=${1##*/}
    if [ "$name" = libamdhip64.so ]; then
        name=$(readlink -f "$1")
        name=${name##*/}
    fi
    case $name in
    libamdhip64.so.[0-9]*)
        name=${name#libamdhip64.so.}
        printf '%s\n' "${name%%.*}"
        ;;
    esac
}

# find_library PREFIX MAJOR sets hip_library and hip_libdir to the library of
# that major, or without one in MAJOR to any; other_library is one of another
# major.
find_library() {
    hip_library='' hip_libdir='' other_library=''
    for dir in "$1/lib" "$1/lib64" "$1/lib/$multiarch" "$1/hip/lib"; do
        # Sorted, so the soname comes before the longer name it is a link to.
        for file in "$dir"/libamdhip64.so.* "$dir/libamdhip64.so"; do
            [ -f "$file" ] || continue
            major=$(library_major "$file")
            if [ -z "$2" ] || [ -z "$major" ] || [ "$major" = "$2" ]; then
                hip_library=$file hip_libdir=$dir
                return 0
            fi
            : "${other_library:=$file}"
        done
    done
    return 1
}

# Linker flags of the library found.  The bare name is used only where it is
# a link to this very major: two majors may share a directory.
set_libs() {
    hip_libs=
    [ -n "$hip_library" ] || return 0
    wanted=$(library_major "$hip_library")
    for stem in amdhip64 hiprtc; do
        link=$hip_libdir/lib$stem.so
        soname=$link.$wanted
        if [ -f "$link" ] && [ -f "$soname" ] &&
            [ "$(readlink -f "$link")" != "$(readlink -f "$soname")" ]; then
            hip_libs="$hip_libs -l:lib$stem.so.$wanted"
        elif [ -f "$link" ]; then
            hip_libs="$hip_libs -l$stem"
        elif [ -n "$wanted" ] && [ -f "$soname" ]; then
            hip_libs="$hip_libs -l:lib$stem.so.$wanted"
        elif [ "$stem" = hiprtc ] && [ "${wanted:-0}" -ge 7 ]; then
            warn "$hip_libdir has no libhiprtc.so: HIP $wanted has hiprtc nowhere else"
        fi
    done
    hip_libs=${hip_libs# }
}

# --- candidates ----------------------------------------------------------

# holds_hip PREFIX: true if a header or a library of HIP is there.  A removed
# installation may leave a hipconfig or a version file, so these alone do not count.
holds_hip() {
    [ -f "$1/include/hip/hip_version.h" ] || [ -f "$1/hip/include/hip/hip_version.h" ] ||
        [ -f "$1/include/hip/hip_runtime_api.h" ] || find_library "$1" ""
}

# take PREFIX FOUND_BY: sets all hip_* values of the prefix, fails on two
# majors in it, returns 1 if no file has the release.
take() {
    read_release "$1"
    find_library "$1" "${hip_release%%.*}"
    if [ -n "$hip_release" ] && [ -z "$hip_library" ] && [ -n "$other_library" ]; then
        fail "$1 holds the header and the library of different majors:" \
            "release $hip_release: $hip_release_from" \
            "major $(library_major "$other_library"): $other_library" \
            "Remove one, or use --with-hip=PREFIX (another prefix) or --without-hip."
    fi
    hip_prefix=$1 hip_found_by=$2
    [ -n "$hip_release" ] || return 1
    [ -n "$hip_library" ] ||
        warn "$1 has HIP headers but no libamdhip64.so.${hip_release%%.*}"
}

# versioned STEM: directories STEM* by number, newest first (10 before 7).
versioned() {
    for dir in "$1"*; do
        [ -d "$dir" ] && printf '%s\n' "${dir#"$1"}"
    done | sort -t. -k1,1nr -k2,2nr -k3,3nr | while IFS= read -r tail; do
        printf '%s\n' "$1$tail"
    done
}

# Every place to search, best first, one "FOUND_BY<tab>PREFIX" on each line.
places() {
    [ -z "${HIP_PATH:-}" ] || printf 'HIP_PATH\t%s\n' "$HIP_PATH"
    [ -z "${ROCM_PATH:-}" ] || printf 'ROCM_PATH\t%s\n' "$ROCM_PATH"
    {
        printf '%s\n' "$root/opt/rocm/core"
        versioned "$root/opt/rocm/core-"
        printf '%s\n' "$root/opt/rocm"
        versioned "$root/opt/rocm-"
        printf '%s\n' "$root/usr"
    } | while IFS= read -r dir; do
        printf 'search of system paths\t%s\n' "$dir"
    done
}

# search: the first place that has HIP and a file with its release.
search() {
    tab=$(printf '\t')
    found=no
    # A here-document and not a pipe, so that the variables of take() stay set.
    while IFS=$tab read -r by place; do
        place=$(absolute "$place")
        if ! holds_hip "$place"; then
            case $by in
            *_PATH) warn "$by=$place is skipped: no HIP header or library there" ;;
            esac
        elif take "$place" "$by"; then
            found=yes
            break
        else
            warn "$place is skipped: it has ${hip_library:-HIP headers} but no file with its release"
        fi
    done <<PLACES
$(places)
PLACES
    [ $found = yes ] && return
    hip_prefix='' hip_found_by='' hip_release='' hip_release_from=''
    hip_includedir='' hip_libdir='' hip_library=''
    [ $with = search ] ||
        fail "--with-hip: no HIP found in HIP_PATH, ROCM_PATH, /opt/rocm* or /usr" \
            "Use --with-hip=PREFIX, or omit the option; hipshim builds without HIP."
}

absolute() {
    case $1 in
    /) printf '/\n' ;;
    /*) printf '%s\n' "${1%/}" ;;
    *) printf '%s\n' "$PWD/${1%/}" ;;
    esac
}

given_prefix() {
    prefix=$(absolute "$prefix")
    [ -d "$prefix" ] || fail "--with-hip=$prefix: no such directory"
    take "$prefix" --with-hip && return
    if [ -z "$patch" ] || [ -z "$hip_includedir$hip_library" ]; then
        fail "--with-hip=$prefix: no HIP release found there; looked for" \
            "$prefix/include/hip/hip_version.h (and hip/include)" \
            "$prefix/share/hip/version" \
            "$prefix/bin/.hipVersion (and hip/bin)" \
            "$prefix/bin/hipconfig (and hip/bin)"
    fi
}

# --- which bindings ------------------------------------------------------

unknown_release() {
    if [ $with != search ]; then
        fail "$hip_prefix is HIP $hip_release, which hipshim has no bindings for" \
            "nearest known: $(list_query around "$hip_release")" \
            "Use near ones: --with-hip-patch=N, N one of $(list_query patches)" \
            "Or add it:     python3 -m hipgen add-release --headers $hip_includedir"
    fi
    near=$(list_query near "$hip_release")
    case ${near%% *} in
    "${hip_release%.*}".*) kind="the nearest known of HIP ${hip_release%.*}" ;;
    ?*) kind="the nearest known of HIP ${hip_release%%.*}" ;;
    *)
        near=$(list_query newest)
        kind="the newest: none of HIP ${hip_release%%.*} is known"
        ;;
    esac
    hip_bindings=${near##* }
    hip_bindings_from="${near%% *}, $kind"
    warn "HIP $hip_release is unknown; using the bindings of $hip_bindings_from"
}

choose_bindings() {
    exact=
    if [ -n "$hip_release" ]; then
        exact=$(list_query exact "$hip_release")
        hip_rocm=${exact#* } # without the patch
        hip_rocm=${hip_rocm#* }
    fi
    if [ -n "$patch" ]; then
        named=$(list_query patch "$patch")
        [ -n "$named" ] || fail "--with-hip-patch=$patch: there are no such bindings" \
            "known: $(list_query patches)"
        hip_bindings=$patch
        hip_bindings_from="--with-hip-patch, of $named"
        if [ -n "$hip_release" ] && [ "$named" != "$hip_release" ]; then
            warn "--with-hip-patch selects the bindings of $named for HIP $hip_release"
        fi
    elif [ -z "$hip_release" ]; then
        newest=$(list_query newest)
        hip_bindings=${newest##* }
        hip_bindings_from="the newest, of ${newest%% *}"
    elif [ -n "$exact" ]; then
        # shellcheck disable=SC2086 # two fields and the rest
        set -- $exact
        hip_bindings=$1
        hip_bindings_from="of this release"
        [ "$1" = "$2" ] || hip_bindings_from="of this release, equal to bindings_$2.h"
    else
        unknown_release
    fi
}

# assign NAME VALUE: one assignment, quoted for eval whatever VALUE holds.
assign() {
    printf "%s='" "$1"
    printf '%s' "$2" | sed "s/'/'\\\\''/g"
    printf "'\n"
}

list_query newest >/dev/null # fails here, not in a substitution, on a bad list
case $patch in *[!0-9]*) usage "--with-hip-patch=$patch: not a number" ;; esac
case $with in
prefix) given_prefix ;;
search | required) search ;;
esac
set_libs
choose_bindings

assign hip_prefix "$hip_prefix"
assign hip_found_by "$hip_found_by"
assign hip_release "$hip_release"
assign hip_release_from "$hip_release_from"
assign hip_rocm "$hip_rocm"
assign hip_includedir "$hip_includedir"
assign hip_libdir "$hip_libdir"
assign hip_library "$hip_library"
assign hip_libs "$hip_libs"
assign hip_bindings "$hip_bindings"
assign hip_bindings_from "$hip_bindings_from"
