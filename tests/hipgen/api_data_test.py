# SPDX-License-Identifier: MIT
"""api.def says what every release declares, and bad lines in it are named."""

import re
import unittest
from pathlib import Path

from case import HipgenCase

from hipgen import apitext, cdecl, spell
from hipgen.apidata import ApiData, Spans
from hipgen.headers import parse_bindings
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.releases import load_releases

ORDER = [Release(5, 0, 1), Release(5, 0, 2), Release(6, 2, 3), Release(6, 4, 4), Release(6, 4, 5)]


class Committed(HipgenCase):
    def test_every_release_declares_what_its_bindings_header_does(self) -> None:
        """libclang reads the header, so the two readings share no code."""
        for entry in self.project.entries:
            with self.subTest(release=str(entry.release)):
                header = self.project.bindings / entry.bindings_name
                found = parse_bindings(self.project.api, header)
                self.assertEqual(found.release, entry.release)
                self.assertEqual(found, self.project.committed(entry))

    def test_the_stable_header_declares_what_stable_def_has(self) -> None:
        found = parse_bindings(self.project.api, self.project.bindings / "stable.h")
        self.assertEqual(found, self.project.frozen)

    def test_a_release_that_is_added_changes_few_lines(self) -> None:
        """The difference of api.def is that of the ABI: 6.4.0 and 6.4.2 differ in two flags."""
        sets = {e.release: self.project.committed(e) for e in self.project.entries}
        without = {r: s for r, s in sets.items() if str(r) != "6.4.43484"}
        keys = apitext.in_order([], list(sets.values()))
        before = apitext.text_of("", without, keys).splitlines()
        after = apitext.text_of("", sets, keys).splitlines()
        new = [line for line in after if line not in before]
        self.assertEqual(len(new), 2, new)
        self.assertTrue(all("hipEventWait" in line for line in new), new)


class Text(HipgenCase):
    def data(self, text: str) -> ApiData:
        path = self.scratch / "api.def"
        path.write_text(text)
        return ApiData(path, ORDER)

    def refused(self, text: str, *saying: str) -> None:
        with self.assertRaises(HipgenError) as caught:
            data = self.data(text)
            for release in ORDER:
                data.api_set(release)
        for part in saying:
            self.assertIn(part, str(caught.exception))

    def test_spans_of_releases(self) -> None:
        spans = Spans(ORDER)
        for text, mask in {
            "": 0b11111,
            "5.0": 0b00011,
            "5.0.2-": 0b11110,
            "5.0-6.4.4": 0b01111,
            "5.0, 6.4-": 0b11011,
            "6.2": 0b00100,
            "5.0-6.2, 6.2": 0b00111,
        }.items():
            with self.subTest(text):
                self.assertEqual(spans.mask(text), mask)
                self.assertIn(spans.text(mask), (text, "5.0-", "5.0-6.2"))

    def test_a_layout_follows_from_the_members(self) -> None:
        text = (
            "struct s\n    char c\n    union {  6.2-\n        long l\n        int i[3]\n    } u\n"
        )
        text += "    unsigned int a : 31\n    unsigned int b : 2\n    void (*call)(int, char *)\n"
        old, new = (self.data(text).api_set(r).records["s"] for r in (ORDER[0], ORDER[-1]))
        self.assertEqual([f.offset for f in old.fields], [0, 32, 64, 128])
        self.assertEqual((old.size, old.align), (24, 8))
        self.assertEqual([f.offset for f in new.fields], [0, 64, 192, 224, 256])
        self.assertEqual((new.size, new.align), (40, 8))

    def test_bad_lines_are_named(self) -> None:
        cases = {
            "int f(int a)  4.0-\n": ("api.def:1", "4.0"),
            "int f(int a)  6.4-5.0\n": ("api.def:1", "newer"),
            "\nint f(int a\n": ("api.def:2", "int f(int a"),
            "enum e\n    a 1\n": ("api.def:1", "a 1"),
            "enum e\n": ("no enumerators",),
            "struct s\n    missing m\n": ("missing", "unknown size"),
            "struct s\n    union {\n        int a\n": ("closing brace",),
            "int f(void)\nint f(int a)\n": ("api.def:2", "f twice"),
            "int f(void)\n    int a\n": ("has members",),
            "typedef int\n": ("api.def:1", "the end"),
            "": ("api.def", "no declaration"),
            "typedef int\n\n\n# text\ntypedef int i\n": ("api.def:1", "the end"),
            "enum e\n    a = 0\n\n    b = 1  4.0-\n": ("api.def:4", "4.0"),
            "int f(void)  5.0, \n": ("api.def:1", "`` is not"),
            "int f(void)  -\n": ("api.def:1", "`-` is not"),
            "enum e\n    a = 0  5.0-6.2\n    a = 1  6.2-\n": ("api.def:1", "6.2.3", "`a` twice"),
            "enum e\n    a = 0\nenum g\n    a = 0\n": ("api.def:3", "`a` twice"),
            "struct s\n    int a\n    long a\n": ("api.def:1", "`a` twice"),
            "enum e\n    a b = 1\n": ("api.def:1", "a b = 1"),
            "struct s\n    int a : 40\n": ("api.def", "a: 40 bits in a type of 32"),
            "struct s\n    struct s a\n": ("api.def", "struct s", "itself"),
            "typedef t t\nstruct s\n    t a\n": ("api.def", "`t`", "itself"),
            "int f(int a[n])\n": ("api.def:1", "`n`"),
        }
        for text, saying in cases.items():
            with self.subTest(text):
                self.refused(text, *saying)

    def test_a_file_that_is_missing(self) -> None:
        with self.assertRaisesRegex(HipgenError, "no.def: No such file"):
            ApiData(Path("no.def"), ORDER)

    def test_a_file_that_is_no_text(self) -> None:
        path = self.scratch / "api.def"
        path.write_bytes(b"typedef int \xff\n")
        with self.assertRaisesRegex(HipgenError, "api.def: .*utf-8"):
            ApiData(path, ORDER)

    def test_types_come_back_as_they_were_spelled(self) -> None:
        for text in (
            "const char *const *names",
            "void (*const call)(int, void (*)(long))",
            "int (*table[4])(void)",
            "unsigned long long n[2][3]",
            "struct tag *p",
        ):
            with self.subTest(text):
                self.assertEqual(spell.declare(*cdecl.named_type(text)), text)


class Releases(HipgenCase):
    def test_bad_entries_are_named(self) -> None:
        entry = '[[release]]\nversion = "5.0.1"\nrocm = "5.0"\nsoname = 5\norigin = "here"\n'
        shared = entry.replace("5.0.1", "5.0.2") + 'api_set = "5.0.1"\n'
        twice = entry.replace("5.0.1", "5.0.3") + 'api_set = "5.0.2"\n'
        cases = {
            "": "no [[release]]",
            'release = "5.0.1"\n': "no array of tables",
            "release = [5]\n": "no array of tables",
            "stable = 5\n" + entry: "`stable` is no text",
            'stable = "5.0.9"\n' + entry: "`stable` 5.0.9 is not known",
            entry.replace('"5.0.1"', "5"): "`version` is no text",
            entry.replace("5.0.1", "5.0.\u0661"): "is not a release",
            entry.replace('"5.0"', "5.0"): "5.0.1: `rocm` is no text",
            entry.replace("= 5", '= "5"'): "5.0.1: `soname` is no number from 0 on",
            entry.replace("= 5", "= true"): "5.0.1: `soname` is no number from 0 on",
            entry.replace("= 5", "= -5"): "5.0.1: `soname` is no number from 0 on",
            entry.replace('"here"', "'a\"b'"): "5.0.1: `origin` must be one line without",
            entry.replace('"5.0"', '"*/"'): "5.0.1: `rocm` must be one line without",
            entry + "api_set = 5\n": "5.0.1: `api_set` is no text",
            entry + 'without = "f"\n': "5.0.1: `without` is no list",
            entry + entry: "5.0.1: two entries",
            entry + entry.replace("5.0.1", "5.1.1"): "5.1.1: 5.0.1 has the same patch number",
            entry + shared + twice: "5.0.3: `api_set` 5.0.2 has no API set of its own",
            "\ufeff": "line 1",
        }
        path = self.scratch / "releases.toml"
        for text, saying in cases.items():
            with self.subTest(text):
                path.write_text(text)
                with self.assertRaises(HipgenError) as caught:
                    load_releases(path, self.project.api)
                self.assertIn(f"{path}: ", str(caught.exception))
                self.assertIn(saying, str(caught.exception))
        path.write_bytes(b"\xff")
        with self.assertRaisesRegex(HipgenError, "releases.toml: .*utf-8"):
            load_releases(path, self.project.api)


def same_text(api_set: ApiSet) -> str:
    return apitext.text_of("", {api_set.release: api_set}, apitext.in_order([], [api_set]))


class Writer(HipgenCase):
    def test_the_writer_and_the_reader_agree(self) -> None:
        for release, api_set in self.project.api_sets.items():
            with self.subTest(release=str(release)):
                path = self.scratch / "one.def"
                path.write_text(same_text(api_set))
                self.assertEqual(ApiData(path, [release]).api_set(release), api_set)
                self.assertFalse(re.search(r"  \d", path.read_text()))


if __name__ == "__main__":
    unittest.main()
