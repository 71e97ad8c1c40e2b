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
    if kind == "odd":
        return [("lib/odd.so", library[:600]), ("lib/whole.so", library)]
    if kind == "notes":
        return [(name, many_notes(60, 320 << 20))]
    if kind in ("symbols", "twice"):
        return [(name, many_symbols(3000000 if kind == "symbols" else 500000))]
    if kind == "divided":
        return [(name, divided(library))]
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


def divided(library: bytes) -> bytes:
    """Lets the segment of the symbols end among them; the next one begins there."""
    changed = bytearray(library)
    (headers,) = struct.unpack_from("<32xQ", library)
    (count,) = struct.unpack_from("<56xH", library)
    places = [headers + 56 * i for i in range(count)]
    kinds = {at: struct.unpack_from("<I", library, at)[0] for at in places}
    dynamic = next(at for at in places if kinds[at] == 2)
    offset, size = struct.unpack_from("<8xQ16xQ", library, dynamic)
    entries = [struct.unpack_from("<QQ", library, offset + i) for i in range(0, size, 16)]
    symbols = next(value for tag, value in entries if tag == 6)
    first = next(at for at in places if kinds[at] == 1)
    stack = next(at for at in places if kinds[at] == 0x6474E551)
    (end,) = struct.unpack_from("<32xQ", library, first)
    middle = symbols + 24
    struct.pack_into("<QQ", changed, first + 32, middle, middle)
    rest = (1, 4, middle, middle, middle, end - middle, end - middle, 4096)
    struct.pack_into("<IIQQQQQQ", changed, stack, *rest)
    return bytes(changed)


def made_up(strings: bytes, segments: list[bytes], entries: list[tuple[int, int]]) -> bytes:
    """A library that needs HIP 6: headers, dynamic section, strings; the rest follows."""
    count = len(segments) + 2
    dynamic = 64 + 56 * count
    at = dynamic + 16 * 6
    table = [(5, at), (10, len(strings)), (1, 1), *entries, (0, 0)]
    section = b"".join(struct.pack("<qQ", *entry) for entry in table).ljust(16 * 6, b"\0")
    header = b"\x7fELF\2\1\1" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, count, 64, 0, 0)
    all_of_it = segment(1, 0, 1 << 32)
    return (
        header
        + all_of_it
        + segment(2, dynamic, len(section))
        + b"".join(segments)
        + section
        + strings
    )


def segment(kind: int, at: int, size: int) -> bytes:
    return struct.pack("<IIQQQQQQ", kind, 4, at, at, at, size, size, 1)


def many_notes(count: int, size: int) -> bytes:
    """Notes in turn before and behind each other, so far apart that all is unpacked for each."""
    places = [(40 << 20) + 4096 * i if i % 2 else size - (48 << 20) for i in range(count)]
    notes = [segment(4, at, 4096) for at in places]
    strings = b"\0libamdhip64.so.6\0".ljust(64, b"\0")
    return made_up(strings, notes, []).ljust(size, b"\0")


def many_symbols(count: int) -> bytes:
    """The same symbol `count` times."""
    symbols, strings = 4096, b"\0libamdhip64.so.6\0hipMemcpy3D\0"
    table = symbols + 24 * count
    start = made_up(strings, [], [(6, symbols), (4, table)]).ljust(symbols, b"\0")
    symbol = struct.pack("<IBBHQQ", 18, 0x12, 0, 0, 0, 0)
    return start + symbol * count + struct.pack("<IIII", 1, count, 0, 0)


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
