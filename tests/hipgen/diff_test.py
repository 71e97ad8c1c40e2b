# SPDX-License-Identifier: MIT
"""`hipgen diff --fail-on` tells CI whether the headers of the next release break programs."""

import json
import unittest
from pathlib import Path

from case import VERSION, HipgenCase

BASE = (
    VERSION
    + """
#define hipFlagOne 1
typedef enum hipColor { hipRed = 0, hipBlue = 1 } hipColor;
typedef enum hipLoose { hipLooseOne = 1 } hipLoose;
typedef struct hipShape { int width; hipColor color; } hipShape;
int hipRuntimeGetVersion(int *version);
int hipDraw(hipShape *shape);
"""
)


class Diff(HipgenCase):
    def tree(self, name: str, text: str) -> Path:
        return self.header_tree(text).rename(self.scratch / name)

    def check(self, old: str, new: str, breaking: int, any_difference: int, said: str) -> None:
        """Compares two trees of one version, as a maintainer has them before a release."""
        paths = self.tree("old", old), self.tree("new", new)
        for kind, status in (("breaking", breaking), ("any", any_difference), ("never", 0)):
            done = self.hipgen("diff", *paths, f"--fail-on={kind}")
            self.assertEqual((done.returncode, done.stderr), (status, ""), kind)
            self.assertIn(said, done.stdout)
        done = self.hipgen("diff", *paths, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIs(json.loads(done.stdout)["breaking"], bool(breaking))

    def test_no_difference(self) -> None:
        self.check(BASE, BASE, 0, 0, "no difference")

    def test_a_new_function(self) -> None:
        self.check(BASE, BASE + "int hipErase(void);\n", 0, 1, "+ hipErase")

    def test_a_new_enumerator(self) -> None:
        new = BASE.replace("hipBlue = 1", "hipBlue = 1, hipGreen = 2")
        self.check(BASE, new, 0, 1, "hipGreen = 2 added")

    def test_a_function_that_is_gone(self) -> None:
        self.check(BASE + "int hipErase(void);\n", BASE, 1, 1, "! hipErase: removed")

    def test_a_record_that_grew(self) -> None:
        new = BASE.replace("int width;", "int width; int height;")
        self.check(BASE, new, 1, 1, "! hipDraw: shape: hipShape 8 -> 12 bytes")

    def test_another_parameter(self) -> None:
        new = BASE.replace("hipDraw(hipShape *shape)", "hipDraw(hipShape *shape, int flags)")
        self.check(BASE, new, 1, 1, "! hipDraw: was (")

    def test_a_renumbered_enum(self) -> None:
        new = BASE.replace("hipBlue = 1", "hipBlue = 2")
        self.check(BASE, new, 1, 1, "! hipBlue: 1 -> 2")

    def test_values_that_no_function_has_as_a_type(self) -> None:
        self.check(BASE, BASE.replace("One 1", "One 2"), 1, 1, "! hipFlagOne: 1 -> 2")

    def test_an_enum_that_no_function_has_as_a_type(self) -> None:
        new = BASE.replace("hipLooseOne = 1", "hipLooseOne = 4")
        self.check(BASE, new, 1, 1, "! hipLooseOne: 1 -> 4")

    def test_a_name_alone_breaks_nothing(self) -> None:
        self.check(BASE, BASE.replace("*shape", "*form"), 0, 1, "hipDraw")

    def test_input_that_cannot_be_read(self) -> None:
        good = self.tree("good", BASE)
        bad = self.tree("bad", BASE + "int hipBroken(no_such_type x);\n")
        empty = self.scratch / "empty"
        empty.mkdir()
        for pair, part in (
            ((good, bad), "no_such_type"),
            ((bad, good), "no_such_type"),
            ((good, empty), "hip/hip_runtime_api.h"),
            ((good, self.scratch / "absent"), "neither a file, a directory nor a known release"),
        ):
            for words, status in ((("--fail-on=any",), 2), ((), 1)):
                done = self.hipgen("diff", *pair, *words)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(part, done.stderr)
        self.assertEqual(self.hipgen("diff", good, good, "--fail-on=all").returncode, 2)
        done = self.hipgen("diff", good, bad, "--fail-on=any", process=True)
        self.assertEqual(done.returncode, 2)

    def test_it_agrees_with_the_tool(self) -> None:
        # As tests/tool/abi_answers.t has it for `hipshim abi diff --fail-on`.
        for old, new, status in (("6.2", "6.3", 0), ("6.3", "6.4", 1), ("6.3", "6.2", 1)):
            done = self.hipgen("diff", old, new, "--fail-on=breaking", process=True)
            self.assertEqual(done.returncode, status, done.stderr)


if __name__ == "__main__":
    unittest.main()
