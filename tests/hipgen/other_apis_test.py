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
postlude = "#define TOY_INFO_START { sizeof(toyInfo) }"
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
typedef enum toyPrintMode { TOY_WIDE = 1 } toyPrintMode;
toyStatus toyPrint(const char *format, ...);
"""
NEW = OLD.replace("int size;", "long long size;").replace("_v2", "")
# What headers of some libraries rely on: C++'s headers, and handles that became opaque structs.
UNTIDY = """
#include <cstddef>
#include <linux/types.h>
typedef enum toyStatus { TOY_OK = 0, TOY_BAD = -1 } toyStatus;
struct toyMade;
typedef HANDLE toyHandle;
toyStatus toyOpen(toyHandle *handle, size_t n);
toyStatus toyClose(toyHandle handle);
toyStatus toyPrint(toyHandle handle, ...);
"""
VARIADIC = """
[export.toyPrint]
prototype = "toyStatus toyPrint(toyHandle handle, size_t a, size_t b, size_t c)"
reason = "its arguments after the handle are sizes, passed as those of a function without an ellipsis"
"""

TAGGED = """
[function.toySet]
params = { value = { direction = "in", tagged_by = "what", cases = { TOY_MEMORY = "hipMemoryType" } } }
reason = "the values of hipMemoryType changed in 6.0"
"""
# A header of an API that uses HIP's types, of which two changed in 6.0.
WITH_HIP = """
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
typedef enum toyStatus { TOY_OK = 0, TOY_BAD = -1 } toyStatus;
typedef struct toyPlan { hipStream_t stream; dim3 grid; char name[3]; } toyPlan;
typedef enum toyWhat { TOY_MEMORY, TOY_SIZE } toyWhat;
toyStatus toySet(toyWhat what, const void *value);
toyStatus toyOpen(hipStream_t stream);
toyStatus toyClose(const toyPlan *plan);
toyStatus toyMove(void *to, enum hipMemoryType type, hipStream_t stream);
toyStatus toyAsk(hipPointerAttribute_t *attributes, const void *pointer);
hipError_t toyLast(void);
toyStatus toyScale(hipFloatComplex *values, hipDoubleComplex by, int count);
"""


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
        self.assertIn("#define TOY_INFO_START { sizeof(toyInfo) }", self.text("include/toy/toy.h"))
        self.assertIn('{ 1, 0, 0, 0, 1, "', self.text("stable/tables.c"))
        self.assertIn('{ 2, 0, 0, 1, 7, "', self.text("stable/tables.c"))
        self.compiles()

    def test_an_optional_api_stays_as_the_last_run_left_it(self) -> None:
        self.added()
        (self.facts / "api.toml").write_text(f"optional = true\napart = true{API}")
        for option, is_there in {"": False, "--all": True, " ": True}.items():
            done = self.hipgen("--root", self.tree, "generate", *option.split())
            self.assertEqual(done.returncode, 0, done.stderr)
            names = (self.tree / "bindings/apis.mk").read_text()
            self.assertEqual("bindings/toy/files.mk" in names, is_there, option)
        self.assertIn("toydropindir = $(dropindir)/toy\n", self.text("files.mk"))

    def test_its_rules_reach_the_converters(self) -> None:
        self.added()
        adapters = self.text("stable/adapters.c")
        self.assertIn("(int)hs_result >= 0 && info", adapters)
        self.assertIn("toyStatus hs_result = 1;", adapters)
        # The newer library has the function under the name without a suffix, and it is called directly.
        self.assertIn('{ (hs_function)0, "toyAxpy", ', self.text("stable/tables.c"))
        self.assertNotIn("toyAxpy", adapters)

    def test_a_dropin_keeps_what_a_rule_serves_by_another_name(self) -> None:
        (self.facts / "exports").mkdir()
        names = {"2.0.0": ["toyAsk", "toyAxpy", "toyClose", "toyOpen"]}
        names["1.0.0"] = ["toyAsk", "toyAxpy_v2", "toyClose", "toyOpen"]
        for release, symbols in names.items():
            (self.facts / f"exports/libtoy-{release}.txt").write_text("\n".join(symbols) + "\n")
        self.assertEqual(self.add(NEW, "--release", "2.0.0", "--soname", "7").returncode, 0)
        (self.facts / "overrides.toml").write_text(OVERRIDES + PATTERN)
        done = self.add(OLD, "--release", "1.0.0", "--soname", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("toyAxpy_v2;", self.text("dropin/7/libtoy.so.7.map"))
        # API set 0 alone declares it by this name, and 1 by the other one.
        rows = self.text("dropin/7/tables.c").split("hs_function_entries[] = {")[1].splitlines()
        self.assertIn("0, 1, 0, 0, 0 },", rows[3])

    def test_a_value_that_a_pointer_to_void_leads_to_is_converted(self) -> None:
        self.added_with_hip()
        rule = OVERRIDES[: OVERRIDES.index("[record")] + TAGGED
        (self.facts / "overrides.toml").write_text(rule)
        done = self.hipgen("--root", self.tree, "generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        adapters = self.text_of("stable", "adapters.c")
        self.assertIn("runtime_value = &hs_value;", adapters)
        self.assertIn("(&hs_value, *(const int *)value)", adapters)

    def added_with_hip(self) -> None:
        """Three releases that declare the same, over three HIPs; the drop-ins of 5 and 7."""
        (self.facts / "api.toml").write_text(
            API.replace('prelude = "#include <stddef.h>"', 'includes = ["hip/hip_complex.h"]')
        )
        record = OVERRIDES[OVERRIDES.index("[record") :]
        (self.facts / "overrides.toml").write_text(OVERRIDES.replace(record, ""))
        (self.facts / "exports").mkdir()
        names = ["toyAsk", "toyClose", "toyLast", "toyMove", "toyOpen", "toyScale", "toySet"]
        for release, node in {"5.7.0": "", "7.2.0": "@@TOY_2"}.items():
            text = "".join(f"{name}{node}\n" for name in names)
            (self.facts / f"exports/libtoy-{release}.txt").write_text(text)
        for release in ("7.2.0", "6.4.0", "5.7.0"):
            done = self.add(WITH_HIP, "--release", release, "--soname", str(int(release[0]) - 5))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_types_of_a_used_api_are_converted_by_its_rules(self) -> None:
        self.added_with_hip()
        data = (self.facts / "api.def").read_text()
        self.assertIn("toyStatus toyMove(void *to, enum hipMemoryType type,", data)
        self.assertNotIn("hipMemoryTypeHost", data)
        header = self.text("include/toy/toy.h")
        self.assertIn("#include <hip/hip_runtime_api.h>", header)
        self.assertNotIn("hipMemoryTypeHost", header)
        converters = self.text_of("stable", "convert.c")
        self.assertIn("hs_convert_hipMemoryType_caller_to_5_7", converters)
        # The caller's 1 is 5.7's 0, as between the releases of HIP themselves.
        self.assertIn("case 1: /* hipMemoryTypeHost */\n        *dst = 0;", converters)
        self.assertIn("hipPointerAttribute_t_5_7", self.text_of("stable", "convert.h"))
        rows = self.text("stable/tables.c").split("hs_plans[] = {")[1].splitlines()
        plans = {rows[n].split()[2]: rows[n + 1].strip() for n in range(1, len(rows) - 1, 2)}
        self.assertEqual(plans["7.2.0"], "0, 0, 0, 0, 0, 0, 0,")
        self.assertEqual(
            [n != "0" for n in plans["5.7.0"].split(", ")][:4], [True, False, False, True]
        )
        self.compiles()

    def test_a_drop_in_has_the_types_of_its_release(self) -> None:
        self.added_with_hip()
        self.assertIn("hipMemoryTypeHost = 0,", self.text("dropin/0/bindings.h"))
        self.assertIn("hipMemoryTypeHost = 1,", self.text("dropin/2/bindings.h"))
        self.assertIn("hs_dropin_number = 0;", self.text("dropin/0/tables.c"))
        self.assertIn("\n {\nglobal:", self.text("dropin/0/libtoy.so.0.map"))
        self.assertIn("TOY_2 {\nglobal:\n    toyAsk;", self.text("dropin/2/libtoy.so.2.map"))
        self.assertIn("HS_FN_toyMove", self.text_of("dropin/0", "dropin.c"))
        self.assertIn("DROPIN_FILES += dropin/libtoy.so.0", self.text("files.mk"))
        for number in ("0", "2"):
            self.compiles(f"dropin/{number}")

    def folders(self, caller: str) -> list[Path]:
        """Its own and those that it shares."""
        bindings = self.tree / "bindings/toy"
        name = caller.replace("/", "")
        shared = bindings.glob("common/*")
        return [bindings / caller, *(f for f in shared if name in f.name.split("_"))]

    def text_of(self, caller: str, name: str) -> str:
        return "".join(f.read_text() for d in self.folders(caller) for f in d.glob(name))

    def compiles(self, caller: str = "stable") -> None:
        folders = self.folders(caller)
        include = [f"-I{folder}" for folder in (*folders, self.tree / "bindings")]
        include += [f"-I{ROOT}/include/hipshim", f"-I{ROOT}/src"]
        for source in sorted(s for folder in folders for s in folder.glob("*.c")):
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

    def test_variadic_functions_and_cpp_names_may_be_exported(self) -> None:
        names = 'empty_headers = ["cstddef", "linux/types.h"]\nname_prefix'
        (self.facts / "api.toml").write_text(API.replace("name_prefix", names))
        result = OVERRIDES[: OVERRIDES.index("[record")]
        (self.facts / "overrides.toml").write_text(result)
        (self.facts / "exports").mkdir()
        exports = "_ZN3toy4makeEv\ntoyClose\ntoyOpen\ntoyPrint\n"
        for release in ("1.0.0", "2.0.0"):
            (self.facts / f"exports/libtoy-{release}.txt").write_text(exports)
        for release, handle in {"2.0.0": "struct toyMade *", "1.0.0": "void *"}.items():
            done = self.add(UNTIDY.replace("HANDLE", handle), "--release", release)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            self.text("stable/tables.c").split("/* toy 1.0.0 */")[1].split()[:2], ["0,", "0,"]
        )
        symbols = self.text("dropin/1/libtoy.so.1.map").split("local")[0]
        self.assertEqual(symbols.count(";"), 2)
        (self.facts / "overrides.toml").write_text(result + VARIADIC)
        done = self.hipgen("--root", self.tree, "generate")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("    toyPrint;", self.text("dropin/1/libtoy.so.1.map"))
        self.compiles("dropin/1")

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
