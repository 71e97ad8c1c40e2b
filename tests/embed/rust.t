#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim embed --rust` writes constants of Rust with the same names, bytes and sources as those of
# C, and their checksums; rustc takes them in every edition, without a warning.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016 # what is written for others to expand
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

HIPSHIM_CACHE=0
export HIPSHIM_CACHE
cd "$scratch" || exit 99
mkdir -p k/blas
printf '#include "a.h"\nSIZE=5000\n' >k/axpy.hip
printf 'SIZE=101 "quoted" \\ \302\265\n' >k/blas/dot.hip
printf '// a \377\n' >k/a.h
printf 'SIZE=7\n' >"$(printf 'k/od "\\d \302\265.hip')"

embed() { # ARGUMENT...: output in $said, status in $status
    said=$("$tool" embed "$@" 2>&1)
    status=$?
}
both() { embed --rust --source --asm --arch gfx90a,gfx1030 --option=-DX='"y"' -o out k; }

both
is "the sources are compiled" "$status $said" "0 out.c: 3 kernels for gfx90a, gfx1030: written"
is "the first line says what wrote the file" "$(head -n 1 out.rs)" \
    "// Written by hipshim embed from 3 kernels; do not edit, do not review."
cp out.rs before.rs
rm out.rs
both
has "a missing out.rs is written again" "$said" ": written"
ok "with the same bytes" cmp out.rs before.rs
embed --asm --source --arch gfx90a,gfx1030 --option=-DX='"y"' -o out k
has "without --rust the outputs are others" "$said" ": written"
cp before.rs out.rs

# --- without rustc ---

sed -n 's/.* at: \([0-9]*\), size: \([0-9]*\),$/\1 \2/p' out.rs >places
is "there are six code objects, each at a multiple of 4096" \
    "$(awk '$1 % 4096 == 0 { count++; sum += $2 } END { print count, sum }' places)" "6 10216"
while read -r at size; do
    tail -c "+$((at + 1))" out.bin | head -c "$size"
done <places >wanted.bin
is "the length of out.bin is that in out.rs" "$(sed -n 's/^static ALL: Aligned<\([0-9]*\)>.*/\1/p' out.rs)" \
    "$(wc -c <out.bin | tr -d ' ')"
head -c 5000 out.bin | sha256sum | cut -d' ' -f1 >sum
has "the first checksum is that of the first code object" \
    "$(sed -n 's/.*sha256: "\([0-9a-f]*\)".*/\1/p' out.rs | head -n 1)" "$(cat sum)"
is "the architectures are listed" "$(grep 'const ARCHS' out.rs)" \
    'pub const ARCHS: &[&str] = &["gfx90a", "gfx1030"];'
is "the kernels are listed" "$(grep 'const KERNELS' out.rs)" \
    'pub const KERNELS: &[&str] = &["axpy", "blas/dot", "od \"\\d \u{b5}"];'

# --- refusals ---

echo mine >foreign.rs
embed --rust --arch gfx90a -o foreign k/axpy.hip
has "a file of another origin is not replaced" "$status $said" \
    "3 hipshim embed: foreign.rs is not a file that hipshim embed wrote"
printf 'SIZE=7\n' >"$(printf 'bad\377.hip')"
embed --rust --arch gfx90a -o bad "$(printf 'bad\377.hip')"
has "a name that is not UTF-8 is refused" "$status $said" "is not UTF-8, which strings in Rust must be"
ok "before anything is written" test ! -e bad.c
embed --rust --arch gfx90a --option="$(printf '%s\355\240\200' -DX=)" -o bad k/axpy.hip
has "so is an option with half of a surrogate pair" "$status $said" "is not UTF-8"
embed --rust --arch gfx90a -o "$(printf 'bad\377')" k/axpy.hip
has "so is an output, whose name is in the text, too" "$status $said" "2 hipshim embed: $(printf 'bad\377'): "
embed --arch gfx90a -o bad "$(printf 'bad\377.hip')"
is "without --rust both are allowed" "$status" 0
embed --rust --source --arch none -o none k
is "the sources alone need no compiler" "$status" 0

# --- rustc ---

rustc=${RUSTC:-$(PATH=$PATH:${HOME:-}/.cargo/bin command -v rustc)}
if [ -z "$rustc" ] || ! "$rustc" --version >version 2>&1; then
    skip "rustc takes the output" "NO RUSTC HERE (RUSTC names one)"
    finish
    exit 0
fi
tap_comment "$(cat version)"
cat >main.rs <<'RUST'
use std::io::Write;
mod out;
fn main() {
    let mut all = std::io::stdout();
    for code in out::CODES {
        assert_eq!(code.code().as_ptr() as usize % 4096, 0);
        assert_eq!(code.plain_size, 0);
        assert!(out::KERNELS.contains(&code.kernel) && out::ARCHS.contains(&code.arch));
        eprintln!("{} {} {} {}", code.kernel, code.arch, code.code().len(), code.sha256);
        all.write_all(code.code()).unwrap();
    }
    for source in out::SOURCES {
        eprintln!("{} {} {:?} {}", source.kernel, source.name, source.options, source.headers.len());
        std::fs::write(format!("source.{}", source.name), source.text).unwrap();
        for (name, text) in source.headers {
            std::fs::write(format!("header.{}", name.replace("/", "_")), text).unwrap();
        }
    }
}
RUST
for edition in 2015 2018 2021; do
    ok "rustc takes the output in edition $edition" \
        "$rustc" --edition "$edition" -D warnings -o main main.rs
done
sed 's/^mod out;/mod out { include!("out.rs"); }/' main.rs >include.rs
ok "as the text of an include!, too" "$rustc" --edition 2021 -D warnings -o include include.rs
printf '#![no_std]\npub mod none;\npub mod out;\n' >lib.rs
ok "without std and with no code objects, too" \
    "$rustc" --edition 2021 -D warnings --crate-type lib -o lib.rlib lib.rs
./main >got.bin 2>names
ok "the program has the bytes of the C output" cmp got.bin wanted.bin
has "each code object has its names" "$(cat names)" "blas/dot gfx1030 101 "
has "a source has its names, options and headers" "$(cat names)" 'axpy axpy.hip ["-DX=\"y\""] 1'
ok "its text is that of the file" cmp source.dot.hip k/blas/dot.hip
has "the text of a header has its bytes" "$(od -An -c header.*a.h | tr -d ' \n')" '//a377\n'
is "the checksums are those of the bytes" \
    "$(sed -n 's/^axpy gfx90a 5000 //p' names)" "$(cat sum)"
finish
