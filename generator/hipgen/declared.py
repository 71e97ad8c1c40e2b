# SPDX-License-Identifier: MIT
"""The functions that overrides.toml declares because no parsed header does."""

from __future__ import annotations

import re
from dataclasses import replace

from hipgen.model import Function, ApiSet
from hipgen.overrides import Overrides
from hipgen.parse import Parser
from hipgen.project import Project

MASK = "declared_by_hand_"


def declared_functions(project: Project, overrides: Overrides) -> dict[str, Function]:
    """The functions by name.  Any bindings header declares the types that they use.

    They are parsed under other names, because the header may declare them, too.
    """
    prototypes = [rule.declare for rule in overrides.functions.values() if rule.declare]
    prototypes += [rule.prototype for rule in overrides.exports.values()]
    paths = [project.bindings / e.bindings_name for e in project.entries if e.own_api_set]
    header = next(path for path in paths if path.is_file())
    named, masked = re.compile(r"(\w+)\("), MASK + r"\1("
    text = f'#include "{header}"\n#define HIPSHIM_DEFAULT(value)\n'
    text += "".join(f"{named.sub(masked, one, count=1)};\n" for one in prototypes)
    found = Parser(project.api, text, [f"-I{header.parent}"], "overrides.toml").api_set().functions
    names = {name: name.removeprefix(MASK) for name in found if name.startswith(MASK)}
    return {real: replace(found[name], name=real) for name, real in names.items()}


def with_declared(
    api_sets: dict[int, ApiSet], overrides: Overrides, declared: dict[str, Function]
) -> dict[int, ApiSet]:
    """The API sets, each with the functions that overrides.toml declares for all."""
    added = tuple(f for name, f in declared.items() if overrides.function(name).declare)
    return {
        patch: replace(api_set, declarations=api_set.declarations + added)
        for patch, api_set in api_sets.items()
    }
