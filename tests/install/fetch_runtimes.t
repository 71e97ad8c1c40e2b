#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch-runtimes says which release it got, keeps what is complete, and tells
# a suite that moved on from one that cannot be had.  mmdebstrap and pip are stand-ins
# here: no network is used.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=fetch.sh
. "$top/tests/install/fetch.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the runtimes are for x86_64"
plan 22

mkdir "$scratch/cache"
# Writes a tar with the release $FAKE_<suite>, or fails as mmdebstrap does.
cat >"$bin/mmdebstrap" <<'FAKE'
#!/bin/sh
for arg in "$@"; do case $arg in -*) ;; *) break ;; esac; shift; done
eval "release=\${FAKE_$1:-}"
echo "$*" >>"$FAKE_LOG"
[ -n "$release" ] || { echo "E: unable to reach $1" >&2; exit 1; }
tree=$(mktemp -d)
mkdir -p "$tree/usr/include/hip" "$tree/lib64" "$tree/lib/x86_64-linux-gnu" \
    "$tree/usr/lib/x86_64-linux-gnu"
(IFS=.; set -- $release
printf '#define HIP_VERSION_%s %s\n' MAJOR $1 MINOR $2 PATCH $3) >"$tree/usr/include/hip/hip_version.h"
: >"$tree/usr/lib/x86_64-linux-gnu/libamdhip64.so.$release"
printf '#!/bin/sh\n' >"$tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
chmod +x "$tree/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
ln -s /lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$tree/lib64/ld-linux-x86-64.so.2"
tar -c -f "$2" -C "$tree" .
rm -rf "$tree"
FAKE
# pip downloads a wheel if FAKE_WHEEL is 1, and zipfile unpacks it.
cat >"$bin/python3" <<'FAKE'
#!/bin/sh
case $2 in
pip)
    echo "pip $*" >>"$FAKE_LOG"
    [ "${FAKE_WHEEL:-}" = 1 ] || { echo "ERROR: no matching distribution" >&2; exit 1; }
    while [ "$1" != --dest ]; do shift; done
    : >"$2/one-1-py3-none-any.whl"
    ;;
zipfile)
    mkdir -p "$5/one.libs"
    for name in libamdhip64-00aa.so.7.14.60850-0 libhiprtc-11bb.so.7.14.60850-0 libamd_comgr-22cc.so.3.3.0 \
        librocfft-33dd.so.0.1; do : >"$5/one.libs/$name"; done
    ;;
esac
FAKE
chmod +x "$bin/mmdebstrap" "$bin/python3"
fetch=$top/tests/lib/fetch-runtimes
dir=$scratch/runtimes

run FAKE_bookworm=5.2.21153 "$fetch" --dir="$dir" 5.2
is "a release as expected is success" $status 0
has "it says which release it got" "$out" "5.2: HIP 5.2.21153 from bookworm"
is "the loader is the tree's own, not the host's" \
    "$(readlink -f "$dir/5.2/usr/lib64/ld-linux-x86-64.so.2")" \
    "$(readlink -f "$dir")/5.2/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"

run "$fetch" --dir="$dir" 5.2
is "what is complete is not fetched again" "$status, $(wc -l <"$FAKE_LOG" | tr -d ' ') call" "0, 1 call"

run "$fetch" --dir="$dir" 5.7
is "a suite that cannot be reached is status 3" $status 3
has "the reason is printed" "$out" "5.7: CANNOT BE HAD: trixie: mmdebstrap failed: E: unable to reach trixie"
has "the reason is kept for the tests that skip" "$(cat "$dir/5.7.reason")" "unable to reach"
ok "nothing half-fetched is left" test ! -e "$dir/5.7"

run FAKE_trixie=5.7.31921 "$fetch" --dir="$dir" 5.7
ok "a later success removes the reason" test ! -e "$dir/5.7.reason"

run FAKE_forky=7.1.1 FAKE_sid=6.4.43484 "$fetch" --dir="$dir" 6.4
has "a suite that moved on gives way to the next" "$out" "6.4: HIP 6.4.43484 from sid"
rm -rf "$dir/6.4"
run FAKE_forky=7.1.1 FAKE_sid=7.2.2 "$fetch" --dir="$dir" 6.4
is "no suite with that release is status 4" $status 4
has "and is said" "$out" "forky has moved on to 7.1.1; sid has moved on to 7.2.2"

run FAKE_sid=7.2.60000 HIPSHIM_RUNTIME_CACHE="$scratch/cache" "$fetch" --dir="$dir" 7.2
has "another patch of the same minor is kept and is loud" "$status $out" "EXPECTED 7.2.53211"
ok "a cached tree is linked into the build tree" test -f "$dir/7.2/.hipshim-runtime"

run PYTHON=python3 "$fetch" --dir="$dir" 7.14-amd
is "a wheel that cannot be had and was asked for is status 3" $status 3
has "pip's reason is printed" "$out" "7.14-amd: CANNOT BE HAD: pip failed: ERROR: no matching distribution"
run PYTHON=python3 FAKE_WHEEL=1 HIPSHIM_DEBIAN_MIRROR= "$fetch" --dir="$dir" 7.14-amd
is "a wheel needs no Debian archive" "$status $out" \
    "0 7.14-amd: HIP 7.14.60850 from vapoursynth-dfttest2-hip==11.1.0, libamdhip64-00aa.so.7.14.60850-0, fetched"
is "its libraries have the names that are opened" \
    "$(cd "$dir/7.14-amd/usr/lib/x86_64-linux-gnu" && LC_ALL=C && echo ./* | sed 's,\./,,g') " \
    "libamd_comgr-22cc.so.3.3.0 libamd_comgr.so libamd_comgr.so.3 libamdhip64-00aa.so.7.14.60850-0 libamdhip64.so \
libamdhip64.so.7 libhiprtc-11bb.so.7.14.60850-0 libhiprtc.so libhiprtc.so.7 "
ok "its dynamic linker is the host's" test -x "$dir/7.14-amd/usr/lib64/ld-linux-x86-64.so.2"
run PYTHON=python3 FAKE_bookworm=5.2.21153 FAKE_trixie=5.7.31921 FAKE_forky=6.4.43484 FAKE_sid=7.2.53211 \
    "$fetch" --dir="$scratch/all"
is "without names a missing wheel is no failure" $status 0
has "but it is said" "$out" "7.0-amd: CANNOT BE HAD: pip failed"

run "$fetch" 9.9
is "an unknown name is a usage error" $status 2
