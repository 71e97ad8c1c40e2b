# SPDX-License-Identifier: MIT
"""Decides how values of changed types are converted between two API sets.

Every enum and record that differs gets one class for each distinct form that the
runtimes have.  Releases with the same form share the class and its code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hipgen.abi import EnumMap, Leaf, Pair, RecordMatch, is_bytes, leaves, size_of, width
from hipgen.model import Array, Enum, HipgenError, Inline, Named, Pointer, Record, ApiSet, Type
from hipgen.spell import declare, unconst
from hipgen.steps import (
    Assign,
    Cast,
    ConvertArray,
    ConvertEnum,
    ConvertRecord,
    CopyBytes,
    CopyText,
    Elements,
    Narrow,
    RefuseOut,
    Reject,
    Saturate,
    Step,
    join_runs,
    reject_spans,
)


@dataclass(frozen=True)
class EnumClass:
    """One conversion of the values of an enum, in one direction."""

    function: str
    enum: str
    cases: tuple[tuple[str, int, int], ...]
    refused: tuple[int, ...]


@dataclass(frozen=True)
class RecordClass:
    """A record as one group of releases lays it out, and its two converters."""

    name: str
    caller: str  # the caller's type
    kind: str
    size: int
    align: int
    into: str  # the converter to the runtime's type
    out: str  # the converter to the caller's type
    lines: tuple[str, ...]
    lacking: int = 0  # what all bytes of a member are for which the other side has none
    offsets: tuple[tuple[str, int], ...] = ()
    into_steps: tuple[Step, ...] = ()
    rejects: tuple[Reject, ...] = ()  # at the end of `into`
    out_steps: tuple[Step, ...] = ()
    prefix: int = 0  # bytes that a union copied as bytes shares with the caller's

    @property
    def needs_arena(self) -> bool:
        return any(step.needs_arena for step in self.into_steps)

    @property
    def out_may_fail(self) -> bool:
        return any(step.may_fail for step in self.out_steps)

    @property
    def out_refused(self) -> str:
        """The member that has no way out; empty if there is none."""
        return next((s.source for s in self.out_steps if isinstance(s, RefuseOut)), "")

    @property
    def reject_spans(self) -> list[tuple[str, str, int]]:
        return reject_spans(list(self.rejects))

    @property
    def calls(self) -> dict[str, set[str]]:
        """The converters that each of its own converters calls."""
        return {
            self.into: {call for step in self.into_steps for call in step.calls},
            self.out: {call for step in self.out_steps for call in step.calls},
        }


@dataclass
class Classes:
    """All classes made so far, by their form."""

    api_sets: list[ApiSet] = field(default_factory=list)  # oldest first
    enums: dict[Any, EnumClass] = field(default_factory=dict)
    records: dict[Any, RecordClass] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def since(self, record: str, path: str) -> str:
        """The first release whose `record` has the member; empty if none has it."""
        for api_set in self.api_sets:
            found = api_set.records.get(record)
            if found and any(leaf.path == path for leaf in leaves(found)):
                release = api_set.release
                return f"{release.api} {release.major}.{release.minor}"
        return ""

    def unique(self, make: Callable[[str], str], pair: Pair) -> str:
        """`make(tag)` with the shortest tag of the release that is not in use."""
        release = pair.runtime.release
        for tag in (f"{release.major}_{release.minor}", str(release).replace(".", "_")):
            name = make(tag)
            if name not in self.names:
                self.names.add(name)
                return name
        raise HipgenError(f"{make('?')}: two classes of one release")


class Converter:
    """Makes the classes that one Pair needs, and shares those of earlier pairs."""

    def __init__(self, pair: Pair, classes: Classes) -> None:
        self.pair = pair
        self.classes = classes

    def enum(self, a: Enum, b: Enum, to_runtime: bool) -> EnumClass:
        if not self.pair.are_related(a, b):
            raise HipgenError(
                f"{a.spelling}: has no enumerator of {b.spelling} of {self.pair.runtime.release.title}: "
                "no rule covers it; [enum] `enumerator_maps_to` says which ones mean the same"
            )
        if 8 in (width(a), width(b)):
            raise HipgenError(f"{a.spelling}: changed, and no rule covers values of 64 bits")
        mapping: EnumMap = self.pair.enum_map(a, b, to_runtime)
        cases, refused = tuple(mapping.cases), tuple(mapping.refused)
        form = (a.name, to_runtime, cases, refused)
        if form not in self.classes.enums:

            def make(tag: str) -> str:
                ends = ("caller", tag) if to_runtime else (tag, "caller")
                return f"hs_convert_{a.name}_{ends[0]}_to_{ends[1]}"

            name = self.classes.unique(make, self.pair)
            self.classes.enums[form] = EnumClass(name, a.name, cases, refused)
        return self.classes.enums[form]

    def record(self, a: Record, b: Record) -> RecordClass:
        if self.pair.overrides.record(a.name).union == "prefix":
            return self.prefix_union(a, b)
        if a.packed or b.packed:
            raise HipgenError(f"{a.name}: no rule covers a packed record that changed")
        if a.kind == "union" or b.kind == "union":
            raise HipgenError(f"{a.name}: a union that changed needs a `union` rule")
        match = self.pair.match(a, b)
        ignore = self.pair.overrides.record(a.name).ignore
        if all(mine.path in ignore for mine, _ in match.pairs):
            raise HipgenError(
                f"{a.name}: shares no member with that of {self.pair.runtime.release.title}"
            )
        lines = tuple(self.runtime_lines(b, match))
        into, out = self.steps(a, match, True), self.steps(a, match, False)
        rejects = self.rejects(a, match)
        offsets = tuple((leaf.path, leaf.offset // 8) for leaf in leaves(b) if leaf.bits is None)
        form = (a.name, b.name, b.size, lines, offsets, into, rejects, out)
        lacking = self.pair.overrides.record(a.name).lacking
        if form not in self.classes.records:
            self.classes.records[form] = RecordClass(
                **self.named(a, b, "struct"),
                lines=lines,
                lacking=lacking,
                offsets=offsets,
                into_steps=into,
                rejects=rejects,
                out_steps=out,
            )
        return self.classes.records[form]

    def prefix_union(self, a: Record, b: Record) -> RecordClass:
        theirs = {leaf.path: leaf for leaf in leaves(b)}
        for leaf in leaves(a):
            other = theirs.get(leaf.path)
            if other and not (leaf.offset == other.offset == 0):
                raise HipgenError(f"{a.name}: {leaf.path} does not start at 0: no prefix union")
            if other and not self.pair.same(leaf.type, other.type):
                raise HipgenError(f"{a.name}: {leaf.path} changed: no prefix union")
        form = (a.name, b.name, b.size, b.align)
        if form not in self.classes.records:
            self.classes.records[form] = RecordClass(
                **self.named(a, b, "union"),
                lines=(f"    unsigned char bytes[{b.size}];", "    void *align;"),
                prefix=min(a.size, b.size),
            )
        return self.classes.records[form]

    def named(self, a: Record, b: Record, kind: str) -> dict[str, Any]:
        """The fields that every class of the runtime record `b` has."""
        name = self.classes.unique(lambda tag: f"{b.name}_{tag}", self.pair)
        tag = name.removeprefix(b.name + "_")
        form = tag if a.name == b.name else f"{b.name}_{tag}"
        return {
            "name": name,
            "caller": a.spelling,
            "kind": kind,
            "size": b.size,
            "align": b.align,
            "into": f"hs_convert_{a.name}_caller_to_{form}",
            "out": f"hs_convert_{a.name}_{form}_to_caller",
        }

    # The runtime's own declaration of a record

    def runtime_lines(self, b: Record, match: RecordMatch) -> list[str]:
        caller_leaf_of = {theirs.path: mine for mine, theirs in match.pairs}
        return self.member_lines(b, caller_leaf_of, "", "    ")

    def member_lines(
        self, record: Record, caller_leaf_of: dict[str, Leaf], prefix: str, indent: str
    ) -> list[str]:
        lines = []
        for member in record.fields:
            inner = member.type.record if isinstance(member.type, Inline) else None
            path = prefix + member.name
            if inner is not None and (not member.name or inner.kind == "struct"):
                deeper = f"{path}." if member.name else prefix
                lines.append(f"{indent}{inner.kind} {{")
                lines += self.member_lines(inner, caller_leaf_of, deeper, indent + "    ")
                lines.append(f"{indent}}} {member.name}".rstrip() + ";")
                continue
            text = self.runtime_type(member.type, caller_leaf_of.get(path), member.name, indent)
            width = "" if member.bits is None else f" : {member.bits}"
            lines.append(f"{indent}{text}{width};")
        return lines

    def runtime_type(self, type_: Type, caller: Leaf | None, name: str, indent: str = "") -> str:
        """Declares a runtime member, with the caller's type if that is the same."""
        if caller is not None and self.pair.same(caller.type, type_):
            return declare(caller.type, name, indent=indent)
        if caller is not None:
            a, b = self.pair.caller.record_of(caller.type), self.pair.runtime.record_of(type_)
            if a and b:
                return f"struct {self.record(a, b).name} {name}"
            x, y = self.pair.caller.resolve(caller.type), self.pair.runtime.resolve(type_)
            if isinstance(x, Array) and isinstance(y, Array):
                inner = Leaf(caller.path, x.element, 0)
                return self.runtime_type(y.element, inner, f"{name}[{y.count}]", indent)
        return declare(self.neutral(type_), name, indent=indent)

    def neutral(self, type_: Type) -> Type:
        """A type with the same bytes that needs no declaration from the runtime's header."""
        found = self.pair.runtime.resolve(type_)
        if isinstance(found, Pointer):
            return Pointer(Named("void"))
        if isinstance(found, Array):
            return Array(self.neutral(found.element), found.count)
        if self.pair.runtime.enum_of(type_):
            return Named("int")
        record = self.pair.runtime.record_of(type_)
        if record is not None and record.name:
            caller = self.pair.caller.records.get(record.name)
            if caller is None or not self.pair.same_record(caller, record):
                return words(record)
            return Named(caller.spelling)
        return unconst(found) if isinstance(found, Named) else found

    # The statements that convert the members

    def steps(self, a: Record, match: RecordMatch, to_runtime: bool) -> tuple[Step, ...]:
        rule = self.pair.overrides.record(a.name)
        steps = []
        done: set[tuple[int, int, int | None]] = set()
        for mine, theirs in match.pairs:
            # In an anonymous union, two names of one place are one value.
            place = (mine.offset, theirs.offset, mine.bits)
            if mine.path in rule.ignore or place in done:
                continue
            done.add(place)
            steps.append(self.member_step(a, mine, theirs, to_runtime))
        return tuple(join_runs(steps))

    def rejects(self, a: Record, match: RecordMatch) -> tuple[Reject, ...]:
        """A test for each member that must have its default value."""
        ignore = self.pair.overrides.record(a.name).ignore
        missing = [leaf for leaf in match.caller_only if leaf.path not in ignore]
        found = []
        before: Leaf | None = None
        for leaf in leaves(a):
            if leaf in missing:
                size = size_of(self.pair.caller, leaf.type)
                since = self.classes.since(a.name, leaf.path)
                found.append(Reject(leaf.path, since, leaf.offset // 8, size, before in missing))
            before = leaf
        return tuple(found)

    def member_step(self, a: Record, mine: Leaf, theirs: Leaf, to_runtime: bool) -> Step:
        to, source = (theirs, mine) if to_runtime else (mine, theirs)
        if self.pair.same(mine.type, theirs.type):
            found = self.pair.caller.resolve(mine.type)
            whole = isinstance(found, (Inline, Array)) or self.pair.caller.record_of(mine.type)
            at = (mine.offset // 8, theirs.offset // 8) if mine.bits is None else None
            form = CopyBytes if whole else Assign
            return form(to.path, source.path, at, size_of(self.pair.caller, mine.type))
        e, f = self.pair.caller.enum_of(mine.type), self.pair.runtime.enum_of(theirs.type)
        if e and f:
            converter = self.enum(e, f, to_runtime).function
            type_ = "int" if to_runtime else e.spelling
            return ConvertEnum(to.path, source.path, converter, type_)
        r, s = self.pair.caller.record_of(mine.type), self.pair.runtime.record_of(theirs.type)
        if r and s:
            inner = self.record(r, s)
            converter = inner.into if to_runtime else inner.out
            return ConvertRecord(to.path, source.path, converter, to_runtime and inner.needs_arena)
        number = self.scalar_step(a, mine, theirs, to_runtime)
        array = number or self.elements_step(a, mine, theirs, to_runtime)
        return array or self.array_step(a, mine, theirs, to_runtime)

    def elements_step(self, a: Record, mine: Leaf, theirs: Leaf, to_runtime: bool) -> Step | None:
        """An array in the record that has other elements, or another number of them."""
        x, y = self.pair.caller.resolve(mine.type), self.pair.runtime.resolve(theirs.type)
        if not isinstance(x, Array) or not isinstance(y, Array):
            return None
        to, source = (theirs, mine) if to_runtime else (mine, theirs)
        count = min(x.count, y.count)
        shorter = count < (x if to_runtime else y).count
        if is_bytes(self.pair.caller, x.element) and is_bytes(self.pair.runtime, y.element):
            return CopyText(to.path, source.path, count, shorter and to_runtime)
        path = f"{mine.path}[i]", f"{theirs.path}[i]"
        element = self.member_step(
            a, Leaf(path[0], x.element, 0, -1), Leaf(path[1], y.element, 0, -1), to_runtime
        )
        counter = self.pair.overrides.record(a.name).arrays.get(mine.path, "")
        counter = counter if shorter and not to_runtime else ""
        return Elements(to.path, source.path, element, count, shorter and to_runtime, counter)

    def scalar_step(self, a: Record, mine: Leaf, theirs: Leaf, to_runtime: bool) -> Step | None:
        """Integers of different width; a value is checked if the target is narrower."""
        caller, runtime = self.pair.caller, self.pair.runtime
        x = self.pair.scalar(caller.resolve(mine.type), None, caller)
        y = self.pair.scalar(runtime.resolve(theirs.type), None, runtime)
        if x is None or y is None or x[1] != "int" or y[1] != "int":
            return None
        to, source = (theirs, mine) if to_runtime else (mine, theirs)
        narrower = (y[0] < x[0]) if to_runtime else (x[0] < y[0])
        names = [declare(one.type, "") for one in (to, source)]
        if self.pair.overrides.record(a.name).saturates and all(n[0] == "u" for n in names):
            largest = names[0] if narrower else names[1]
            return Saturate(to.path, source.path, names[0], names[1], largest)
        if narrower:
            return Narrow(to.path, source.path, declare(to.type, ""))
        return Cast(to.path, source.path)

    def array_step(self, a: Record, mine: Leaf, theirs: Leaf, to_runtime: bool) -> Step:
        """A pointer to converted entries, which live in the arena of the call on the way in."""
        rule = self.pair.overrides.record(a.name)
        x, y = self.pair.caller.resolve(mine.type), self.pair.runtime.resolve(theirs.type)
        if mine.path in rule.arrays and isinstance(x, Pointer) and isinstance(y, Pointer):
            r, s = self.pair.caller.record_of(x.target), self.pair.runtime.record_of(y.target)
            if r and s:
                inner = self.record(r, s)
                if not to_runtime:
                    return RefuseOut(mine.path, mine.path)
                count = rule.arrays[mine.path]
                return ConvertArray(theirs.path, mine.path, inner.into, inner.name, count)
        raise HipgenError(
            f"{a.name}.{mine.path}: {declare(theirs.type, '')} in {self.pair.runtime.release.title}, "
            f"{declare(mine.type, '')} in the caller's header: no rule covers it"
        )


def words(record: Record) -> Array:
    """Unsigned integers with the size and the alignment of the record."""
    return Array(Named(f"uint{record.align * 8}_t"), record.size // record.align)
