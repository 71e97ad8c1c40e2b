# SPDX-License-Identifier: MIT
"""The modules of the libraries beside HIP, which need none of these: what they share with hipshim.hip."""

from __future__ import annotations

import importlib
import importlib.util
from array import array

from case import HipCase, hip, unittest

NAMES = ("hipblas", "hipfft", "hiprand", "hipsolver", "hipsparse", "rccl")
IS_THERE = importlib.util.find_spec("hipshim.hipblas") is not None


@unittest.skipUnless(IS_THERE, "configured with --disable-siblings")
class SiblingNames(HipCase):
    def test_types_of_hip_are_those_of_its_module(self) -> None:
        from hipshim import hipblas, hipsolver

        self.assertIs(hipblas.hipDataType, hip.hipDataType)
        self.assertIs(hipblas.hipComplex, hip.float2)
        self.assertIs(hipsolver.hipblasOperation_t, hipblas.hipblasOperation_t)
        self.assertEqual(repr(hipblas.hipComplex(1, 2)), "float2(x=1.0, y=2.0)")

    def test_a_handle_of_another_kind_is_refused(self) -> None:
        from hipshim import hipblas

        stream = hip.hipStreamCreate()[1]
        self.refused(TypeError, "handle: expected a hipblasHandle_t", lambda: self.dot(stream))
        array_ = hip.DeviceArray((4,), "uint8")
        self.refused(TypeError, "handle: expected a hipblasHandle_t", lambda: self.dot(array_))
        self.assertEqual(hipblas.hipblasSetStream(None, stream)[0] != 0, True)
        self.assertEqual(hip.hipStreamDestroy(stream), (0,))

    def dot(self, handle: object) -> object:
        from hipshim import hipblas

        return hipblas.hipblasSdot(handle, 1, None, 1, None, 1, None)  # type: ignore[arg-type]

    def test_a_scalar_is_a_number_or_memory(self) -> None:
        from hipshim import hipblas

        def scale(alpha: object) -> object:
            return hipblas.hipblasDscal(None, 1, alpha, None, 1)  # type: ignore[arg-type]

        for right in (1.5, array("d", [1]), None, hip.DeviceArray((1,), "float64")):
            self.assertNotEqual(scale(right), (0,))  # the library has no handle
        self.refused(ValueError, "alpha: an int is an address", lambda: scale(1))
        self.refused(ValueError, "alpha: has 4 bytes", lambda: scale(array("f", [1])))
        self.refused(TypeError, "alpha: expected a float", lambda: scale("1.5"))
        self.refused(TypeError, "alpha: expected a float", lambda: scale(1j))
        self.assertNotEqual(hipblas.hipblasZscal(None, 1, hip.double2(1, 2), None, 1), (0,))
        self.assertNotEqual(hipblas.hipblasZscal(None, 1, array("d", [1, 2]), None, 1), (0,))
        self.assertNotEqual(hipblas.hipblasZscal(None, 1, 1j, None, 1), (0,))
        self.refused(
            ValueError,
            "alpha: has 8 bytes, and the function reads 16",
            lambda: hipblas.hipblasZscal(None, 1, hip.float2(1, 2), None, 1),
        )

    def test_memory_is_as_long_as_its_count_says(self) -> None:
        from hipshim import hiprand

        room = array("d", [0] * 3)
        self.refused(
            ValueError,
            "output_data: has 24 bytes, and the function writes 32",
            lambda: hiprand.hiprandGenerateUniformDouble(None, room, 4),
        )

    def test_a_record_of_another_module_is_memory_of_its_size(self) -> None:
        from hipshim import hiprand, rccl

        name = rccl.ncclUniqueId(internal=b"\1\0\2")
        self.assertEqual(name.internal[:4], b"\1\0\2\0")
        self.assertEqual(name.nbytes, 128)
        copied = bytearray(128)
        host = hip.hipMemcpyKind.hipMemcpyHostToHost
        self.assertEqual(hip.hipMemcpy(copied, name, 128, host), (0,))
        self.assertEqual(bytes(copied), bytes(name))
        self.refused(
            ValueError,
            "output_data: has 128 bytes, and the function writes 512",
            lambda: hiprand.hiprandGenerateUniform(None, name, 128),
        )

    def test_hip_python_has_the_same_modules(self) -> None:
        for name in NAMES:
            old = importlib.import_module(f"hip.{name}")
            new = importlib.import_module(f"rocm.bindings.{name}")
            self.assertIs(new, old)
            own = importlib.import_module(f"hipshim.{name}")
            self.assertEqual(sorted(old.__all__), sorted(own.__all__))
