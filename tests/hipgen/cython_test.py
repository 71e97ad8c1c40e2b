# SPDX-License-Identifier: MIT
"""Published Cython bindings give the API set that the headers of the release give.

HIPSHIM_CYTHON_BINDINGS names a directory in which each directory holds one version of
hip-python (pip install --target, for this version of Python); without it, their tests
are skipped.
"""

import os
import unittest
from collections.abc import Iterator
from pathlib import Path

from abi_test import API, api_set
from add_release_test import check_published
from case import HipgenCase

from hipgen import compare
from hipgen.cython import parse_cython
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.releases import Entry

HEADER = """
#include <stddef.h>
#include <stdint.h>
#define HIPSHIM_DEFAULT(value)
#define hipFlag 0x80000000
#define hipCast ((unsigned)4)
#define hipOther hipB
#define hipLost hipC
enum hipE { hipA, hipB = 5, hipC };
typedef enum hipE hipE;
typedef struct hipTag_st { int n; } hipTag;
typedef hipTag hipSecondName;
typedef struct { char name[8]; unsigned one : 1; unsigned two : 2; } hipBits;
struct hipInner { uint32_t a; };
struct hipU {
    int kind;
    union { int i; struct { long l; } s; };
    struct { const char *p; } in[2];
    struct hipInner inner;
};
typedef struct hipOpaque *hipHandle;
typedef void (*hipCallback)(hipHandle handle, const void *data);
typedef struct hipPropR2 { size_t size; } hipPropR2;
int hipF(hipHandle h, const hipTag *tag, const char *const *names, int n HIPSHIM_DEFAULT(3));
hipE hipG(hipCallback call, struct hipU *u, const hipE e, hipBits bits, size_t list[2]);
void hipH(void);
int hipPropGetR2(hipPropR2 *prop);
int __hipPrivate(void);
"""

PXD = """
# cdef int hipComment(int x) noexcept nogil
from libc.stdint cimport *
ctypedef bint _Bool # bool is no keyword
cdef extern from "hip.h":

    cdef int HIP_VERSION_MAJOR
    cdef int HIP_VERSION_MINOR
    cdef int HIP_VERSION_PATCH
    cdef char * hipName
    cdef int hipFlag
    cdef int hipOther

    cdef enum hipE:
        hipA
        hipB
        hipC

    cdef struct hipTag_st:
        int n

    ctypedef hipTag_st hipTag

    ctypedef struct hipBits:
        char[8] name
        unsigned int one
        unsigned int two

cdef struct hipU_union_0_struct_0:
    long l

cdef union hipU_union_0:
    int i
    hipU_union_0_struct_0 s

cdef struct hipU_struct_0:
    const char * p

cdef struct hipU_hipInner:
    unsigned int a

cdef extern from "hip.h":

    cdef struct hipU:
        int kind
        hipU_struct_0 in[2]
        hipU_hipInner inner

    cdef struct hipOpaque:
        pass

    ctypedef hipOpaque * hipHandle

    ctypedef void (*hipCallback) (hipHandle,const void *)

    cdef struct hipProp "hipPropR2":
        unsigned long size

    ctypedef enum hipDataType:
        hipForeign


cdef int hipF(hipOpaque * h,const hipTag_st * tag,const char ** names,int n) except? 1 nogil


cdef hipE hipG(hipCallback call,hipU * u,hipE e,hipBits bits,unsigned long * list) noexcept nogil


cdef void hipH() noexcept nogil


cdef int hipPropGet(hipProp * prop) noexcept nogil


cdef bint __hip_has_symbol(const char* name) noexcept nogil
"""
PYX = """
    if __init_symbol(&_hipPropGet__funptr,"hipPropGetR2") > 0:
    if __init_symbol(&_hipF__funptr,"hipF") > 0:
"""
MODULE = """
import enum
class hipE(enum.IntEnum):
    hipA = 0
    hipB = 5
    hipC = 6
class hipTag_st:
    @staticmethod
    def allocate(count): return None
    @staticmethod
    def c_sizeof(one): return 4
HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH = 6, 2, 2
hipFlag, hipOther = -2**31, hipE.hipB
"""


class Small(HipgenCase):
    neighbour = api_set(HEADER, 1)

    def read(self, pxd: str = PXD, module: str = MODULE, pyx: str = PYX) -> ApiSet:
        package = self.scratch / "bindings"
        package.mkdir(exist_ok=True)
        for name, text in (("chip.pxd", pxd), ("chip.pyx", pyx), ("hip.py", module)):
            (package / name).write_text(text)
        (package / "__init__.py").write_text("")
        return parse_cython(API, [package / "chip.pxd"], self.neighbour)

    def changes(self, pxd: str = PXD, module: str = MODULE) -> str:
        difference = compare.compare(self.neighbour, self.read(pxd, module))
        return compare.as_text(difference).split("\n", 1)[1]

    def test_equal_declarations_are_the_neighbours(self) -> None:
        found = self.read()
        self.assertEqual(found.release, Release(6, 2, 2))
        self.assertEqual(self.changes(), "no difference\n")

    def test_changes_are_seen(self) -> None:
        changes = {
            "int n\n": ("unsigned int n\n", "* hipTag_st"),
            "int kind\n": ("int kind\n        long more\n", "* hipU"),
            "long l\n": ("int l\n", "* hipU"),
            "const char * p": ("const char * q", "* hipU"),
            "void hipH()": ("void hipH(float a)", "now: void hipH(float a)"),
            "unsigned int two": ("unsigned int three", "* hipBits"),
            "(hipHandle,const": ("(hipHandle,int,const", "* hipCallback"),
            "hipProp * prop)": ("hipProp * prop,int n)", "* hipPropGetR2"),
        }
        for old, (new, wanted) in changes.items():
            with self.subTest(new):
                self.assertEqual(PXD.count(old), 1)
                self.assertIn(wanted, self.changes(PXD.replace(old, new)))

    def test_changed_values_are_seen(self) -> None:
        changes = {"hipB = 5": ("hipB = 4", "hipB 5 -> 4"), "-2**31": ("64", "now: 64")}
        for old, (new, wanted) in changes.items():
            with self.subTest(new):
                self.assertIn(wanted, self.changes(module=MODULE.replace(old, new)))

    def test_a_changed_function_keeps_its_default_arguments(self) -> None:
        found = self.read(PXD.replace("names,int n", "names,long more,int n"))
        self.assertEqual([p.default for p in found.functions["hipF"].params][-1], "3")

    def test_new_declarations_join(self) -> None:
        new = "\n    cdef struct hipNew:\n        char a\n"
        new += "\ncdef void hipNew2(hipNew * n) noexcept nogil\n"
        found = self.read(PXD + new)
        self.assertIn("hipNew2", found.functions)
        self.assertEqual(found.records["hipNew"].size, 1)

    def test_a_wrong_layout_is_refused(self) -> None:
        with self.assertRaisesRegex(HipgenError, "hipTag_st"):
            self.read(module=MODULE.replace("return 4", "return 8"))

    def test_an_enumerator_without_a_value_is_refused(self) -> None:
        """That of an enum of the module, or of one that the neighbour has; others are foreign."""
        loose = "\n    cdef enum hipLoose:\n        hipOne\n        hipTwo\n"
        values = "    hipA = 0\n    hipB = 5\n    hipC = 6\n"
        cases = {
            "hipE: .* value of hipB:": (PXD, MODULE.replace("    hipB = 5\n", "")),
            "hipE: .* value of hipA, hipB, hipC:": (PXD, MODULE.replace(values, "    hipD = 0\n")),
            "hipLoose: .* value of hipTwo:": (PXD + loose, MODULE + "hipOne = 1\n"),
            "an unnamed enum: .* value of hipOne:": (
                PXD + loose.replace(" hipLoose", ""),
                MODULE + "hipTwo = 1\n",
            ),
        }
        for wanted, (pxd, module) in cases.items():
            with self.subTest(wanted), self.assertRaisesRegex(HipgenError, wanted):
                self.read(pxd, module.replace("hipE.hipB", "5"))

    def test_a_member_without_a_place_is_refused(self) -> None:
        new = "\ncdef union hipNew_union_0:\n    int i\n"
        new += '\ncdef extern from "hip.h":\n\n    cdef struct hipNew:\n        char a\n'
        with self.assertRaisesRegex(HipgenError, "hipNew: the place of its member"):
            self.read(PXD + new)

    def test_other_files_are_refused(self) -> None:
        for wanted, arguments in {
            "declares no function": {"pxd": "cdef int HIP_VERSION\n"},
            "cannot import bindings.hip: .*oops": {"module": "raise ImportError('oops')"},
        }.items():
            with self.subTest(wanted), self.assertRaisesRegex(HipgenError, wanted):
                self.read(**arguments)


class Published(HipgenCase):
    def versions(self) -> Iterator[list[Path]]:
        """The .pxd files of each version."""
        directory = os.environ.get("HIPSHIM_CYTHON_BINDINGS")
        if not directory:
            self.skipTest("HIPSHIM_CYTHON_BINDINGS names no directory of published bindings")
        for version in sorted(Path(directory).iterdir()):
            found = sorted(version.glob("rocm/bindings/cyhip*.pxd"))
            yield found or [version / "hip/chip.pxd", version / "hip/chiprtc.pxd"]

    def entry_of(self, files: list[Path]) -> Entry:
        newest = self.project.committed(self.project.entries[-1])
        return self.of_patch(parse_cython(API, files, newest).release.patch)

    def of_patch(self, patch: int) -> Entry:
        found = self.project.find_patch(patch)
        assert found, f"{patch}: no release has this patch number"
        return found

    def test_headers_say_the_same(self) -> None:
        """Of a release that was read from headers or from another source, too."""
        for files in self.versions():
            with self.subTest(str(files[0])):
                entry = self.entry_of(files)
                near = self.project.committed(entry)
                if entry.neighbour and not entry.origin.endswith(".rs"):
                    patch = int(entry.neighbour.split(".")[-1])
                    near = self.project.committed(self.of_patch(patch))
                wanted = self.project.committed(entry)
                self.assertEqual(parse_cython(API, files, near).digest, wanted.digest)

    def test_add_release_reads_such_files(self) -> None:
        read = [(files, self.entry_of(files)) for files in self.versions()]
        files, entry = next(r for r in read if "hip-python" in r[1].origin and r[1].own_api_set)
        check_published(self, entry, "--cython", *files)


if __name__ == "__main__":
    unittest.main()
