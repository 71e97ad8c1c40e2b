# SPDX-License-Identifier: MIT
"""Turns models and plans into text through templates.

Only this file imports jinja2.  Templates get values, and decide nothing.  Neither
this file nor a template has a name of an API.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError

from hipgen import spell
from hipgen.api import Api
from hipgen.model import ApiSet, Declaration, Enum, Function, HipgenError, Macro, Record, Release
from hipgen.releases import Entry

TEMPLATES = Path(__file__).parent.parent / "templates"


@cache
def environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def render(template: str, **values: Any) -> str:
    try:
        return environment().get_template(template + ".j2").render(**values)
    except TemplateSyntaxError as problem:
        where = f"{TEMPLATES}/{problem.name}:{problem.lineno}"
        raise HipgenError(f"{where}: {problem.message}") from None


def declaration_values(d: Declaration, rename: spell.Rename = spell.same) -> dict[str, Any]:
    """The values of one declaration for declaration.h.j2."""
    if isinstance(d, Record):
        name = rename(d.name)
        kind = spell.kind_of(d)
        return {
            "kind": "record",
            "name": name,
            "spelling": f"{d.kind} {name}" if d.tagged else name,
            "complete": d.complete,
            "head": f"{kind} {name}" if d.tagged else f"typedef {kind}",
            "tail": "" if d.tagged else f" {name}",
            "size": d.size,
            "lines": spell.field_lines(d, rename),
            "offsets": list(spell.offsets(d)),
            "constructor": "",
        }
    if isinstance(d, Enum):
        values = [(name, spell.enum_value(d, value)) for name, value in d.enumerators]
        head = f"enum {d.name}".rstrip() if d.tagged or not d.name else "typedef enum"
        tail = "" if d.tagged or not d.name else f" {d.name}"
        return {"kind": "enum", "name": d.name, "head": head, "tail": tail, "enumerators": values}
    if isinstance(d, Macro):
        return {"kind": "macro", "name": d.name, "body": d.body}
    if isinstance(d, Function):
        params = spell.parameters(d.params, "HIPSHIM_DEFAULT")
        text = f"{spell.declare(d.result, d.name)}({params})"
        return {"kind": "function", "name": d.name, "text": text}
    return {
        "kind": "typedef",
        "name": d.name,
        "text": spell.declare(d.type, rename(d.name), rename),
    }


def render_bindings(api: Api, api_set: ApiSet, entry: Entry) -> str:
    """The bindings header of a release that has an API set of its own."""
    return render(
        "bindings.h",
        api=api,
        release=entry.release,
        carrier=f"ROCm {entry.rocm}",
        origin=origin_lines(entry),
        guard=f"HIPSHIM_BINDINGS_{entry.release.patch}_H",
        declarations=[declaration_values(d) for d in api_set.known.values()],
    )


def origin_lines(entry: Entry) -> list[str]:
    lines = [f"Read from: {entry.origin}."]
    if entry.neighbour:
        lines.append(f"Default arguments, and macros that are no numbers: of {entry.neighbour}.")
    if entry.derived_from:
        lines.append(f"Derived: {entry.derived_from} without {', '.join(entry.without)}.")
    return lines


def render_same_bindings(api: Api, entry: Entry, shared: Entry) -> str:
    """The bindings header of a release that declares the same as `shared`."""
    return render(
        "same_bindings.h",
        api=api,
        release=entry.release,
        carrier=f"ROCm {entry.rocm}",
        origin=origin_lines(entry),
        guard=f"HIPSHIM_BINDINGS_{entry.release.patch}_H",
        shared=shared.release,
        header=shared.bindings_name,
    )


def render_releases(entries: list[Entry], stable: Release) -> str:
    """The text of releases.toml."""
    return render("releases.toml", entries=entries, stable=stable)
