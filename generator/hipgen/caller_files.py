# SPDX-License-Identifier: MIT
"""Renders the files of one caller ABI, by file name."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from hipgen import spell
from hipgen.api import Api
from hipgen.callers import Caller
from hipgen.model import ApiSet, Function, HipgenError, Named, Release, Type
from hipgen.overrides import FunctionRule, Overrides
from hipgen.plan import Adapter, Plan
from hipgen.releases import Entry
from hipgen.render import declaration_values, render


def render_caller(
    caller: Caller, plan: Plan, entries: list[Entry], unreliable: set[str], api: Api, written: str
) -> dict[str, str]:
    """The files that every caller ABI has; `written` is the API's adapters.c."""
    overrides = caller.overrides
    functions = [function_values(f, plan) for f in plan.functions]
    generated = [a for a in plan.adapters if not (a.emulates or a.is_written or a.is_alias)]
    adapters = [adapter_values(a) for a in generated]
    twins = [per_thread_values(a, overrides) for a in plan.adapters if a.per_thread]
    return {
        "caller_abi.h": render_caller_abi(caller),
        "functions.h": render(
            "functions.h",
            folder=api.source_folder,
            since=api.since,
            release=caller.api_set.release if written else None,
            functions=functions,
            by_hand=[f.name for f in plan.functions if is_by_hand(overrides.function(f.name))],
            semantics=sorted({a["semantics"] for a in adapters} - {""}),
        ),
        "stubs.c": render("stubs.c", functions=functions, failures=failure_values(plan)),
        "adapters.h": render(
            "adapters.h",
            adapters=adapters + twins + bridges(plan, overrides),
            semantics=[a for a in adapters if a["semantics"] and written],
        ),
        "adapters.c": render(
            "adapters.c", folder=api.source_folder, adapters=adapters, twins=twins
        ),
        "tables.c": render_tables(caller, plan, entries, unreliable, api),
        "api.c": render("api.c", api=api, routing=routing_of(caller, api)),
        "names.c": render_names(plan, overrides),
        "registered_functions.h": render(
            "registered_functions.h",
            functions=[r for f in plan.functions for r in registered(f, plan, overrides)],
        ),
        **render_converters(plan),
        **({"bridges.c": written} if written else {}),
    }


def is_by_hand(rule: FunctionRule) -> bool:
    return bool(rule.adapter or rule.emulate or rule.bridge)


def bridges(plan: Plan, overrides: Overrides) -> list[dict[str, str]]:
    """The functions of adapters.c, whether or not some release needs them."""
    named = [(f, overrides.function(f.name).bridge) for f in plan.functions]
    return [
        {"prototype": f"{spell.declare(f.result, name)}({spell.parameters(f.params)})"}
        for f, name in named
        if name
    ]


def routing_of(caller: Caller, api: Api) -> str:
    """The table of src/engine that routes calls by their caller; empty if none is needed."""
    if caller.symbols:
        return "hs_by_caller"
    return "hs_single_caller" if api.published else ""


def render_caller_abi(caller: Caller) -> str:
    return render(
        "caller_abi.h",
        header=f"{'../' * len(caller.folder.split('/'))}{caller.header}",
        renamed=[f.name for f in caller.extra if f.name in caller.api_set.macros],
        prototypes=[
            f"{spell.declare(f.result, f.name)}({spell.parameters(f.params)})" for f in caller.extra
        ],
        declarations=[declaration_values(d) for d in caller.later],
    )


def render_dropin(caller: Caller, others: list[Caller], plan: Plan, api: Api) -> dict[str, str]:
    """The files that only a drop-in has."""
    release = caller.api_set.release
    differing = plan.differing([other.api_set for other in others])
    maps = {}
    for number, library in enumerate(api.libraries):
        nodes = caller.nodes
        if number > 0:  # the symbols of a companion have no version
            symbols = sorted(n for n in caller.api_set.functions if api.library_of(n) == number)
            nodes = [{"name": "", "before": "", "symbols": symbols}]
        file = f"{library.stem}.so.{caller.number}"
        maps[f"{file}.map"] = render("dropin.map", library=file, release=release, nodes=nodes)
    return maps | {
        "dropin.c": render(
            "dropin.c", api=api, number=caller.number, routed=[f.name for f in differing]
        ),
    }


def function_values(function: Function, plan: Plan) -> dict[str, Any]:
    params = spell.parameters(function.params)
    names = [p.name or f"arg{n}" for n, p in enumerate(function.params)]
    spelled = spell.declare(function.result, "")
    return {
        "name": function.name,
        "prototype": f"{spell.declare(function.result, function.name)}({params})",
        "first": f"{spell.declare(function.result, 'hipshim_first_' + function.name)}({params})",
        "arguments": ", ".join(names),
        "return_": "" if spelled == "void" else "return ",
        "type": spelled,
        "result": plan.result(function),
    }


def failure_values(plan: Plan) -> dict[str, dict[str, Any]]:
    """The functions that return the error of each result type."""
    by_type = {spell.declare(f.result, ""): f for f in plan.functions}
    return {
        spelled: {
            "name": f"fail_{number}",
            "number": number,
            "prototype": f"{spell.declare(function.result, f'fail_{number}')}(void)",
            "return_": spelled != "void",
            "result": plan.result(function),
        }
        for number, (spelled, function) in enumerate(by_type.items())
    }


def adapter_values(adapter: Adapter) -> dict[str, Any]:
    function = adapter.function
    result = spell.declare(function.result, "")
    params = spell.parameters(function.params)
    types = ", ".join(p.runtime_type for p in adapter.passing) or "void"
    return {
        "name": function.name,
        "prototype": f"{spell.declare(function.result, adapter.entry)}({params})",
        "inner": f"{spell.declare(function.result, 'convert_' + adapter.entry)}({params})",
        "entry": adapter.entry,
        "parameters": params,
        "semantics": adapter.semantics and f"hs_semantics_{adapter.semantics}_{function.name}",
        "names": ", ".join(p.name for p in function.params),
        "result_type": result,
        "result": adapter.result,
        "result_converter": adapter.result_converter,
        "needs_arena": adapter.needs_arena,
        "passing": adapter.passing,
        "runtime_type": f"{result} (*)({types})",
        "arguments": ", ".join(p.argument for p in adapter.passing),
    }


def registered(function: Function, plan: Plan, overrides: Overrides) -> list[dict[str, str]]:
    """A function that takes a kernel or variable by its host address, or nothing."""
    rule = overrides.registered
    for param in function.params:
        spelled = spell.declare(param.type, "")
        is_named = spelled != "const void *" or param.name in rule.names
        if is_named and spelled in rule.addresses and not re.fullmatch(rule.unless, function.name):
            result = spell.declare(function.result, "")
            return [
                {
                    "name": function.name,
                    "result": result,
                    "parameters": spell.parameters(function.params),
                    "arguments": ", ".join(p.name for p in function.params),
                    "address": rule.addresses[spelled].format(param.name),
                    "failure": rule.failures.get(result, plan.result(function).refuse),
                }
            ]
    return []


def per_thread_values(adapter: Adapter, overrides: Overrides) -> dict[str, Any]:
    """A function that calls its twin with the stream of the thread for the default stream."""
    rule = overrides.per_thread
    arguments = [
        f"{p.name} ? {p.name} : {rule.stream}"
        if spell.declare(p.type, "") == rule.stream_type
        else p.name
        for p in adapter.function.params
    ]
    params = spell.parameters(adapter.function.params)
    return {
        "prototype": f"{spell.declare(adapter.function.result, adapter.entry)}({params})",
        "twin": adapter.per_thread,
        "arguments": ", ".join(arguments),
    }


def render_converters(plan: Plan) -> dict[str, str]:
    used = plan.used_converters
    enums = [e for e in plan.enums if e.function in used]
    return {
        name: render(name, records=plan.records, enums=enums, used=used)
        for name in ("convert.h", "convert.c")
    }


def render_tables(
    caller: Caller, plan: Plan, entries: list[Entry], unreliable: set[str], api: Api
) -> str:
    overrides = caller.overrides
    order = list(plan.api_sets)
    sonames = {e.release: e.soname for e in entries}
    spans = [(f.name, plan.span(f, overrides), plan.own_span(f, overrides)) for f in plan.functions]
    telling = [] if api.version_function else signs(plan, sonames, unreliable)
    functions, position = [], 0
    for name, span, own in spans + telling:
        numbers = [position, *span, api.library_of(name), *own]
        functions.append({"name": name, "numbers": numbers})
        position += len(name) + 1
    rules = [(f.name, overrides.function(f.name)) for f in plan.functions]
    substitutes = {
        "without_runtime": [(name, r.no_runtime) for name, r in rules if r.no_runtime],
        "after_end": [(name, r.ended) for name, r in rules if r.ended],
        "without_export": [(name, r.emulate) for name, r in rules if r.emulate],
    }
    return render(
        "tables.c",
        folder=api.source_folder,
        dropin_number=caller.number,
        releases=[release_values(e, order) for e in entries],
        api_sets=[{"release": r, "soname": sonames[r]} for r in plan.api_sets],
        adapters=[adapter_row(a) for a in plan.adapters],
        substitutes=substitutes,
        functions=functions,
        unreliable=[f.name for f in plan.functions if f.name in unreliable],
        sign_count=len(telling),
        plans=[
            {"release": release, "rows": rows(actions)} for release, actions in plan.actions.items()
        ],
    )


def signs(
    plan: Plan, sonames: dict[Release, int], unreliable: set[str]
) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Functions that the caller lacks, and only some releases of one soname have."""
    sets = list(plan.api_sets.values())
    names = {name for api_set in sets for name in api_set.functions}
    found = []
    for name in sorted(names - {f.name for f in plan.functions} - unreliable):
        held = [n for n, api_set in enumerate(sets) if name in api_set.functions]
        with_it = {sonames[sets[n].release] for n in held}
        without = {sonames[s.release] for s in sets if name not in s.functions}
        if with_it & without:
            span = (held[0], held[-1])
            found.append((name, span, span))
    return found


def release_values(entry: Entry, order: list[Release]) -> dict[str, Any]:
    return {
        **asdict(entry.release),
        "api_set": order.index(entry.api_set),
        "soname": entry.soname,
        "rocm": entry.rocm,
    }


def adapter_row(adapter: Adapter) -> dict[str, str]:
    return {
        "entry": adapter.entry,
        "symbol": f'"{adapter.symbol}"' if adapter.symbol else "0",
        "kind": "HS_ADAPTER_EMULATE" if adapter.emulates else "HS_ADAPTER_CONVERT",
    }


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
        ignored = overrides.enum(enum).ignore  # a marker may have the value of a newer error
        for name, value in plan.stable.enums[enum].enumerators:
            if value not in names or names[value] in ignored:
                names[value] = name
        tables.append((enum, [(n, v) for v, n in names.items()]))
    exported = [(f.name, overrides.function(f.name).exported) for f in plan.functions]
    return render(
        "names.c",
        aliases=aliases,
        exported=[(name, symbols) for name, symbols in exported if symbols],
        tables=tables,
    )


def rows(numbers: list[int]) -> list[str]:
    """The numbers as text, sixteen on each line."""
    return [", ".join(map(str, numbers[i : i + 16])) for i in range(0, len(numbers), 16)]
