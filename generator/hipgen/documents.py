# SPDX-License-Identifier: MIT
"""Renders the stable header and the documents in bindings/."""

from __future__ import annotations

import json

from hipgen import spell
from hipgen.api import Api
from hipgen.history import make_history
from hipgen.model import ApiSet, Enum, Function, Record, Release
from hipgen.overrides import Overrides
from hipgen.plan import Plan
from hipgen.render import declaration_values, render


def names_of(stable: ApiSet, api: Api) -> list[str]:
    """All names of the API that the stable header declares, in strcmp order."""
    names = {declaration.name for declaration in stable.declarations}
    for declaration in stable.declarations:
        if isinstance(declaration, Enum):
            names.update(name for name, _ in declaration.enumerators)
    return sorted(name for name in names if name.startswith(api.name_prefix))


def render_stable(api: Api, stable: ApiSet, oldest: ApiSet, overrides: Overrides) -> str:
    declarations = []
    for declaration in stable.declarations:
        values = declaration_values(declaration)
        if isinstance(declaration, Function):
            values["text"] += f" HIPSHIM_SYMBOL({declaration.name})"
        if isinstance(declaration, Record):
            default = overrides.record(declaration.name).constructor
            values["constructor"] = default and constructor(declaration, default)
        declarations.append(values)
    names = stable.functions
    used = (api.used.installed_as,) if api.used and stable.foreign else ()
    return render(
        "stable.h",
        api=api,
        includes=[*used, *api.includes],
        guard="HIPSHIM_STABLE_H" if api.published else f"HIPSHIM_{api.name.upper()}_H",
        library="libhipshim" if api.published else f"libhipshim-{api.name}",
        release=stable.release,
        oldest=oldest.release,
        declarations=declarations,
        per_thread=sorted(n for n in names if n + api.per_thread_suffix in names),
    )


def constructor(record: Record, default: str) -> str:
    params = ", ".join(f"{spell.declare(f.type, f.name + '_')} = {default}" for f in record.fields)
    inits = ", ".join(f"{f.name}({f.name}_)" for f in record.fields)
    return f"constexpr {record.name}({params}) : {inits} {{}}"


def render_overview(plan: Plan, overrides: Overrides) -> str:
    marks = {"direct": "=", "missing": ".", "emulated": "e", "converted": "c"}
    declared = {name for s in plan.api_sets.values() for name in s.functions}
    return render(
        "functions.md",
        releases=[str(release) for release in plan.api_sets],
        rows=[
            (f.name, [marks[plan.kind(actions[n])] for actions in plan.actions.values()])
            for n, f in enumerate(plan.functions)
        ],
        absent=[
            (name, overrides.function(name).absent)
            for name in sorted(declared - plan.stable.functions.keys())
        ],
    )


def served_on(function: Function, plan: Plan, overrides: Overrides) -> str:
    """On which releases the function is there, and where it is not the library's own."""
    first, last = plan.span(function, overrides)
    order = list(plan.api_sets)
    number = plan.functions.index(function)
    kinds = [plan.kind(plan.actions[release][number]) for release in order]
    parts = [f"Since {order[first].api} {short(order[first])}"]
    if last < len(order) - 1:
        parts.append(f"removed after {short(order[last])}")
    for kind in ("converted", "emulated", "missing"):
        spans = spans_of([n for n, k in enumerate(kinds) if k == kind], order)
        if spans:
            parts.append(f"{kind} on {spans}")
    return "; ".join(parts) + "."


def short(release: Release) -> str:
    return f"{release.major}.{release.minor}"


def spans_of(numbers: list[int], order: list[Release]) -> str:
    """`5.0 to 5.7, 6.4` for the releases with these positions."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    names = [(short(order[first]), short(order[last])) for first, last in spans]
    return ", ".join(a if a == b else f"{a} to {b}" for a, b in names)


def render_history(plan: Plan, overrides: Overrides) -> dict[str, str]:
    changes, types = make_history(plan.functions, plan.api_sets, overrides)
    order = list(plan.api_sets)
    releases = []
    for older, newer in zip(order, order[1:]):
        before, after = plan.api_sets[older], plan.api_sets[newer]
        releases.append(
            {
                "before": before.release,
                "after": after.release,
                "added": len(after.functions.keys() - before.functions.keys()),
                "removed": len(before.functions.keys() - after.functions.keys()),
                "types": [t for t in types if t.api_set == newer],
                "functions": [c for c in changes if c.api_set == newer],
            }
        )
    entries = [
        {"function": c.function, "api_set": order.index(c.api_set), "text": json.dumps(c.text)}
        for c in changes
    ]
    return {
        "history.c": render("history.c", changes=entries),
        "abi-history.md": render("abi-history.md", api=plan.stable.release.api, releases=releases),
    }
