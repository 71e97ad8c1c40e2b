#!/bin/sh
# SPDX-License-Identifier: MIT
# The crate `cubecl-hip-sys` builds over the tree of HIP 6 and over hipshim's own, whose `hipconfig` its build
# script asks, and passes its own tests on every runtime.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=common.sh
. "$top/tests/products/common.sh"
command -v cargo >/dev/null || skip_all "no cargo, which downloads and builds the crate"
place=$products/cubecl-hip-sys

download() { # VERSION
    [ ! -d "$place/$1" ] || return 0
    rm -rf "$place/project"
    mkdir -p "$place/project/src"
    cat >"$place/project/Cargo.toml" <<END
[package]
name = "product"
version = "0.0.0"
edition = "2021"
[dependencies]
cubecl-hip-sys = "=$1"
END
    : >"$place/project/src/lib.rs"
    (cd "$place/project" && timeout 300 cargo vendor --quiet vendor) >"$scratch/cargo.log" 2>&1 ||
        skip_all "cargo did not get cubecl-hip-sys: $(grep -m 1 error "$scratch/cargo.log")"
    # Outside of that project, so that cargo also gets what its tests need.
    mv "$place/project/vendor/cubecl-hip-sys" "$place/$1"
    rm -rf "$place/$1/.cargo-checksum.json" "$place/project"
}
download 6.4.4348400
download 7.1.5280200
# Debian's compiler is older than the crate wants.
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$place/7.1.5280200/Cargo.toml")
rustc=$(rustc --version 2>&1 | cut -d ' ' -f 2)
[ "$(printf '%s\n' "$wanted" "$rustc" | sort -V | head -n 1)" = "$wanted" ] ||
    skip_all "cubecl-hip-sys needs rustc $wanted, and this is $rustc (rustup has newer ones)"
product_prepare

# hipshim's own tree, as `configure --with-tree-release` would make it.
stable=$scratch/stable
mkdir -p "$stable/bin" "$stable/lib"
sed 's/^release=.*/release=7.1.52802-0/' "$build/rocm/hipconfig" >"$stable/bin/hipconfig"
chmod 755 "$stable/bin/hipconfig"
for name in libamdhip64.so libhiprtc.so; do
    ln -s "$build/.libs/libhipshim-rocm.so" "$stable/lib/$name"
done

cargo_test() { # VERSION TREE
    (
        cd "$place/$1" || exit 99
        PATH=$2/bin:$PATH CARGO_TARGET_DIR=$place/target timeout 400 cargo test --no-run --lib
    ) >"$scratch/cargo.log" 2>&1 || { cat "$scratch/cargo.log"; return 1; }
    tests=$(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$scratch/cargo.log")
    cp -r "$place/$1/." "$scratch" # its tests read its files
}

ok "cubecl-hip-sys 6.4 builds over the tree of HIP 6" cargo_test 6.4.4348400 "$build/rocm-6"
if [ -n "$tests" ] && product_native 'cubecl-hip-sys 6.4' 6.4 "$tests" --test-threads=1; then
    for release in $dropin_releases; do
        product_through 'cubecl-hip-sys 6.4' "$release" 6 "$tests" --test-threads=1
    done
fi

# There is no real runtime of its release, so the crate's own tests decide.
ok "cubecl-hip-sys 7.1 builds over hipshim's own tree" cargo_test 7.1.5280200 "$stable"
product_note 'cubecl-hip-sys 7.1, built over hipshim' natively ''
for release in $dropin_releases; do
    title="the tests of cubecl-hip-sys 7.1, built over hipshim's own tree, pass on HIP $release"
    dropin_find "$release"
    HIPSHIM_LIBRARY=$dropin_hip product_run "$release" "$build/.libs" "${tests:-false}" --test-threads=1
    product_too_new "$title" && continue
    words=$(sed -n 's/^test result: ok\. \([0-9]* passed\).*/\1/p' "$scratch/said")
    ok "$title" [ "$product_status-${words:+passed}" = 0-passed ]
    [ -n "$words" ] || tail -n 10 "$scratch/said" "$scratch/err" | sed 's/^/# /'
    product_note 'cubecl-hip-sys 7.1, built over hipshim' "$release" "${words:-fails}"
done
finish
