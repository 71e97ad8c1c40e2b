# SPDX-License-Identifier: MIT
"""`hipgen add-release` is the only step that adds a new major; this one is made up."""

import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

from case import ROOT, HipgenCase

from hipgen.exports import list_path

FUNCTION = "hipMadeUpCall"
RECORD = "hipPointerAttribute_t"
MEMBER = "madeUpMember"


class NextMajor(HipgenCase):
    def setUp(self) -> None:
        super().setUp()
        self.newest = self.project.entries[-1]
        self.major = self.newest.release.major + 1
        self.patch = self.newest.release.patch + 10000

    def headers(self) -> Path:
        """The newest release with another version, a new function and a new member."""
        text = (self.project.bindings / self.newest.bindings_name).read_text()
        for part, value in (("MAJOR", self.major), ("MINOR", 0), ("PATCH", self.patch)):
            text = re.sub(rf"(#define HIP_VERSION_{part}) \d+", rf"\1 {value}", text)
        text = re.sub(r"HIPSHIM_ASSERT\(.*\);\n", "", text)
        start = text.index(f"struct {RECORD} {{")
        end = text.index("\n}", start)
        text = f"{text[:end]}\n    int {MEMBER};{text[end:]}"
        call = f"hipError_t {FUNCTION}(int *value);\n"
        return self.header_tree(text.replace("hipError_t hipInit(", f"{call}hipError_t hipInit("))

    def library(self) -> Path:
        """A library with the exports of the newest that is known, and the new function."""
        releases = [
            e.release for e in self.project.entries if list_path(self.project, e.release).is_file()
        ]
        release = releases[-1]
        listed = list_path(self.project, release)
        script = (
            self.project.bindings / f"dropin/{release.major}/libamdhip64.so.{release.major}.map"
        )
        names = [line.partition("@@")[0] for line in listed.read_text().split()]
        last = re.findall(r"(?m)^(hip_\S+) \{", script.read_text())[-1]
        node = f"hip_{self.major}.0 {{\nglobal:\n    {FUNCTION};\n}} {last};\n"
        (self.scratch / "map").write_text(script.read_text() + node)
        source = self.scratch / "library.c"
        source.write_text("".join(f"void {name}(void) {{}}\n" for name in (*names, FUNCTION)))
        library = self.scratch / f"libamdhip64.so.{self.major}"
        compiler = [*shlex.split(os.environ.get("CC", "cc")), "-w", "-fno-builtin", "-nostdlib"]
        flags = ["-shared", "-fPIC", f"-Wl,--version-script={self.scratch}/map"]
        subprocess.run([*compiler, *flags, "-o", library, source], check=True)
        return library

    def text(self, name: str) -> str:
        return (self.tree / "bindings" / name).read_text()

    def stable_file(self, name: str) -> str:
        """A file of libhipshim's caller ABI, in its own folder or in a shared one."""
        folders = [self.tree / "bindings/stable", *self.tree.glob("bindings/common/stable*")]
        (found,) = [folder / name for folder in folders if (folder / name).is_file()]
        return found.read_text()

    def test_one_command_adds_a_major(self) -> None:
        self.tree = self.copy_of_tree()
        done = self.hipgen(
            *("--root", self.tree, "add-release", "--rocm", f"{self.major}.0"),
            *("--headers", self.headers(), "--library", self.library()),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_release_lists()
        self.check_drop_in()
        self.check_stable_abi()
        self.check_that_it_compiles("BINDINGS")
        self.check_that_it_compiles(f"libdropin{self.major}_la")
        done = self.hipgen("--root", self.tree, "check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def check_release_lists(self) -> None:
        """The data of the search, `hipshim scan`, `hipshim info` and configure."""
        release = f"{self.major}.0.{self.patch}"
        self.assertIn(f"int {MEMBER};", self.text(f"bindings_{self.patch}.h"))
        self.assertIn(f"{release} {self.patch} {self.major}.0\n", self.text("releases.list"))
        for folder in ("stable", *(f"dropin/{m}" for m in range(5, self.major + 1))):
            row = (
                rf'    \{{ {self.major}, 0, {self.patch}, \d+, {self.major}, "{self.major}\.0" \}},'
            )
            self.assertRegex(self.text(f"{folder}/tables.c"), row)
        self.assertIn(f'libamdhip64.so.{self.major}\\"', self.text("sonames.h"))
        self.assertIn(f"libhiprtc.so.{self.major}", self.text("sonames.h"))
        self.assertIn(release, (self.tree / "generator/apis/hip/releases.toml").read_text())
        data = (self.tree / "generator/apis/hip/api.def").read_text()
        self.assertIn(f"    int {MEMBER}  {self.major}.0-", data)

    def check_drop_in(self) -> None:
        folder = f"dropin/{self.major}"
        self.assertIn(f"    {FUNCTION};", self.text(f"{folder}/libamdhip64.so.{self.major}.map"))
        self.assertIn("hiprtcCompile", self.text(f"{folder}/libhiprtc.so.{self.major}.map"))
        self.assertIn(f'".long {self.major}\\n"', self.text(f"{folder}/dropin.c"))
        self.assertIn(f"hs_dropin_number = {self.major};", self.text(f"{folder}/tables.c"))
        self.assertIn(f'"../../bindings_{self.patch}.h"', self.text(f"{folder}/caller_abi.h"))
        self.assertIn(f"HS_FN_{FUNCTION},", self.text(f"{folder}/functions.h"))
        self.assertIn(RECORD, self.text(f"{folder}/convert.h"))
        for name in re.findall(r"bindings/(\S+\.[ch])\b", self.text("files.mk")):
            self.assertTrue((self.tree / "bindings" / name).is_file(), name)
        for stem in ("libamdhip64", "libhiprtc"):
            rule = f"dropin/{stem}.so.{self.major}: libdropin{self.major}.la"
            self.assertIn(rule, self.text("files.mk"))

    def check_stable_abi(self) -> None:
        """The function is new, the record keeps its frozen layout and is converted."""
        self.assertIn(f"{FUNCTION}(int *value) HIPSHIM_SYMBOL", self.text("stable.h"))
        self.assertNotIn(MEMBER, self.text("stable.h"))
        self.assertIn(f"{FUNCTION}", self.text("inline.h"))
        converter = f"hs_convert_{RECORD}_{self.major}_0_to_caller"
        self.assertIn(converter, self.stable_file("convert.c"))

    def listed(self, variable: str) -> list[str]:
        """The words of a variable of bindings/files.mk that are paths of generated files."""
        value = re.search(rf"(?m)^{variable} = ((?:.*\\\n)*.*)", self.text("files.mk"))
        assert value is not None
        return [w.replace("$(srcdir)/", "") for w in value[1].split() if "bindings/" in w]

    def check_that_it_compiles(self, caller: str) -> None:
        """Each generated source of a caller ABI, with its include path in files.mk."""
        include = [*self.listed(f"{caller}_CPPFLAGS"), "-Ibindings"]
        include += [f"-I{ROOT}/include/hipshim", f"-I{ROOT}/src"]
        sources = self.listed(f"{caller}_SOURCES")
        self.assertGreater(len(sources), 8)
        for name in sources:
            if name.endswith(".c"):
                command = [*shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-D_GNU_SOURCE"]
                command += ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include, name]
                done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
