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
        words = ["bindings", "--headers", str(self.header_tree(HEADER))]
        variables = dict(os.environ, PYTHONPATH=str(ROOT / "generator"))
        if libclang:
            variables["HIPGEN_LIBCLANG"] = str(libclang)
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


if __name__ == "__main__":
    unittest.main()
