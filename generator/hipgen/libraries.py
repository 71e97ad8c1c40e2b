# SPDX-License-Identifier: MIT
"""What the program hipshim knows of the libraries of each API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hipgen.api import Api
from hipgen.callers import Caller
from hipgen.history import make_history
from hipgen.overrides import Overrides
from hipgen.plan import Plan
from hipgen.releases import Entry, load_table
from hipgen.render import render


@dataclass(frozen=True)
class Libraries:
    """The drop-ins of an API, and the sonames of its first library."""

    api: Api
    entries: list[Entry]
    numbers: list[int]  # of the drop-ins
    changes: set[int]  # the majors of the carrier that brought another ABI


def libraries_of(
    api: Api, entries: list[Entry], callers: list[Caller], plan: Plan, overrides: Overrides
) -> Libraries:
    changed: set[int] = set()
    if not api.published:
        changes, _ = make_history(plan.functions, plan.api_sets, overrides)
        releases = {change.api_set for change in changes}
        changed = {carrier_majors(e)[0] for e in entries if e.release in releases}
    numbers = sorted((c.number for c in callers if c.symbols), reverse=True)
    return Libraries(api, entries, numbers, changed)


def carrier_majors(entry: Entry) -> range:
    """The majors of the carrier that have the release."""
    majors = [int(number) for number in re.findall(r"(\d+)\.\d", entry.rocm)]
    return range(min(majors), max(majors) + 1) if majors else range(0, 1)


def render_libraries(published: Libraries, others: list[Libraries], siblings: Path) -> str:
    """The tables of the program; `siblings` has those of libraries without a folder of their own."""
    majors = sorted({entry.release.major for entry in published.entries})
    rows = {
        stem: {"stem": stem, "numbers": row["numbers"], "changes": row["changes"]}
        for stem, row in load_table(siblings).items()
    }
    for one in others:
        stem = one.api.libraries[0].stem
        numbers = [numbers_in(one, major) for major in majors]
        rows[stem] = {"stem": stem, "numbers": numbers, "changes": one.changes - {majors[0]}}
    dropins = [
        {
            "api": one.api.name,
            "stem": library.stem,
            "number": number,
            "folder": one.api.folder,
            "apart": one.api.apart,
        }
        for one in [published, *others]
        for library in one.api.libraries
        for number in one.numbers
    ]
    siblings_of = sorted(rows.values(), key=lambda row: str(row["stem"]))
    return render("dropins.c", majors=majors, dropins=dropins, siblings=siblings_of)


def tree_links(api: Api, entries: list[Entry], numbers: list[int]) -> list[str]:
    """MAJOR:FILE for each major of the carrier: the drop-in of its newest release."""
    newest = {major: e.soname for e in entries for major in carrier_majors(e)}
    return [
        f"{major}:{library.stem}.so.{number}"
        for major, number in sorted(newest.items())
        for library in api.libraries
        if number in numbers
    ]


def numbers_in(libraries: Libraries, major: int) -> str:
    """The N of the sonames that the releases of one major of the carrier have, as words."""
    found = {e.soname for e in libraries.entries if major in carrier_majors(e)}
    return " ".join(map(str, sorted(found))) or "-"
