# SPDX-License-Identifier: MIT
"""The declarations of a header, as plain immutable values.

An ApiSet is everything that hipgen keeps of a header: records with their layout,
enums, typedefs, functions and flag macros.  Comments, inline functions and
device code are not part of it.  Two API sets are equal when they declare the
same things, in any order and for any release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Union


class HipgenError(Exception):
    """Bad input.  The text names the file or the declaration."""


@dataclass(frozen=True)
class Named:
    """A scalar, a typedef name, or a tag such as `struct array`."""

    name: str
    const: bool = False


@dataclass(frozen=True)
class Pointer:
    target: "Type"
    const: bool = False


@dataclass(frozen=True)
class Array:
    element: "Type"
    count: int


@dataclass(frozen=True)
class FunctionType:
    result: "Type"
    params: tuple["Type", ...]


@dataclass(frozen=True)
class Inline:
    """A struct or union without a name, defined inside a field."""

    record: "Record"


Type = Union[Named, Pointer, Array, FunctionType, Inline]


@dataclass(frozen=True)
class Field:
    """A member; `name` is empty for an anonymous struct or union."""

    name: str
    type: Type
    offset: int  # in bits from the start of the enclosing record
    bits: int | None = None  # width of a bit-field


@dataclass(frozen=True)
class Record:
    """A struct or union.  `tagged` is false where only a typedef names it."""

    name: str
    kind: str  # "struct" or "union"
    size: int  # bytes; -1 while only declared
    align: int
    fields: tuple[Field, ...]
    tagged: bool = True
    packed: bool = False  # whether no member is aligned

    @property
    def spelling(self) -> str:
        return f"{self.kind} {self.name}" if self.tagged else self.name

    @property
    def complete(self) -> bool:
        return self.size >= 0


@dataclass(frozen=True)
class Enum:
    """An enum; `name` is empty when neither a tag nor a typedef names it."""

    name: str
    unsigned: bool
    enumerators: tuple[tuple[str, int], ...]
    tagged: bool = True

    @property
    def spelling(self) -> str:
        return f"enum {self.name}" if self.tagged else self.name

    @cached_property
    def values(self) -> dict[str, int]:
        return dict(self.enumerators)


@dataclass(frozen=True)
class Typedef:
    name: str
    type: Type


@dataclass(frozen=True)
class Param:
    name: str
    type: Type
    default: str = ""  # the C++ default argument, as spelled


@dataclass(frozen=True)
class Function:
    name: str
    result: Type
    params: tuple[Param, ...]


@dataclass(frozen=True)
class Macro:
    """An object-like macro that is a flag, a value or another name."""

    name: str
    body: str


Declaration = Union[Record, Enum, Typedef, Function, Macro]


@dataclass(frozen=True, order=True)
class Release:
    """The version of an API, as its own headers number it."""

    major: int
    minor: int
    patch: int = 0
    api: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The name of the API and the version."""
        return f"{self.api} {self}"

    @property
    def version(self) -> int:
        return self.major * 10_000_000 + self.minor * 100_000 + self.patch

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def key_of(declaration: Declaration) -> tuple[str, str]:
    """Kind and name; a struct and a typedef may share a name in C."""
    if isinstance(declaration, Enum) and not declaration.name:
        return ("enum", declaration.enumerators[0][0])
    return (type(declaration).__name__.lower(), declaration.name)


def section(declaration: Declaration) -> int:
    """Types first, then macros, then functions: default arguments name macros."""
    return {Macro: 1, Function: 2}.get(type(declaration), 0)


@dataclass(frozen=True, eq=False)
class ApiSet:
    """All declarations of a header, in the order in which they compile."""

    release: Release
    declarations: tuple[Declaration, ...] = field(repr=False)
    foreign: tuple[Declaration, ...] = field(default=(), repr=False)  # types of other APIs

    @cached_property
    def by_key(self) -> dict[tuple[str, str], Declaration]:
        return {key_of(d): d for d in self.declarations}

    @cached_property
    def known(self) -> dict[tuple[str, str], Declaration]:
        """The same with those of other APIs."""
        return {key_of(d): d for d in (*self.foreign, *self.declarations)}

    @cached_property
    def functions(self) -> dict[str, Function]:
        return {d.name: d for d in self.declarations if isinstance(d, Function)}

    @cached_property
    def records(self) -> dict[str, Record]:
        return {d.name: d for d in self.known.values() if isinstance(d, Record)}

    @cached_property
    def enums(self) -> dict[str, Enum]:
        return {d.name: d for d in self.known.values() if isinstance(d, Enum)}

    @cached_property
    def typedefs(self) -> dict[str, Typedef]:
        return {d.name: d for d in self.known.values() if isinstance(d, Typedef)}

    @cached_property
    def macros(self) -> dict[str, Macro]:
        return {d.name: d for d in self.known.values() if isinstance(d, Macro)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApiSet) and self.known == other.known

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """The same for equal API sets on any machine; names an API set."""
        text = "\n".join(sorted(f"{k} {d!r}" for k, d in self.known.items()))
        return hashlib.sha256(text.encode()).hexdigest()

    def resolve(self, type_: Type) -> Type:
        """The type behind typedefs, constness of the outermost name dropped."""
        while isinstance(type_, Named):
            typedef = self.typedefs.get(type_.name)
            if typedef is None:
                break
            type_ = typedef.type
        return type_

    def record_of(self, type_: Type) -> Record | None:
        """The record a type is, not one that it points to."""
        found = self.resolve(type_)
        if isinstance(found, Inline):
            return found.record
        if not isinstance(found, Named):
            return None
        name = found.name.removeprefix("struct ").removeprefix("union ")
        return self.records.get(name)

    def enum_of(self, type_: Type) -> Enum | None:
        found = self.resolve(type_)
        if not isinstance(found, Named):
            return None
        return self.enums.get(found.name.removeprefix("enum "))


def walk_fields(record: Record, base: int = 0) -> Iterator[tuple[str, Field, int]]:
    """Every member that C can name, with its bit offset in the outer record.

    Members of anonymous structs and unions belong to the outer record; members
    of named ones are spelled `outer.inner`.
    """
    for member in record.fields:
        offset = base + member.offset
        if member.name:
            yield member.name, member, offset
        inner = member.type
        while isinstance(inner, Array):
            inner = inner.element
        if isinstance(inner, Inline) and inner is member.type:
            prefix = f"{member.name}." if member.name else ""
            for name, nested, at in walk_fields(inner.record, offset):
                yield prefix + name, nested, at
