#!/bin/sh
# SPDX-License-Identifier: MIT
# The crate `cubecl-hip-sys` builds over the tree of HIP 6, whose `hipconfig` its build script asks, and
# passes its own tests on every runtime.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=common.sh
. "$top/tests/products/common.sh"
version=6.4.4348400
command -v cargo >/dev/null || skip_all "no cargo, which downloads and builds the crate"
place=$products/cubecl-hip-sys
if [ ! -d "$place/$version" ]; then
    rm -rf "$place"
    mkdir -p "$place/src"
    cat >"$place/Cargo.toml" <<END
[package]
name = "product"
version = "0.0.0"
edition = "2021"
[dependencies]
cubecl-hip-sys = "=$version"
END
    : >"$place/src/lib.rs"
    (cd "$place" && timeout 300 cargo vendor --quiet vendor) >"$scratch/cargo.log" 2>&1 ||
        skip_all "cargo did not get cubecl-hip-sys: $(grep -m 1 error "$scratch/cargo.log")"
    # Not a member of the project above, so that cargo also gets what its tests need.
    mv "$place/vendor/cubecl-hip-sys" "$place/$version"
    rm -f "$place/$version/.cargo-checksum.json" "$place/Cargo.toml"
fi
product_prepare
builds() {
    (
        cd "$place/$version" || exit 99
        PATH=$build/rocm-6/bin:$PATH CARGO_TARGET_DIR=$place/target timeout 400 cargo test --no-run --lib
    ) >"$scratch/cargo.log" 2>&1 || { cat "$scratch/cargo.log"; return 1; }
}
ok "cubecl-hip-sys builds over the tree of HIP 6" builds
tests=$(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$scratch/cargo.log")
[ -n "$tests" ] || { finish; exit 0; }
stand_in() {
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -o "$scratch/stand_in.so" \
        "$top/tests/products/stand_in.c"
}
ok "the stand-in for its kernel is built" stand_in
product_preload="$product_preload $scratch/stand_in.so"
cp -r "$place/$version/." "$scratch" # its tests read its files
if product_native 'cubecl-hip-sys 6.4' 6.4 "$tests" --test-threads=1; then
    for release in $dropin_releases; do
        product_through 'cubecl-hip-sys 6.4' "$release" 6 "$tests" --test-threads=1
    done
fi
finish
