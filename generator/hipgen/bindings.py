# SPDX-License-Identifier: MIT
"""`hipgen bindings`, apart from the other commands so that it starts fast."""

from __future__ import annotations

import sys
from pathlib import Path

from hipgen.model import Release, ApiSet
from hipgen.parse import parse_headers
from hipgen.project import Project, write_all
from hipgen.releases import Entry
from hipgen.render import render_bindings, render_same_bindings


def write(project: Project, headers: Path, out: Path | None) -> None:
    """Writes the bindings header of the release that `headers` is of."""
    api_set = parse_headers(headers)
    entry = project.find(api_set.release) or unknown_entry(api_set.release)
    text = text_of(project, api_set, entry)
    if out is None:
        sys.stdout.write(text)
    else:
        write_all({out: text})


def unknown_entry(release: Release) -> Entry:
    return Entry(release, "unknown", release.major, "headers given to hipgen", release.patch)


def text_of(project: Project, api_set: ApiSet, entry: Entry) -> str:
    if entry.own_api_set:
        return render_bindings(api_set, entry)
    return render_same_bindings(entry, project.api_set_entry(entry))
