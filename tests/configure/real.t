#!/bin/sh
# SPDX-License-Identifier: MIT
# ./configure itself uses the check the other configure tests run: its summary,
# its exit status and hipshim-bindings.pc agree with what was found.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

[ -f "$top/configure" ] || skip_all "no configure: run ./autogen.sh"
plan 16

# Links to what configure reads: the source tree may be configured itself.
mkdir "$scratch/src"
for file in configure build-aux m4 bindings scripts src Makefile.in; do
    ln -s "$top/$file" "$scratch/src/$file"
done
ln -s "$top"/hipshim*.pc.in "$scratch/src/"

p=$scratch/rocm-6.4.2
header "$p/include/hip" 6.4.43484
library "$p/lib" 6 .4.60402
: >"$p/lib/libhiprtc.so"

configure() { # ARGUMENT...: sets $out and $status, in a build directory of its own
    rm -rf "$scratch/build"
    mkdir "$scratch/build"
    out=$(cd "$scratch/build" &&
        CONFIG_SHELL=/bin/sh sh ../src/configure --cache-file=../cache --disable-dependency-tracking "$@" 2>&1)
    status=$?
}
pc() { sed -n "s/^$1[:=] *//p" "$scratch/build/hipshim-bindings.pc" || echo no file; }

configure "--with-hip=$p" --with-hip-patch=53211
is "configure works with a HIP" $status 0
has "the summary says the release and its source" "$out" \
    "HIP release  6.4.43484, from $p/include/hip/hip_version.h (ROCm 6.4.2"
has "--with-hip-patch reaches the summary" "$out" "bindings_53211.h, --with-hip-patch"
has "the summary says the prefix and how it was found" "$out" "HIP prefix   $p, found by --with-hip"
has "hipshim-bindings.pc has the selected patch" "$(pc hip_patch) $(pc Cflags)" \
    "53211 -I\${includedir}/hipshim/bindings -DHIPSHIM_HIP_PATCH=\${hip_patch}"
is "hipshim-bindings.pc links the library found" "$(pc Libs)" "-L$p/lib -Wl,-rpath-link,$p/lib -lamdhip64 -lhiprtc"
ok "the library is told the prefix" grep -qF "HIPSHIM_CONFIGURED_PREFIX=\\\"$p\\\"" "$scratch/build/Makefile"

sed -i '/^ac_cv_env_/d' "$scratch/cache" # it holds HIP_PATH as unset
HIP_PATH=$p
export HIP_PATH
configure
has "HIP_PATH is named in the summary" "$out" "$p, found by HIP_PATH"
has "the summary says the bindings" "$out" "bindings     bindings_43484.h, of this release"
is "hipshim-bindings.pc has their patch" "$(pc hip_patch)" 43484
ok "but HIP_PATH is not built into the library" grep -qF "HIPSHIM_CONFIGURED_PREFIX=\\\"\\\"" "$scratch/build/Makefile"
configure --without-hip --disable-shared
is "--without-hip configures, without a HIP" "$status $(printf '%s\n' "$out" | sed -n 's/^  HIP release  *//p')" "0 none"
is "and hipshim-bindings.pc links nothing" "$(pc Libs)" ""
is "--disable-shared leaves out the loopback, which is a shared library" \
    "$(grep -c '^loopback_LTLIBRARIES' "$scratch/build/Makefile"), $(grep -c '^#loopback_LTLIBRARIES' "$scratch/build/Makefile")" \
    "0, 1"
unset HIP_PATH
sed -i '/^ac_cv_env_/d' "$scratch/cache"

header "$p/include/hip" 6.4.1
configure "--with-hip=$p"
is "an unknown release under --with-hip fails" $status 1
has "with the detection's own text" "$out" "hipgen add-release --headers $p/include"
