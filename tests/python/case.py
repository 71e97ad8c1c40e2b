# SPDX-License-Identifier: MIT
"""What the tests of the Python package share.  Each file is run on every real runtime."""

from __future__ import annotations

import ctypes
import unittest
from collections.abc import Callable

from hipshim import hip, runtime

INFO = runtime.info()
assert INFO.release is not None, INFO.no_runtime_text
MAJOR, MINOR, _ = INFO.release
SOURCE = """
extern "C" __global__ void fill(float *to, int count, float value)
{
    if (threadIdx.x < count) to[threadIdx.x] = value;
}
"""


def copied(array: hip.DeviceArray, size: int) -> bytes:
    """The bytes of device memory."""
    room = bytearray(size)
    status = hip.hipMemcpy(room, array, size, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
    assert status == (0,)
    return bytes(room)


def has(name: str) -> bool:
    return runtime.function(name).kind is not runtime.Kind.MISSING


class HipCase(unittest.TestCase):
    def refused(self, kind: type[Exception], text: str, call: Callable[[], object]) -> None:
        """Expects an exception whose text has these words."""
        with self.assertRaises(kind) as raised:
            call()
        self.assertIn(text, str(raised.exception))


__all__ = [
    "HipCase",
    "INFO",
    "MAJOR",
    "MINOR",
    "SOURCE",
    "copied",
    "ctypes",
    "has",
    "hip",
    "unittest",
]
