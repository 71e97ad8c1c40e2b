# SPDX-License-Identifier: MIT
"""Published Rust bindings give the API set that the headers of the release give.

HIPSHIM_RUST_BINDINGS names a directory with bindings_PATCH.rs of cubecl-hip-sys
(crates/cubecl-hip-sys/src/bindings there); without it, their tests are skipped.
"""

import os
import unittest
from pathlib import Path

from abi_test import API, api_set
from add_release_test import check_published
from case import HipgenCase

from hipgen import compare
from hipgen.abi import Pair, flag_value
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.overrides import load_overrides
from hipgen.rust import parse_rust

OWN = (43484, 53211)  # read from headers as well, with API sets of their own
READ = (*OWN, 41134, 42131, 42133, 42134, 43482, 43483)

HEADER = """
#define HIPSHIM_DEFAULT(value)
#define hipFlag 0x10
#define hipOther hipB
#define hipLost hipC
enum hipE { hipA, hipB = 5, hipC };
typedef enum hipE hipE;
typedef struct hipTag_st { int n; } hipTag;
typedef struct { char name[8]; unsigned one : 1; unsigned two : 2; } hipBits;
struct hipU { int kind; union { int i; struct { long l; } s; }; struct { const char *p; } in; };
typedef struct hipOpaque *hipHandle;
typedef void (*hipCallback)(hipHandle handle, const void *data);
int hipF(hipHandle h, const hipTag *tag, const char *const *names, int n HIPSHIM_DEFAULT(3));
hipE hipG(hipCallback call, struct hipU *u, const hipE e, hipBits bits, size_t list[2]);
void hipH(void);
"""

RUST = """
pub const hipFlag: u32 = 16;
pub const HIP_VERSION_MAJOR: u32 = 6;
pub const HIP_VERSION_MINOR: u32 = 2;
pub const HIP_VERSION_PATCH: u32 = 2;
pub const WNOHANG: u32 = 1;
pub const hipE_hipA: hipE = 0;
pub const hipE_hipB : hipE = 5 ;
pub const hipE_hipC: hipE =
    6;
pub type hipE = ::std::os::raw::c_uint;
pub type wchar_t = ::std::os::raw::c_int;
#[repr(C)]
pub struct hipTag_st {
    pub n: ::std::os::raw::c_int,
}
pub type hipTag = hipTag_st;
#[doc = "pub fn hipNo();"]
pub struct hipBits {
    pub name: [::std::os::raw::c_char; 8usize],
    pub _bitfield_align_1: [u8; 0],
    pub _bitfield_1: __BindgenBitfieldUnit<[u8; 1usize]>,
    pub __bindgen_padding_0: [u8; 3usize],
}
impl hipBits {
    pub fn one(&self) -> ::std::os::raw::c_uint {
        unsafe { ::std::mem::transmute(self._bitfield_1.get(0usize, 1u8) as u32) }
    }
    pub fn set_one(&mut self, val: ::std::os::raw::c_uint) {
        unsafe { self._bitfield_1.set(0usize, 1u8, val as u64) }
    }
    pub fn two(&self) -> ::std::os::raw::c_uint {
        unsafe { ::std::mem::transmute(self._bitfield_1.get(1usize, 2u8) as u32) }
    }
}
pub struct hipU {
    pub kind: ::std::os::raw::c_int,
    pub __bindgen_anon_1: hipU__bindgen_ty_1,
    pub in_: hipU__bindgen_ty_2,
}
pub union hipU__bindgen_ty_1 {
    pub i: ::std::os::raw::c_int,
    pub s: hipU__bindgen_ty_1__bindgen_ty_1,
}
pub struct hipU__bindgen_ty_1__bindgen_ty_1 {
    pub l: ::std::os::raw::c_long,
}
pub struct hipU__bindgen_ty_2 {
    pub p: *const ::std::os::raw::c_char,
}
const _: () = {
    ["Size of hipU"][::std::mem::size_of::<hipU>() - 24usize];
};
pub struct hipOpaque {
    _unused: [u8; 0],
}
pub type hipHandle = *mut hipOpaque;
pub type hipCallback = ::std::option::Option<
    unsafe extern "C" fn(handle: hipHandle, data: *const ::std::os::raw::c_void),
>;
extern "C" {
    pub fn hipF(
        h: hipHandle,
        tag: *const hipTag,
        names: *const *const ::std::os::raw::c_char,
        n: ::std::os::raw::c_int,
    ) -> ::std::os::raw::c_int;
}
extern "C" {
    pub fn hipG(call: hipCallback, u: *mut hipU, e: hipE, bits: hipBits, list: *mut usize) -> hipE;
}
extern "C" {
    pub fn hipH();
}
extern "C" {
    pub fn strlen(text: *const ::std::os::raw::c_char) -> usize;
}
"""


class Small(HipgenCase):
    neighbour = api_set(f"#include <stddef.h>\n{HEADER}", 1)

    def read(self, text: str) -> ApiSet:
        path = self.scratch / "bindings.rs"
        path.write_text(text)
        return parse_rust(API, path, self.neighbour)

    def changes(self, text: str) -> str:
        difference = compare.compare(self.neighbour, self.read(text))
        return compare.as_text(difference).split("\n", 1)[1]

    def test_equal_declarations_are_the_neighbours(self) -> None:
        found = self.read(RUST)
        self.assertEqual(found.release, Release(6, 2, 2))
        self.assertEqual(self.changes(RUST), "no difference\n")

    def test_changes_are_seen(self) -> None:
        changes = {
            ("hipFlag: u32 = 16", "hipFlag: u32 = 32"): "was: 0x10",
            ("hipB : hipE = 5", "hipB : hipE = 4"): "hipB 5 -> 4",
            ("pub n: ::std::os::raw::c_int", "pub n: ::std::os::raw::c_uint"): "* hipTag_st",
            ("2u8) as u32", "3u8) as u32"): "* hipBits",
            ("pub fn hipH();", "pub fn hipH(a: f32);"): "now: void hipH(float a)",
            ("pub kind: ", "pub more: u64,\n    pub kind: "): "* hipU",
        }
        for (old, new), wanted in changes.items():
            with self.subTest(new):
                text = RUST.replace(old, new)
                if "more" in new:
                    text = text.replace("- 24usize", "- 32usize")
                self.assertIn(wanted, self.changes(text))

    def test_a_changed_function_keeps_its_default_arguments(self) -> None:
        text = RUST.replace("pub fn hipF(\n", "pub fn hipF(\n        first: u32,\n")
        self.assertEqual([p.default for p in self.read(text).functions["hipF"].params][-1], "3")

    def test_a_macro_goes_with_what_it_names(self) -> None:
        text = RUST.replace("pub const hipE_hipC: hipE =\n    6;\n", "")
        self.assertIn("- hipLost", self.changes(text))
        self.assertNotIn("hipOther", self.changes(text))

    def test_new_declarations_join(self) -> None:
        text = RUST + "pub struct hipNew {\n    pub a: u8,\n}\npub fn hipNew2(n: *mut hipNew);\n"
        self.assertIn("+ hipNew2", self.changes(text))
        self.assertEqual(self.read(text).records["hipNew"].size, 1)

    def test_a_wrong_layout_is_refused(self) -> None:
        with self.assertRaises(HipgenError):
            self.read(RUST.replace("- 24usize", "- 16usize"))

    def test_other_files_are_refused(self) -> None:
        for text in ("fn main() {}", RUST.replace("a: u8", "a: u8") + "pub fn hipX(a: (u8));"):
            with self.subTest(text[-20:]), self.assertRaises(HipgenError):
                self.read(text)


class Published(HipgenCase):
    def file(self, patch: int) -> Path:
        directory = os.environ.get("HIPSHIM_RUST_BINDINGS")
        if not directory:
            self.skipTest("HIPSHIM_RUST_BINDINGS names no checkout of published Rust bindings")
        path = Path(directory) / f"bindings_{patch}.rs"
        self.assertTrue(path.is_file(), f"{path}: no such file")
        return path

    def committed(self, patch: int) -> ApiSet:
        return self.project.committed(self.project.by_patch[patch])

    def test_headers_say_the_same(self) -> None:
        for patch in READ:
            with self.subTest(patch=patch):
                wanted = self.committed(self.project.by_patch[patch].api_set)
                found = parse_rust(self.project.api, self.file(patch), wanted)
                self.assertEqual(found.digest, wanted.digest)

    def test_another_neighbour_changes_no_abi(self) -> None:
        overrides = load_overrides(self.project.overrides_file)
        for patch, neighbour in zip(OWN, reversed(OWN)):
            wanted = self.committed(patch)
            found = parse_rust(self.project.api, self.file(patch), self.committed(neighbour))
            self.assertEqual(found.functions.keys(), wanted.functions.keys())
            pair = Pair(wanted, found, overrides)
            for name, function in wanted.functions.items():
                other = found.functions[name]
                with self.subTest(function=name):
                    self.assertEqual(len(function.params), len(other.params))
                    self.assertTrue(pair.same(function.result, other.result))
                    for mine, theirs in zip(function.params, other.params):
                        self.assertTrue(pair.same(mine.type, theirs.type))
            for name, record in wanted.records.items():
                self.assertTrue(pair.same_record(record, found.records[name]), name)
                self.assertEqual(record.size, found.records[name].size, name)
            for name, enum in wanted.enums.items():
                self.assertEqual(enum.values, found.enums[name].values)
            for name in filter(lambda n: n.lower().startswith("hip"), wanted.macros):
                value = flag_value(wanted, name)
                self.assertIn(value, (None, flag_value(found, name)), name)

    def test_the_committed_bindings_are_those_of_the_files(self) -> None:
        for entry in self.project.entries:
            if entry.origin.endswith(".rs"):
                with self.subTest(release=str(entry.release)):
                    near = self.committed(int(entry.neighbour.split(".")[-1]))
                    path = self.file(entry.release.patch)
                    found = parse_rust(self.project.api, path, near)
                    self.assertEqual(found.digest, entry.digest)

    def test_add_release_reads_such_a_file(self) -> None:
        check_published(self, self.project.by_patch[52802], "--rust", self.file(52802))


class Command(HipgenCase):
    def test_bindings_need_a_neighbour(self) -> None:
        for words, wanted in (
            (("--rust", "x.rs"), "--rust: needs --neighbour"),
            (("--headers", ".", "--neighbour", "7.2"), "--neighbour: needs --rust or --cython"),
            (("--rust", "no.rs", "--neighbour", "7.2"), "no.rs: No such file"),
        ):
            with self.subTest(wanted):
                done = self.hipgen("add-release", *words)
                self.assertEqual(done.returncode, 1)
                self.assertIn(wanted, done.stderr)


if __name__ == "__main__":
    unittest.main()
