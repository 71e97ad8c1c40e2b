# SPDX-License-Identifier: MIT
"""Finds values that changed between two API sets where no type shows it.

A macro has no type, and a set of flags is often passed as an integer.  The plan, which
compares types, would pass such a value unchanged; every one of them needs a rule.
"""

from __future__ import annotations

from hipgen.abi import flag_value
from hipgen.model import ApiSet, Enum
from hipgen.overrides import EnumRule, Overrides
from hipgen.stable import dependencies


def changed_flags(caller: ApiSet, runtime: ApiSet, overrides: Overrides) -> list[str]:
    """The problems of macros that have another value in the runtime and no rule."""
    return [
        f"{runtime.release.title}: {name} is {runtime.macros[name].body} there and "
        f"{macro.body} in the caller's header: no rule covers it"
        for name, macro in caller.macros.items()
        if name in runtime.macros
        and not overrides.macro(name)
        and flag_value(caller, name) != flag_value(runtime, name)
    ]


def changed_enums(
    caller: ApiSet, runtime: ApiSet, overrides: Overrides, by_type: set[str]
) -> list[str]:
    """The problems of enumerators that have another value and are not converted by type.

    Their enum is no function's type, so they are passed as integers; or it is a set of
    flags, of which a conversion of single values sees no combination.  `by_type` is
    enums_by_type of the caller.
    """
    problems = []
    for name, mine in caller.enums.items():
        theirs, rule = runtime.enums.get(name), overrides.enum(name)
        changed = renumbered(mine, theirs, rule) if theirs else []
        if changed and (is_set(mine, rule) or name not in by_type):
            problems.append(
                f"{runtime.release.title}: {', '.join(changed)}: another value than in the "
                f"caller's header, and {name} is a set of flags or no function's type: "
                "no rule covers it"
            )
    return problems


def renumbered(mine: Enum, theirs: Enum, rule: EnumRule) -> list[str]:
    return [
        name
        for name, value in mine.enumerators
        if theirs.values.get(name, value) != value and name not in rule.ignore
    ]


def is_set(enum: Enum, rule: EnumRule) -> bool:
    """Whether the enumerators are bits; 1 and 2 alone may as well be numbers."""
    if rule.numbers:
        return False
    bits = {v for name, v in enum.enumerators if name not in rule.ignore and v != 0}
    return len(bits) > 2 and all(v > 0 and v & (v - 1) == 0 for v in bits)


def enums_by_type(api_set: ApiSet, overrides: Overrides) -> set[str]:
    """The enums that a function has as a type, also in a record or behind a pointer to void."""
    found = {
        declaration.name
        for function in api_set.functions.values()
        for declaration in dependencies(function, api_set, overrides)
        if isinstance(declaration, Enum)
    }
    cases = [p.cases for rule in overrides.functions.values() for p in rule.params.values()]
    return found | {name for case in cases for name in case.values()}
