# SPDX-License-Identifier: MIT
"""The stable ABI only grows: exports, layouts, values and signatures of 0.1 are all there."""

import unittest
from pathlib import Path

from abi_test import api_set
from case import ROOT, HipgenCase

from promised import facts, facts_of, problems

PROMISED = (Path(__file__).parent / "promised.txt").read_text().splitlines()

HEADER = """
#include <stddef.h>
enum hipE { hipA, hipB };
union hipU { int i; char pad[8]; };
struct hipS { int n; enum hipE e; struct { char c; } in; unsigned bit : 1; };
typedef struct hipshim_sized { size_t size; long n; void (*call)(int); int tail; } hipshim_sized_t;
typedef struct hipshim_plain { int n; long tail; } hipshim_plain_t;
typedef int hipT;
#define hipFlag 1
hipT hipF(struct hipS *s);
void hipG(void);
"""
CHANGES = {
    "hipA, hipB": "hipB, hipA",
    "{ hipA, ": "{ hipA = -1, ",
    "pad[8]": "pad[16]",
    "int i; char": "unsigned i; char",
    "int n; enum hipE e;": "enum hipE e; int n;",
    "char c;": "short c;",
    "bit : 1": "bit : 2",
    "struct hipS { int n;": "struct hipS { int m;",
    "typedef int": "typedef long",
    "hipFlag 1": "hipFlag 2",
    "struct hipS *s": "const struct hipS *s",
    "hipT hipF(": "int hipF(",
    "hipT hipF(struct hipS *s);": "",
    "size_t size; long n;": "size_t size; int *inserted; long n;",
    "size; long n;": "n; long size;",
    "long n; void (*call)(int);": "void (*call)(int); long n;",
    "void (*call)(int);": "void (*call)(long);",
    "int tail;": "int tail; int in_padding;",
    "int tail; } hipshim_sized_t": "} hipshim_sized_t",
    "long tail;": "long tail; long appended;",
}
ADDITIONS = {
    "hipA, hipB": "hipA, hipB, hipC = 1",
    "int i; char": "int i; struct { int x, y; } point; char",
    "int tail; }": "int tail; long appended; int other; }",
    "typedef int hipT;": "typedef int hipT; struct hipN { int n; }; void hipH(struct hipN *n);",
}


class Promises(HipgenCase):
    def test_the_stable_abi_keeps_what_it_promised(self) -> None:
        self.assertGreater(len(PROMISED), 1000)
        self.assertEqual(problems(PROMISED, facts_of(ROOT)), [])

    def changed(self, old: str, new: str) -> list[str]:
        self.assertIn(old, HEADER)
        before, after = (facts(api_set(t, 1), ["a"]) for t in (HEADER, HEADER.replace(old, new)))
        return problems(before, after)

    def test_each_kind_of_change_is_seen(self) -> None:
        for old, new in CHANGES.items():
            with self.subTest(new):
                self.assertNotEqual(self.changed(old, new), [])

    def test_additions_are_allowed(self) -> None:
        for old, new in ADDITIONS.items():
            with self.subTest(new):
                self.assertEqual(self.changed(old, new), [])

    def test_a_lost_export_is_seen(self) -> None:
        self.assertEqual(
            problems(["export a@@N", "export b@@N"], ["export a@@N", "export b@@M"]),
            ["export b@@N: removed or changed"],
        )


if __name__ == "__main__":
    unittest.main()
