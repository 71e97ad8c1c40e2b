# SPDX-License-Identifier: MIT
"""The interfaces of other libraries' arrays and streams, as they may be written."""

from __future__ import annotations

import ctypes
from typing import Any

from case import HipCase, hip, unittest


class Array:
    """An array with this interface."""

    def __init__(self, **interface: Any) -> None:
        self.interface = interface

    @property
    def __cuda_array_interface__(self) -> Any:
        if not self.interface:
            raise RuntimeError("the array is on another device")
        return self.interface


class Stream:
    def __init__(self, found: Any) -> None:
        self.found = found

    def __cuda_stream__(self) -> Any:
        return self.found


class Versioned(ctypes.Structure):
    """A tensor as DLPack 1.0 has it."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("delete", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("dimensions", ctypes.c_int32),
        ("type", ctypes.c_uint32),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class Tensor:
    def __init__(self, array: hip.DeviceArray, flags: int, device: int = 10) -> None:
        self.made = Versioned(1, 0, flags=flags, data=int(array), byte_offset=4)
        self.made.device[0] = device

    def __dlpack__(self) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.made), b"dltensor_versioned", None)


class Protocols(HipCase):
    def setUp(self) -> None:
        self.array = hip.DeviceArray((4, 4), "float32")

    def test_an_array_may_be_read_only(self) -> None:
        constant: Any = Array(data=(int(self.array), True), shape=(16,), typestr="<f4", version=3)
        self.refused(
            TypeError,
            "hipMemset(): dst: expected memory that can be written, got Array",
            lambda: hip.hipMemset(constant, 0, 4),
        )
        other = hip.DeviceArray(4)
        self.assertEqual(hip.hipMemcpyDtoD(other, constant, 4), (0,))
        self.assertEqual(hip.hipMemGetAddressRange(constant)[0], 0)

    def test_a_malformed_interface_names_the_parameter(self) -> None:
        wrong: list[Any] = [
            Array(shape=(4,)),
            Array(data=7),
            Array(data=("x", False)),
            Array(data=None),
            Stream(None),
            Stream((0,)),
            Stream((0, "x")),
        ]
        for one in wrong:
            self.refused(
                TypeError,
                "hipStreamSynchronize(): stream: expected an address in the object's",
                lambda one=one: hip.hipStreamSynchronize(one),  # type: ignore[misc]
            )

    def test_the_reason_of_another_library_is_kept(self) -> None:
        broken: Any = Array()
        self.refused(RuntimeError, "another device", lambda: hip.hipMemset(broken, 0, 4))

    def test_a_stream_may_be_a_method_or_a_pair(self) -> None:
        stream = hip.hipStreamCreate()[1]
        found: list[Any] = [Stream((0, int(stream or 0))), Stream([0, stream])]
        found[0].__class__ = type("Pair", (), {"__cuda_stream__": (0, int(stream or 0))})
        for one in found:
            self.assertEqual(hip.hipStreamSynchronize(one), (0,))
        self.assertEqual(hip.hipStreamSynchronize(hip.hipStreamPerThread), (0,))
        self.assertEqual(hip.hipStreamDestroy(stream), (0,))

    def test_tensors_of_dlpack_1_are_read(self) -> None:
        plain: Any = Tensor(self.array, flags=0)
        self.assertEqual(int(hip.Pointer(plain)), int(self.array) + 4)
        self.assertEqual(hip.hipMemset(plain, 0, 4), (0,))
        constant: Any = Tensor(self.array, flags=1)
        self.refused(TypeError, "that can be written", lambda: hip.hipMemset(constant, 0, 4))
        far: Any = Tensor(self.array, flags=0, device=7)
        self.refused(ValueError, "DLPack's type 7", lambda: hip.hipMemset(far, 0, 4))

    def test_dlpack_gives_what_is_asked_for_or_refuses(self) -> None:
        asked: dict[str, Any] = {"stream": -1, "max_version": (1, 1), "copy": False}
        self.assertIn("dltensor", repr(self.array.__dlpack__(dl_device=(10, 0), **asked)))
        refused: list[dict[str, Any]] = [{"copy": True}, {"dl_device": (1, 0)}]
        for wrong in refused:
            self.refused(
                BufferError, "neither copied nor moved", lambda: self.array.__dlpack__(**wrong)
            )
        unknown: dict[str, Any] = {"other": 1}
        self.refused(TypeError, "'other'", lambda: self.array.__dlpack__(**unknown))
        self.refused(
            BufferError, "DLPack has no type", lambda: hip.DeviceArray(1, "V8").__dlpack__()
        )

    def test_a_freed_array_has_no_interface(self) -> None:
        self.assertEqual(hip.hipFree(self.array), (0,))
        self.refused(ValueError, "was freed", lambda: self.array.__dlpack__())
        self.refused(ValueError, "was freed", lambda: self.array.__dlpack_device__())

    def test_types_have_many_names(self) -> None:
        names: list[Any] = [("f4", "<f4"), (float, "<f8"), ("|u1", "|u1"), (bool, "|b1")]
        for given, expected in names:
            self.assertEqual(hip.DeviceArray(1, given).typestr, expected)
        self.refused(ValueError, "no type such as", lambda: hip.DeviceArray(1, ">f4"))

    def test_memory_becomes_an_array(self) -> None:
        memory = bytearray(range(16))
        array = hip.DeviceArray.fromObj(memory).configure(shape=(2, 4), typestr="i2")
        self.assertEqual((array.nbytes, array[1].shape), (16, (4,)))
        self.refused(BufferError, "", lambda: memory.clear())
        wrong: Any = hip.Pointer(memory)
        self.refused(TypeError, "DeviceArray.fromObj()", lambda: hip.DeviceArray(wrong))


if __name__ == "__main__":
    unittest.main()
