# SPDX-License-Identifier: MIT
"""Drop-in libraries: the newest known ABI of a major as the front.

What such a library exports is what the real library of that release does, as
generator/apis/hip/exports has it, at the same version nodes; what converts its calls is the
same plan and the same templates as for libhipshim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipgen import exports
from hipgen.model import Function, HipgenError, ApiSet
from hipgen.overrides import FunctionRule, Overrides

if TYPE_CHECKING:
    from hipgen.project import Project


@dataclass(frozen=True)
class Front:
    """One drop-in: what it looks like from outside, and the rules seen from there."""

    api_set: ApiSet
    overrides: Overrides
    header: str
    symbols: tuple[tuple[str, str], ...]  # of libamdhip64: name and version node
    extra: tuple[Function, ...]  # exported, and declared nowhere

    @property
    def major(self) -> int:
        return self.api_set.release.major

    @property
    def hiprtc_symbols(self) -> list[str]:
        """Of libhiprtc, whose symbols have no version."""
        return sorted(n for n in self.api_set.functions if n.startswith("hiprtc"))

    @property
    def nodes(self) -> list[dict[str, object]]:
        """Version nodes, oldest first; each inherits the one before."""
        found: list[dict[str, object]] = []
        before = ""
        for name in sorted({node for _, node in self.symbols}, key=natural):
            held = [symbol for symbol, node in self.symbols if node == name]
            found.append({"name": name, "before": before, "symbols": held})
            before = name
        return found


def natural(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def make_fronts(
    project: Project,
    api_sets: dict[int, ApiSet],
    overrides: Overrides,
    declared: dict[str, Function],
) -> list[Front]:
    """One for each major that has a baseline of exports; the newest counts."""
    newest: dict[int, ApiSet] = {}
    for api_set in api_sets.values():
        if exports.baseline_path(project, api_set.release).is_file():
            newest[api_set.release.major] = api_set
    return [make_front(project, api_set, overrides, declared) for api_set in newest.values()]


def make_front(
    project: Project, api_set: ApiSet, overrides: Overrides, declared: dict[str, Function]
) -> Front:
    symbols = read_baseline(exports.baseline_path(project, api_set.release))
    header = project.by_patch[api_set.release.patch].bindings_name
    names = {name for name, _ in symbols}
    undeclared = names - api_set.functions.keys()
    for name in sorted(undeclared - declared.keys()):
        raise HipgenError(f"{name}: exported, and declared nowhere: no [export] rule")
    extra = tuple(declared[name] for name in sorted(undeclared))
    kept = tuple(
        d
        for d in api_set.declarations
        if not isinstance(d, Function) or d.name in names or d.name.startswith("hiprtc")
    )
    rules = dict(overrides.functions)
    for function in extra:
        rule = overrides.exports.get(function.name)
        other = rule.other if rule else overrides.function(function.name).exported
        rules[function.name] = FunctionRule(kept=True, passes=True, exported=other)
    return Front(
        replace(api_set, declarations=kept + extra),
        replace(overrides.seen_from(api_set), functions=rules),
        header,
        tuple(symbols),
        extra,
    )


def read_baseline(path: Path) -> list[tuple[str, str]]:
    symbols = []
    for line in path.read_text().splitlines():
        name, _, node = line.partition("@@")
        if not node:
            raise HipgenError(f"{path}: {line}: a symbol without a default version")
        symbols.append((name, node))
    return symbols
