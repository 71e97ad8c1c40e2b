# SPDX-License-Identifier: MIT
"""The changes of the ABI from one API set to the next.

The comparison is the one that decides about conversions, between neighbours.  Each
change breaks a program that was compiled for the older release and runs on the newer
one.
"""

from __future__ import annotations

from dataclasses import dataclass

from hipgen import spell
from hipgen.abi import Pair
from hipgen.compare import describe_record
from hipgen.model import ApiSet, Enum, Function, Pointer, Record, Release, Type
from hipgen.overrides import Overrides


@dataclass(frozen=True)
class Change:
    """One function whose ABI differs from that of the API set before."""

    function: str
    api_set: Release  # of the newer API set
    text: str


@dataclass(frozen=True)
class TypeChange:
    """One record or enum that differs from that of the API set before."""

    name: str
    api_set: Release
    notes: tuple[str, ...]


def function_on(api_set: ApiSet, name: str, overrides: Overrides) -> Function | None:
    """The function, under its name in the API set."""
    for symbol in overrides.function(name).symbols or (name,):
        if symbol in api_set.functions:
            return api_set.functions[symbol]
    return None


def make_history(
    functions: list[Function], api_sets: dict[Release, ApiSet], overrides: Overrides
) -> tuple[list[Change], list[TypeChange]]:
    changes: list[Change] = []
    types: dict[tuple[str, Release], TypeChange] = {}
    releases = list(api_sets)
    for older, newer in zip(releases, releases[1:]):
        describer = Describer(Pair(api_sets[older], api_sets[newer], overrides), newer)
        for function in functions:
            before = function_on(api_sets[older], function.name, overrides)
            after = function_on(api_sets[newer], function.name, overrides)
            if before and after:
                text = describer.function(before, after)
                if text:
                    changes.append(Change(function.name, newer, text))
        types |= describer.types
    return sorted(changes, key=lambda c: c.function), list(types.values())


class Describer:
    """Describes the differences of two neighbours in words."""

    def __init__(self, pair: Pair, newer: Release) -> None:
        self.pair = pair
        self.newer = newer
        self.types: dict[tuple[str, Release], TypeChange] = {}

    def function(self, before: Function, after: Function) -> str:
        """The differences; empty if a call that was compiled for one is right for the other."""
        if len(before.params) != len(after.params):
            return self.signatures(before, after)
        parts = []
        if before.name != after.name:
            parts.append(f"{before.name} became {after.name}")
        for mine, theirs in zip(before.params, after.params):
            if not self.pair.same(mine.type, theirs.type):
                reached = self.reach(mine.type, theirs.type)
                if not reached:
                    return self.signatures(before, after)
                parts.append(f"{theirs.name}: {reached}")
        if not self.pair.same(before.result, after.result):
            reached = self.reach(before.result, after.result)
            if not reached:
                return self.signatures(before, after)
            parts.append(f"its result: {reached}")
        return "; ".join(parts)

    @staticmethod
    def signatures(before: Function, after: Function) -> str:
        return f"was ({spell.parameters(before.params)}), now ({spell.parameters(after.params)})"

    def reach(self, a: Type, b: Type) -> str:
        """Describes the changed type behind two parameters, and records it in `types`."""
        x, y = self.pair.caller.resolve(a), self.pair.runtime.resolve(b)
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            return self.reach(x.target, y.target)
        r, s = self.pair.caller.record_of(a), self.pair.runtime.record_of(b)
        if r and s:
            return self.record(r, s)
        e, f = self.pair.caller.enum_of(a), self.pair.runtime.enum_of(b)
        if e and f:
            return self.enum(e, f)
        return ""

    def record(self, a: Record, b: Record) -> str:
        notes = tuple(describe_record(a, b))
        name = b.name if a.name == b.name else f"{a.name} -> {b.name}"
        self.types.setdefault((name, self.newer), TypeChange(name, self.newer, notes))
        if a.size != b.size:
            return f"{name} {a.size} -> {b.size} bytes"
        return f"{name}, members moved or changed"

    def enum(self, a: Enum, b: Enum) -> str:
        ignored = self.pair.overrides.enum(a.name).ignore
        notes = tuple(
            f"{n} {a.values[n]} -> {b.values[n]}"
            for n in a.values
            if n in b.values and a.values[n] != b.values[n] and n not in ignored
        )
        self.types.setdefault((b.name, self.newer), TypeChange(b.name, self.newer, notes))
        return f"{b.name} renumbered"
