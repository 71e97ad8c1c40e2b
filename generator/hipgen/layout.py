# SPDX-License-Identifier: MIT
"""Lays records out as every LP64 compiler of the System V ABI does.

Records may be packed as a whole; parse.py refuses other attributes of layouts, and every
bindings header asserts the sizes and offsets that this file finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hipgen.abi import SCALARS, width
from hipgen.model import Array, Declaration, Enum, Field, HipgenError, Inline, Named, Pointer
from hipgen.model import Record, Type, Typedef

# Types that no API declares, as hipgen/include has them: size and alignment.
OF_THE_SYSTEM = {"struct timespec": (16, 8)}

Find = Callable[[str], Declaration | None]


class Layout:
    """The sizes of types; `find` returns the declaration of a name that C spells as a type."""

    def __init__(self, find: Find) -> None:
        self.find = find
        self.known = dict(OF_THE_SYSTEM)
        self.begun: set[str] = set()

    def measure(self, type_: Type) -> tuple[int, int]:
        """Size and alignment in bytes."""
        if isinstance(type_, Named):
            if type_.name not in self.known:
                if type_.name in self.begun:
                    raise HipgenError(f"`{type_.name}`: contains itself")
                self.begun.add(type_.name)
                self.known[type_.name] = self.measure_name(type_.name)
            return self.known[type_.name]
        if isinstance(type_, Pointer):
            return 8, 8
        if isinstance(type_, Array):
            size, align = self.measure(type_.element)
            return size * type_.count, align
        if isinstance(type_, Inline):  # lay_out has laid it out
            return type_.record.size, type_.record.align
        raise HipgenError("a function has no size")

    def measure_name(self, name: str) -> tuple[int, int]:
        found = self.find(name)
        if isinstance(found, Typedef):
            return self.measure(found.type)
        if isinstance(found, Enum):
            return width(found), width(found)
        if isinstance(found, Record) and found.complete:
            record = self.lay_out(found)
            return record.size, record.align
        size, _ = SCALARS.get(name, (0, ""))
        if not size:
            raise HipgenError(f"`{name}`: a type of unknown size")
        return size, size

    def lay_out(self, record: Record) -> Record:
        """The record with its size, its alignment and the offsets of its members."""
        if not record.complete:
            return record
        fields, end, widest = [], 0, 1
        for member in record.fields:
            type_ = member.type
            if isinstance(type_, Inline):
                type_ = Inline(self.lay_out(type_.record))
            size, align = self.measure(type_)
            align = 1 if record.packed else align
            if member.bits is not None and not 0 < member.bits <= size * 8:
                raise HipgenError(f"{member.name}: {member.bits} bits in a type of {size * 8}")
            start = 0 if record.kind == "union" else end
            if member.bits is None:
                start = -(-start // (align * 8)) * align * 8
            elif not record.packed and start % (size * 8) + member.bits > size * 8:
                start = -(-start // (size * 8)) * size * 8
            fields.append(Field(member.name, type_, start, member.bits))
            end = max(end, start + (size * 8 if member.bits is None else member.bits))
            widest = max(widest, align)
        size = -(-end // (widest * 8)) * widest
        return replace(record, size=size, align=widest, fields=tuple(fields))
