# SPDX-License-Identifier: MIT
"""Renders every file in bindings/ that depends on more than one release.

Plans, callers and sharing hold all decisions; this file only puts their results
into templates.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from hipgen.api import Api
from hipgen.caller_files import function_values, render_caller, render_dropin
from hipgen.callers import Caller
from hipgen.documents import names_of, render_history, render_overview, render_stable
from hipgen.libraries import tree_links
from hipgen.plan import Plan
from hipgen.releases import Entry
from hipgen.render import render, render_bindings
from hipgen.sharing import SharedFiles, share


@dataclass(frozen=True)
class Made:
    """What belongs to all APIs."""

    inputs: list[str]  # below generator/
    others: list[str]  # the files of other APIs and of the Python modules, below bindings/
    libraries: str  # dropins.c
    everything: bool  # with the optional APIs


def render_outputs(
    api: Api,
    entries: list[Entry],
    callers: list[Caller],
    plans: list[Plan],
    unreliable: set[str],
    made: Made,
) -> dict[str, str]:
    """The text of every file, by its path below bindings/.  The first caller is the stable one.

    `unreliable` are the functions that exports.unreliable returns.
    """
    stable, plan = callers[0], plans[0]
    rendered = render_callers(api, entries, callers, plans, unreliable, "")
    functions = plan.functions
    history = render_history(plan, stable.overrides)
    rendered[stable.name]["history.c"] = history.pop("history.c")
    rendered[stable.name]["forward.h"] = render_forward([f.name for f in functions])
    shared = share(rendered, {caller.name: caller.folder for caller in callers})
    oldest, *_ = plan.api_sets.values()
    files = {
        **shared.texts,
        **history,
        "bindings.h": render("bindings_table.h", entries=entries, newest=entries[-1].release),
        "functions.md": render_overview(plan, stable.overrides),
        "inline.h": render("inline.h", functions=[function_values(f, plan) for f in functions]),
        "releases.list": render("releases.list", entries=entries),
        "sonames.h": render_sonames(api, entries),
        "stable.h": render_stable(api, stable.api_set, oldest, stable.overrides),
        "words.c": render_words(api, stable),
    }
    files["dropins.c"] = made.libraries
    values = {"names": made.others, "everything": made.everything}
    files |= {name: render(name, **values) for name in ("apis.mk", "python.mk")}
    outputs = sorted([*files, *made.others, *(e.bindings_name for e in entries)])
    lists = {"inputs": made.inputs, "outputs": outputs}
    return {**files, "files.mk": render_makefile(api, entries, callers, shared, lists)}


def render_words(api: Api, stable: Caller) -> str:
    names = names_of(stable.api_set, api)
    return render("words.c", words=names, translated=stable.overrides.translated)


def render_callers(
    api: Api,
    entries: list[Entry],
    callers: list[Caller],
    plans: list[Plan],
    unreliable: set[str],
    written: str,
) -> dict[str, dict[str, str]]:
    """The files of each caller ABI, by its name and theirs."""
    rendered = {}
    for caller, plan in zip(callers, plans):
        files = render_caller(caller, plan, entries, unreliable, api, written)
        if caller.symbols:
            others = [other for other in callers[1:] if other is not caller]
            files |= render_dropin(caller, others, plan, api)
        rendered[caller.name] = files
    return rendered


def render_unpublished(
    api: Api,
    entries: list[Entry],
    callers: list[Caller],
    plans: list[Plan],
    unreliable: set[str],
    written: str,
) -> dict[str, str]:
    """The files of an API that has one library, by their paths below its folder in bindings/."""
    rendered = render_callers(api, entries, callers, plans, unreliable, written)
    note = render("dlopen_note.c", note=dlopen_note(api, entries))
    for texts in rendered.values():
        texts["dlopen_note.c"] = note
    shared = share(rendered, {caller.name: caller.folder for caller in callers})
    names = {
        "name": api.name,
        "node": f"HIPSHIM_{api.name.upper()}_0",
        "stem": f"libhipshim-{api.name}",
    }
    stable, *dropins = callers
    oldest, *_ = plans[0].api_sets.values()
    add_headers(shared, dropins, api, entries)
    return {
        **shared.texts,
        stable.header: render_stable(api, stable.api_set, oldest, stable.overrides),
        f"{names['stem']}.map": render(
            "unpublished.map", **names, functions=[f.name for f in plans[0].functions]
        ),
        "files.mk": render(
            "unpublished.mk",
            **names,
            header=stable.header,
            folders=shared.folders[stable.name],
            sources=[stable.header, *shared.paths[stable.name]],
            stems=[library.stem for library in api.libraries],
            dropins=dropin_values(shared, dropins),
            links=tree_links(api, entries, [caller.number for caller in dropins]),
            api=api,
        ),
    }


def add_headers(shared: SharedFiles, dropins: list[Caller], api: Api, entries: list[Entry]) -> None:
    """The header with the types of each drop-in, which the published API has for all releases."""
    by_release = {entry.release: entry for entry in entries}
    for caller in dropins:
        entry = by_release[caller.api_set.release]
        shared.texts[caller.header] = render_bindings(api, caller.api_set, entry)
        shared.paths[caller.name].append(caller.header)


def render_forward(names: list[str]) -> str:
    checksum = zlib.crc32(" ".join(names).encode())
    return render("forward.h", names=names, checksum=f"{checksum:08x}")


def render_makefile(
    api: Api,
    entries: list[Entry],
    callers: list[Caller],
    shared: SharedFiles,
    lists: dict[str, list[str]],
) -> str:
    stable, *dropins = callers
    return render(
        "files.mk",
        **lists,
        api=api,
        headers=["bindings.h", *(e.bindings_name for e in entries)],
        folders=shared.folders[stable.name],
        sources=[*sources_of(shared, stable), "sonames.h"],
        stems=[library.stem for library in api.libraries],
        dropins=dropin_values(shared, dropins),
        links=tree_links(api, entries, [caller.number for caller in dropins]),
    )


def dropin_values(shared: SharedFiles, dropins: list[Caller]) -> list[dict[str, Any]]:
    return [
        {
            "number": caller.number,
            "release": caller.api_set.release,
            "folder": caller.folder,
            "folders": shared.folders[caller.name],
            "sources": sources_of(shared, caller),
        }
        for caller in dropins
    ]


def sources_of(shared: SharedFiles, caller: Caller) -> list[str]:
    return [path for path in shared.paths[caller.name] if path.endswith((".c", ".h"))]


def render_sonames(api: Api, entries: list[Entry]) -> str:
    return render("sonames.h", lists=[c_list(names) for names in sonames_of(api, entries)])


def sonames_of(api: Api, entries: list[Entry]) -> list[list[str]]:
    """The sonames of each library, newest first."""
    majors = sorted({entry.soname for entry in entries}, reverse=True)
    return [[f"{x.stem}.so.{m}" for m in majors if m >= x.since] for x in api.libraries]


def dlopen_note(api: Api, entries: list[Entry]) -> str:
    """A C string literal of the JSON that src/elf/dlopen_note.h puts into a library."""
    feature = {
        "feature": api.name,
        "description": f"Runs {api.name} calls",
        "priority": "recommended",
        "soname": sonames_of(api, entries)[0],
    }
    return json.dumps(json.dumps([feature], separators=(",", ":")))


def c_list(names: list[str]) -> str:
    """A C string literal that holds the names as JSON strings, with commas between them."""
    return json.dumps(",".join(f'"{name}"' for name in names))
