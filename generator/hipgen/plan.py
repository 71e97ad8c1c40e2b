# SPDX-License-Identifier: MIT
"""Decides for each function and release: direct, converted, emulated, missing.

The input is API sets and overrides, the output is a Plan that the templates write
out.  All problems are collected, so that one run names everything that a new
release needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hipgen.abi import Pair, flag_value
from hipgen.changed import changed_enums, changed_flags, enums_by_type
from hipgen.convert import Classes, Converter, EnumClass, RecordClass
from hipgen.model import (
    Function,
    HipgenError,
    Named,
    Param,
    Pointer,
    Release,
    ApiSet,
    Type,
)
from hipgen.overrides import FunctionRule, Overrides, ParamRule, ResultRule
from hipgen.passing import (
    EnumOut,
    EnumValue,
    Flags,
    LoneFlag,
    Passing,
    RecordArray,
    RecordPointer,
    TaggedInput,
    TaggedPointer,
    TaggedPointers,
    Untouched,
)
from hipgen.spell import declare, unconst

DIRECT = 0
MISSING = 0xFFFF


@dataclass(frozen=True)
class Adapter:
    entry: str
    function: Function
    symbol: str = ""
    passing: tuple[Passing, ...] = ()
    result: ResultRule | None = None
    result_converter: str = ""  # converts the runtime's result, an enumerator, for the caller
    by_hand: bool = False
    per_thread: str = ""  # the function that it calls with the stream of the thread
    semantics: str = ""  # "newer" or "older", the meaning that the caller expects
    is_written: bool = False  # in adapters.c of the API, and calls the runtime's function
    is_alias: bool = False  # the runtime's function itself, which has another name there

    @property
    def emulates(self) -> bool:
        return self.by_hand or bool(self.per_thread)

    @property
    def needs_arena(self) -> bool:
        return any(passing.needs_arena for passing in self.passing)

    @property
    def calls(self) -> set[str]:
        """The converters that the adapter calls itself."""
        called = {call for passing in self.passing for call in passing.calls}
        return called | ({self.result_converter} if self.result_converter else set())


@dataclass
class Plan:
    stable: ApiSet
    api_sets: dict[Release, ApiSet]
    functions: list[Function]
    actions: dict[Release, list[int]] = field(default_factory=dict)  # by API set
    adapters: list[Adapter] = field(default_factory=list)
    classes: Classes = field(default_factory=Classes)
    results: dict[str, ResultRule] = field(default_factory=dict)

    @property
    def records(self) -> list[RecordClass]:
        return list(self.classes.records.values())

    @property
    def enums(self) -> list[EnumClass]:
        return list(self.classes.enums.values())

    @property
    def used_converters(self) -> set[str]:
        """The converters that an adapter calls, itself or through a record."""
        calls: dict[str, set[str]] = {}
        for record in self.records:
            calls |= record.calls
        waiting = {call for adapter in self.adapters for call in adapter.calls}
        used: set[str] = set()
        while waiting:
            call = waiting.pop()
            used.add(call)
            waiting |= calls.get(call, set()) - used
        return used

    def result(self, function: Function) -> ResultRule:
        return result_rule(function, self.stable, self.results)

    def kind(self, action: int) -> str:
        """What hs_tables_kind answers: direct, converted, emulated or missing."""
        if action in (DIRECT, MISSING):
            return "missing" if action == MISSING else "direct"
        adapter = self.adapters[action - 1]
        return "direct" if adapter.is_alias else "emulated" if adapter.emulates else "converted"

    def differing(self, others: list[ApiSet]) -> list[Function]:
        """The functions that one of `others` declares as well, but with another ABI."""
        return [
            function
            for n, function in enumerate(self.functions)
            if any(
                function.name in other.functions
                and self.actions[other.release][n] not in (DIRECT, MISSING)
                for other in others
            )
        ]

    def span(self, function: Function, overrides: Overrides) -> tuple[int, int]:
        """The indices of the first and the last API set that declare the function, by any name."""
        rule = overrides.function(function.name)
        held = self.holders(rule.symbols or (function.name,))
        if rule.assume_exported:
            return held[0] if held else 0, len(self.api_sets) - 1
        return (held[0], held[-1]) if held else (0, 0)

    def own_span(self, function: Function, overrides: Overrides) -> tuple[int, int]:
        """The same for those that declare it by this name, which their libraries then export."""
        held = self.holders((function.name,))
        if not held or overrides.function(function.name).assume_exported:
            return self.span(function, overrides)
        return held[0], held[-1]

    def holders(self, names: tuple[str, ...]) -> list[int]:
        return [
            number
            for number, api_set in enumerate(self.api_sets.values())
            if any(name in api_set.functions for name in names)
        ]


def make_plan(stable: ApiSet, api_sets: dict[Release, ApiSet], overrides: Overrides) -> Plan:
    functions = sorted(stable.functions.values(), key=lambda f: f.name)
    plan = Plan(stable, api_sets, functions, results=overrides.results)
    plan.classes.api_sets = list(api_sets.values())
    known: dict[object, int] = {}
    problems: list[str] = []
    by_type = enums_by_type(stable, overrides)
    for release, api_set in api_sets.items():
        problems += changed_flags(stable, api_set, overrides)
        problems += changed_enums(stable, api_set, overrides, by_type)
        planner = Planner(Pair(stable, api_set, overrides), plan.classes)
        actions = []
        for function in functions:
            try:
                adapter = planner.action(function)
            except HipgenError as problem:
                problems.append(f"{api_set.release.title}: {problem}")
                continue
            if isinstance(adapter, Adapter):
                actions.append(number_adapter(plan, known, adapter, api_set))
            else:
                actions.append(adapter)
        plan.actions[release] = actions
    if problems:
        raise HipgenError("\n".join(dict.fromkeys(problems)))
    return plan


def number_adapter(plan: Plan, known: dict[object, int], adapter: Adapter, api_set: ApiSet) -> int:
    """The index of the adapter; releases that need the same code share one."""
    form = (
        adapter.function.name,
        adapter.entry,
        adapter.symbol,
        adapter.passing,
        adapter.result_converter,
        adapter.by_hand,
        adapter.per_thread,
        adapter.semantics,
    )
    if form not in known:
        entry = adapter.entry
        if adapter.per_thread:
            entry = f"emulate_{adapter.function.name}"
        elif not adapter.entry:
            release = api_set.release
            entry = f"adapt_{adapter.function.name}_{release.major}_{release.minor}"
            if any(a.entry == entry for a in plan.adapters):
                entry += f"_{release.patch}"
        plan.adapters.append(replace(adapter, entry=entry))
        known[form] = len(plan.adapters)  # index 0 means direct
    return known[form]


def result_rule(function: Function, api_set: ApiSet, results: dict[str, ResultRule]) -> ResultRule:
    """What the function returns if it cannot be called; [result.enum] is for enums without a rule."""
    spelled = declare(function.result, "")
    default = results.get("enum") if api_set.enum_of(function.result) else None
    rule = results.get(spelled, default)
    if rule is None:
        raise HipgenError(f"{function.name}: no [result] rule for `{spelled}`")
    return rule


class Planner:
    """Plans the calls of one pair of API sets."""

    def __init__(self, pair: Pair, classes: Classes) -> None:
        self.pair = pair
        self.converter = Converter(pair, classes)

    def action(self, function: Function) -> Adapter | int:
        rule = self.pair.overrides.function(function.name)
        if rule.adapter:
            return Adapter(rule.adapter, function, by_hand=True)
        if rule.same_abi_everywhere:
            return DIRECT
        symbol, runtime = self.runtime_function(function, rule)
        if runtime is None:
            if rule.assume_exported:
                return DIRECT  # a library that does not export it has none
            if rule.emulate:
                return Adapter(rule.emulate, function, by_hand=True)
            return self.per_thread(function)
        try:
            passing = self.passing(function, runtime, rule)
            converter = self.result_converter(function, runtime)
        except HipgenError:
            if rule.bridge:
                return Adapter(rule.bridge, function, symbol, is_written=True)
            if rule.unrelated:
                return MISSING
            raise
        semantics = self.semantics(rule)
        if not semantics and not converter and all(isinstance(p, Untouched) for p in passing):
            same = symbol == function.name
            return DIRECT if same else Adapter("0", function, symbol, is_alias=True)
        result = self.result(function)
        return Adapter("", function, symbol, passing, result, converter, semantics=semantics)

    def per_thread(self, function: Function) -> Adapter | int:
        """The same by the function of the default stream, if the runtime has only that."""
        twin = self.pair.overrides.per_thread
        name = function.name.removesuffix(twin.suffix)
        known = (self.pair.caller.functions, self.pair.runtime.functions)
        if name == function.name or not all(name in functions for functions in known):
            return MISSING
        if not any(declare(p.type, "") == twin.stream_type for p in function.params):
            return MISSING
        return Adapter("", function, per_thread=name)

    def semantics(self, rule: FunctionRule) -> str:
        """Which meaning the caller expects, if the runtime has the other one; else empty."""
        if not rule.semantics_changed_in:
            return ""
        pair = (self.pair.caller.release, self.pair.runtime.release)
        sides: list[tuple[int, ...]] = [(release.major, release.minor) for release in pair]
        if rule.semantics_changed_in == "major":
            return "dropin" if rule.release and sides[0][0] != sides[1][0] else ""
        if rule.semantics_changed_in == "every":
            return "newer" if sides[0] > sides[1] else ""
        major, minor = map(int, rule.semantics_changed_in.split("."))
        if rule.release:
            sides[0] = rule.release
        caller, runtime = (side >= (major, minor) for side in sides)
        found = "" if caller == runtime else "newer" if caller else "older"
        return "" if found == rule.unhandled_direction else found

    def runtime_function(
        self, function: Function, rule: FunctionRule
    ) -> tuple[str, Function | None]:
        """Of its names that the runtime has, the first with the same types, else with as many parameters."""
        there = self.pair.runtime.functions
        names = rule.symbols or (function.name,)
        found = [(name, there[name]) for name in names if name in there]
        if len(found) < 2:
            return found[0] if found else ("", None)
        return max(found, key=lambda one: self.likeness(function, one[1]))

    def likeness(self, function: Function, runtime: Function) -> int:
        if len(function.params) != len(runtime.params):
            return 0
        both = zip(function.params, runtime.params)
        return 2 if all(self.pair.same(mine.type, theirs.type) for mine, theirs in both) else 1

    def result(self, function: Function) -> ResultRule:
        return result_rule(function, self.pair.caller, self.pair.overrides.results)

    def result_converter(self, function: Function, runtime: Function) -> str:
        """The function that converts the result; empty if it needs none."""
        if self.pair.same(function.result, runtime.result):
            return ""
        e = self.pair.caller.enum_of(function.result)
        f = self.pair.runtime.enum_of(runtime.result)
        if e is None or f is None:
            raise HipgenError(f"{function.name}: the result type changed and no rule covers it")
        return self.converter.enum(e, f, False).function

    def passing(
        self, function: Function, runtime: Function, rule: FunctionRule
    ) -> tuple[Passing, ...]:
        if len(function.params) != len(runtime.params):
            raise HipgenError(
                f"{function.name}: {len(runtime.params)} parameters, "
                f"{len(function.params)} in the stable header"
            )
        return tuple(
            self.pass_one(function, mine, theirs, rule.params.get(mine.name, ParamRule()))
            for mine, theirs in zip(function.params, runtime.params)
        )

    def pass_one(self, function: Function, mine: Param, theirs: Param, rule: ParamRule) -> Passing:
        caller_type = declare(mine.type, "")
        flags = self.flags(function, mine)
        if flags is not None:
            return flags
        if rule.tagged_by:
            tagged = self.tagged(mine, rule)
            if tagged is not None:
                return tagged
        if self.pair.same(mine.type, theirs.type):
            return Untouched(mine.name, caller_type)
        e, f = self.pair.caller.enum_of(mine.type), self.pair.runtime.enum_of(theirs.type)
        if e and f:
            return EnumValue(mine.name, "int", self.converter.enum(e, f, True).function)
        x, y = self.pair.caller.resolve(mine.type), self.pair.runtime.resolve(theirs.type)
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            found = self.pointer(mine, x.target, y.target, rule)
            if found is not None:
                return found
        raise HipgenError(
            f"{function.name}: {mine.name}: {declare(theirs.type, '')} there, "
            f"{caller_type} in the stable header: no rule covers it"
        )

    def flags(self, function: Function, mine: Param) -> Passing | None:
        """The conversion of the flags that have another value in the runtime, if there are any."""
        found = []
        for name, rule in self.pair.overrides.macros.items():
            if f"{function.name}.{mine.name}" in rule.params:
                here, there = (flag_value(s, name) for s in (self.pair.caller, self.pair.runtime))
                if here is None or there is None or here == there:
                    continue
                if rule.alone:
                    return LoneFlag(mine.name, declare(mine.type, ""), name, f"{there:#x}u")
                if 0 in (here, there):
                    raise HipgenError(
                        f"{function.name}: {mine.name}: {name} is {here} for the caller and {there} "
                        "there, and 0 does not tell whether a flag is set: it needs `alone`"
                    )
                found.append((name, f"{there:#x}u"))
        return Flags(mine.name, declare(mine.type, ""), tuple(found)) if found else None

    def pointer(self, mine: Param, a: Type, b: Type, rule: ParamRule) -> Passing | None:
        e, f = self.pair.caller.enum_of(a), self.pair.runtime.enum_of(b)
        if e and f:
            direction = rule.direction or self.pair.overrides.enum(e.name).direction
            if direction != "out":
                return None
            converter = self.converter.enum(e, f, False).function
            return EnumOut(mine.name, "int *", declare(unconst(a), ""), converter)
        r, s = self.pair.caller.record_of(a), self.pair.runtime.record_of(b)
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
        runtime_type = f"{'const ' if const else ''}{made.kind} {made.name} *"
        class_name = f"{made.kind} {made.name}"
        into = made.into if "in" in direction else ""
        out = made.out if "out" in direction else ""
        if rule.count:
            return RecordArray(mine.name, runtime_type, class_name, into, out, rule.count)
        return RecordPointer(
            mine.name,
            runtime_type,
            declare(unconst(a), ""),
            class_name,
            into,
            out,
            made.out_may_fail,
            made.needs_arena and "in" in direction,
        )

    def tagged(self, mine: Param, rule: ParamRule) -> Passing | None:
        cases = []
        is_input = rule.direction == "in" and not rule.count
        for tag, type_name in rule.cases.items():
            e = self.pair.caller.enums.get(type_name)
            alias = self.pair.overrides.enum(type_name).alias
            known = self.pair.runtime.enums
            # Without an alias it is "", which is also the name of an anonymous enum.
            f = known.get(alias if alias in known and alias else type_name)
            if e is None:
                raise HipgenError(f"{mine.name}: no enum {type_name} in the stable header")
            if f is not None and not self.pair.same_enum(e, f):
                cases.append((tag, self.converter.enum(e, f, is_input).function))
        if not cases:
            return None
        type_ = declare(mine.type, "")
        if rule.count:
            return TaggedPointers(mine.name, type_, rule.tagged_by, tuple(cases), rule.count)
        kind = TaggedInput if is_input else TaggedPointer
        return kind(mine.name, type_, rule.tagged_by, tuple(cases))
