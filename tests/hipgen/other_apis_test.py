# SPDX-License-Identifier: MIT
"""An API that is data alone: its folder in generator/apis/ gives its header, its library and its rules."""

import os
import shlex
import subprocess
import unittest
from pathlib import Path
from subprocess import CompletedProcess

from case import ROOT, HipgenCase

API = """
name = "toy"
include_directory = "toy"
headers = ["toy.h"]
installed_as = "toy/toy.h"
name_prefix = "toy"
prelude = "#include <stddef.h>"
skip = "toyPrint.*"
ignore_exports = "_Z.*"
uses = ["hip"]
noun = "toy library"
pin = "HIPSHIM_TOY_LIBRARY"
install_hint = "install toys"
carrier = "ROCm"

[[library]]
stem = "libtoy"
probe = "toyOpen"
second_probe = "toyClose"
"""
OVERRIDES = r"""
[result.enum]
reason = "every function returns an enum of its own"
refuse = "1"
memory = "2"
absent = "3"
no_runtime = "4"
ended = "5"
success = "(int)hs_result >= 0"

[record.toyInfo]
reason = "only toyAsk has it, and writes it"
direction = "out"
"""
PATTERN = r"""
[function."(toy\\w+)_v2"]
reason = "2.0 dropped the suffix"
symbols = ['\g<0>', '\1']
"""
OLD = """
typedef enum toyStatus { TOY_OK = 0, TOY_BAD = -1 } toyStatus;
typedef struct toyInfo { int size; } toyInfo;
toyStatus toyOpen(size_t n);
toyStatus toyClose(void);
toyStatus toyAsk(toyInfo *info);
toyStatus toyAxpy_v2(int n);
toyStatus toyPrint(const char *format, ...);
"""
NEW = OLD.replace("int size;", "long long size;").replace("_v2", "")


class OtherApis(HipgenCase):
    def setUp(self) -> None:
        super().setUp()
        self.tree = self.copy_of_tree()
        self.facts = self.tree / "generator/apis/toy"
        self.facts.mkdir()
        (self.facts / "api.toml").write_text(API)
        (self.facts / "overrides.toml").write_text(OVERRIDES)
        (self.facts / "releases.toml").write_text("")
        (self.facts / "api.def").write_text("")

    def add(self, text: str, *words: str) -> CompletedProcess[str]:
        header = self.scratch / "headers/toy/toy.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text)
        command = ("--root", self.tree, "--in", "toy", "add-release")
        return self.hipgen(*command, "--headers", header.parent.parent, *words)

    def added(self) -> None:
        done = self.add(NEW, "--release", "2.0.0", "--soname", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.facts / "overrides.toml").write_text(OVERRIDES + PATTERN)
        done = self.add(OLD, "--release", "1.0.0", "--soname", "1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def text(self, name: str) -> str:
        return (self.tree / "bindings/toy" / name).read_text()

    def test_its_folder_is_all_that_it_needs(self) -> None:
        self.added()
        done = self.hipgen("--root", self.tree, "generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bindings/toy/files.mk", (self.tree / "bindings/apis.mk").read_text())
        self.assertIn("lib_LTLIBRARIES += libhipshim-toy.la", self.text("files.mk"))
        self.assertIn("hipshim_toyAxpy_v2;", self.text("libhipshim-toy.map"))
        self.assertNotIn("toyPrint", self.text("include/toy/toy.h"))
        self.assertIn('{ 1, 0, 0, 0, 1, "', self.text("stable/tables.c"))
        self.assertIn('{ 2, 0, 0, 1, 7, "', self.text("stable/tables.c"))
        self.compiles()

    def test_its_rules_reach_the_converters(self) -> None:
        self.added()
        adapters = self.text("stable/adapters.c")
        self.assertIn("(int)hs_result >= 0 && info", adapters)
        self.assertIn("toyStatus hs_result = 1;", adapters)
        # The newer library has the function under the name without a suffix.
        self.assertIn('"toyAxpy"', self.text("stable/tables.c"))

    def compiles(self) -> None:
        folder = self.tree / "bindings/toy/stable"
        include = [f"-I{folder}", f"-I{ROOT}/include/hipshim", f"-I{ROOT}/src"]
        for source in sorted(folder.glob("*.c")):
            command = [*shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-D_GNU_SOURCE"]
            command += ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include, str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_it_lacks_is_said(self) -> None:
        done = self.add(NEW)
        self.assertIn("its release must be given, with --release", done.stderr)
        (self.facts / "api.toml").write_text(API.replace('skip = "toyPrint.*"\n', ""))
        done = self.add(NEW, "--release", "2.0.0")
        self.assertIn("toyPrint: no rule covers a variadic function; `skip`", done.stderr)
        (self.facts / "api.toml").write_text(API)
        (self.facts / "overrides.toml").write_text("")
        done = self.add(NEW, "--release", "2.0.0")
        self.assertIn("no [result] rule for `toyStatus`", done.stderr)
        self.assertEqual((self.facts / "api.def").read_text(), "")
        self.assertFalse((self.tree / "bindings/toy").exists())

    def test_an_api_that_is_not_there_is_named(self) -> None:
        done = self.hipgen("--root", self.tree, "--in", "none", "diff", "1.0", "2.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("0 APIs named none", done.stderr)

    def test_cpp_names_do_not_count(self) -> None:
        from hipgen.api import load_api
        from hipgen.exports import read_exports

        source = self.scratch / "toy.c"
        source.write_text("void toyOpen(void) {}\nvoid _ZN3toy4makeEv(void) {}\n")
        library = self.scratch / "libtoy.so.1"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        exports = read_exports(load_api(Path(self.facts / "api.toml")), library)
        self.assertEqual([name for name in exports if "toy" in name], ["toyOpen"])


if __name__ == "__main__":
    unittest.main()
