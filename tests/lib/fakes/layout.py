# SPDX-License-Identifier: MIT
"""The oracle of the property tests: the value that another release must receive.

It shares the parsed headers and the facts of overrides.toml with the generator, but
none of its decisions.  It looks at members one by one, and finds the value of the
other side by the name of the member or the enumerator.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hipgen.abi import SCALARS, leaves, size_of
from hipgen.model import Array, Enum, Inline, Named, Pointer, Record, ApiSet, Type
from hipgen.overrides import Overrides

REFUSED = object()

CTYPES = {
    (1, "int"): ctypes.c_uint8,
    (2, "int"): ctypes.c_uint16,
    (4, "int"): ctypes.c_uint32,
    (8, "int"): ctypes.c_uint64,
    (4, "float"): ctypes.c_float,
    (8, "float"): ctypes.c_double,
}


@dataclass(frozen=True)
class Place:
    """A member with one value: its place and its form."""

    path: str
    form: str  # int, signed, enum, bits, bytes, pointer
    offset: int  # bytes; bits for "bits"
    size: int  # in the same unit
    enum: Enum | None = None

    def read(self, memory: bytes | bytearray) -> int | bytes:
        if self.form == "bits":
            whole = int.from_bytes(memory[self.offset // 8 : self.offset // 8 + 8], "little")
            return whole >> self.offset % 8 & (1 << self.size) - 1
        found = memory[self.offset : self.offset + self.size]
        if self.form == "bytes":
            return bytes(found)
        return int.from_bytes(found, "little", signed=self.form in ("signed", "enum"))

    def write(self, memory: bytearray, value: int | bytes) -> None:
        if isinstance(value, bytes):
            memory[self.offset : self.offset + self.size] = value.ljust(self.size, b"\0")
        elif self.form == "bits":
            start = self.offset // 8
            whole = int.from_bytes(memory[start : start + 8], "little")
            mask = (1 << self.size) - 1 << self.offset % 8
            whole = whole & ~mask | value << self.offset % 8 & mask
            end = min(start + 8, len(memory))
            memory[start:end] = whole.to_bytes(8, "little")[: end - start]
        else:
            value &= (1 << 8 * self.size) - 1
            memory[self.offset : self.offset + self.size] = value.to_bytes(self.size, "little")


def places(api_set: ApiSet, record: Record, base: int = 0, prefix: str = "") -> Iterator[Place]:
    """The members of a record; those of inner structs have their full path."""
    for leaf in leaves(record):
        at = base + leaf.offset
        path = prefix + leaf.path
        if leaf.bits is not None:
            yield Place(path, "bits", at, leaf.bits)
            continue
        inner = api_set.record_of(leaf.type)
        if inner is not None and inner.kind == "struct" and inner.complete:
            yield from places(api_set, inner, at, f"{path}.")
        else:
            yield place_of(api_set, leaf.type, path, at // 8)


def place_of(api_set: ApiSet, type_: Type, path: str, offset: int) -> Place:
    found = api_set.resolve(type_)
    enum = api_set.enum_of(found)
    if enum is not None:
        return Place(path, "enum", offset, 4, enum)
    if isinstance(found, Pointer):
        return Place(path, "pointer", offset, 8)
    if isinstance(found, Named) and found.name in SCALARS and SCALARS[found.name][1] == "int":
        unsigned = found.name.startswith(("unsigned", "u", "size_t", "bool"))
        return Place(path, "int" if unsigned else "signed", offset, SCALARS[found.name][0])
    return Place(path, "bytes", offset, size_of(api_set, type_))


CType = Any  # a class of ctypes, whose metaclass has no public name
STRUCTURES: dict[Record, CType] = {}


def ctype_of(api_set: ApiSet, type_: Type) -> CType:
    """The class of ctypes that passes a parameter of the type."""
    found = api_set.resolve(type_)
    record = api_set.record_of(found)
    if isinstance(found, (Pointer, Array)):
        return ctypes.c_void_p
    if record is not None:
        if record not in STRUCTURES:
            members = [
                (f"m{n}", member_ctype(api_set, f.type)) for n, f in enumerate(record.fields)
            ]
            made = type(record.name, (ctypes.Structure,), {"_fields_": members})
            STRUCTURES[record] = made
        return STRUCTURES[record]
    if api_set.enum_of(found):
        return ctypes.c_uint32
    assert isinstance(found, Named)
    return CTYPES[SCALARS[found.name]]


def member_ctype(api_set: ApiSet, type_: Type) -> CType:
    found = api_set.resolve(type_)
    if isinstance(found, Array):
        return member_ctype(api_set, found.element) * found.count
    if isinstance(found, Inline):
        return ctypes.c_uint8 * found.record.size
    return ctype_of(api_set, type_)


class Oracle:
    """Translates values between the caller and the runtime."""

    def __init__(self, caller: ApiSet, runtime: ApiSet, overrides: Overrides) -> None:
        self.caller, self.runtime, self.overrides = caller, runtime, overrides
        self.known: dict[tuple[str, str], list[tuple[Place, Place | None]]] = {}
        self.pairs: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self.values: dict[tuple[str, str, int, bool], int | object] = {}
        self.there: dict[str, list[Place]] = {}
        self.unread: dict[str, set[str]] = {}

    def enumerators(self, mine: Enum, theirs: Enum) -> list[tuple[int, int]]:
        """Pairs of the caller's and the runtime's values of one meaning, in order."""
        key = (mine.name, theirs.name)
        if key not in self.pairs:
            self.pairs[key] = self.find_enumerators(mine, theirs)
        return self.pairs[key]

    def find_enumerators(self, mine: Enum, theirs: Enum) -> list[tuple[int, int]]:
        rule = self.overrides.enum(mine.name)
        other = {m.name: m.body for m in self.caller.macros.values() if m.body in mine.values}
        other.update(rule.enumerator_maps_to)
        found = []
        for name, value in mine.enumerators:
            if name in theirs.values and name not in rule.ignore:
                found.append((value, theirs.values[name]))
        for name, value in theirs.enumerators:
            if other.get(name, "") in mine.values and other[name] not in rule.ignore:
                found.append((mine.values[other[name]], value))
        macros = {m.name: m.body for m in self.runtime.macros.values() if m.body in theirs.values}
        for name, value in mine.enumerators:
            if name in macros and name not in rule.ignore:
                found.append((value, theirs.values[macros[name]]))
        return found

    def enum(self, mine: Enum, theirs: Enum, value: int, into: bool) -> int | object:
        """The value on the other side.

        A number without a name stays as it is, unless the other side has a name for
        it and the values of the two sides differ.
        """
        key = (mine.name, theirs.name, value, into)
        if key not in self.values:
            self.values[key] = self.find_value(mine, theirs, value, into)
        return self.values[key]

    def find_value(self, mine: Enum, theirs: Enum, value: int, into: bool) -> int | object:
        ignore = self.overrides.enum(mine.name).ignore
        source, target = (mine, theirs) if into else (theirs, mine)
        for caller, runtime in self.enumerators(mine, theirs):
            if value == (caller if into else runtime):
                return runtime if into else caller
        names = [name for name, v in source.enumerators if v == value]
        other = self.overrides.enum(mine.name).falls_back_to
        for name in names if into else ():
            if other.get(name, "") in target.values:
                return target.values[other[name]]
        renumbered = any(caller != runtime for caller, runtime in self.enumerators(mine, theirs))
        if renumbered or any(name not in ignore for name in names):
            if any(v == value and name not in ignore for name, v in target.enumerators):
                return REFUSED
        return value

    def partners(self, mine: Record, theirs: Record) -> list[tuple[Place, Place | None]]:
        """Every member of the caller's record, with the runtime's member of the same meaning."""
        key = (mine.name, theirs.name)
        if key not in self.known:
            rule = self.overrides.record(mine.name)
            rename = {**rule.rename, **rule.member_aliases}
            there = {p.path: p for p in places(self.runtime, theirs)}
            pairs = [
                (p, there.get(p.path) or there.get(rename.get(p.path, "")))
                for p in places(self.caller, mine)
            ]
            matched = {p.offset for p, q in pairs if q}
            self.known[key] = [(p, q) for p, q in pairs if q or p.offset not in matched]
        return self.known[key]

    def runtime_places(self, record: Record) -> list[Place]:
        if record.name not in self.there:
            self.there[record.name] = list(places(self.runtime, record))
        return self.there[record.name]

    def ignored(self, record: Record) -> set[str]:
        """The members without a value, including those of inner structs."""
        if record.name not in self.unread:
            found = set(self.overrides.record(record.name).ignore)
            for leaf in leaves(record):
                inner = self.caller.record_of(leaf.type)
                if inner is None or not inner.complete:
                    continue
                names = self.ignored(inner)
                if leaf.path in found:
                    names = {place.path for place in places(self.caller, inner)}
                found |= {f"{leaf.path}.{name}" for name in names}
            self.unread[record.name] = found
        return self.unread[record.name]

    def carried(
        self, mine: Place, theirs: Place, value: int | bytes, into: bool
    ) -> int | bytes | object:
        """The member's value on the other side; REFUSED if it does not fit."""
        target = theirs if into else mine
        if mine.enum and theirs.enum and isinstance(value, int):
            return self.enum(mine.enum, theirs.enum, value, into)
        if isinstance(value, bytes):
            return value[: target.size] if not any(value[target.size :]) else REFUSED
        if target.form == "signed":
            fits = -(1 << 8 * target.size - 1) <= value < 1 << 8 * target.size - 1
        else:
            fits = 0 <= value < 1 << (target.size if target.form == "bits" else 8 * target.size)
        return value if fits else REFUSED
