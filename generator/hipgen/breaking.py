# SPDX-License-Identifier: MIT
"""What breaks programs that were compiled for one API set and run on another one."""

from __future__ import annotations

from hipgen.abi import Pair, flag_value
from hipgen.changed import renumbered
from hipgen.history import Describer, function_on
from hipgen.model import ApiSet
from hipgen.overrides import Overrides


def broken(before: ApiSet, after: ApiSet, overrides: Overrides) -> dict[str, str]:
    """The names of `before` that mean something else on `after`, with the change in words.

    A function is broken if it is gone or if its calls need a conversion, as in `hipshim abi
    diff`; a macro or enumerator if it has another value, which no type of a function shows.
    """
    describer = Describer(Pair(before, after, overrides), after.release)
    found = {}
    for function in before.functions.values():
        now = function_on(after, function.name, overrides)
        found[function.name] = describer.function(function, now) if now else "removed"
    for name in before.macros.keys() & after.macros.keys():
        if flag_value(before, name) != flag_value(after, name):
            found[name] = f"{before.macros[name].body} -> {after.macros[name].body}"
    for name in before.enums.keys() & after.enums.keys():
        mine, theirs = before.enums[name], after.enums[name]
        for one in renumbered(mine, theirs, overrides.enum(name)):
            found[one] = f"{mine.values[one]} -> {theirs.values[one]}"
    return {name: text for name, text in sorted(found.items()) if text}
