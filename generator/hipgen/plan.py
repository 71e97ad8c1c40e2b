# SPDX-License-Identifier: MIT
"""Decides for each function and release: direct, converted, emulated, missing.

Pure: from models and overrides to a Plan that the templates write out.  All
problems are collected, so that one run names everything a new release needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hipgen.abi import Pair, flag_value
from hipgen.convert import Classes, Converter, EnumClass, RecordClass
from hipgen.model import (
    Function,
    HipgenError,
    Named,
    Param,
    Pointer,
    ApiSet,
    Type,
)
from hipgen.overrides import FunctionRule, Overrides, ParamRule, ResultRule
from hipgen.spell import declare, unconst

DIRECT = 0
MISSING = 0xFFFF


@dataclass(frozen=True)
class Passing:
    """How an adapter hands one parameter on; `sort` selects the template form."""

    sort: str  # same, flags, enum, enum_pointer, record, tagged
    name: str
    back_type: str  # as declared in the call of the runtime's function
    class_name: str = ""
    into: str = ""
    out: str = ""
    arena: bool = False
    may_fail: bool = True  # the conversion out; if not, it writes in place
    count: str = ""
    tag: str = ""
    cases: tuple[tuple[str, str], ...] = ()
    front_type: str = ""


@dataclass(frozen=True)
class Adapter:
    entry: str
    function: Function
    symbol: str = ""
    passing: tuple[Passing, ...] = ()
    result: ResultRule | None = None
    by_hand: bool = False
    behave: str = ""  # "newer" or "older": what the caller expects, see src/dispatch/semantics.h

    @property
    def arena(self) -> bool:
        return any(p.arena or p.count and p.sort == "record" for p in self.passing)


@dataclass
class Plan:
    stable: ApiSet
    api_sets: dict[int, ApiSet]
    functions: list[Function]
    actions: dict[int, list[int]] = field(default_factory=dict)  # by api_set patch
    adapters: list[Adapter] = field(default_factory=list)
    classes: Classes = field(default_factory=Classes)
    results: dict[str, ResultRule] = field(default_factory=dict)

    @property
    def records(self) -> list[RecordClass]:
        return list(self.classes.records.values())

    @property
    def enums(self) -> list[EnumClass]:
        return list(self.classes.enums.values())

    def span(self, function: Function, overrides: Overrides) -> tuple[int, int]:
        """Indices of the first and last API set that declare the function."""
        names = overrides.function(function.name).symbols or (function.name,)
        held = [
            number
            for number, api_set in enumerate(self.api_sets.values())
            if any(name in api_set.functions for name in names)
        ]
        if overrides.function(function.name).kept:
            return held[0] if held else 0, len(self.api_sets) - 1
        return (held[0], held[-1]) if held else (0, 0)


def make_plan(stable: ApiSet, api_sets: dict[int, ApiSet], overrides: Overrides) -> Plan:
    functions = sorted(stable.functions.values(), key=lambda f: f.name)
    plan = Plan(stable, api_sets, functions, results=overrides.results)
    plan.classes.api_sets = list(api_sets.values())
    known: dict[object, int] = {}
    problems: list[str] = []
    for patch, api_set in api_sets.items():
        problems += changed_flags(stable, api_set, overrides)
        planner = Planner(Pair(stable, api_set, overrides), plan.classes)
        actions = []
        for function in functions:
            try:
                adapter = planner.action(function)
            except HipgenError as problem:
                problems.append(f"HIP {api_set.release}: {problem}")
                continue
            if isinstance(adapter, Adapter):
                actions.append(number_adapter(plan, known, adapter, api_set))
            else:
                actions.append(adapter)
        plan.actions[patch] = actions
    if problems:
        raise HipgenError("\n".join(dict.fromkeys(problems)))
    return plan


def changed_flags(stable: ApiSet, api_set: ApiSet, overrides: Overrides) -> list[str]:
    """Macros that have another value in a release and that no rule names."""
    return [
        f"HIP {api_set.release}: {name} is {api_set.macros[name].body} there and "
        f"{macro.body} in the stable header: no rule covers it"
        for name, macro in stable.macros.items()
        if name in api_set.macros
        and name not in overrides.macros
        and flag_value(stable, name) != flag_value(api_set, name)
    ]


def number_adapter(plan: Plan, known: dict[object, int], adapter: Adapter, api_set: ApiSet) -> int:
    """The index of an adapter, shared by releases that need the same code."""
    form = (adapter.function.name, adapter.symbol, adapter.passing, adapter.by_hand, adapter.behave)
    if form not in known:
        entry = adapter.entry
        if not adapter.by_hand:
            release = api_set.release
            entry = f"adapt_{adapter.function.name}_{release.major}_{release.minor}"
            if any(a.entry == entry for a in plan.adapters):
                entry += f"_{release.patch}"
        plan.adapters.append(replace(adapter, entry=entry))
        known[form] = len(plan.adapters)  # index 0 means direct
    return known[form]


class Planner:
    """One pair of API sets."""

    def __init__(self, pair: Pair, classes: Classes) -> None:
        self.pair = pair
        self.converter = Converter(pair, classes)

    def action(self, function: Function) -> Adapter | int:
        rule = self.pair.overrides.function(function.name)
        if rule.adapter:
            return Adapter(rule.adapter, function, by_hand=True)
        if rule.passes:
            return DIRECT
        symbol, back = self.back_function(function, rule)
        if back is None:
            if rule.kept:
                return DIRECT  # where a library does not export it, it is missing
            if rule.emulate:
                return Adapter(rule.emulate, function, by_hand=True)
            return MISSING
        try:
            passing = self.passing(function, back, rule)
        except HipgenError:
            if rule.unrelated:
                return MISSING
            raise
        behave = self.behave(rule)
        if symbol == function.name and not behave and all(p.sort == "same" for p in passing):
            return DIRECT
        return Adapter("", function, symbol, passing, self.result(function), behave=behave)

    def behave(self, rule: FunctionRule) -> str:
        """Which of the two expects what it expected on the other side of a change."""
        if not rule.behaves:
            return ""
        major, minor = map(int, rule.behaves.split("."))
        front, back = (
            (s.release.major, s.release.minor) >= (major, minor)
            for s in (self.pair.front, self.pair.back)
        )
        found = "" if front == back else "newer" if front else "older"
        return "" if found in rule.leaves else found

    def back_function(self, function: Function, rule: FunctionRule) -> tuple[str, Function | None]:
        for symbol in rule.symbols or (function.name,):
            found = self.pair.back.functions.get(symbol)
            if found is not None:
                return symbol, found
        return "", None

    def result(self, function: Function) -> ResultRule:
        spelled = declare(function.result, "")
        rule = self.pair.overrides.results.get(spelled)
        if rule is None:
            raise HipgenError(f"{function.name}: no [result] rule for `{spelled}'")
        return rule

    def passing(
        self, function: Function, back: Function, rule: FunctionRule
    ) -> tuple[Passing, ...]:
        if len(function.params) != len(back.params):
            raise HipgenError(
                f"{function.name}: {len(back.params)} parameters, "
                f"{len(function.params)} in the stable header"
            )
        if not self.pair.same(function.result, back.result):
            raise HipgenError(f"{function.name}: the result type changed and no rule covers it")
        return tuple(
            self.pass_one(function, mine, theirs, rule.params.get(mine.name, ParamRule()))
            for mine, theirs in zip(function.params, back.params)
        )

    def pass_one(self, function: Function, mine: Param, theirs: Param, rule: ParamRule) -> Passing:
        front_type = declare(mine.type, "")
        flags = self.flags(function, mine)
        if flags:
            return Passing("flags", mine.name, front_type, cases=flags, front_type=front_type)
        if rule.tagged_by:
            tagged = self.tagged(mine, rule)
            if tagged is not None:
                return tagged
        if self.pair.same(mine.type, theirs.type):
            return Passing("same", mine.name, front_type)
        e, f = self.pair.front.enum_of(mine.type), self.pair.back.enum_of(theirs.type)
        if e and f:
            call = self.converter.enum(e, f, True).function
            return Passing("enum", mine.name, "int", into=call)
        x, y = self.pair.front.resolve(mine.type), self.pair.back.resolve(theirs.type)
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            found = self.pointer(mine, x.target, y.target, rule)
            if found is not None:
                return found
        raise HipgenError(
            f"{function.name}: {mine.name}: {declare(theirs.type, '')} there, "
            f"{front_type} in the stable header: no rule covers it"
        )

    def flags(self, function: Function, mine: Param) -> tuple[tuple[str, str], ...]:
        """Flags this parameter carries whose value is another there: (name, value)."""
        found = []
        for name, rule in self.pair.overrides.macros.items():
            if f"{function.name}.{mine.name}" in rule.params:
                here, there = (flag_value(s, name) for s in (self.pair.front, self.pair.back))
                if here is not None and there is not None and here != there:
                    found.append((name, f"{there:#x}u"))
        return tuple(found)

    def pointer(self, mine: Param, a: Type, b: Type, rule: ParamRule) -> Passing | None:
        e, f = self.pair.front.enum_of(a), self.pair.back.enum_of(b)
        if e and f:
            direction = rule.direction or self.pair.overrides.enum(e.name).direction
            if direction != "out":
                return None
            call = self.converter.enum(e, f, False).function
            front = declare(unconst(a), "")
            return Passing("enum_pointer", mine.name, "int *", out=call, front_type=front)
        r, s = self.pair.front.record_of(a), self.pair.back.record_of(b)
        if not r or not s:
            return None
        const = isinstance(a, Named) and a.const
        default = "in" if const else self.pair.overrides.record(r.name).direction
        direction = rule.direction or default
        if not direction:
            return None
        made = self.converter.record(r, s)
        if made.out_refused and direction != "in":
            raise HipgenError(f"{r.name}.{made.out_refused}: a list that cannot be handed back")
        return Passing(
            "record",
            mine.name,
            f"{'const ' if const else ''}{made.kind} {made.name} *",
            f"{made.kind} {made.name}",
            made.into if "in" in direction else "",
            made.out if "out" in direction else "",
            made.needs_arena and "in" in direction,
            made.out_may_fail,
            rule.count,
            front_type=declare(unconst(a), ""),
        )

    def tagged(self, mine: Param, rule: ParamRule) -> Passing | None:
        cases = []
        for tag, type_name in rule.cases.items():
            e = self.pair.front.enums.get(type_name)
            f = self.pair.back.enums.get(type_name)
            if e is None:
                raise HipgenError(f"{mine.name}: no enum {type_name} in the stable header")
            if f is not None and not self.pair.same_enum(e, f):
                cases.append((tag, self.converter.enum(e, f, False).function))
        if not cases:
            return None
        return Passing(
            "tagged",
            mine.name,
            declare(mine.type, ""),
            count=rule.count,
            tag=rule.tagged_by,
            cases=tuple(cases),
        )
