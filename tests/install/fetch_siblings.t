#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch-siblings says which version it got, keeps what is complete, and tells a suite that moved on from
# a package that cannot be had.  apt-get is a stand-in here: no network is used.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=fetch.sh
. "$top/tests/install/fetch.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the packages are for x86_64"
command -v dpkg-deb >/dev/null || skip_all "no dpkg-deb here"
plan 17

# Has the version $FAKE_<suite> of each package, and downloads it unless FAKE_BROKEN is 1.
cat >"$bin/apt-get" <<'FAKE'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    --print-uris) uris=1 ;;
    update) echo update >>"$FAKE_LOG" && exit ;;
    */*) package=${1%/*} suite=${1#*/} ;;
    esac
    shift
done
eval "version=\${FAKE_$suite:-}"
[ -n "$version" ] || { echo "E: Release '$suite' for '$package' was not found" >&2; exit 100; }
[ "${uris:-}" != 1 ] || { echo "'http://mirror.invalid/x.deb' ${package}_${version}_amd64.deb 1 SHA256:00"; exit; }
[ "${FAKE_BROKEN:-}" != 1 ] || { echo "E: Failed to fetch x.deb  Hash Sum mismatch" >&2; exit 100; }
mkdir -p p/DEBIAN p/usr/lib p/usr/share/doc
: >"p/usr/lib/$package.so"
printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: x\nDescription: x\n' "$package" "$version" >p/DEBIAN/control
dpkg-deb -b p "$package.deb"
FAKE
chmod +x "$bin/apt-get"
fetch=$top/tests/lib/fetch-siblings
dir=$scratch/siblings

run FAKE_trixie=5.7.1-6 "$fetch" --dir="$dir" libhiprand1-5.7
is "a release as expected is success" "$status $out" "0 libhiprand1-5.7: 5.7.1-6 from trixie, fetched"
ok "the package is unpacked" test -f "$dir/libhiprand1-5.7/usr/lib/libhiprand1.so"
ok "without its documents" test ! -e "$dir/libhiprand1-5.7/usr/share/doc"
run "$fetch" --dir="$dir" libhiprand1-5.7
is "what is complete is not fetched again" "$out, $(wc -l <"$FAKE_LOG" | tr -d ' ') update" \
    "libhiprand1-5.7: 5.7.1-6 from trixie, there already, 1 update"

run "$fetch" --dir="$dir" librocrand1-5.7
is "a package that cannot be had is status 3" $status 3
has "the reason is kept for the tests that skip" "$(cat "$dir/librocrand1-5.7.reason")" "trixie: E: Release 'trixie'"
run FAKE_trixie=5.7.1-6 FAKE_BROKEN=1 "$fetch" --dir="$dir" librocrand1-5.7
has "a package that apt refuses is not taken" "$status $out" "3 librocrand1-5.7: CANNOT BE HAD: trixie: E: Failed to fetch"
ok "nothing half-fetched is left" test ! -e "$dir/librocrand1-5.7"
run FAKE_trixie=5.7.1-6 "$fetch" --dir="$dir" librocrand1-5.7
ok "a later success removes the reason" test ! -e "$dir/librocrand1-5.7.reason"

run FAKE_forky=7.1.1-1 FAKE_sid=6.4.4-1 "$fetch" --dir="$dir" libhipblas2-6.4
is "a suite that moved on gives way to the next" "$status $out" "0 libhipblas2-6.4: 6.4.4-1 from sid, fetched"
run FAKE_sid=6.40.1-1 "$fetch" --dir="$dir" libhiprand1-6.4
has "a suite with another release is status 4" "$status $out" "4 libhiprand1-6.4: CANNOT BE HAD: sid: has moved on to libhiprand1_6.40"

run FAKE_sid=6.4.3-1 HIPSHIM_RUNTIME_CACHE="$scratch/cache" "$fetch" --dir="$dir" libhiprand1-6.4
ok "a cached package is linked into the build tree" test -f "$dir/libhiprand1-6.4/.hipshim-sibling"
ok "and is in the cache" test -f "$scratch/cache/siblings/libhiprand1-6.4/.hipshim-sibling"

run "$fetch" --dir="$scratch/none" --list --up-to=1
lacks "--up-to leaves out what is larger" "$out" librocsparse0-5.3
has "and has what is small" "$out" "libhipsparse0-5.3: bookworm, 1 MB: not fetched"
run "$fetch" --dir="$dir" libnone1-1
is "an unknown name is a usage error" $status 2
run "$fetch" --dir="$dir"
is "and so is none" $status 2
