# SPDX-License-Identifier: MIT
"""Reads overrides.toml: facts that no header states, each with its reason.

The head of overrides.toml explains the keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hipgen.model import HipgenError, ApiSet

DIRECTIONS = ("in", "out", "inout")


class Patterns(tuple[str, ...]):
    """Regular expressions; `name in patterns` tells whether one of them matches the whole name."""

    def __contains__(self, name: object) -> bool:
        return bool(one_pattern(self).fullmatch(str(name)))


@lru_cache
def one_pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that matches what one of them matches; none of them is asked thousands of times."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")


@dataclass(frozen=True)
class ParamRule:
    """How a function uses a parameter."""

    direction: str = ""
    count: str = ""
    length: str = ""  # the same for Python, where nothing is converted
    tagged_by: str = ""
    cases: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FunctionRule:
    symbols: tuple[str, ...] = ()
    emulate: str = ""
    adapter: str = ""
    bridge: str = ""
    no_runtime: str = ""
    ended: str = ""
    declare: str = ""
    exported: tuple[str, ...] = ()
    absent: str = ""
    assume_exported: bool = False
    same_abi_everywhere: bool = False
    semantics_changed_in: str = ""
    unhandled_direction: str = ""
    unrelated: bool = False
    node: str = ""
    release: tuple[int, ...] = ()  # whose meaning callers expect; empty: that of their ABI
    params: dict[str, ParamRule] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordRule:
    alias: str = ""
    handle: bool = False
    direction: str = ""
    rename: dict[str, str] = field(default_factory=dict)
    ignore: Patterns = Patterns()
    union: str = ""
    arrays: dict[str, str] = field(default_factory=dict)
    saturates: bool = False
    lacking: int = 0
    constructor: str = ""
    member_aliases: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EnumRule:
    alias: str = ""
    direction: str = ""
    ignore: Patterns = Patterns()
    enumerator_maps_to: dict[str, str] = field(default_factory=dict)
    falls_back_to: dict[str, str] = field(default_factory=dict)
    numbers: bool = False

    def meaning(self, name: str) -> str:
        """The enumerator that this one maps to; empty if no rule has it."""
        for pattern, other in self.enumerator_maps_to.items():
            found = re.fullmatch(pattern, name)
            if found:
                return found.expand(other)
        return ""


@dataclass(frozen=True)
class MacroRule:
    """A flag whose value changed."""

    params: tuple[str, ...] = ()
    alone: bool = False
    ignore: bool = False


@dataclass(frozen=True)
class PerThreadRule:
    """Functions whose default stream is one of the calling thread."""

    suffix: str = ""
    stream_type: str = ""
    stream: str = ""


@dataclass(frozen=True)
class RegisteredRule:
    """Parameters that name a kernel or variable of the program by its address on the host."""

    addresses: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    unless: str = ""
    failures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TranslatedRule:
    """Names of another API and of its headers, with this API's; empty where it has none."""

    words: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


# Tables that have no names below them.
SINGLE: dict[str, type] = {
    "per_thread": PerThreadRule,
    "registered": RegisteredRule,
    "translated": TranslatedRule,
}


@dataclass(frozen=True)
class ExportRule:
    """A symbol that libraries export and no header declares."""

    prototype: str
    other: tuple[str, ...] = ()
    node: str = ""
    soname: int = -1  # whose drop-in has it, whatever the exports of its releases


@dataclass(frozen=True)
class ResultRule:
    """The C expressions that a function of this result type returns."""

    refuse: str
    memory: str
    absent: str
    no_runtime: str
    ended: str
    success: str = "hs_result == 0"  # whether the call has written its outputs


@dataclass(frozen=True)
class Overrides:
    functions: dict[str, FunctionRule] = field(default_factory=dict)
    records: dict[str, RecordRule] = field(default_factory=dict)
    enums: dict[str, EnumRule] = field(default_factory=dict)
    results: dict[str, ResultRule] = field(default_factory=dict)
    macros: dict[str, MacroRule] = field(default_factory=dict)
    exports: dict[str, ExportRule] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    error_enums: tuple[str, ...] = ()
    union_members: tuple[str, ...] = ()
    per_thread: PerThreadRule = PerThreadRule()
    registered: RegisteredRule = RegisteredRule()
    translated: TranslatedRule = TranslatedRule()

    def function(self, name: str) -> FunctionRule:
        """The rule of the name, or of the first pattern that it matches."""
        if name not in self.known:
            self.known[name] = self.functions.get(name) or self.matching(name)
        return self.known[name]

    @cached_property
    def known(self) -> dict[str, FunctionRule]:
        """What `function` has returned."""
        return {}

    def matching(self, name: str) -> FunctionRule:
        for pattern, rule in self.patterns:
            found = pattern.fullmatch(name)
            if found:
                symbols = tuple(found.expand(s) for s in rule.symbols)
                return replace(rule, symbols=symbols, bridge=found.expand(rule.bridge))
        return FunctionRule()

    @cached_property
    def patterns(self) -> list[tuple[re.Pattern[str], FunctionRule]]:
        """The rules whose names are regular expressions; their symbols may have \\1, and so may a bridge."""
        names = [name for name in self.functions if not name.isidentifier()]
        return [(re.compile(name), self.functions[name]) for name in names]

    def record(self, name: str) -> RecordRule:
        if ("record", name) not in self.joined:
            self.joined["record", name] = joined(self.records, name, RecordRule())
        found: RecordRule = self.joined["record", name]
        return found

    def enum(self, name: str) -> EnumRule:
        if ("enum", name) not in self.joined:
            self.joined["enum", name] = joined(self.enums, name, EnumRule())
        found: EnumRule = self.joined["enum", name]
        return found

    def macro(self, name: str) -> MacroRule | None:
        """The rule of the macro, or of the first pattern that it matches."""
        return next((rule for key, rule in self.macros.items() if re.fullmatch(key, name)), None)

    @cached_property
    def joined(self) -> dict[tuple[str, str], Any]:
        """What `record` and `enum` have returned."""
        return {}

    def seen_from(self, caller: ApiSet) -> "Overrides":
        """The same rules for a caller that has a record or an enum under its older name."""
        records, enums = dict(self.records), dict(self.enums)
        for name, rule in self.records.items():
            if rule.alias in caller.records and rule.alias not in records:
                records[rule.alias] = replace(rule, alias=name)
        for name, enum in self.enums.items():
            if enum.alias in caller.enums and enum.alias not in enums:
                enums[enum.alias] = replace(enum, alias=name)
        return replace(self, records=records, enums=enums)

    def with_types_of(self, other: "Overrides") -> "Overrides":
        """With the rules about the types of another API."""
        return replace(
            self,
            records=other.records | self.records,
            enums=other.enums | self.enums,
            results=other.results | self.results,
            by_hand=self.by_hand + other.by_hand,
            union_members=self.union_members + other.union_members,
        )

    def is_by_hand(self, name: str) -> bool:
        return any(re.fullmatch(pattern, name) for pattern in self.by_hand)


def joined(rules: dict[str, Any], name: str, none: Any) -> Any:
    """The rule of the name, with what it leaves open from the first pattern that matches."""
    own = rules.get(name)
    patterns = (key for key in rules if not key.isidentifier() and " " not in key)
    general = next((rules[key] for key in patterns if re.fullmatch(key, name)), none)
    if own is None:
        return general
    open_keys = {key: value for key, value in vars(general).items() if not getattr(own, key)}
    return replace(own, **open_keys, **ignoring(own, general))


def ignoring(own: Any, general: Any) -> dict[str, Patterns]:
    """The names that both rules ignore; empty if only one of them does."""
    both = own.ignore and general.ignore
    return {"ignore": Patterns(own.ignore + general.ignore)} if both else {}


def load_overrides(path: Path) -> Overrides:
    try:
        data = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise HipgenError(f"{path}: {problem}") from None
    tables: dict[str, type] = {
        "function": FunctionRule,
        "record": RecordRule,
        "enum": EnumRule,
        "result": ResultRule,
        "macro": MacroRule,
        "export": ExportRule,
    }
    loaded: dict[str, dict[str, Any]] = {key: {} for key in tables}
    stable = data.pop("stable", {})
    for key in stable.keys() - {"by_hand", "error_enums", "union_members", "reason"}:
        raise HipgenError(f"{path}: stable: unknown key `{key}`")
    alone = {
        name: build(rule, data.pop(name), f"{path}: {name}") if name in data else rule()
        for name, rule in SINGLE.items()
    }
    for table, names in data.items():
        if table not in tables:
            raise HipgenError(f"{path}: unknown table `{table}`")
        for name, values in names.items():
            where = f"{path}: {table}.{name}"
            loaded[table][name] = build(tables[table], values, where)
    return Overrides(
        loaded["function"],
        loaded["record"],
        loaded["enum"],
        loaded["result"],
        loaded["macro"],
        loaded["export"],
        tuple(stable.get("by_hand", ())),
        tuple(stable.get("error_enums", ())),
        tuple(stable.get("union_members", ())),
        **alone,
    )


def build(rule: type, values: dict[str, Any], where: str) -> Any:
    """A rule from its table; an unknown key or a missing reason is an error."""
    values = dict(values)
    if not values.pop("reason", ""):
        raise HipgenError(f"{where}: `reason` is missing")
    return checked(rule, values, where)


def checked(rule: type, values: dict[str, Any], where: str) -> Any:
    known = rule.__dataclass_fields__  # type: ignore[attr-defined]
    for key in values.keys() - known.keys():
        raise HipgenError(f"{where}: unknown key `{key}`")
    if values.get("direction", "in") not in DIRECTIONS:
        raise HipgenError(f"{where}: direction must be one of {', '.join(DIRECTIONS)}")
    if rule is FunctionRule and "params" in values:
        values["params"] = {
            name: checked(ParamRule, dict(rules), f"{where}: {name}")
            for name, rules in values["params"].items()
        }
    try:
        if "ignore" in values and rule is not MacroRule:
            values["ignore"] = Patterns(values["ignore"])
        return rule(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
    except TypeError as problem:
        raise HipgenError(f"{where}: {problem}") from None


def check_names(overrides: Overrides, api_sets: list[ApiSet], path: Path) -> None:
    """Fails if a rule has a name that no release declares."""
    tables: dict[str, Iterable[str]] = {
        "functions": overrides.functions,
        "records": overrides.records,
        "enums": overrides.enums,
        "macros": overrides.macros,
    }
    for table, names in tables.items():
        for name in names:
            known = (key for api_set in api_sets for key in getattr(api_set, table))
            pattern = re.compile(name)
            if not any(pattern.fullmatch(key) for key in known):
                raise HipgenError(f"{path}: {name}: no release declares it")
