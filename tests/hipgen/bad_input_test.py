# SPDX-License-Identifier: MIT
"""Bad input gives one line of text and a failing status, and nothing is written."""

import shutil
import unittest
from pathlib import Path

from case import VERSION, HipgenCase

from hipgen.model import HipgenError
from hipgen.project import write_all

FUNCTION = "int hipRuntimeGetVersion(int *version);\n"


class BadInput(HipgenCase):
    """Input on which libclang may write or crash itself is read by a process."""

    def refused(self, *words: str | Path, saying: tuple[str, ...], process: bool = False) -> None:
        out = self.scratch / "out.h"
        done = self.hipgen("bindings", *words, "--out", out, process=process)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in saying:
            self.assertIn(part, done.stderr)
        self.assertFalse(out.exists())

    def test_a_missing_header(self) -> None:
        said = (str(self.scratch), "hip/hip_runtime_api.h")
        self.refused("--headers", self.scratch, saying=said, process=True)

    def test_a_header_that_does_not_parse(self) -> None:
        tree = self.header_tree(VERSION + "int hipBroken(no_such_type x);\n")
        self.refused("--headers", tree, saying=("hip_runtime_api.h:5", "no_such_type"))

    def test_an_include_that_is_not_there(self) -> None:
        tree = self.header_tree("#include <hip/absent.h>\n" + VERSION + FUNCTION)
        self.refused("--headers", tree, saying=("hip_runtime_api.h:1", "hip/absent.h"))

    def test_a_header_without_a_version(self) -> None:
        tree = self.header_tree(FUNCTION)
        self.refused("--headers", tree, saying=("HIP_VERSION_MAJOR", "hip_version.h"))

    def test_a_version_that_is_no_number(self) -> None:
        tree = self.header_tree(VERSION.replace("99999", '"x"') + FUNCTION)
        self.refused("--headers", tree, saying=("HIP_VERSION_PATCH",))

    def test_a_header_without_functions(self) -> None:
        self.refused("--headers", self.header_tree(VERSION), saying=("declares no function",))

    def test_types_that_no_rule_covers(self) -> None:
        cases = {
            "vector": "typedef float v4 __attribute__((ext_vector_type(4)));\nv4 hipVector(void);\n",
            "complex": "double _Complex hipComplex(void);\n",
            "variadic": "int hipPrint(const char *format, ...);\n",
            "int128": "__int128 hipWide(void);\n",
            "blocks": "extern int hipVariable;\n",
            "aligned type": "typedef int w __attribute__((aligned(64)));\nw hipWide(void);\n",
            "aligned member": "struct s { char c; int i __attribute__((aligned(16))); };\n",
            "aligned record": "struct __attribute__((aligned(64))) s { int i; };\n",
            "packed in pairs": "struct __attribute__((packed, aligned(2))) s { char c; int i; };\n",
        }
        for name, text in cases.items():
            with self.subTest(name):
                tree = self.header_tree(VERSION + FUNCTION + text)
                self.refused("--headers", tree, saying=("no rule covers", "hip_runtime_api.h"))

    def test_one_name_with_two_types(self) -> None:
        tree = self.header_tree(VERSION + FUNCTION, "long hipRuntimeGetVersion(int *version);\n")
        self.refused("--headers", tree, saying=("hipRuntimeGetVersion",))

    def test_bytes_that_are_no_text(self) -> None:
        tree = self.header_tree(VERSION + FUNCTION)
        path = tree / "hip/hip_runtime_api.h"
        path.write_bytes(path.read_bytes() + b"\x00\xff\xfe int \x80;")
        self.refused("--headers", tree, saying=("hip_runtime_api.h",), process=True)

    def test_an_error_that_quotes_no_text(self) -> None:
        tree = self.header_tree(VERSION + FUNCTION)
        path = tree / "hip/hip_runtime_api.h"
        path.write_bytes(path.read_bytes() + b"int hip(\xc6x y);")
        self.refused("--headers", tree, saying=("hip_runtime_api.h",), process=True)

    def test_a_type_without_end(self) -> None:
        tree = self.header_tree(VERSION + FUNCTION + f"int hipDeep(int {'*' * 3000}deep);\n")
        self.refused("--headers", tree, saying=("hipDeep", "nested too deeply"), process=True)

    def test_attributes_are_no_enumerators(self) -> None:
        text = "enum __attribute__((deprecated)) hipOld { hipOne = 1 };\n"
        tree = self.header_tree(VERSION + FUNCTION + text)
        out = self.scratch / "out.h"
        done = self.hipgen("bindings", "--headers", tree, "--out", out, process=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertIn("enum hipOld {\n    hipOne = 1,\n}", out.read_text())

    def test_a_directory_in_place_of_the_header(self) -> None:
        (self.scratch / "hip/hip_runtime_api.h").mkdir(parents=True)
        self.refused("--headers", self.scratch, saying=("hip_runtime_api.h",))

    def test_an_output_that_cannot_be_written(self) -> None:
        tree = self.header_tree(VERSION + FUNCTION)
        done = self.hipgen("bindings", "--headers", tree, "--out", "/proc/no/such/file.h")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/proc/no", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_a_patch_number_that_is_not_known(self) -> None:
        done = self.hipgen("diff", "12345", "53211")
        self.assertEqual(done.returncode, 1)
        self.assertIn("6.2.41134", done.stderr)


class Overrides(HipgenCase):
    """The checks of overrides.toml are as strict as those of headers."""

    def generate_fails(self, old: str, new: str, *saying: str, process: bool = False) -> None:
        tree = self.copy_of_tree()
        path = tree / "generator/apis/hip/overrides.toml"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        before = {str(p): p.read_bytes() for p in (tree / "bindings").rglob("*.*")}
        done = self.hipgen("--root", tree, "generate", process=process)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertNotIn("Traceback", done.stderr)
        for part in saying:
            self.assertIn(part, done.stderr)
        after = {str(p): p.read_bytes() for p in (tree / "bindings").rglob("*.*")}
        self.assertEqual(before, after)

    def test_an_unknown_key(self) -> None:
        said = ("hipLaunchAttributeValue", "unionn")
        self.generate_fails("union = ", "unionn = ", *said, process=True)

    def test_a_missing_reason(self) -> None:
        self.generate_fails('reason = "as hipArray"', "", "hipMipmappedArray", "reason")

    def test_a_name_that_no_release_declares(self) -> None:
        self.generate_fails("[record.hipArray]", "[record.hipArrow]", "hipArrow")

    def test_a_missing_direction_names_function_and_parameter(self) -> None:
        self.generate_fails(
            'direction = "out"\nmember_aliases',
            "member_aliases",
            "hipPointerGetAttributes: attributes",
            "no rule covers it",
        )

    def test_a_missing_rename_is_an_error(self) -> None:
        self.generate_fails(
            ', "allocFlags.usage" = "usage"',
            "",
            "allocFlags.usage may be usage of HIP 5.2.21153",
        )

    def test_a_missing_result_rule(self) -> None:
        self.generate_fails("[result.hipError_t]", "[result.hipErrors]", "hipError_t")

    def test_an_unknown_table_or_direction(self) -> None:
        self.generate_fails("[record.dim3]", "[recrod.dim3]", "unknown table `recrod`")
        shutil.rmtree(self.scratch / "tree")
        self.generate_fails(
            'direction = "inout"', 'direction = "sideways"', "direction must be one of"
        )
        shutil.rmtree(self.scratch / "tree")
        self.generate_fails("error_enums = ", "errors = ", "stable: unknown key `errors`")


class Check(HipgenCase):
    """`hipgen check`, which make check-generated runs."""

    def test_a_tree_as_it_is_written(self) -> None:
        done = self.hipgen("check", process=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("are as hipgen writes them", done.stdout)

    def test_changed_missing_and_stray_files(self) -> None:
        tree = self.copy_of_tree()
        (tree / "bindings/bindings_12345.h").write_text("")
        path = tree / "bindings/dropin/5/convert.c"
        path.write_text(path.read_text() + "\n")
        (tree / "bindings/dropin/5/dropin.c").unlink()
        done = self.hipgen("--root", tree, "check")
        self.assertEqual(done.returncode, 1, done.stdout)
        words = [line.partition("hipgen: ")[2] or line for line in done.stderr.splitlines()]
        self.assertEqual(
            sorted(words),
            [
                "bindings/bindings_12345.h: hipgen does not write it",
                "bindings/dropin/5/convert.c: differs from what hipgen writes",
                "bindings/dropin/5/dropin.c: missing",
            ],
        )


class Bindings(HipgenCase):
    def test_an_edited_bindings_header_is_noticed(self) -> None:
        tree = self.copy_of_tree()
        path = tree / "bindings/bindings_40091.h"
        text = path.read_text()
        self.assertIn("#define hipStreamNonBlocking 0x01", text)
        path.write_text(text.replace("hipStreamNonBlocking 0x01", "hipStreamNonBlocking 0x02"))
        done = self.hipgen("--root", tree, "check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bindings_40091.h: differs from what hipgen writes", done.stderr)


class Writing(HipgenCase):
    def test_all_files_or_none(self) -> None:
        good, bad = self.scratch / "a.h", Path("/proc/no/such/b.h")
        good.write_text("old")
        with self.assertRaises(HipgenError):
            write_all({good: "new", bad: "new"})
        self.assertEqual(good.read_text(), "old")
        self.assertEqual([p.name for p in self.scratch.iterdir()], ["a.h"])

    def test_equal_files_are_left_alone(self) -> None:
        path = self.scratch / "a.h"
        self.assertEqual(write_all({path: "text"}), [path])
        self.assertEqual(write_all({path: "text"}), [])


if __name__ == "__main__":
    unittest.main()
