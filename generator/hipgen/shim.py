# SPDX-License-Identifier: MIT
"""Writes everything in bindings/ that is made from all releases together."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from hipgen import spell
from hipgen.dropin import Front
from hipgen.history import make_history
from hipgen.model import ApiSet, Enum, Function, Record
from hipgen.overrides import Overrides
from hipgen.plan import DIRECT, MISSING, Adapter, Plan, make_plan
from hipgen.releases import Entry
from hipgen.render import declaration_values, render

ENGINE = (
    "adapters.c",
    "adapters.h",
    "convert.c",
    "convert.h",
    "front.h",
    "functions.h",
    "names.c",
    "stubs.c",
    "tables.c",
)
SOURCES = tuple(sorted((*ENGINE, "history.c")))


def render_shim(
    plan: Plan, entries: list[Entry], overrides: Overrides, fronts: list[Front]
) -> dict[str, str]:
    """File name -> text."""
    files = {
        "stable.h": render_stable(plan.stable, list(plan.api_sets.values())[0], overrides),
        "front.h": render("front.h", header="stable.h", renamed=(), prototypes=()),
        "bindings.h": render("bindings_table.h", entries=entries, newest=newest(entries)),
        "releases.list": render("releases.list", entries=entries),
        "files.mk": render(
            "files.mk",
            headers=["bindings.h", *(e.bindings_name for e in entries)],
            sources=SOURCES,
            fronts=[{"major": f.major, "sources": sorted((*ENGINE, "by_caller.c"))} for f in fronts],
            maps=[
                f"{f.major}/{library}.so.{f.major}.map"
                for f in fronts
                for library in ("libamdhip64", "libhiprtc")
            ],
        ),
        "inline.h": render(
            "inline.h", functions=[function_values(f, plan) for f in plan.functions]
        ),
        "words.c": render("words.c", words=words(plan.stable)),
        "functions.md": render_overview(plan, overrides),
        **render_engine(plan, entries, overrides),
        **render_history(plan, overrides),
    }
    for front in fronts:
        made = make_plan(front.api_set, plan.api_sets, front.overrides)
        others = [other for other in fronts if other is not front]
        for name, text in render_front(front, others, made, entries).items():
            files[f"dropin/{front.major}/{name}"] = text
    return files


def render_engine(
    plan: Plan, entries: list[Entry], overrides: Overrides, dropin_major: int = 0
) -> dict[str, str]:
    """What the code in src/ is compiled with, for one front."""
    functions = [function_values(f, plan) for f in plan.functions]
    adapters = [adapter_values(a) for a in plan.adapters if not a.by_hand]
    by_hand = [f.name for f in plan.functions if overrides.function(f.name).adapter]
    return {
        "functions.h": render(
            "functions.h",
            functions=functions,
            by_hand=by_hand,
            behaves=sorted({a["behave"] for a in adapters} - {""}),
        ),
        "stubs.c": render("stubs.c", functions=functions),
        "adapters.h": render("adapters.h", adapters=adapters),
        "adapters.c": render("adapters.c", adapters=adapters),
        "tables.c": render_tables(plan, entries, overrides, dropin_major),
        "names.c": render_names(plan, overrides),
        **render_converters(plan),
    }


def differing(plan: Plan, others: list[Front]) -> list[Function]:
    """The functions that another front offers, too, and has differently."""
    return [
        function
        for n, function in enumerate(plan.functions)
        if any(
            function.name in other.api_set.functions
            and plan.actions[other.api_set.release.patch][n] not in (DIRECT, MISSING)
            for other in others
        )
    ]


def render_front(
    front: Front, others: list[Front], plan: Plan, entries: list[Entry]
) -> dict[str, str]:
    """One drop-in: the engine, its front header and the symbols of its libraries."""
    release, major = front.api_set.release, front.major
    prototypes = [
        f"{spell.declare(f.result, f.name)}({spell.parameters(f.params)})" for f in front.extra
    ]
    return {
        **render_engine(plan, entries, front.overrides, major),
        "by_caller.c": render(
            "by_caller.c", functions=[function_values(f, plan) for f in differing(plan, others)]
        ),
        "front.h": render(
            "front.h",
            header=f"../../{front.header}",
            renamed=[f.name for f in front.extra if f.name in front.api_set.macros],
            prototypes=prototypes,
        ),
        f"libamdhip64.so.{major}.map": render(
            "dropin.map", library=f"libamdhip64.so.{major}", release=release, nodes=front.nodes
        ),
        f"libhiprtc.so.{major}.map": render(
            "dropin.map",
            library=f"libhiprtc.so.{major}",
            release=release,
            nodes=[{"name": "", "before": "", "symbols": front.hiprtc_symbols}],
        ),
    }


def words(stable: ApiSet) -> list[str]:
    """All that the header names, in strcmp order."""
    names = {declaration.name for declaration in stable.declarations}
    for declaration in stable.declarations:
        if isinstance(declaration, Enum):
            names.update(name for name, _ in declaration.enumerators)
    return sorted(name for name in names if name.startswith("hip"))


def newest(entries: list[Entry]) -> int:
    return max(entries, key=lambda e: e.release).release.patch


def render_stable(stable: ApiSet, oldest: ApiSet, overrides: Overrides) -> str:
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
    return render(
        "stable.h",
        release=stable.release,
        oldest=oldest.release,
        declarations=declarations,
        per_thread=sorted(n for n in names if f"{n}_spt" in names),
    )


def constructor(record: Record, default: str) -> str:
    params = ", ".join(f"{spell.declare(f.type, f.name + '_')} = {default}" for f in record.fields)
    inits = ", ".join(f"{f.name}({f.name}_)" for f in record.fields)
    return f"constexpr {record.name}({params}) : {inits} {{}}"


def function_values(function: Function, plan: Plan) -> dict[str, Any]:
    params = spell.parameters(function.params)
    names = [p.name or f"arg{n}" for n, p in enumerate(function.params)]
    spelled = spell.declare(function.result, "")
    return {
        "name": function.name,
        "prototype": f"{spell.declare(function.result, function.name)}({params})",
        "resolver": f"{spell.declare(function.result, 'resolve_' + function.name)}({params})",
        "asking": f"{spell.declare(function.result, 'route_' + function.name)}({params})",
        "first": f"{spell.declare(function.result, 'hipshim_first_' + function.name)}({params})",
        "arguments": ", ".join(names),
        "give": "" if spelled == "void" else "return ",
        "result": plan.results[spelled],
    }


def adapter_values(adapter: Adapter) -> dict[str, Any]:
    function = adapter.function
    result = spell.declare(function.result, "")
    params = spell.parameters(function.params)
    arguments = []
    for passing in adapter.passing:
        changed = passing.sort in ("enum_pointer", "record") and not passing.count
        if changed:
            arguments.append(f"{passing.name} ? &back_{passing.name} : NULL")
        elif passing.sort in ("enum", "record", "flags"):
            arguments.append(f"back_{passing.name}")
        else:
            arguments.append(passing.name)
    types = ", ".join(p.back_type for p in adapter.passing) or "void"
    return {
        "name": function.name,
        "prototype": f"{spell.declare(function.result, adapter.entry)}({params})",
        "inner": f"{spell.declare(function.result, 'convert_' + adapter.entry)}({params})",
        "entry": adapter.entry,
        "behave": adapter.behave and f"hs_semantics_{adapter.behave}_{function.name}",
        "names": ", ".join(p.name for p in function.params),
        "result_type": result,
        "result": adapter.result,
        "arena": adapter.arena,
        "passing": adapter.passing,
        "back_type": f"{result} (*)({types})",
        "arguments": ", ".join(arguments),
    }


def render_converters(plan: Plan) -> dict[str, str]:
    used = used_converters(plan)
    records = [
        {
            **asdict(r),
            "used_into": r.into in used,
            "used_out": r.out in used,
            "rejects": r.rejects,
            "reject_spans": r.reject_spans,
        }
        for r in plan.records
    ]
    enums = [e for e in plan.enums if e.function in used]
    return {
        "convert.h": render("convert.h", records=records, enums=enums),
        "convert.c": render("convert.c", records=records, enums=enums),
    }


def used_converters(plan: Plan) -> set[str]:
    """The converters that an adapter reaches, itself or through a record."""
    waiting = [
        call
        for adapter in plan.adapters
        for p in adapter.passing
        for call in (p.into, p.out, *(c for _, c in p.cases))
        if call
    ]
    steps = {r.into: r.into_steps for r in plan.records}
    steps |= {r.out: r.out_steps for r in plan.records}
    used: set[str] = set()
    while waiting:
        call = waiting.pop()
        if call not in used:
            used.add(call)
            waiting += [s.call for s in steps.get(call, ()) if s.call]
    return used


def render_tables(
    plan: Plan, entries: list[Entry], overrides: Overrides, dropin_major: int
) -> str:
    order = list(plan.api_sets)
    position = 0
    functions = []
    for function in plan.functions:
        first, last = plan.span(function, overrides)
        functions.append({"name": function.name, "offset": position, "first": first, "last": last})
        position += len(function.name) + 1
    releases = [
        {**asdict(e.release), "api_set": order.index(e.api_set), "rocm": e.rocm} for e in entries
    ]
    adapters = [
        {
            "entry": a.entry,
            "symbol": f'"{a.symbol}"' if a.symbol else "0",
            "kind": "HS_ADAPTER_EMULATE" if a.by_hand else "HS_ADAPTER_CONVERT",
        }
        for a in plan.adapters
    ]
    no_runtime_entries = [
        {"name": f.name, "entry": overrides.function(f.name).no_runtime}
        for f in plan.functions
        if overrides.function(f.name).no_runtime
    ]
    return render(
        "tables.c",
        dropin_major=dropin_major,
        releases=releases,
        api_sets=[s.release for s in plan.api_sets.values()],
        adapters=adapters,
        no_runtime_entries=no_runtime_entries,
        functions=functions,
        plans=[
            {"release": plan.api_sets[patch].release, "rows": rows(actions)}
            for patch, actions in plan.actions.items()
        ],
    )


def render_names(plan: Plan, overrides: Overrides) -> str:
    aliases = [
        (symbol, f.name)
        for f in plan.functions
        for symbol in overrides.function(f.name).symbols
        if symbol != f.name
    ]
    tables = []
    for enum in overrides.error_enums:
        names: dict[int, str] = {}
        for name, value in plan.stable.enums[enum].enumerators:
            names.setdefault(value, name)
        tables.append((enum, [(n, v) for v, n in names.items()]))
    exported = [(f.name, overrides.function(f.name).exported) for f in plan.functions]
    return render(
        "names.c",
        aliases=aliases,
        exported=[(name, symbol) for name, symbol in exported if symbol],
        tables=tables,
    )


def render_overview(plan: Plan, overrides: Overrides) -> str:
    marks = {DIRECT: "=", MISSING: "."}
    by_hand = {n for n, a in enumerate(plan.adapters, 1) if a.by_hand}

    def mark(action: int) -> str:
        return marks.get(action) or ("e" if action in by_hand else "c")

    declared = {name for s in plan.api_sets.values() for name in s.functions}
    return render(
        "functions.md",
        releases=[f"{s.release.major}.{s.release.minor}.{p}" for p, s in plan.api_sets.items()],
        rows=[
            (f.name, [mark(actions[n]) for actions in plan.actions.values()])
            for n, f in enumerate(plan.functions)
        ],
        absent=[
            (name, overrides.function(name).absent)
            for name in sorted(declared - plan.stable.functions.keys())
        ],
    )


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
        "abi-history.md": render("abi-history.md", releases=releases),
    }


def rows(numbers: list[int]) -> list[str]:
    """Sixteen to a line."""
    return [", ".join(map(str, numbers[i : i + 16])) for i in range(0, len(numbers), 16)]
