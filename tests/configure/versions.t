#!/bin/sh
# SPDX-License-Identifier: MIT
# configure reads the release from hip_version.h, then share/hip/version, then
# bin/.hipVersion, then hipconfig, whose bad manners it tolerates.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/hip-trees.sh
. "$top/tests/lib/hip-trees.sh"

plan 17

# Four sources with four releases; each is taken away in turn.
p=$scratch/p
header "$p/include/hip" 6.4.43484
library "$p/lib" 6
library "$p/lib" 5
version_file "$p/share/hip/version" 6.2.41133
version_file "$p/bin/.hipVersion" 6.2.41134
hipconfig "$p/bin" 'echo 5.7.31921-abc'

detect "--with-hip=$p"
is "hip_version.h comes first" "$hip_release $hip_release_from" "6.4.43484 $p/include/hip/hip_version.h"
printf '/* cut' >"$p/include/hip/hip_version.h"
detect "--with-hip=$p"
is "a hip_version.h that says nothing is passed over" "$hip_release" 6.2.41133
has "and that is said" "$stderr" "hip_version.h does not have HIP_VERSION_MAJOR"
rm "$p/include/hip/hip_version.h"
detect "--with-hip=$p"
is "share/hip/version comes second" "$hip_release $hip_release_from" "6.2.41133 $p/share/hip/version"
rm "$p/share/hip/version"
detect "--with-hip=$p"
is "bin/.hipVersion comes third" "$hip_release $hip_release_from" "6.2.41134 $p/bin/.hipVersion"
rm "$p/bin/.hipVersion"
detect "--with-hip=$p"
is "hipconfig comes last" "$hip_release $hip_release_from" "5.7.31921 $p/bin/hipconfig"
is "hipconfig: a -hash is dropped" "$hip_bindings" 31921

version_file "$p/hip/bin/.hipVersion" 6.2.41134
detect "--with-hip=$p"
is "hip/bin/.hipVersion is read too" "$hip_release_from" "$p/hip/bin/.hipVersion"
rm -r "${p:?}/hip"

# hipconfig DESCRIPTION COMMANDS
prints() {
    hipconfig "$p/bin" "$2"
    detect "--with-hip=$p"
    is "hipconfig $1" "$status $hip_release" "0 5.7.31921"
}
prints "without a newline" 'printf 5.7.31921-0'
prints "with -9999 for an empty hash" 'echo 5.7.31921-9999'
prints "with noise on stderr" 'echo "6.4.43484 uninitialized value" >&2; echo 5.7.31921-0'
lacks "hipconfig's stderr is not shown" "$stderr" "uninitialized"
prints "with a line before the release" 'echo "perl: warning: locale"; echo 5.7.31921-0'
prints "that fails after printing" 'echo 5.7.31921-0; exit 3'
# shellcheck disable=SC2016 # for hipconfig's shell
prints "that listens to HIP_PATH" \
    '[ "$HIP_PATH" = "$(cd "$(dirname "$0")/.." && pwd)" ] && echo 5.7.31921-0 || echo 4.4.0-0'

hipconfig "$p/bin" 'echo "cannot find ROCm" >&2; exit 1'
detect "--with-hip=$p"
has "a hipconfig without a release is said" "$status $stderr" "1 detect-hip: warning: $p/bin/hipconfig prints no release"

# The limit is shortened to keep the test short.
sed 's/^hipconfig_limit=.*/hipconfig_limit=1/' "$top/scripts/detect-hip.sh" >"$scratch/short.sh"
hipconfig "$p/bin" 'exec sleep 60'
begin=$(date +%s)
sh "$scratch/short.sh" "--releases=$releases" "--with-hip=$p" >/dev/null 2>&1
ok "a hipconfig that hangs is given up" test $(($(date +%s) - begin)) -lt 20
