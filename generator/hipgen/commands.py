# SPDX-License-Identifier: MIT
"""The commands of hipgen; __main__ reads the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hipgen import apitext, bindings, compare, exports
from hipgen.breaking import broken
from hipgen.callers import Caller, dropin_callers, stable_caller
from hipgen.declared import declared_functions, with_declared
from hipgen.foreign import with_foreign
from hipgen.libraries import Libraries, libraries_of, render_libraries
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.outputs import Made, render_outputs, render_unpublished
from hipgen.overrides import Overrides, check_names, load_overrides
from hipgen.plan import MISSING, Plan, make_plan
from hipgen.project import ROOT, Project, other_files, remove_others, write_all
from hipgen.python_files import PythonModule
from hipgen.releases import Entry, nearest, parse_release
from hipgen.render import render_releases
from hipgen.stable import merge

# hipshim's own headers, for those of APIs that use others.
HEADERS = ROOT / "include/hipshim"

# The files of an API, and what the program hipshim needs of it.
Joint = tuple[dict[Path, str], Libraries]


def joint_files(project: Project) -> dict[Path, str]:
    """Every file that depends on more than one release; the published API's include all others'."""
    return joint(project)[0]


def joint(project: Project) -> Joint:
    """The same, with what the program hipshim needs of this API."""
    with ProcessPoolExecutor() as pool:
        return joined(project, pool.map(joined, project.others if project.api.published else ()))


def joined(project: Project, others: Iterable[Joint] = ()) -> Joint:
    overrides = all_overrides(project)
    declared = declared_functions(overrides)
    api_sets = project.api_sets
    dropins = dropin_callers(project, api_sets, overrides, declared)
    api_sets = with_declared(api_sets, overrides, declared)
    stable = stable_set(project, api_sets, overrides)
    own = load_overrides(project.overrides_file)
    check_names(own, [stable, *api_sets.values()], project.overrides_file)
    caller = stable_caller(project.api, stable, overrides)
    callers = [caller, *dropins]
    plans = [make_plan(one.api_set, api_sets, one.overrides) for one in callers]
    doubtful = exports.unreliable(project, api_sets)
    libraries = libraries_of(project.api, project.entries, callers, plans[0], overrides)
    files = python_files(project, caller, plans[0])
    if project.api.published:
        tables = []
        for its_files, its_libraries in others:
            files |= its_files
            tables.append(its_libraries)
        table = render_libraries(libraries, tables, project.siblings_file)
        inputs = inputs_of(project)
        made = Made(inputs, below(project.bindings, files), table, project.everything)
        texts = render_outputs(project.api, project.entries, callers, plans, doubtful, made)
    else:
        texts = render_unpublished(
            project.api, project.entries, callers, plans, doubtful, project.adapters_text
        )
    files |= {project.bindings / name: text for name, text in texts.items()}
    files[project.api_file] = api_text(project)
    files[project.stable_file] = apitext.text_of(
        f"the stable ABI of {project.api.name}",
        {stable.release: stable},
        apitext.in_order([], [stable]),
    )
    return files, libraries


def python_files(project: Project, caller: Caller, plan: Plan) -> dict[Path, str]:
    """The files of the Python module, which has the types that only other APIs need, too."""
    rule = project.api.python
    if rule is None:
        return {}
    full = replace(caller, api_set=project.with_types(caller.api_set))
    module = PythonModule(project.api, full, plan, rule, python_homes(project))
    return {project.bindings / "python" / k: v for k, v in module.files().items()}


def python_homes(project: Project) -> dict[tuple[str, str], str]:
    """The Python modules that have the types of the APIs which this one uses."""
    return {
        key: f"hipshim.{used.api.python.module}"
        for used, api_set in zip(project.used, project.used_stable())
        if used.api.python
        for key in api_set.by_key
    }


def all_overrides(project: Project) -> Overrides:
    """The rules of the API, and those about the types of the APIs that it uses."""
    overrides = load_overrides(project.overrides_file)
    for used in project.used:
        overrides = overrides.with_types_of(load_overrides(used.overrides_file))
    return overrides


def stable_set(project: Project, api_sets: dict[Release, ApiSet], overrides: Overrides) -> ApiSet:
    stable = merge(project.frozen, list(api_sets.values()), overrides)
    return with_foreign(stable, project.used_stable()) if project.used else stable


def inputs_of(project: Project) -> list[str]:
    """The files below generator/ that the generated files depend on, with those still to write."""
    pending = (path.relative_to(project.root / "generator") for path in exports.new_files(project))
    return sorted({*project.inputs, *map(str, pending)})


def below(directory: Path, paths: Iterable[Path]) -> list[str]:
    """Those of the paths that are in the directory, relative to it."""
    found = (path for path in paths if path.is_relative_to(directory))
    return sorted(str(path.relative_to(directory)) for path in found)


def api_text(project: Project) -> str:
    """The text of api.def, in which the order of the declarations stays as it is."""
    api_sets = project.api_sets
    return apitext.text_of(
        project.api.name,
        {e.release: api_sets[project.api_set_entry(e).release] for e in project.entries},
        apitext.in_order(project.data.keys, list(api_sets.values())),
    )


def all_files(project: Project) -> dict[Path, str]:
    """Every generated file, from api.def."""
    files = joint_files(project)
    for entry in project.entries:
        api_set = project.api_sets[project.api_set_entry(entry).release]
        files[project.bindings / entry.bindings_name] = bindings.text_of(project, api_set, entry)
    return files


def generate(project: Project) -> None:
    files = all_files(project)
    for path in write_all(files):
        print(f"wrote {path.relative_to(project.root)}")
    for path in remove_others(project.bindings, set(files)):
        print(f"removed {path.relative_to(project.root)}")


def check(project: Project, headers: list[Path]) -> None:
    """Fails if a generated file differs from the one that hipgen would write now."""
    files = all_files(project)
    wrong = []
    for path, text in files.items():
        name = path.relative_to(project.root)
        if not path.is_file():
            wrong.append(f"{name}: missing")
        elif path.read_text() != text:
            wrong.append(f"{name}: differs from what hipgen writes")
    for path in other_files(project.bindings, set(files)):
        wrong.append(f"{path.relative_to(project.root)}: hipgen does not write it")
    for directory in headers:
        wrong += check_headers(project, directory)
    if wrong:
        raise HipgenError("\n".join(wrong))
    print(f"{len(files)} generated files are as hipgen writes them")


def read_headers(project: Project, directory: Path, release: Release | None = None) -> ApiSet:
    """What headers declare; those of the APIs that this one uses are hipshim's own."""
    from hipgen.headers import parse_headers  # needs libclang, which other commands do not

    used = [p for one in project.used for p in (HEADERS, one.bindings, one.bindings / "include")]
    api_set = parse_headers(project.api, directory, release, used)
    return with_foreign(api_set, project.used_sets("", api_set.release)) if used else api_set


def check_headers(project: Project, directory: Path) -> list[str]:
    """Compares vendor headers with what api.def has of their release."""
    fresh = read_headers(project, directory)
    entry = project.find(fresh.release)
    if entry is None:
        return [f"{directory}: {fresh.release.title} is not in releases.toml"]
    difference = compare.compare(project.committed(entry), fresh)
    if compare.is_empty(difference):
        return []
    return [f"{directory}: differs from {project.api_file.name}:", compare.as_text(difference)]


def api_set_of(project: Project, what: str) -> ApiSet:
    """Reads a release, its patch number, 6.4 for the newest 6.4, a header or a header tree."""
    for entry in reversed(project.entries):
        release = entry.release
        if what in (str(release), str(release.patch), f"{release.major}.{release.minor}"):
            return replace(project.committed(entry), release=entry.release)
    from hipgen.headers import parse_bindings  # needs libclang

    path = Path(what)
    if path.is_file():
        return parse_bindings(project.api, path)
    if path.is_dir():
        return read_headers(project, path)
    known = ", ".join(str(e.release) for e in project.entries)
    raise HipgenError(f"{what}: neither a file, a directory nor a known release ({known})")


def diff(project: Project, old: str, new: str, as_json: bool, fail_on: str) -> bool:
    """Prints the differences; true if there is one of the kind that `fail_on` names."""
    before, after = api_set_of(project, old), api_set_of(project, new)
    difference: dict[str, Any] = compare.compare(before, after)
    symbols = exports.compare_lists(project, before.release, after.release)
    if symbols is not None:
        difference["symbol"] = symbols
    difference["broken"] = broken(before, after, load_overrides(project.overrides_file))
    difference["breaking"] = bool(difference["broken"])
    if as_json:
        print(json.dumps(difference, indent=2))
    else:
        sys.stdout.write(compare.as_text(difference))
    if fail_on == "any":
        return not compare.is_empty(difference)
    return fail_on == "breaking" and difference["breaking"]


@dataclass(frozen=True)
class Source:
    """The declarations of a new release, and what they were read from."""

    path: Path
    api_set: ApiSet
    neighbour: str = ""
    soname: int | None = None  # None: the major


def read_source(
    project: Project,
    headers: Path | None,
    cython_files: list[Path],
    neighbour: str | None,
    release: str | None,
) -> Source:
    known = parse_release(release, project.api, "--release") if release else None
    if headers is not None:
        if neighbour:
            raise HipgenError("--neighbour: needs --cython, because headers lack nothing")
        return Source(headers, read_headers(project, headers, known))
    if not neighbour:
        raise HipgenError("--cython: needs --neighbour, the release that completes the bindings")
    from hipgen import cython

    near = api_set_of(project, neighbour)
    api_set = cython.parse_cython(project.api, cython_files, near)
    return Source(cython_files[0], api_set, str(near.release))


def add_release(
    project: Project, source: Source, library: Path | None, rocm: str, origin: str
) -> None:
    """Adds one release: its bindings, its entry, its exports and all that depends on it."""
    if project.used:
        used = project.used_sets(rocm, source.api_set.release)
        source = replace(source, api_set=with_foreign(source.api_set, used))
    api_set = source.api_set
    known = project.find(api_set.release)
    if known is not None:
        difference = compare.compare(project.committed(known), api_set)
        if not compare.is_empty(difference):
            raise HipgenError(
                f"{source.path}: {api_set.release.title} is already known with another API set:\n"
                + compare.as_text(difference)
            )
        print(f"{api_set.release.title} is already known, with this API set")
        return
    check_patch(project, api_set.release)
    entry = new_entry(project, source, rocm, origin)
    entries = sorted([*project.entries, entry], key=lambda e: e.release)
    exported = exports.read_exports(project.api, library) if library else None
    order = apitext.in_order(project.data.keys, [*project.api_sets.values(), api_set])
    api_set = apitext.sorted_by(order, api_set)
    grown = project.with_pending(entries, api_set, exported)
    files = joint_files(grown)
    newest = max(filter(None, (project.known[1], entries[-1].release)))
    files[project.releases_file] = render_releases(entries, newest)
    if project.api.published:
        files[project.bindings / entry.bindings_name] = bindings.text_of(grown, api_set, entry)
    files |= exports.new_files(grown)
    for path in write_all(files):
        print(f"wrote {path.relative_to(project.root)}")
    kept = {project.bindings / e.bindings_name for e in entries}
    for path in remove_others(project.bindings, {*files, *kept}):
        print(f"removed {path.relative_to(project.root)}")
    report(grown, entry)


def check_patch(project: Project, release: Release) -> None:
    if not project.api.published:
        return
    taken = project.find_patch(release.patch)
    if taken is not None:
        raise HipgenError(
            f"{release.title}: {taken.release.title} has taken the patch number, "
            "and the name of the bindings needs it"
        )


def new_entry(project: Project, source: Source, rocm: str, origin: str) -> Entry:
    """The entry; it shares the API set of a known release that declares the same."""
    own = source.api_set.release
    equal = next((r for r, s in project.api_sets.items() if s == source.api_set), own)
    soname = own.major if source.soname is None else source.soname
    return Entry(own, rocm, soname, origin, equal, neighbour=source.neighbour)


def report(project: Project, entry: Entry) -> None:
    """Prints the changes, and the tasks that are left for a person."""
    if not entry.own_api_set:
        shared = project.api_set_entry(entry).release
        print(f"{entry.release.title} declares the same as {shared.title}: nothing to decide")
        return
    older = [e for e in project.entries if e.release < entry.release]
    before = nearest(older, entry.release) if older else []
    if before:
        old = project.committed(before[-1])
        sys.stdout.write(compare.as_text(compare.compare(old, project.committed(entry))))
    overrides = all_overrides(project)
    api_sets = with_declared(project.api_sets, overrides, declared_functions(overrides))
    plan = make_plan(stable_set(project, api_sets, overrides), api_sets, overrides)
    missing = plan.actions[entry.api_set].count(MISSING)
    print(
        f"to look at by hand: the differences above (a header does not show a changed meaning "
        f"behind an unchanged type), the {missing} functions that {entry.release.title} lacks, "
        f"and ChangeLog"
    )
