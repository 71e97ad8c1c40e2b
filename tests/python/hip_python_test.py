# SPDX-License-Identifier: MIT
"""HIP Python's names, with its calls up to 7.2 and those of 10.0."""

from __future__ import annotations

import array
import ctypes
import sys
import tempfile
from pathlib import Path

import hip as package
from case import HipCase, unittest
from hip import hip, hiprtc
from rocm.bindings.util import types


class OldCalls(HipCase):
    def test_records_to_fill_are_passed(self) -> None:
        properties = hip.hipDeviceProp_t()
        self.assertEqual(hip.hipGetDeviceProperties(properties, 0), (0,))
        self.assertTrue(properties.gcnArchName)
        memory = hip.hipMalloc(16)[1]
        attributes = hip.hipPointerAttribute_t()
        self.assertEqual(hip.hipPointerGetAttributes(attributes, memory), (0,))
        self.assertEqual(attributes.device, 0)
        self.assertEqual(hip.hipFree(memory), (0,))

    def test_a_record_of_another_kind_is_refused(self) -> None:
        self.refused(TypeError, "hipDeviceProp", lambda: hip.hipGetDeviceProperties(hip.dim3(), 0))

    def test_nodes_have_no_dependencies(self) -> None:
        graph = hip.hipGraphCreate(0)[1]
        error, node, dependency = hip.hipGraphAddEmptyNode(graph, 0)
        self.assertEqual((error, dependency), (0, None))
        self.assertEqual(hip.hipGraphGetNodes(graph)[1:], ([node], 1))
        self.assertEqual(hip.hipGraphDestroy(graph), (0,))

    def test_texts_are_bytes_where_bytes_are_wanted(self) -> None:
        name = hip.hipGetDeviceProperties(0)[1].gcnArchName
        self.assertEqual(b"--offload-arch=" + name, b"--offload-arch=" + name.encode())
        self.assertEqual("--offload-arch=" + name.decode("utf-8"), f"--offload-arch={name}")

    def test_programs_are_destroyed_by_reference(self) -> None:
        error, program = hiprtc.hiprtcCreateProgram(b"int x;", b"program", 0, [], [])
        self.assertEqual(error, 0)
        self.assertEqual(hiprtc.hiprtcDestroyProgram(program.createRef()), (0,))

    def test_older_names_of_enumerators(self) -> None:
        old = hiprtc.hiprtcJITInputType.HIPRTC_JIT_INPUT_LLVM_BITCODE
        self.assertIs(old, hip.hipJitInputType.hipJitInputLLVMBitcode)


class NewCalls(HipCase):
    def test_records_are_returned(self) -> None:
        from rocm.bindings import hip as new

        error, properties = new.hipGetDeviceProperties(0)
        self.assertEqual(error, 0)
        self.assertTrue(properties.gcnArchName.startswith("gfx"))
        self.assertIs(new, hip)

    def test_the_versions_are_those_of_the_headers(self) -> None:
        from rocm import version

        self.assertGreaterEqual(version.HIP_VERSION, 71526333)
        self.assertEqual(version.HIP_VERSION_NAME.split(".")[0], str(version.HIP_VERSION_TUPLE[0]))

    def test_nodes_have_their_dependencies(self) -> None:
        graph = hip.hipGraphCreate(0)[1]
        first = hip.hipGraphAddEmptyNode(graph, None, 0)[1]
        self.assertEqual(hip.hipGraphAddEmptyNode(graph, [first], 1)[0], 0)
        self.assertEqual(hip.hipGraphDestroy(graph), (0,))


class Foreign:
    """An object with an interface of which a test chooses a part."""

    def __init__(self, **changed: object) -> None:
        self.room = (ctypes.c_double * 6)()
        data = (ctypes.addressof(self.room), False)
        self.described = {"shape": (2, 3), "typestr": "<f8", "data": data, "version": 3, **changed}

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return dict(self.described)


class Adapters(HipCase):
    def test_lists_know_their_items(self) -> None:
        for kind, c_type in (
            (types.ListOfInt, ctypes.c_int),
            (types.ListOfUnsigned, ctypes.c_uint),
            (types.ListOfUnsignedLong, ctypes.c_ulong),
        ):
            made = kind.allocate(3)
            self.assertEqual(made.to_list(), [0, 0, 0])
            (c_type * 3).from_address(int(made))[1] = 7
            self.assertEqual((made[-2], made[1:], made.to_tuple()), (7, [7, 0], (0, 7, 0)))
            self.assertEqual(len(kind([1, 2])), 2)
            with self.assertRaises(IndexError):
                made[3]
            self.refused(ValueError, "-1 is not a number of items", lambda: kind.allocate(-1))
            self.refused(TypeError, "unknown", lambda: len(kind.fromObj(0)))
        self.assertEqual([*map(int, types.ListOfPointer([16, 32]))], [16, 32])

    def test_texts_live_as_long_as_the_process(self) -> None:
        addresses = [int(types.CStr("gfx90a, π")), int(types.CStr("gfx90a, π".encode()))]
        self.assertEqual(addresses[0], addresses[1])
        self.assertEqual(ctypes.string_at(addresses[0]), "gfx90a, π".encode())
        self.assertEqual(str(types.CStr("gfx90a")), "gfx90a")
        made = types.ListOfBytes(["-O3", b"-g", types.CStr("-w")])
        self.assertEqual(made.to_list(), [b"-O3", b"-g", b"-w"])
        self.assertIsNone(types.ListOfBytes.allocate(1)[0])
        self.refused(TypeError, "got int", lambda: types.ListOfBytes([42]))

    def test_calls_take_them(self) -> None:
        source = types.CStr("#ifndef SEEN\n#error\n#endif\n")
        program = hiprtc.hiprtcCreateProgram(source, types.CStr("p"), 0, None, None)[1]
        options = types.ListOfBytes(["-DSEEN", "--offload-arch=gfx90a"])
        self.assertEqual(hiprtc.hiprtcCompileProgram(program, len(options), options), (0,))
        self.assertEqual(hiprtc.hiprtcDestroyProgram(program), (0,))
        memory, numbers = hip.hipMalloc(16)[1], array.array("f", [1, 2, 3, 4])
        kind = hip.hipMemcpyKind.hipMemcpyHostToDevice
        self.assertEqual(hip.hipMemcpy(memory, types.NDBuffer(numbers), 16, kind), (0,))
        self.assertEqual(hip.hipFree(memory), (0,))

    def test_buffers_have_shape_and_type(self) -> None:
        made = types.NDBuffer(bytearray(16))
        self.assertEqual((made.shape, made.typestr, made.size, made.rank), ((16,), "B", 16, 1))
        self.assertEqual(int(made[8:]), int(made) + 8)
        self.assertIs(made.configure(shape=(2,), typestr="<f8", stream=7), made)
        found = made.__cuda_array_interface__
        self.assertEqual((found["shape"], found["stream"], found["strides"]), ((2,), 7, None))
        self.refused(ValueError, "'stream'", lambda: made.configure(stream=0))
        self.refused(ValueError, "not what it has", lambda: made.configure(shape=(3,)))

    def test_memory_that_has_gaps_is_refused(self) -> None:
        self.assertEqual(types.NDBuffer(Foreign(strides=(24, 8))).size, 6)
        self.assertEqual(int(types.NDBuffer(Foreign(strides=(99, 8), shape=(1, 3)))[0]) % 8, 0)
        for kind, text, changed in (
            (RuntimeError, "not contiguous", {"strides": (8, 16)}),
            (NotImplementedError, "masked", {"mask": self}),
            (NotImplementedError, "offset", {"offset": 8}),
            (ValueError, "'strides'", {"strides": (8,)}),
        ):
            foreign = Foreign(**changed)
            self.refused(kind, text, lambda: types.NDBuffer(foreign))

    def test_a_linker_has_options_by_name(self) -> None:
        error, linker = hiprtc.ext.hiprtcLinkCreate2(HIPRTC_JIT_GENERATE_DEBUG_INFO=1)
        if error == hiprtc.hiprtcResult.HIPRTC_ERROR_INTERNAL_ERROR and linker is None:
            self.skipTest("this release has no linker")
        self.assertEqual(error, 0)
        self.assertEqual(hiprtc.hiprtcLinkDestroy(linker), (0,))

    def test_the_package_tells_versions(self) -> None:
        from rocm import version

        self.assertIs(package.HIP_VERSION_TUPLE, version.HIP_VERSION_TUPLE)
        self.assertEqual(package.ROCM_VERSION_TUPLE[:2], version.HIP_VERSION_TUPLE[:2])
        self.assertFalse(hasattr(package, "no_binding"))


class Installed(HipCase):
    def test_the_real_packages_are_not_shadowed(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            info = Path(directory, "hip_python-7.2.2.dist-info")
            info.mkdir()
            (info / "METADATA").write_text(
                "Metadata-Version: 2.1\nName: hip-python\nVersion: 7.2.2\n"
            )
            # In this process, because the interpreter of a runtime's tree starts no other one.
            modules = {
                n: sys.modules.pop(n)
                for n in list(sys.modules)
                if n == "hip" or n.startswith("hip.")
            }
            sys.path.insert(0, directory)
            try:
                with self.assertRaises(ImportError) as raised:
                    import hip as _again  # noqa: F401
            finally:
                sys.path.remove(directory)
                sys.modules.update(modules)
            self.assertIn("both hip-python 7.2.2 and hipshim-hip-python", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
