#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim cache` shows, checks, empties and fills the kernel cache.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

tool() { # ARG...: output in $said, status in $status
    said=$("$tool" cache "$@" 2>&1)
    status=$?
}
json() { printf '%s\n' "$said" | ${PYTHON:-python3} -c "import json, sys; d = json.load(sys.stdin); print($1)"; }

tool info
is "an empty cache is one" "$status" 0
has "and is named" "$said" "$scratch/cache: 0 entries"
tool list
is "list says that it is" "$status $said" "0 no kernels; \`hipshim cache info\` says where they would be"
tool list --json
is "in JSON too" "$(json d)" "[]"
work 3
all=$(find "$scratch/cache" -name '*.kernel' | wc -l | tr -d ' ') # with what is known of compilers
tool info
has "info counts, kernels apart from what else is known" "$said" "$scratch/cache: $all entries, 3 of them kernels, "
tool list
has "list names the directory" "$said" "$scratch/cache:
"
is "list has a line for each, with columns for architecture and release" \
    "$(printf '%s\n' "$said" | grep -c ' gfx90a  *6\.4\.43484  *[0-9]')" 3
tool list --json
is "and JSON" "$(json 'len(d), d[0]["arch"], d[0]["hip_version"], d[0]["name"], d[0]["damage"]')" \
    "3 gfx90a 6.4.43484 kernel.hip None"
tool info --json
is "info has JSON" "$(json 'd["used"], d["limit"], d["directories"][0]["entries"], d["note"]')" \
    "True 1073741824 $all None"
is "and counts kernels there too" "$(json 'd["directories"][0]["kernels"], d["directories"][0]["written"]')" \
    "3 True"
for limit in 9223372036854775808 18446744073709551615; do
    said=$(HIPSHIM_CACHE_SIZE=$limit "$tool" cache info --json)
    is "a limit of $limit is that number in JSON" "$(json 'd["limit"]')" $limit
done
HIPSHIM_CACHE_DIR=$scratch/first:$scratch/cache
tool list
is "of two directories list names the one that has kernels" "$(printf '%s\n' "$said" | grep ':$')" "$scratch/cache:"
tool info
has "info names both: the first" "$said" "written to  $scratch/first: 0 entries"
has "and the second" "$said" "only read   $scratch/cache: $all entries"
tool clear
is "clear empties the first only" "$status $(entries "$scratch/cache")" "0 3"
HIPSHIM_CACHE_DIR=:$scratch/cache
tool clear
is "a list that begins with an empty path has none to clear" "$status $(entries "$scratch/cache")" "1 3"
HIPSHIM_CACHE_DIR=$scratch/cache
tool
is "without an action nothing is removed" "$status $(entries "$scratch/cache")" "2 3"
tool verify
is "verify finds nothing" "$status $said" "0 $all entries, 0 damaged"
entry=$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' | head -n 1)
printf X | dd of="$entry" bs=1 seek=500 conv=notrunc 2>/dev/null
tool verify
is "verify finds damage" "$status" 1
has "and names it" "$said" "$entry: damaged"
tool verify --json
is "in JSON too" "$(json 'len(d), d[0]["damage"]')" "1 damaged"
rm "$entry"
tool verify
is "then all is well" "$status $said" "0 $((all - 1)) entries, 0 damaged"
cp "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' | head -n 1)" "$entry"
tool verify
has "a misnamed entry is damage" "$said" "it is for another key"
mkdir "$scratch/cache/gfx1-1.0.0"
touch "$scratch/cache/gfx1-1.0.0/.tmp-1-2" "$scratch/cache/unrelated" "$scratch/cache/gfx1-1.0.0/mine"
tool clear
has "clear says what it removed" "$said" "$all entries removed"
is "and leaves only what is not the cache's" \
    "$(cd "$scratch/cache" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" "./gfx1-1.0.0/mine ./unrelated "
is "and no empty group" "$(cd "$scratch/cache" && echo ./*) " "./gfx1-1.0.0 ./unrelated "
forget

printf '\n// key 0 SIZE=1000\n' >"$scratch/k.hip"
tool warm --arch gfx90a,gfx942 "$scratch/k.hip" -e 'f<int>' --name kernel.hip
is "warm compiles for each architecture" "$status $(compilations)" "0 2"
has "and says so" "$said" "k.hip for gfx942: compiled"
work 1
is "programs find it" "$said" "$cached"
tool warm --arch gfx90a,gfx942 "$scratch/k.hip" -e 'f<int>' --name kernel.hip
has "a second time it is there already" "$said" "gfx90a: there already"
printf '#error\n' >"$scratch/bad.hip"
tool warm --arch gfx90a "$scratch/bad.hip"
is "what does not compile is a failure" "$status" 1
has "with the compiler's words" "$said" "error: as asked for"
tool warm --arch gfx90a "$scratch/absent.hip"
is "a file that is not there is one of the command line" "$status" 2
has "and says which" "$said" "absent.hip: No such file"

mistake() { # TEXT ARG...
    mistake_text=$1
    shift
    tool "$@"
    is "mistake: $*" "$status $(printf '%s\n' "$said" | head -n 1)" "2 hipshim cache: $mistake_text"
}
mistake "warm: 0 arguments given, it needs:" warm
mistake "sweep: unknown action; the actions are:" sweep
mistake "list: 1 argument given, it needs:" list extra
mistake "an action is needed:"
mistake "clear does not take --json" clear --json
mistake '--arch: "nope" is not an architecture, such as gfx90a or gfx90a:sramecc+:xnack-' \
    warm --arch gfx90a,nope "$scratch/k.hip"
mistake "warm does not take --json" warm --json "$scratch/k.hip"
mistake "verify does not take --arch" verify --arch gfx90a
mistake "clear does not take --expression" clear -e f
HIPSHIM_CACHE=0 tool info
is "no cache: status 1" "$status" 1
has "and why" "$said" "HIPSHIM_CACHE=0"
for value in /some/dir yes 2; do
    HIPSHIM_CACHE=$value tool info
    has "HIPSHIM_CACHE=$value is said to have no meaning" "$said" \
        "hipshim: HIPSHIM_CACHE=$value is not used; it takes 0 or 1, and counts as 1"
done
HIPSHIM_CACHE=1 tool info
lacks "HIPSHIM_CACHE=1 is no mistake" "$said" "is not used"
forget
HIPSHIM_CACHE=0 tool warm --arch gfx90a "$scratch/k.hip"
is "nothing to fill: status 1, why, and nothing is compiled" "$status $said $(compilations)" \
    "1 hipshim cache: there is no cache: HIPSHIM_CACHE=0 0"
for size in abc 1KB -1 99999999999999999999 99999999999999G; do
    HIPSHIM_CACHE_SIZE=$size tool info
    has "HIPSHIM_CACHE_SIZE=$size is not believed" "$status $said" \
        "limit       1073741824 bytes (HIPSHIM_CACHE_SIZE=$size is not a size)
"
    has "... and that is said aloud" "$said" \
        "hipshim: HIPSHIM_CACHE_SIZE=$size is not used; it takes bytes, such as 500M or 2G; the default holds"
done
HIPSHIM_CACHE_DIR=here tool info
has "HIPSHIM_CACHE_DIR=here is no absolute path, and that is said aloud" "$said" \
    "hipshim: HIPSHIM_CACHE_DIR=here is not used; it takes absolute paths"
said=$(HIPSHIM_CACHE_SIZE=abc "$tool" cache info --json 2>/dev/null)
is "JSON says so too" "$(json 'd["limit"], d["limit_reason"]')" \
    "1073741824 HIPSHIM_CACHE_SIZE=abc is not a size"
limit() { # SIZE BYTES
    HIPSHIM_CACHE_SIZE=$1 tool info
    is "HIPSHIM_CACHE_SIZE='$1' is $2 bytes" "$(printf '%s\n' "$said" | head -n 1)" \
        "limit       $2 bytes (${3:-HIPSHIM_CACHE_SIZE})"
}
limit "" 1073741824 "the default"
limit 0 0
limit 5 5
limit 5K 5120
limit 0M 0
limit 3M 3145728
limit 2G 2147483648
limit 010 10
limit 18446744073709551615 18446744073709551615
HIPSHIM_CACHE_SIZE=5K tool info --json
is "JSON has no reason then" "$(json 'd["limit"], d["limit_reason"]')" "5120 None"
HIPSHIM_CACHE=0 tool clear
is "nothing to clear" "$status" 1
: >"$scratch/file"
for action in list verify "list --json" clear; do
    # shellcheck disable=SC2086 # several words
    HIPSHIM_CACHE_DIR=$scratch/file tool $action
    is "$action of a cache that cannot be used: status 1" "$status" 1
    has "$action says which and why" "$said" "$scratch/file: it is a link or not a directory"
done
finish
