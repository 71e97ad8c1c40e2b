# SPDX-License-Identifier: MIT
"""Device memory, and the protocols by which other libraries share it."""

from __future__ import annotations

import gc
from typing import Any

from case import HipCase, copied, ctypes, hip, unittest

TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice


class Foreign:
    """An array of another library, with one protocol."""

    def __init__(self, array: hip.DeviceArray, name: str) -> None:
        self.array = array
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name != self.name:
            raise AttributeError(name)
        return getattr(self.array, name)


class Memory(HipCase):
    def test_a_result_of_malloc_owns_nothing(self) -> None:
        error, array = hip.hipMalloc(64)
        address = int(array or 0)
        del array
        gc.collect()
        self.assertEqual(hip.hipMemset(address, 1, 64), (0,))
        self.assertEqual(hip.hipFree(address), (0,))

    def test_an_array_frees_its_memory_once(self) -> None:
        array = hip.DeviceArray((4, 8), "float32")
        self.assertEqual((array.nbytes, array.shape, array.typestr), (128, (4, 8), "<f4"))
        address = int(array)
        attributes = hip.hipPointerGetAttributes(address)
        self.assertEqual(attributes[1].type, hip.hipMemoryType.hipMemoryTypeDevice)
        del array
        self.assertNotEqual(hip.hipFree(address)[0], 0)
        hip.hipGetLastError()
        array = hip.DeviceArray(16)
        self.assertEqual(hip.hipFree(array), (0,))
        self.refused(ValueError, "ptr: this DeviceArray was freed", lambda: hip.hipFree(array))

    def test_objects_are_freed_while_an_exception_is_raised(self) -> None:
        class Derived(hip.Pointer):
            pass

        class Size(hip.dim3):
            pass

        with self.assertRaises(ZeroDivisionError):
            print(Derived(5), 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            print(Size(1, 2, 3), 1 / 0)

    def test_views_keep_the_array(self) -> None:
        array = hip.DeviceArray((4, 2), "int32")
        hip.hipMemcpy(array, bytes(range(32)), 32, TO_DEVICE)
        part = array[1:3]
        del array
        gc.collect()
        self.assertEqual((part.shape, part.nbytes), ((2, 2), 16))
        self.assertEqual(copied(part, 16), bytes(range(8, 24)))
        self.assertEqual(copied(part[-1], 8), bytes(range(16, 24)))
        self.refused(IndexError, "index 2", lambda: part[2])
        self.refused(ValueError, "no step", lambda: part[::2])

    def test_a_shape_has_to_fit(self) -> None:
        array = hip.DeviceArray(16)
        self.assertEqual(array.configure(shape=(2, 2), typestr="<f4").shape, (2, 2))
        self.refused(ValueError, "more than 16 bytes", lambda: array.configure(shape=(5,)))
        self.refused(ValueError, "no type such as", lambda: array.configure(typestr="x9"))
        self.refused(ValueError, "negative", lambda: hip.DeviceArray(-1))
        self.refused(MemoryError, "bytes", lambda: hip.DeviceArray(1 << 60))

    def test_every_protocol_gives_the_address(self) -> None:
        array = hip.DeviceArray(16)
        for name in ("__cuda_array_interface__", "__dlpack__"):
            with self.subTest(name):
                foreign: Any = Foreign(array, name)
                self.assertEqual(hip.Pointer(foreign), hip.Pointer(array))
                self.assertEqual(hip.hipMemset(foreign, 3, 16), (0,))
                self.assertEqual(copied(array, 16), b"\3" * 16)
        self.assertEqual(hip.hipMemset(ctypes.c_void_p(int(array)), 4, 16), (0,))
        self.assertEqual(copied(array, 16), b"\4" * 16)

    def test_dlpack_keeps_the_array_until_the_consumer_is_done(self) -> None:
        array = hip.DeviceArray(16)
        self.assertEqual(array.__dlpack_device__(), (10, 0))
        capsule = array.__dlpack__()
        address = int(array)
        del array
        gc.collect()
        self.assertEqual(hip.hipMemset(address, 1, 16), (0,))
        del capsule
        self.assertNotEqual(hip.hipFree(address)[0], 0)
        hip.hipGetLastError()

    def test_a_child_of_fork_frees_nothing(self) -> None:
        import os

        array = hip.DeviceArray(16)
        child = os.fork()
        if child == 0:
            del array
            os._exit(7)
        self.assertEqual(os.waitpid(child, 0)[1], 7 << 8)
        self.assertEqual(hip.hipMemset(array, 1, 16), (0,))


if __name__ == "__main__":
    unittest.main()
