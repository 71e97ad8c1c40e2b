# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # for and of the script that sources this, which sets $into
#
# Sourced by fetch-runtimes and fetch-siblings, which fetch trees into the directory $into:
#   fetch_mirror           prints the URL of the Debian archive; nothing if there is none
#   fetch_problem COMMAND  says in $problem why this machine can fetch nothing; COMMAND is needed
#   fetch_once NAME        gives $into/NAME the tree that the script's function fetch_make NAME
#                          leaves in $work/tree, unless it is there; $from says which.  fetch_make writes
#                          $work/tree/$fetch_mark; where it fails, it sets $reason, which
#                          $into/NAME.reason keeps
# HIPSHIM_RUNTIME_CACHE names a directory to share between builds, $store.

store=${HIPSHIM_RUNTIME_CACHE:-$into}

# The mirror apt itself uses: the first main archive of a whole suite (not
# security, updates or backports, which hold other packages).
fetch_mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 2>/dev/null |
        awk '$1 !~ /[-\/]/ && $2 == "main" && $3 ~ /^(https?|file|copy|mirror)[+:]/ { print $3; exit }'
}

fetch_problem() { # COMMAND
    mirror=${HIPSHIM_DEBIAN_MIRROR:-$(fetch_mirror)}
    problem=
    [ "$(uname -m)" = x86_64 ] || problem="the packages are for x86_64, this is $(uname -m)"
    [ -n "$mirror" ] ||
        problem="apt knows no Debian archive; HIPSHIM_DEBIAN_MIRROR=URL can name one"
    command -v "$1" >/dev/null || problem="$1 is not installed"
}

fetch_once() { # NAME
    from="there already"
    if [ ! -f "$store/$1/$fetch_mark" ]; then
        from="fetched"
        mkdir -p "$store" || return 3
        work=$(mktemp -d "$store/.fetch.XXXXXX") || return 3
        trap 'rm -rf "$work"' EXIT
        # mmdebstrap may run as another user of a user namespace.
        chmod 755 "$work"
        fetch_make "$1"
        status=$?
        if [ $status -eq 0 ]; then
            rm -rf "${store:?}/$1"
            mv "$work/tree" "$store/$1" || status=3
        fi
        rm -rf "$work"
        if [ $status -ne 0 ]; then
            printf '%s\n' "$reason" >"$into/$1.reason"
            echo "$1: CANNOT BE HAD: $reason" >&2
            return $status
        fi
    fi
    if [ "$store" != "$into" ] && [ ! -e "$into/$1" ]; then
        ln -sfn "$(cd "$store" && pwd)/$1" "$into/$1"
    fi
    rm -f "$into/$1.reason"
}
