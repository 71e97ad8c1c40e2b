# SPDX-License-Identifier: MIT
"""The types of an API as the Python module needs them: numbered classes, with their members.

A class is a record, or a handle: the record behind a pointer that only the library follows.  Structs
and unions that are defined in place and have a name are classes, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hipgen.abi import SCALARS, is_bytes
from hipgen.api import PythonRule
from hipgen.model import ApiSet, Array, Enum, Field, FunctionType, HipgenError
from hipgen.model import Inline, Named, Pointer, Record, Type, key_of
from hipgen.overrides import Overrides

UNSIGNED = ("unsigned", "uint", "size_t", "bool")
TEXT_ROOM = 128  # an array of this many characters has text, a smaller one bytes


@dataclass(frozen=True)
class Kind:
    """How C has a value: the KIND_ of src/python/module.h, and the number of its enum or class."""

    name: str
    number: int = 0
    count: int = 0  # of the elements of an array

    @property
    def text(self) -> str:
        return f"KIND_{self.name}"


@dataclass(frozen=True)
class Member:
    """A member of a class, at an offset in bits."""

    name: str
    kind: Kind
    offset: int
    bits: int = 0


@dataclass
class Class:
    name: str
    spelling: str  # in C; empty if C has no name for it
    size: int  # bytes; 0 for a handle
    align: int = 1
    home: str = ""  # the module that has the class; empty: this one
    members: list[Member] = field(default_factory=list)


class PythonTypes:
    """The enums and classes of one API set, by number."""

    def __init__(
        self,
        api_set: ApiSet,
        overrides: Overrides,
        rule: PythonRule,
        homes: dict[tuple[str, str], str] | None = None,  # of types that other modules have
    ) -> None:
        self.homes = homes or {}
        self.api_set = api_set
        self.rule = rule
        self.overrides = overrides
        self.enums = [self.with_aliases(e) for e in api_set.enums.values() if e.name]
        self.enum_numbers = {e.name: number for number, e in enumerate(self.enums)}
        self.classes: list[Class] = []
        self.class_numbers: dict[str, int] = {}
        self.functions: list[FunctionType] = []  # types of functions that the API calls back
        records = list(api_set.records.values())
        for record in records:
            self.add_class(record.name, record)
        for name in dict.fromkeys(rule.handles.values()):
            self.class_numbers[name] = len(self.classes)
            self.classes.append(Class(name, "", 0))
        for record in records:
            self.add_members(self.classes[self.class_numbers[record.name]], record)

    def with_aliases(self, enum: Enum) -> Enum:
        """The enum with the older names that macros give its enumerators."""
        macros = self.api_set.macros.values()
        added = [(m.name, enum.values[m.body]) for m in macros if m.body in enum.values]
        return replace(enum, enumerators=(*enum.enumerators, *added))

    def add_class(self, name: str, record: Record) -> Class:
        self.class_numbers[name] = len(self.classes)
        spelling = record.spelling if record.name else ""
        home = self.homes.get(key_of(record), "") if spelling else ""
        size = max(record.size, 0)
        self.classes.append(Class(name, spelling, size, max(record.align, 1), home))
        return self.classes[-1]

    def add_members(self, to: Class, record: Record, base: int = 0) -> None:
        """The members, with those of anonymous structs and unions."""
        for member in record.fields:
            inner = member.type
            if isinstance(inner, Inline) and not member.name:
                self.add_members(to, inner.record, base + member.offset)
            elif member.name:
                kind = self.member_kind(to, member)
                to.members.append(Member(member.name, kind, base + member.offset, member.bits or 0))

    def member_kind(self, outer: Class, member: Field) -> Kind:
        count, element = 0, member.type
        if isinstance(element, Array):
            count, element = element.count, element.element
            resolved = self.api_set.resolve(element)
            if isinstance(resolved, Named) and SCALARS.get(resolved.name, (0, ""))[0] == 1:
                is_text = (
                    count >= TEXT_ROOM and f"{outer.name}.{member.name}" not in self.rule.binary
                )
                return Kind("CHARS" if is_text else "BYTES", 0, count)
        record = self.api_set.record_of(element)
        if record is not None and not isinstance(element, Inline) and self.is_handle(record):
            return Kind("BYTES", 0, record.size)  # what only the library looks into
        if isinstance(element, Inline):
            name = f"{outer.name}.{member.name}"
            self.add_members(self.add_class(name, element.record), element.record)
            return Kind("RECORD", self.class_numbers[name], count)
        kind = self.kind(element)
        if kind.name == "MEMORY" and is_list_of_pointers(self.api_set, element):
            arguments = (member.name in self.rule.argument_lists, member.name in self.rule.packed)
            return Kind("MEMORY", 1 if arguments[0] else 2 if arguments[1] else 0, count)
        return Kind(kind.name, kind.number, count)

    def kind(self, type_: Type) -> Kind:
        """The kind of a value that is no array."""
        enum = self.api_set.enum_of(type_)
        if enum is not None and enum.name:
            return Kind("ENUM", self.enum_numbers[enum.name])
        record = self.api_set.record_of(type_)
        if record is not None:
            return Kind("RECORD", self.class_numbers[record.name])
        handle = self.handle_of(type_)
        if handle:
            return Kind("HANDLE", self.class_numbers[handle])
        found = self.api_set.resolve(type_)
        if isinstance(found, Named):
            return Kind(self.scalar(found.name))
        if isinstance(found, Pointer):
            return self.pointer(found)
        raise HipgenError(f"{type_}: no rule tells how Python has such a value")

    def handle_of(self, type_: Type) -> str:
        """The class of the objects that it names, if it is one of `handles`."""
        while isinstance(type_, Named) and type_.name in self.api_set.typedefs:
            if type_.name in self.rule.handles:
                return self.rule.handles[type_.name]
            type_ = self.api_set.typedefs[type_.name].type
        return ""

    def size_of(self, type_: Type) -> int:
        """The bytes of a number, of a record or of a pointer."""
        record = self.api_set.record_of(type_)
        found = self.api_set.resolve(type_)
        return record.size if record else SCALARS[found.name][0] if isinstance(found, Named) else 8

    def home_of(self, enum: Enum) -> str:
        return self.homes.get(key_of(enum), "")

    def scalar(self, name: str) -> str:
        size, class_ = SCALARS[name]
        if class_ == "float":
            return f"F{size * 8}"
        return f"{'U' if name.startswith(UNSIGNED) else 'I'}{size * 8}"

    def pointer(self, pointer: Pointer) -> Kind:
        target = self.api_set.resolve(pointer.target)
        if isinstance(target, FunctionType):
            if target not in self.functions:
                self.functions.append(target)
            return Kind("FUNCTION", self.functions.index(target))
        if isinstance(pointer.target, Named) and is_bytes(self.api_set, pointer.target):
            text = isinstance(target, Named) and target.name == "char" and pointer.target.const
            return Kind("TEXT" if text else "MEMORY")
        record = self.api_set.record_of(pointer.target)
        return Kind("HANDLE", self.class_numbers[record.name]) if record else Kind("MEMORY")

    def is_handle(self, record: Record) -> bool:
        """Whether only the library looks into the record."""
        return not record.complete or self.overrides.record(record.name).handle

    @property
    def aliases(self) -> dict[str, tuple[str, int]]:
        """Other names of classes and enums: `class` or `enum`, and the number."""
        handles = self.rule.handles.items()
        found = {name: ("class", self.class_numbers[class_]) for name, class_ in handles}
        for typedef in self.api_set.typedefs.values():
            type_ = self.api_set.resolve(typedef.type)
            target = type_.target if isinstance(type_, Pointer) else type_
            record, enum = self.api_set.record_of(target), self.api_set.enum_of(target)
            if record:
                found[typedef.name] = ("class", self.class_numbers[record.name])
            elif enum and enum.name and not isinstance(type_, Pointer):
                found[typedef.name] = ("enum", self.enum_numbers[enum.name])
        return {name: value for name, value in found.items() if name not in self.class_numbers}


def is_list_of_pointers(api_set: ApiSet, type_: Type) -> bool:
    pointer = api_set.resolve(type_)
    return isinstance(pointer, Pointer) and isinstance(api_set.resolve(pointer.target), Pointer)


def unnamed_values(api_set: ApiSet) -> dict[str, int]:
    """The enumerators of enums without a name."""
    enums = (d for d in api_set.declarations if isinstance(d, Enum) and not d.name)
    return {name: value for enum in enums for name, value in enum.enumerators}
