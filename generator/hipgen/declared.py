# SPDX-License-Identifier: MIT
"""The functions that overrides.toml declares because no parsed header does."""

from __future__ import annotations

from dataclasses import replace

from hipgen import cdecl
from hipgen.model import ApiSet, Function, Release
from hipgen.overrides import Overrides


def declared_functions(overrides: Overrides) -> dict[str, Function]:
    """The functions by name."""
    prototypes = [rule.declare for rule in overrides.functions.values() if rule.declare]
    prototypes += [rule.prototype for rule in overrides.exports.values()]
    return {found.name: found for found in map(cdecl.function, prototypes)}


def with_declared(
    api_sets: dict[Release, ApiSet], overrides: Overrides, declared: dict[str, Function]
) -> dict[Release, ApiSet]:
    """The API sets, each with the functions that overrides.toml declares for all."""
    added = tuple(f for name, f in declared.items() if overrides.function(name).declare)
    return {
        release: replace(api_set, declarations=api_set.declarations + added)
        for release, api_set in api_sets.items()
    }
