# SPDX-License-Identifier: MIT
"""`hipgen bindings`, in a file of its own so that it imports little and starts fast."""

from __future__ import annotations

import sys
from pathlib import Path

from hipgen.model import ApiSet, Release
from hipgen.project import Project, write_all
from hipgen.releases import Entry
from hipgen.render import render_bindings, render_same_bindings


def write(project: Project, headers: Path, out: Path | None) -> None:
    """Writes the bindings header of the release that the vendor headers define."""
    from hipgen.headers import parse_headers  # needs libclang, which text_of does not

    api_set = parse_headers(project.api, headers)
    entry = project.find(api_set.release) or unknown_entry(api_set.release)
    text = text_of(project, api_set, entry)
    if out is None:
        sys.stdout.write(text)
    else:
        write_all({out: text})


def unknown_entry(release: Release) -> Entry:
    return Entry(release, "unknown", release.major, "headers given to hipgen", release)


def text_of(project: Project, api_set: ApiSet, entry: Entry) -> str:
    if entry.own_api_set:
        return render_bindings(project.api, api_set, entry)
    return render_same_bindings(project.api, entry, project.api_set_entry(entry))
