# SPDX-License-Identifier: MIT
"""The generator has the names of an API only from the files in generator/apis/."""

import re
import tomllib
import unittest
from collections.abc import Iterator
from pathlib import Path

from case import ROOT, HipgenCase

OWN = re.compile(r"hipgen|hipshim", re.IGNORECASE)


def generator_files() -> Iterator[Path]:
    yield from sorted((ROOT / "generator/hipgen").glob("*.py"))
    yield from sorted((ROOT / "generator/templates").glob("*.j2"))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


class KnowsNoApi(HipgenCase):
    def test_no_file_has_a_fact_of_an_api(self) -> None:
        facts = set()
        for path in (ROOT / "generator/apis").glob("*/api.toml"):
            data = tomllib.loads(path.read_text())
            data.pop("python", None)  # names of parameters, which are plain words
            data.pop("empty_headers", None)  # those of C++, which are plain words, too
            facts |= set(strings(data))
        # `lib` is a directory everywhere, and every API so far is carried by ROCm.
        facts -= {"MAJOR", "MINOR", "lib", "ROCm"}
        self.assertIn("libamdhip64", facts)
        for path in generator_files():
            words = set(re.findall(r"\w+", OWN.sub("", path.read_text())))
            with self.subTest(path.name):
                self.assertEqual(words & facts, set())

    def test_no_file_has_a_name_that_begins_like_one_of_an_api(self) -> None:
        names = [path.parent.name for path in (ROOT / "generator/apis").glob("*/api.toml")]
        self.assertIn("hip", names)
        like = re.compile(rf"(?:^|(?<=[\W_0-9]))({'|'.join(names)})\w*", re.IGNORECASE)
        for path in generator_files():
            with self.subTest(path.name):
                found = [m[0] for m in like.finditer(path.read_text()) if not OWN.search(m[0])]
                self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
