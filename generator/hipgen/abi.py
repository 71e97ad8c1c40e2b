# SPDX-License-Identifier: MIT
"""Compares the ABI of two API sets type by type.

A Pair is the API set that the caller was compiled for and the one that the runtime
implements.  It finds the types that have the same bytes on both sides, and matches
the members of those that differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hipgen.model import (
    Array,
    Enum,
    FunctionType,
    HipgenError,
    Inline,
    Named,
    Pointer,
    Record,
    ApiSet,
    Type,
    key_of,
)
from hipgen.overrides import Overrides
from hipgen.spell import declare

# name -> (bytes, class); two scalars of equal size and class have one ABI.
SCALARS = {
    "void": (0, "void"),
    "bool": (1, "int"),
    "char": (1, "int"),
    "signed char": (1, "int"),
    "unsigned char": (1, "int"),
    "int8_t": (1, "int"),
    "uint8_t": (1, "int"),
    "short": (2, "int"),
    "unsigned short": (2, "int"),
    "int16_t": (2, "int"),
    "uint16_t": (2, "int"),
    "int": (4, "int"),
    "unsigned int": (4, "int"),
    "int32_t": (4, "int"),
    "uint32_t": (4, "int"),
    "float": (4, "float"),
    "long": (8, "int"),
    "unsigned long": (8, "int"),
    "long long": (8, "int"),
    "unsigned long long": (8, "int"),
    "int64_t": (8, "int"),
    "uint64_t": (8, "int"),
    "size_t": (8, "int"),
    "intptr_t": (8, "int"),
    "uintptr_t": (8, "int"),
    "double": (8, "float"),
}

VOID = (Named("void"), Named("void", const=True))


@dataclass(frozen=True)
class Leaf:
    """A member of a record, by the path that C spells."""

    path: str
    type: Type
    offset: int  # bits
    bits: int | None = None


def leaves(record: Record, base: int = 0, prefix: str = "") -> list[Leaf]:
    """The members, those of structs that are defined in place one by one.

    Members of anonymous unions appear one by one as well.  A union with a name is one
    leaf, because only the program knows which of its members is in use.
    """
    found: list[Leaf] = []
    for member in record.fields:
        path, at = prefix + member.name, base + member.offset
        inner = member.type.record if isinstance(member.type, Inline) else None
        if inner is not None and (not member.name or inner.kind == "struct"):
            found += leaves(inner, at, f"{path}." if member.name else prefix)
        else:
            found.append(Leaf(path, member.type, at, member.bits))
    return found


@dataclass
class EnumMap:
    """The conversion of the values of one enum, in one direction."""

    cases: list[tuple[str, int, int]] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


@dataclass
class RecordMatch:
    """The members of two records that correspond, and those that do not."""

    pairs: list[tuple[Leaf, Leaf]] = field(default_factory=list)
    caller_only: list[Leaf] = field(default_factory=list)
    runtime_only: list[Leaf] = field(default_factory=list)


def is_bytes(api_set: ApiSet, type_: Type) -> bool:
    """Whether the type is void or char, the targets of pointers to bytes and to text."""
    found = api_set.resolve(type_)
    return isinstance(found, Named) and found.name in ("void", "char")


def width(enum: Enum) -> int:
    """The bytes of a value: 8 if an enumerator needs more than 32 bits, as compilers have it."""
    return 4 if all(-(2**31) <= value < 2**32 for _, value in enum.enumerators) else 8


def flag_value(api_set: ApiSet, name: str) -> int | None:
    """The value of a macro; None if it is no number, or not defined."""
    macro = api_set.macros.get(name)
    body = macro.body.strip("()").rstrip("uUlL") if macro else ""
    try:
        return int(body, 0)
    except ValueError:
        return None


class Pair:
    def __init__(self, caller: ApiSet, runtime: ApiSet, overrides: Overrides) -> None:
        self.caller = caller
        self.runtime = runtime
        self.overrides = overrides
        self.known_types: dict[tuple[Type, Type], bool] = {}
        self.known: dict[tuple[str, str], bool] = {}
        self.known_enums: dict[tuple[str, str], bool] = {}

    # --- types that are the same ---

    def same(self, a: Type, b: Type) -> bool:
        """Whether a value can pass unchanged from caller to runtime, and the other way."""
        # Hundreds of parameters have the same type.
        if (a, b) not in self.known_types:
            self.known_types[a, b] = self.compare_types(a, b)
        return self.known_types[a, b]

    def compare_types(self, a: Type, b: Type) -> bool:
        a, b = self.caller.resolve(a), self.runtime.resolve(b)
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            return self.same_target(a.target, b.target)
        if isinstance(a, Array) and isinstance(b, Array):
            return a.count == b.count and self.compare_types(a.element, b.element)
        if isinstance(a, FunctionType) and isinstance(b, FunctionType):
            pairs = list(zip((a.result, *a.params), (b.result, *b.params)))
            return len(a.params) == len(b.params) and all(
                self.compare_types(x, y) for x, y in pairs
            )
        record_a, record_b = self.caller.record_of(a), self.runtime.record_of(b)
        if record_a and record_b:
            return self.same_record(record_a, record_b)
        return self.same_scalar(a, b)

    def same_target(self, a: Type, b: Type) -> bool:
        if is_bytes(self.caller, a) and is_bytes(self.runtime, b):
            return True
        # A handle may be a pointer to void in one release and to an opaque struct in another.
        pairs = ((self.caller, a, self.runtime, b), (self.runtime, b, self.caller, a))
        for one, void, other, target in pairs:
            record = other.record_of(target)
            if record and self.is_handle(record) and one.resolve(void) in VOID:
                return True
        return self.compare_types(a, b)

    def same_scalar(self, a: Type, b: Type) -> bool:
        enum_a, enum_b = self.caller.enum_of(a), self.runtime.enum_of(b)
        if enum_a and enum_b:
            return self.same_enum(enum_a, enum_b)
        if isinstance(a, Named) and a == b and self.overrides.is_by_hand(a.name):
            return True
        scalar_a = self.scalar(a, enum_a, self.caller)
        return scalar_a is not None and scalar_a == self.scalar(b, enum_b, self.runtime)

    @staticmethod
    def scalar(type_: Type, enum: Enum | None, api_set: ApiSet) -> tuple[int, str] | None:
        if enum:
            return (width(enum), "int")
        return SCALARS.get(type_.name) if isinstance(type_, Named) else None

    def is_handle(self, record: Record) -> bool:
        return not record.complete or self.overrides.record(record.name).handle

    def same_record(self, a: Record, b: Record) -> bool:
        if self.is_handle(a) or self.is_handle(b):
            return True
        key = (repr(a) if not a.name else a.name, repr(b) if not b.name else b.name)
        if key not in self.known:
            self.known[key] = True  # assumed while its members, which may point to it, are compared
            self.known[key] = self.compare_records(a, b)
        return self.known[key]

    def compare_records(self, a: Record, b: Record) -> bool:
        if (a.kind, a.size) != (b.kind, b.size):
            return False
        try:
            match = self.match(a, b)
        except HipgenError:
            return False
        if a.kind == "union":
            lacking = {leaf.path for leaf in leaves(a)} ^ {leaf.path for leaf in leaves(b)}
            # A prefix union is copied as bytes, and both have as many of them.
            prefix = self.overrides.record(a.name).union == "prefix"
            if lacking - set(self.overrides.union_members) and not prefix:
                return False
            return all(self.compare_types(x.type, y.type) for x, y in match.pairs)
        ignore = self.overrides.record(a.name).ignore
        missing = match.caller_only + match.runtime_only
        if any(leaf.path not in ignore for leaf in missing):
            return False
        return all(
            x.offset == y.offset and x.bits == y.bits and self.compare_types(x.type, y.type)
            for x, y in match.pairs
        )

    def same_enum(self, a: Enum, b: Enum) -> bool:
        key = (key_of(a)[1], key_of(b)[1])
        if key not in self.known_enums:
            into, out = self.enum_map(a, b, True), self.enum_map(a, b, False)
            changed = into.cases or into.refused or out.cases or out.refused
            self.known_enums[key] = not changed and self.are_related(a, b)
        return self.known_enums[key]

    def are_related(self, a: Enum, b: Enum) -> bool:
        """Whether some value has a name on both sides.  Without one, nothing tells what they mean."""
        return a.enumerators == b.enumerators or bool(self.corresponding(a, b))

    # --- types that differ ---

    def match(self, a: Record, b: Record) -> RecordMatch:
        """Pairs the members by name.  Two members that only share an offset need a rule."""
        other_name = self.other_names(a)
        mine, theirs = leaves(a), {leaf.path: leaf for leaf in leaves(b)}
        result = RecordMatch()
        for leaf in mine:
            other = theirs.get(leaf.path) or theirs.get(other_name.get(leaf.path, ""))
            if other is not None:
                result.pairs.append((leaf, other))
            else:
                result.caller_only.append(leaf)
        taken = {x.offset for x, _ in result.pairs}
        used = {y.offset for _, y in result.pairs}
        result.caller_only = [x for x in result.caller_only if x.offset not in taken]
        result.runtime_only = [y for y in theirs.values() if y.offset not in used]
        if a.kind == "struct":
            self.check_leftovers(a, b, result.caller_only, result.runtime_only)
        return result

    def other_names(self, a: Record) -> dict[str, str]:
        """Member -> its name on the other side.  Either side may be the older one."""
        rule = self.overrides.record(a.name)
        names = {**rule.rename, **rule.member_aliases}
        paths = {leaf.path for leaf in leaves(a)}
        names.update({old: new for new, old in names.items() if new not in paths})
        return names

    def check_leftovers(self, a: Record, b: Record, mine: list[Leaf], theirs: list[Leaf]) -> None:
        """Fails if members without a partner may be one member that was renamed or moved."""
        ignore = self.overrides.record(a.name).ignore
        for leaf in mine:
            for other in theirs:
                same_place = a.size == b.size and leaf.offset == other.offset
                same_word = leaf.path.split(".")[-1] == other.path.split(".")[-1]
                ignored = leaf.path in ignore or other.path in ignore
                if (same_place or same_word) and not ignored:
                    raise HipgenError(
                        f"{a.name}: {leaf.path} may be {other.path} of {self.runtime.release.title}: "
                        "overrides.toml must `rename` it or `ignore` one of them"
                    )

    def enum_map(self, a: Enum, b: Enum, to_runtime: bool) -> EnumMap:
        """Maps by name; `cases` are (name, from, to) of the values that differ."""
        rule = self.overrides.enum(a.name)
        names = self.corresponding(a, b)
        result = EnumMap()
        seen: dict[int, int] = {}
        for mine, theirs in names:
            if mine in rule.ignore:
                continue
            x, y = a.values[mine], b.values[theirs]
            source, target = (x, y) if to_runtime else (y, x)
            if source != target and source not in seen:
                result.cases.append((mine if to_runtime else theirs, source, target))
            seen.setdefault(source, target)
        for mine, other in rule.falls_back_to.items() if to_runtime else ():
            if mine in a.values and mine not in b.values and other in b.values:
                result.cases.append((mine, a.values[mine], b.values[other]))
                seen[a.values[mine]] = b.values[other]
        source_enum, target_enum = (a, b) if to_runtime else (b, a)
        meant = {v for n, v in target_enum.enumerators if n not in rule.ignore}
        for name, value in source_enum.enumerators:
            if value in meant and value not in seen and name not in rule.ignore:
                seen[value] = value
                result.refused.append(value)
        if result.cases:
            # The values changed, so a number without a name here must not get one there.
            result.refused += sorted(meant - seen.keys())
        return result

    def corresponding(self, a: Enum, b: Enum) -> list[tuple[str, str]]:
        """Pairs of names with one meaning; a macro that renames an enumerator counts."""
        macros = {m.name: m.body for m in self.caller.macros.values() if m.body in a.values}
        rule = self.overrides.enum(a.name)
        means = {name: rule.meaning(name) or macros.get(name, "") for name in b.values}
        theirs = {m.name: m.body for m in self.runtime.macros.values() if m.body in b.values}
        pairs = [(name, name) for name, _ in a.enumerators if name in b.values]
        pairs += [(means[name], name) for name, _ in b.enumerators if means[name]]
        pairs += [(name, theirs[name]) for name, _ in a.enumerators if name in theirs]
        # The rule of the runtime's enum holds from its side.
        other = self.overrides.enum(b.name)
        pairs += [(name, other.meaning(name)) for name, _ in a.enumerators]
        return [(x, y) for x, y in pairs if x in a.values and y in b.values]

    def runtime_record(self, a: Record) -> Record | None:
        """The runtime's record for a record of the caller."""
        for name in (a.name, self.overrides.record(a.name).alias):
            found = self.runtime.records.get(name)
            if found is not None:
                return found
        return None


def size_of(api_set: ApiSet, type_: Type) -> int:
    """The size of a value of the type in bytes."""
    found = api_set.resolve(type_)
    if isinstance(found, Pointer):
        return 8
    if isinstance(found, Array):
        return found.count * size_of(api_set, found.element)
    record = api_set.record_of(found)
    if record is not None:
        return record.size
    enum = api_set.enum_of(found)
    if enum:
        return width(enum)
    if isinstance(found, Named) and found.name in SCALARS:
        return SCALARS[found.name][0]
    raise HipgenError(f"{declare(type_, '')}: a type of unknown size")
