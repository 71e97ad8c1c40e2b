# SPDX-License-Identifier: MIT
"""Decides how values of changed types are converted between two API sets.

For every enum and record that differs, a class is made per distinct form on
the back side; releases that share the form share the class and its code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hipgen.abi import EnumMap, Leaf, Pair, RecordMatch, leaves, size_of
from hipgen.model import Array, Enum, HipgenError, Inline, Named, Pointer, Record, ApiSet, Type
from hipgen.spell import declare, unconst


@dataclass(frozen=True)
class EnumClass:
    """One way in which an enum's values translate, in one direction."""

    function: str
    enum: str
    cases: tuple[tuple[str, int, int], ...]
    refused: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One statement of a converter; `sort` selects its form in the template."""

    sort: str
    to: str = ""
    source: str = ""
    call: str = ""
    type: str = ""
    count: str = ""
    since: str = ""  # for "reject": the first release that has the member
    at: tuple[int, int] | None = None  # byte offsets in front and back, of plain bytes
    size: int = 0  # bytes from there
    joins: bool = False  # for "reject": the member before it is rejected, too


def join_runs(steps: list[Step]) -> list[Step]:
    """Plain members that follow each other on both sides become one copy."""
    joined: list[Step] = []
    for step in steps:
        last = joined[-1] if joined else None
        if last and last.at and step.at and last.at[0] + last.size == step.at[0]:
            if last.at[1] + last.size == step.at[1] and last.sort != "record":
                size = last.size + step.size
                joined[-1] = replace(last, sort="run", type=step.source, size=size)
                continue
        joined.append(step)
    return joined


@dataclass(frozen=True)
class RecordClass:
    """A record as one group of releases lays it out, and its converters."""

    name: str
    front: str
    kind: str
    size: int
    align: int
    into: str
    out: str
    lines: tuple[str, ...]
    offsets: tuple[tuple[str, int], ...] = ()
    into_steps: tuple[Step, ...] = ()
    out_steps: tuple[Step, ...] = ()
    needs_arena: bool = False
    prefix: int = 0  # bytes shared with the front, for a union copied as bytes
    out_refused: str = ""

    @property
    def out_may_fail(self) -> bool:
        return any(s.sort not in ("copy", "bytes", "run") for s in self.out_steps)

    @property
    def rejects(self) -> list[Step]:
        return [s for s in self.into_steps if s.sort == "reject"]

    @property
    def reject_spans(self) -> list[tuple[str, str, int]]:
        """First member, last member and bytes of each stretch of rejected ones.

        A stretch may hold padding, whose bytes say nothing: when a span is not
        zero, its members decide.
        """
        spans: list[tuple[str, str, int, int]] = []
        for step in self.rejects:
            assert step.at is not None
            start, end = step.at[0], step.at[0] + step.size
            if spans and step.joins:
                first, _, begin, _ = spans[-1]
                spans[-1] = (first, step.source, begin, end)
            else:
                spans.append((step.source, step.source, start, end))
        return [(first, last, end - begin) for first, last, begin, end in spans]


@dataclass
class Classes:
    """All classes made so far, by their form; names are given in order."""

    api_sets: list[ApiSet] = field(default_factory=list)  # oldest first
    enums: dict[Any, EnumClass] = field(default_factory=dict)
    records: dict[Any, RecordClass] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def since(self, record: str, path: str) -> str:
        """The first release whose `record` has the member, as major.minor."""
        for api_set in self.api_sets:
            found = api_set.records.get(record)
            if found and any(leaf.path == path for leaf in leaves(found)):
                return f"{api_set.release.major}.{api_set.release.minor}"
        return ""

    def unique(self, make: Callable[[str], str], pair: Pair) -> str:
        """`make(tag)` with the shortest tag of the release that is still free."""
        release = pair.back.release
        for tag in (f"{release.major}_{release.minor}", str(release).replace(".", "_")):
            name = make(tag)
            if name not in self.names:
                self.names.add(name)
                return name
        raise HipgenError(f"{make('?')}: two classes of one release")


class Converter:
    """Makes the classes one Pair needs, sharing those of earlier pairs."""

    def __init__(self, pair: Pair, classes: Classes) -> None:
        self.pair = pair
        self.classes = classes

    def enum(self, a: Enum, b: Enum, into_back: bool) -> EnumClass:
        mapping: EnumMap = self.pair.enum_map(a, b, into_back)
        cases, refused = tuple(mapping.cases), tuple(mapping.refused)
        form = (a.name, into_back, cases, refused)
        if form not in self.classes.enums:

            def make(tag: str) -> str:
                ends = ("stable", tag) if into_back else (tag, "stable")
                return f"hs_convert_{a.name}_{ends[0]}_to_{ends[1]}"

            name = self.classes.unique(make, self.pair)
            self.classes.enums[form] = EnumClass(name, a.name, cases, refused)
        return self.classes.enums[form]

    def record(self, a: Record, b: Record) -> RecordClass:
        if self.pair.overrides.record(a.name).union == "prefix":
            return self.prefix_union(a, b)
        if a.kind == "union" or b.kind == "union":
            raise HipgenError(f"{a.name}: a union that changed needs a `union' rule")
        match = self.pair.match(a, b)
        lines = tuple(self.back_lines(b, match))
        into, out = self.steps(a, match, True), self.steps(a, match, False)
        offsets = tuple((leaf.path, leaf.offset // 8) for leaf in leaves(b) if leaf.bits is None)
        form = (a.name, b.name, b.size, lines, offsets, into, out)
        if form not in self.classes.records:
            self.classes.records[form] = RecordClass(
                **self.named(a, b, "struct"),
                lines=lines,
                offsets=offsets,
                into_steps=into,
                out_steps=out,
                needs_arena=any(s.sort == "array" or "arena" in s.type for s in into),
                out_refused=next((s.source for s in out if s.sort == "refuse_out"), ""),
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
        """What every class of the back record `b` starts with."""
        name = self.classes.unique(lambda tag: f"{b.name}_{tag}", self.pair)
        tag = name.removeprefix(b.name + "_")
        form = tag if a.name == b.name else f"{b.name}_{tag}"
        return {
            "name": name,
            "front": a.spelling,
            "kind": kind,
            "size": b.size,
            "align": b.align,
            "into": f"hs_convert_{a.name}_stable_to_{form}",
            "out": f"hs_convert_{a.name}_{form}_to_stable",
        }

    # The back's own declaration of a record

    def back_lines(self, b: Record, match: RecordMatch) -> list[str]:
        front_of = {theirs.path: mine for mine, theirs in match.pairs}
        return self.member_lines(b, front_of, "", "    ")

    def member_lines(
        self, record: Record, front_of: dict[str, Leaf], prefix: str, indent: str
    ) -> list[str]:
        lines = []
        for member in record.fields:
            inner = member.type.record if isinstance(member.type, Inline) else None
            path = prefix + member.name
            if inner is not None and (not member.name or inner.kind == "struct"):
                deeper = f"{path}." if member.name else prefix
                lines.append(f"{indent}{inner.kind} {{")
                lines += self.member_lines(inner, front_of, deeper, indent + "    ")
                lines.append(f"{indent}}} {member.name}".rstrip() + ";")
                continue
            text = self.back_type(member.type, front_of.get(path), member.name, indent)
            width = "" if member.bits is None else f" : {member.bits}"
            lines.append(f"{indent}{text}{width};")
        return lines

    def back_type(self, type_: Type, front: Leaf | None, name: str, indent: str = "") -> str:
        """Declares a back member; with the front's type where that is the same."""
        if front is not None and self.pair.same(front.type, type_):
            return declare(front.type, name, indent=indent)
        if front is not None:
            a, b = self.pair.front.record_of(front.type), self.pair.back.record_of(type_)
            if a and b:
                return f"struct {self.record(a, b).name} {name}"
        return declare(self.neutral(type_), name, indent=indent)

    def neutral(self, type_: Type) -> Type:
        """A type with the same bytes that needs no declaration of the back's."""
        found = self.pair.back.resolve(type_)
        if isinstance(found, Pointer):
            return Pointer(Named("void"))
        if isinstance(found, Array):
            return Array(self.neutral(found.element), found.count)
        if self.pair.back.enum_of(type_):
            return Named("int")
        record = self.pair.back.record_of(type_)
        if record is not None and record.name:
            front = self.pair.front.records.get(record.name)
            if front is None or not self.pair.same_record(front, record):
                raise HipgenError(
                    f"{record.name}: HIP {self.pair.back.release} has it in a "
                    "record that is converted, and the stable header lacks it"
                )
            return Named(front.spelling)
        return unconst(found) if isinstance(found, Named) else found

    # The statements that carry the members over

    def steps(self, a: Record, match: RecordMatch, into_back: bool) -> tuple[Step, ...]:
        rule = self.pair.overrides.record(a.name)
        steps = []
        done: set[tuple[int, int, int | None]] = set()
        for mine, theirs in match.pairs:
            # Two names of one place, in an anonymous union, are one value.
            place = (mine.offset, theirs.offset, mine.bits)
            if mine.path in rule.ignore or place in done:
                continue
            done.add(place)
            steps.append(self.member_step(a, mine, theirs, into_back))
        steps = join_runs(steps)
        if into_back:
            steps += self.rejects(a, [x for x in match.front_only if x.path not in rule.ignore])
        return tuple(steps)

    def rejects(self, a: Record, lost: list[Leaf]) -> list[Step]:
        """A test for each member that must be at its default."""
        steps = []
        before: Leaf | None = None
        for leaf in leaves(a):
            if leaf in lost:
                place, size = leaf.offset // 8, size_of(self.pair.front, leaf.type)
                since = self.classes.since(a.name, leaf.path)
                joins = before in lost
                steps.append(
                    Step("reject", "", leaf.path, "", "", "", since, (place, place), size, joins)
                )
            before = leaf
        return steps

    def member_step(self, a: Record, mine: Leaf, theirs: Leaf, into_back: bool) -> Step:
        to, source = (theirs, mine) if into_back else (mine, theirs)
        if self.pair.same(mine.type, theirs.type):
            found = self.pair.front.resolve(mine.type)
            whole = isinstance(found, (Inline, Array)) or self.pair.front.record_of(mine.type)
            sort = "bytes" if whole else "copy"
            at = (mine.offset // 8, theirs.offset // 8) if mine.bits is None else None
            return Step(sort, to.path, source.path, at=at, size=size_of(self.pair.front, mine.type))
        e, f = self.pair.front.enum_of(mine.type), self.pair.back.enum_of(theirs.type)
        if e and f:
            call = self.enum(e, f, into_back).function
            return Step("enum", to.path, source.path, call, "int" if into_back else e.spelling)
        r, s = self.pair.front.record_of(mine.type), self.pair.back.record_of(theirs.type)
        if r and s:
            inner = self.record(r, s)
            kind = "arena" if inner.needs_arena else ""
            return Step(
                "record", to.path, source.path, inner.into if into_back else inner.out, kind
            )
        number = self.scalar_step(mine, theirs, into_back)
        return number or self.array_step(a, mine, theirs, into_back)

    def scalar_step(self, mine: Leaf, theirs: Leaf, into_back: bool) -> Step | None:
        """Integers of different width: checked when the target is narrower."""
        front, back = self.pair.front, self.pair.back
        x = self.pair.scalar(front.resolve(mine.type), None, front)
        y = self.pair.scalar(back.resolve(theirs.type), None, back)
        if x is None or y is None or x[1] != "int" or y[1] != "int":
            return None
        to, source = (theirs, mine) if into_back else (mine, theirs)
        narrower = (y[0] < x[0]) if into_back else (x[0] < y[0])
        wanted = declare(to.type, "")
        return Step("narrow" if narrower else "copy", to.path, source.path, type=wanted)

    def array_step(self, a: Record, mine: Leaf, theirs: Leaf, into_back: bool) -> Step:
        """A pointer to converted entries; only its way in has a lifetime."""
        rule = self.pair.overrides.record(a.name)
        x, y = self.pair.front.resolve(mine.type), self.pair.back.resolve(theirs.type)
        if mine.path in rule.arrays and isinstance(x, Pointer) and isinstance(y, Pointer):
            r, s = self.pair.front.record_of(x.target), self.pair.back.record_of(y.target)
            if r and s:
                inner = self.record(r, s)
                if not into_back:
                    return Step("refuse_out", source=mine.path)
                count = rule.arrays[mine.path]
                return Step("array", theirs.path, mine.path, inner.into, inner.name, count)
        raise HipgenError(
            f"{a.name}.{mine.path}: {declare(theirs.type, '')} in HIP {self.pair.back.release}, "
            f"{declare(mine.type, '')} in the stable header: no rule covers it"
        )
