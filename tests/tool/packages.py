#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes packages for scan_looks_inside.t: packages.py PACKAGE FOLDER KIND.

FOLDER has tree/lib/libuse.so.1, which uses HIP, and tree/bin/plain, which does not.
"""

from __future__ import annotations

import gzip
import struct
import sys
import zipfile
from pathlib import Path


def main() -> None:
    package, folder, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    library = (folder / "tree/lib/libuse.so.1").read_bytes()
    plain = (folder / "tree/bin/plain").read_bytes()
    if kind == "rpm":
        package.write_bytes(rpm("tree/lib/libuse.so.1", library))
        return
    compression = zipfile.ZIP_STORED if kind == "stored" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(package, "w", compression) as wheel:
        wheel.writestr("torch/include/hip.h", "#pragma once\n" * 100)
        wheel.writestr("torch/bin/plain", plain)
        for name, data in members(kind, library):
            with wheel.open(name, "w", force_zip64=kind == "zip64") as member:
                member.write(data)
    if kind == "encrypted":
        package.write_bytes(encrypted(package.read_bytes()))
    if kind in ("bomb", "long"):
        length = len(members(kind, library)[0][1])
        claimed = struct.pack("<L", 3 << 30 if kind == "bomb" else 1 << 20)
        package.write_bytes(package.read_bytes().replace(struct.pack("<L", length), claimed))


def members(kind: str, library: bytes) -> list[tuple[str, bytes]]:
    name = "torch/lib/libuse.so.1"
    if kind == "plain":
        return []
    if kind == "names":
        return [("../../evil.so", library), ("a\x1bb.so", library)]
    if kind in ("bomb", "many"):
        return [(f"lib{i}.so", library) for i in range(30 if kind == "bomb" else 10)]
    if kind == "apart":
        return [(name, far_apart(library))]
    if kind == "long":
        return [(name, library[:4100])]
    return [(name, library)]


def far_apart(library: bytes) -> bytes:
    """Moves tables so far apart that not all of them are kept in memory.

    The names are in front of the dynamic section, both in the middle, and the symbols' versions
    in front of the section headers, both at the end.
    """
    names, dynamic, versions, sections, end = (at << 20 for at in (40, 48, 100, 111, 112))
    moved = bytearray(library) + bytes(end - len(library))
    headers, old_sections, header_size, count, entry, entries = struct.unpack_from(
        "<32xQQ6xHH", library
    ) + struct.unpack_from("<58xHH", library)
    moved[sections : sections + entry * entries] = library[old_sections:][: entry * entries]
    struct.pack_into("<Q", moved, 40, sections)
    address = 1 << 32  # of the names: the segment of the stack's flags becomes one that is loaded
    for at in range(headers, headers + header_size * count, header_size):
        (kind,) = struct.unpack_from("<I", library, at)
        if kind == 2:
            offset, size = struct.unpack_from("<8xQ16xQ", library, at)
            table = bytearray(library[offset : offset + size])
            struct.pack_into("<Q", moved, at + 8, dynamic)
        if kind == 0x6474E551:
            loaded = (1, 4, names, address, address, end - names, end - names, 4096)
            struct.pack_into("<IIQQQQQQ", moved, at, *loaded)
    for at in range(0, len(table), 16):
        tag, value = struct.unpack_from("<QQ", table, at)
        for moved_tag, to in ((5, names), (0x6FFFFFF0, versions)):
            if tag == moved_tag:
                part = library[value : value + 4096]
                moved[to : to + len(part)] = part
                struct.pack_into("<Q", table, at + 8, address + to - names)
    moved[dynamic : dynamic + len(table)] = table
    return bytes(moved)


def encrypted(data: bytes) -> bytes:
    """Sets the flag of encryption in every header."""
    changed = bytearray(data)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            changed[at + flags] |= 1
            at = data.find(signature, at + 1)
    return bytes(changed)


def rpm(name: str, data: bytes) -> bytes:
    """Lead, two empty headers, and the files as cpio."""
    lead = b"\xed\xab\xee\xdb\x03\x00" + bytes(90)
    header = b"\x8e\xad\xe8\x01" + bytes(12)
    return lead + 2 * header + gzip.compress(cpio(name, data) + cpio("TRAILER!!!", b""))


def cpio(name: str, data: bytes) -> bytes:
    mode = 0o100755 if data else 0
    fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


if __name__ == "__main__":
    main()
