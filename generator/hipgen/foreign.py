# SPDX-License-Identifier: MIT
"""Types of other APIs in the declarations of an API, by `uses` of api.toml."""

from __future__ import annotations

from dataclasses import replace

from hipgen.abi import SCALARS
from hipgen.reach import needs, reached
from hipgen.model import ApiSet, Declaration, Enum, Function, Macro, key_of


def unknown_names(declarations: tuple[Declaration, ...]) -> set[str]:
    """The names that these declarations need and do not declare."""
    own = {name for d in declarations for name in (d.name, getattr(d, "spelling", d.name))}
    found = {name for d in declarations if not isinstance(d, Macro) for name in needs(d)}
    return found - own - SCALARS.keys()


def with_foreign(api_set: ApiSet, used: list[ApiSet]) -> ApiSet:
    """The API set with the types of the others that its own declarations need."""
    wanted = unknown_names(api_set.declarations)
    found: dict[tuple[str, str], Declaration] = {}
    for other in used:
        types = [d for d in reached(other, wanted) if not isinstance(d, (Function, Macro))]
        values = {name for d in types if isinstance(d, Enum) for name in d.values}
        renamed = [m for m in other.macros.values() if m.body in values]
        found |= {key_of(d): d for d in (*types, *renamed) if key_of(d) not in api_set.by_key}
    return replace(api_set, foreign=tuple(found.values()))
