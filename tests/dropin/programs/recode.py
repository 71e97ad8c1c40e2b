# SPDX-License-Identifier: MIT
"""recode.py FILE version|compress|object|bundle NUMBER: changes the code objects in a program.

`version` gives them another version number, and `compress` makes their bundle a compressed one of
that format, as newer compilers write it.  `object` leaves nothing in the file but the code object of
the entry with that number, and `bundle` nothing but the bundle, compressed unless NUMBER is 0.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from pathlib import Path

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
ABI_VERSION = 8  # its place in an ELF file


def entries(data: bytes, start: int) -> list[tuple[int, int]]:
    """Offset and size of each entry."""
    at = start + len(MAGIC)
    (count,) = struct.unpack_from("<Q", data, at)
    at += 8
    found = []
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        found.append((offset, size))
        at += 24 + length
    return found


def frame(data: bytes) -> bytes:
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(len(data) + 1024)
    size = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), 3)
    return room.raw[:size]


def compressed(data: bytes, version: int) -> bytes:
    packed = frame(data)
    head, sizes = (24, "<II") if version == 2 else (32, "<QQ")
    lengths = struct.pack(sizes, head + len(packed), len(data))
    return b"CCOB" + struct.pack("<HH", version, 1) + lengths + bytes(8) + packed


def main() -> None:
    path, action, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    data = bytearray(path.read_bytes())
    start = data.index(MAGIC)
    found = entries(bytes(data), start)
    if action == "version":
        for offset, size in found:
            if size:
                data[start + offset + ABI_VERSION] = number - 2
    elif action == "object":
        offset, size = found[number]
        data = data[start + offset : start + offset + size]
    else:
        end = start + max(offset + size for offset, size in found)
        whole = bytes(data[start:end])
        packed = compressed(whole, number) if number else whole
        data[start:end] = packed + bytes(end - start - len(packed))
        data = bytearray(packed) if action == "bundle" else data
    path.write_bytes(data)


main()
