# SPDX-License-Identifier: MIT
"""The ways in which an adapter passes a parameter on, one class for each kind.

`local`, `before` and `after` name the macros in passing.c.j2 that write the local
variable, the conversion before the call and the one after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Passing:
    """One parameter."""

    local: ClassVar[str] = ""
    before: ClassVar[str] = ""
    after: ClassVar[str] = ""

    name: str
    runtime_type: str  # of the parameter of the runtime's function

    @property
    def argument(self) -> str:
        """The argument of the call, in C."""
        return f"runtime_{self.name}" if self.local else self.name

    @property
    def calls(self) -> tuple[str, ...]:
        """The converters that the adapter calls for this parameter."""
        return ()

    @property
    def needs_arena(self) -> bool:
        return False


@dataclass(frozen=True)
class Untouched(Passing):
    """A parameter of the same ABI on both sides."""


@dataclass(frozen=True)
class Flags(Passing):
    """A set of flags, some of which have another value in the runtime: (name, value)."""

    local = "flags_local"
    before = "flags_before"

    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LoneFlag(Passing):
    """The only flag that the function accepts; it has another value in the runtime."""

    local = "flags_local"
    before = "lone_flag_before"

    flag: str
    value: str


@dataclass(frozen=True)
class EnumValue(Passing):
    local = "enum_local"
    before = "enum_before"

    converter: str

    @property
    def calls(self) -> tuple[str, ...]:
        return (self.converter,)


@dataclass(frozen=True)
class Address(Passing):
    """A pointer that the adapter replaces by the address of a local variable, or by NULL."""

    caller_type: str  # that it points to

    @property
    def argument(self) -> str:
        return f"{self.name} ? &runtime_{self.name} : NULL"


@dataclass(frozen=True)
class EnumOut(Address):
    """A pointer through which the runtime returns an enumerator."""

    local = "enum_local"
    after = "enum_after"

    converter: str

    @property
    def calls(self) -> tuple[str, ...]:
        return (self.converter,)


@dataclass(frozen=True)
class RecordPointer(Address):
    """A pointer to one record; an empty converter means that its direction is not used."""

    local = "record_local"
    before = "record_before"
    after = "record_after"

    class_name: str
    into: str
    out: str
    out_may_fail: bool  # if not, the converter writes to the caller's record at once
    with_arena: bool

    @property
    def calls(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.into, self.out)))

    @property
    def needs_arena(self) -> bool:
        return self.with_arena


@dataclass(frozen=True)
class RecordArray(Passing):
    """A pointer to records; an empty converter means that its direction is not used.

    `count` is the number of places before the call, and of records after it, if those are fewer.
    """

    local = "records_local"
    before = "records_before"
    after = "records_after"

    class_name: str
    into: str
    out: str
    count: str

    @property
    def calls(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.into, self.out)))

    @property
    def needs_arena(self) -> bool:
        return True


@dataclass(frozen=True)
class TaggedPointer(Passing):
    """A pointer to void whose target depends on another parameter: (tag, converter)."""

    after = "tagged_after"

    tag: str
    cases: tuple[tuple[str, str], ...]

    @property
    def calls(self) -> tuple[str, ...]:
        return tuple(converter for _, converter in self.cases)


@dataclass(frozen=True)
class TaggedInput(TaggedPointer):
    """Such a pointer whose target the function only reads: it gets a pointer to the converted value."""

    local = "tagged_input_local"
    before = "tagged_input_before"
    after = ""


@dataclass(frozen=True)
class TaggedPointers(TaggedPointer):
    """An array of such pointers, and an array of tags."""

    after = "tagged_array_after"

    count: str
