# SPDX-License-Identifier: MIT
"""`hipgen bindings`, apart from the other commands so that it starts fast."""

from __future__ import annotations

import sys
from pathlib import Path

from hipgen.model import Release, Surface
from hipgen.parse import parse_headers
from hipgen.project import Project, write_all
from hipgen.releases import Entry
from hipgen.render import render_bindings, render_same_bindings


def write(project: Project, headers: Path, out: Path | None) -> None:
    """Writes the bindings header of the release that `headers` is of."""
    surface = parse_headers(headers)
    entry = project.find(surface.release) or unknown_entry(surface.release)
    text = text_of(project, surface, entry)
    if out is None:
        sys.stdout.write(text)
    else:
        write_all({out: text})


def unknown_entry(release: Release) -> Entry:
    return Entry(release, "unknown", release.major, "headers given to hipgen", release.patch)


def text_of(project: Project, surface: Surface, entry: Entry) -> str:
    if entry.own_surface:
        return render_bindings(surface, entry)
    return render_same_bindings(entry, project.surface_entry(entry))
