# SPDX-License-Identifier: MIT
"""HIP Python's names, with its calls up to 7.2 and those of 10.0."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from case import HipCase, unittest
from hip import hip, hiprtc


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
