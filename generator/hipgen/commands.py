# SPDX-License-Identifier: MIT
"""What each `hipgen` command does; __main__ reads the command line."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from hipgen import bindings, compare, exports
from hipgen.declared import declared_functions, with_declared
from hipgen.dropin import make_fronts
from hipgen.model import HipgenError, Release, Surface
from hipgen.overrides import Overrides, check_names, load_overrides
from hipgen.parse import header_digests, parse_bindings, parse_headers
from hipgen.plan import MISSING, make_plan
from hipgen.project import Project, write_all
from hipgen.releases import Entry, nearest
from hipgen.render import render_releases
from hipgen.shim import render_shim
from hipgen.stable import merge


def shim_files(project: Project, surfaces: dict[int, Surface]) -> dict[Path, str]:
    """Everything in bindings/ that is made from all releases together."""
    overrides = load_overrides(project.overrides_file)
    declared = declared_functions(project, overrides)
    fronts = make_fronts(project, surfaces, overrides, declared)
    surfaces = with_declared(surfaces, overrides, declared)
    frozen = parse_bindings(project.stable_header) if project.stable_header.exists() else None
    stable = merge(frozen, list(surfaces.values()), overrides)
    check_names(overrides, [stable, *surfaces.values()], project.overrides_file)
    plan = make_plan(stable, surfaces, overrides)
    files = render_shim(plan, project.entries, overrides, fronts)
    return {project.bindings / name: text for name, text in files.items()}


def all_files(project: Project) -> dict[Path, str]:
    """Every file of bindings/, from the committed bindings headers."""
    files = shim_files(project, project.surfaces)
    for entry in project.entries:
        surface = project.surfaces[project.surface_entry(entry).release.patch]
        files[project.bindings / entry.bindings_name] = bindings.text_of(project, surface, entry)
    return files


def shim(project: Project) -> None:
    for path in write_all(all_files(project)):
        print(f"wrote {path.relative_to(project.root)}")


def check(project: Project, headers: list[Path]) -> None:
    """Fails when a generated file is not what hipgen would write now."""
    files = all_files(project)
    wrong = []
    for path, text in files.items():
        name = path.relative_to(project.root)
        if not path.is_file():
            wrong.append(f"{name}: missing")
        elif path.read_text() != text:
            wrong.append(f"{name}: differs from what hipgen writes")
    for path in sorted(project.bindings.rglob("*")):
        if path.is_file() and path not in files and not path.name.startswith("."):
            wrong.append(f"{path.relative_to(project.root)}: hipgen does not write it")
    for directory in headers:
        wrong += check_headers(project, directory)
    if wrong:
        raise HipgenError("\n".join(wrong))
    print(f"{len(files)} generated files are as hipgen writes them")


def check_headers(project: Project, directory: Path) -> list[str]:
    """Compares vendor headers with the committed bindings of their release."""
    fresh = parse_headers(directory)
    entry = project.find(fresh.release)
    if entry is None:
        return [f"{directory}: HIP {fresh.release} is not in releases.toml"]
    difference = compare.compare(project.committed(entry), fresh)
    if compare.is_empty(difference):
        return []
    return [f"{directory}: differs from {entry.bindings_name}:", compare.as_text(difference)]


def surface_of(project: Project, what: str) -> Surface:
    """A release, its patch number, 6.4 for the newest 6.4, a header, or a header tree."""
    for entry in reversed(project.entries):
        release = entry.release
        if what in (str(release), str(release.patch), f"{release.major}.{release.minor}"):
            return replace(project.committed(entry), release=entry.release)
    path = Path(what)
    if path.is_file():
        return parse_bindings(path)
    if path.is_dir():
        return parse_headers(path)
    known = ", ".join(str(e.release) for e in project.entries)
    raise HipgenError(f"{what}: neither a file, a directory nor a release; known: {known}")


def diff(project: Project, old: str, new: str, as_json: bool) -> None:
    before, after = surface_of(project, old), surface_of(project, new)
    difference: dict[str, Any] = compare.compare(before, after)
    symbols = exports.compare_baselines(project, before.release, after.release)
    if symbols is not None:
        difference["symbol"] = symbols
    if as_json:
        print(json.dumps(difference, indent=2))
    else:
        sys.stdout.write(compare.as_text(difference))


def add_release(
    project: Project, headers: Path, library: Path | None, rocm: str, origin: str
) -> None:
    """Adds one release: bindings, releases.toml, exports and the shim."""
    surface = parse_headers(headers)
    known = project.find(surface.release)
    if known is not None:
        difference = compare.compare(project.committed(known), surface)
        if not compare.is_empty(difference):
            raise HipgenError(
                f"{headers}: HIP {surface.release} is already known with another surface:\n"
                + compare.as_text(difference)
            )
        print(f"HIP {surface.release} is already there, with this surface")
        return
    check_patch(project, surface.release)
    entry = new_entry(project, surface, headers, rocm, origin)
    entries = sorted([*project.entries, entry], key=lambda e: e.release)
    grown = project.with_entries(entries)
    surfaces = {
        e.release.patch: own_surface(project, e, entry, surface) for e in entries if e.own_surface
    }
    files = shim_files(grown, surfaces)
    files[project.releases_file] = render_releases(entries)
    files[project.bindings / entry.bindings_name] = bindings.text_of(grown, surface, entry)
    if library is not None:
        files |= exports.baseline_files(project, surface.release, library)
    for path in write_all(files):
        print(f"wrote {path.relative_to(project.root)}")
    report(grown, surfaces, entry)


def check_patch(project: Project, release: Release) -> None:
    taken = project.by_patch.get(release.patch)
    if taken is not None:
        raise HipgenError(
            f"HIP {release}: the patch number is taken by HIP {taken.release}, "
            "and bindings are named after it"
        )


def own_surface(project: Project, entry: Entry, new: Entry, surface: Surface) -> Surface:
    return surface if entry == new else project.committed(entry)


def new_entry(project: Project, surface: Surface, headers: Path, rocm: str, origin: str) -> Entry:
    """Shares the surface of a known release when one declares the same."""
    equal = next((p for p, s in project.surfaces.items() if s == surface), surface.release.patch)
    return Entry(
        surface.release,
        rocm,
        surface.release.major,
        origin,
        equal,
        sha256=header_digests(headers),
        digest=surface.digest if equal == surface.release.patch else "",
    )


def report(project: Project, surfaces: dict[int, Surface], entry: Entry) -> None:
    """Says what is new and what a person still has to look at."""
    if not entry.own_surface:
        shared = project.surface_entry(entry).release
        print(f"HIP {entry.release} declares what HIP {shared} does: nothing to decide")
        return
    older = [e for e in project.entries if e.release < entry.release]
    before = nearest(older, entry.release) if older else []
    if before:
        old = project.surface_entry(before[-1]).release.patch
        sys.stdout.write(compare.as_text(compare.compare(surfaces[old], surfaces[entry.surface])))
    overrides = load_overrides(project.overrides_file)
    stable = parse_bindings(project.stable_header)
    surfaces = with_declared(surfaces, overrides, declared_functions(project, overrides))
    plan = make_plan(stable, surfaces, overrides)
    missing = plan.actions[entry.surface].count(MISSING)
    print(
        f"to look at by hand: the differences above (a value whose meaning changed behind an "
        f"unchanged type is not visible in a header), {missing} functions missing in "
        f"HIP {entry.release}, and ChangeLog"
    )
