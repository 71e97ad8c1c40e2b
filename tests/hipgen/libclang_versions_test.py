# SPDX-License-Identifier: MIT
"""Every libclang reads the same declarations, and a missing one is an error in words."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from case import ROOT, HipgenCase

HEADER = """
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 99999
struct hipTagged { int n; };
typedef struct hipTagged hipTagged;
typedef struct { char c; union { int i; struct { long l; } s; }; } hipUntagged;
typedef enum { hipOne = 1 } hipUntaggedEnum;
enum { hipNameless = 4 };
typedef struct hipHandle_st *hipHandle;
int hipRuntimeGetVersion(hipUntagged *u, struct hipTagged t, hipUntaggedEnum e, hipHandle h);
"""


class Versions(HipgenCase):
    def bindings(self, libclang: Path | str) -> subprocess.CompletedProcess[str]:
        chosen = {"HIPGEN_LIBCLANG": str(libclang)} if libclang else {}
        return self.run_hipgen(chosen, "bindings", "--headers", str(self.header_tree(HEADER)))

    def without_clang(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command with a Python that has jinja2 and no module `clang`."""
        package = self.scratch / "hidden/clang"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text('raise ImportError("No module named clang")\n')
        path = f"{package.parent}:{ROOT / 'generator'}"
        return self.run_hipgen({"PYTHONPATH": path}, *words)

    def run_hipgen(self, changed: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), **changed}
        command = [sys.executable, "-m", "hipgen", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=variables)

    def test_newer_ones_read_the_same(self) -> None:
        directory = os.environ.get("HIPSHIM_LIBCLANGS")
        if not directory:
            self.skipTest("HIPSHIM_LIBCLANGS names no directory of libclangs")
        wanted = self.bindings("")
        self.assertEqual((wanted.returncode, wanted.stderr), (0, ""))
        self.assertIn("} hipUntagged;", wanted.stdout)
        found = sorted(Path(directory).rglob("libclang*.so*"))
        self.assertTrue(found, f"{directory}: no libclang")
        for library in found:
            with self.subTest(library=str(library)):
                done = self.bindings(library)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, wanted.stdout)

    def test_a_missing_one_is_said(self) -> None:
        done = self.bindings(self.scratch / "libclang.so")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("HIPGEN_LIBCLANG", done.stderr)

    def test_a_checkout_builds_without_one(self) -> None:
        tree = str(self.copy_of_tree())
        for words in (("--root", tree, "generate"), ("diff", "6.4", "7.2")):
            with self.subTest(words[-1]):
                done = self.without_clang(*words)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_command_that_reads_headers_says_that_it_is_missing(self) -> None:
        done = self.without_clang("bindings", "--headers", str(self.header_tree(HEADER)))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("python3-clang", done.stderr)


if __name__ == "__main__":
    unittest.main()
