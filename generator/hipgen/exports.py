# SPDX-License-Identifier: MIT
"""Reads the exports of real libraries, and the committed lists of them.

A list is exports/STEM-RELEASE.txt in the directory of the API.  It has one `name@@node`
on each line, as in the dynamic symbol table of that library.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hipgen.api import Api
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.project import Project


def read_exports(api: Api, library: Path) -> list[str]:
    """The defined dynamic symbols with their version nodes, sorted."""
    nm = shutil.which("nm")
    if nm is None:
        raise HipgenError("nm: not found; install binutils")
    done = subprocess.run(
        [nm, "-D", "--defined-only", "--with-symbol-versions", str(library)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise HipgenError(f"{library}: {done.stderr.strip().splitlines()[-1]}")
    symbols = set()
    for line in done.stdout.splitlines():
        _, kind, name = line.split(maxsplit=2)
        ignored = api.ignore_exports and re.fullmatch(api.ignore_exports, name.split("@")[0])
        if kind in "TtWwVvBDRi" and kind != "A" and not ignored:
            symbols.add(name)
    # A second version of a name, `name@node`, is for programs that are older than any known release.
    symbols -= {s for s in symbols if s.count("@") == 1 and s.replace("@", "@@") not in symbols}
    wanted = api.libraries[0].probe
    if wanted not in {s.split("@")[0] for s in symbols}:
        raise HipgenError(f"{library}: not a {api.name} runtime: it does not export {wanted}")
    return sorted(symbols)


def list_path(project: Project, release: Release) -> Path:
    stem = project.api.libraries[0].stem
    return project.exports_directory / f"{stem}-{release}.txt"


def export_list(project: Project, release: Release) -> list[str] | None:
    """The exports of the release's library; None if no list of them is known."""
    pending = project.pending
    if pending and pending.api_set.release == release and pending.exports is not None:
        return pending.exports
    path = list_path(project, release)
    return path.read_text().split() if path.is_file() else None


def new_files(project: Project) -> dict[Path, str]:
    """The text of the list that is not written yet."""
    pending = project.pending
    if pending is None or pending.exports is None:
        return {}
    text = "".join(f"{name}\n" for name in pending.exports)
    return {list_path(project, pending.api_set.release): text}


def unreliable(project: Project, api_sets: dict[Release, ApiSet]) -> set[str]:
    """The functions that one known library exports undeclared, or declares and does not export.

    Whether another library exports one of them says nothing about its release.
    """
    known = {name for api_set in api_sets.values() for name in api_set.functions}
    found: set[str] = set()
    for api_set in api_sets.values():
        symbols = export_list(project, api_set.release)
        if symbols is not None:
            exported = {symbol.partition("@")[0] for symbol in symbols}
            found |= (exported ^ api_set.functions.keys()) & known
    return {name for name in found if not project.api.is_companion_function(name)}


def compare_lists(project: Project, old: Release, new: Release) -> dict[str, Any] | None:
    """The symbols that came and went; None unless both lists are known."""
    before, after = export_list(project, old), export_list(project, new)
    if before is None or after is None:
        return None
    return {
        "added": sorted(set(after) - set(before)),
        "removed": sorted(set(before) - set(after)),
    }
