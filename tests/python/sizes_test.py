# SPDX-License-Identifier: MIT
"""No function reads or writes beyond the memory that the program passes."""

from __future__ import annotations

import array
import ctypes
from typing import Any

from case import SOURCE, HipCase, copied, hip, unittest
from hipshim import hiprtc

KIND = hip.hipMemcpyKind


class Counter:
    """An int that grows whenever it is read."""

    def __init__(self) -> None:
        self.value = 0

    def __index__(self) -> int:
        self.value += 1
        return 1 if self.value == 1 else 4000


class Sizes(HipCase):
    def setUp(self) -> None:
        self.memory = hip.DeviceArray(4096)

    def test_a_copy_needs_as_many_bytes_as_it_copies(self) -> None:
        room = bytearray(4)
        self.refused(
            ValueError,
            "hipMemcpy(): dst: has 4 bytes, and the function writes 4096",
            lambda: hip.hipMemcpy(room, self.memory, 4096, KIND.hipMemcpyDeviceToHost),
        )
        self.refused(
            ValueError,
            "hipMemcpyAsync(): src: has 4 bytes, and the function reads 5",
            lambda: hip.hipMemcpyAsync(self.memory, b"1234", 5, KIND.hipMemcpyHostToDevice),
        )
        self.refused(
            ValueError,
            "src: has 12 bytes",
            lambda: hip.hipMemcpy(self.memory, hip.dim3(), 13, KIND.hipMemcpyHostToDevice),
        )
        self.refused(
            ValueError,
            "src: has 4 bytes",
            lambda: hip.hipMemcpyHtoD(self.memory, hip.Pointer(room), 5),
        )
        self.assertEqual(hip.hipMemcpy(room, self.memory, 4, KIND.hipMemcpyDeviceToHost), (0,))

    def test_rows_have_to_fit_with_their_pitch(self) -> None:
        def copy(size: int, pitch: int, width: int, height: int) -> object:
            return hip.hipMemcpy2D(
                self.memory,
                pitch,
                bytes(size),
                pitch,
                width,
                height,
                KIND.hipMemcpyHostToDevice,
            )

        self.assertEqual(copy(64 * 3 + 16, 64, 16, 4), (0,))
        self.refused(
            ValueError,
            "src: has 207 bytes, and the function reads 208",
            lambda: copy(207, 64, 16, 4),
        )
        self.refused(ValueError, "src: has 8 bytes", lambda: copy(8, 1 << 60, 16, 1 << 60))

    def test_texts_that_are_filled_have_the_room_that_is_stated(self) -> None:
        self.refused(
            ValueError,
            "hipDeviceGetName(): name: has 4 bytes, and the function writes 64",
            lambda: hip.hipDeviceGetName(bytearray(4), 64, 0),
        )

    def test_a_number_is_read_once(self) -> None:
        error, program = hiprtc.hiprtcCreateProgram(SOURCE, "fill", 0, None, None)
        counter = Counter()
        hiprtc.hiprtcCompileProgram(program, counter, ["-O3"])
        self.assertEqual((error, counter.value), (0, 1))
        self.assertEqual(hiprtc.hiprtcDestroyProgram(program), (0,))

    def test_a_class_without_members_has_no_records(self) -> None:
        self.refused(TypeError, "Record() has no members", lambda: hip.Record())

    def test_code_that_is_linked_may_be_bytes(self) -> None:
        self.refused(
            ValueError,
            "data: has 4 bytes, and the function reads 5",
            lambda: hip.hipLinkAddData(
                None, hip.hipJitInputType.hipJitInputObject, b"1234", 5, "a", 0, None, None
            ),
        )


class OfCtypes(HipCase):
    def test_a_pointer_stands_for_what_it_points_to(self) -> None:
        memory = hip.DeviceArray(16)
        numbers = (ctypes.c_int * 4)(1, 2, 3, 4)
        pointers: list[Any] = [
            ctypes.pointer(numbers),
            ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int)),
        ]
        for pointer in pointers:
            self.assertEqual(hip.hipMemset(memory, 0, 16), (0,))
            self.assertEqual(hip.hipMemcpy(memory, pointer, 16, KIND.hipMemcpyHostToDevice), (0,))
            self.assertEqual(copied(memory, 16), bytes(numbers))

    def test_a_function_of_c_is_called_back(self) -> None:
        seen: list[int] = []
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
        stream = hip.hipStreamCreate()[1]
        self.assertEqual(hip.hipLaunchHostFunc(stream, function, ctypes.c_void_p(77)), (0,))
        hip.hipStreamSynchronize(stream)
        self.assertEqual(seen, [77])
        self.assertEqual(hip.hipStreamDestroy(stream), (0,))

    def test_packed_arguments_lie_where_c_has_them(self) -> None:
        class Two(ctypes.Structure):
            _fields_ = [("first", ctypes.c_int), ("second", ctypes.c_int)]

        class Wide(ctypes.Structure):
            _fields_ = [("first", ctypes.c_byte * 8)]

        arguments: Any = (
            ctypes.c_byte(1),
            Wide((ctypes.c_byte * 8)(*range(8))),
            Two(2, 3),
            array.array("h", [4]),
            hip.dim3(5, 6, 7),
            ctypes.c_double(0),
        )
        node = hip.hipKernelNodeParams(extra=arguments)
        config = (ctypes.c_void_p * 5).from_address(int(node.extra or 0))
        size = ctypes.c_size_t.from_address(config[3] or 0).value
        text = ctypes.string_at(config[1] or 0, size)
        self.assertEqual(text[:9], b"\1" + bytes(range(8)))
        self.assertEqual(array.array("i", text[12:20]).tolist(), [2, 3])
        self.assertEqual(array.array("h", text[20:22]).tolist(), [4])
        self.assertEqual(array.array("i", text[24:36]).tolist(), [5, 6, 7])
        self.assertEqual(size, 48)


if __name__ == "__main__":
    unittest.main()
