# SPDX-License-Identifier: MIT
"""Reads releases.toml: the known releases and the origin of each."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hipgen.api import Api
from hipgen.model import ApiSet, Declaration, Enum, HipgenError, Release

TEXTS = {"version", "rocm", "origin", "api_set", "derived_from", "neighbour"}
KEYS = TEXTS | {"soname", "without"}
FORBIDDEN = ('"', "\\", "|", "*/")  # in C strings and comments, in tables, and in releases.toml
REQUIRED = {"version", "rocm", "soname", "origin"}


@dataclass(frozen=True)
class Entry:
    """One release; `api_set` is the release whose bindings it shares, or the release itself."""

    release: Release
    rocm: str
    soname: int
    origin: str
    api_set: Release
    derived_from: str = ""
    without: tuple[str, ...] = ()
    neighbour: str = ""  # the release that completed published bindings

    def __post_init__(self) -> None:
        for key in ("rocm", "origin"):
            text = getattr(self, key)
            if not text.isprintable() or any(part in text for part in FORBIDDEN):
                raise HipgenError(
                    f"{self.release}: `{key}` must be one line without {', '.join(FORBIDDEN)}"
                )

    @property
    def own_api_set(self) -> bool:
        return self.api_set == self.release

    @property
    def bindings_name(self) -> str:
        return f"bindings_{self.release.patch}.h"


def parse_release(text: str, api: Api, where: str) -> Release:
    parts = text.split(".")
    if len(parts) != 3 or not all(p.isascii() and p.isdecimal() for p in parts):
        raise HipgenError(f"{where}: `{text}` is not a release such as 6.2.41134")
    major, minor, patch = map(int, parts)
    return Release(major, minor, patch, api.name)


def load_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except OSError as problem:
        raise HipgenError(f"{path}: {problem.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise HipgenError(f"{path}: {problem}") from None


def load_releases(path: Path, api: Api) -> tuple[list[Entry], Release | None]:
    """The entries in ascending order, and the release that the stable API set has grown by last.

    An unknown key is an error.
    """
    data = load_table(path)
    stable = data.pop("stable", None)
    tables = data.pop("release", [])
    if not isinstance(tables, list) or not all(isinstance(item, dict) for item in tables):
        raise HipgenError(f"{path}: `release` is no array of tables, [[release]]")
    entries = [load_entry(item, api, path) for item in tables]
    if data:
        raise HipgenError(f"{path}: unknown key `{next(iter(data))}`")
    if not entries and api.published:  # another API may be new
        raise HipgenError(f"{path}: no [[release]]")
    check_entries(entries, api, path)
    if stable is None:
        return sorted(entries, key=lambda e: e.release), None
    if not isinstance(stable, str):
        raise HipgenError(f"{path}: `stable` is no text in quotes")
    newest = parse_release(stable, api, f"{path}: `stable`")
    if newest not in (e.release for e in entries):
        raise HipgenError(f"{path}: `stable` {newest} is not known")
    return sorted(entries, key=lambda e: e.release), newest


def check_entries(entries: list[Entry], api: Api, path: Path) -> None:
    """Compares each entry with the others."""
    known: dict[Release, Entry] = {}
    patches: dict[int, Release] = {}
    for entry in entries:
        where = f"{path}: {entry.release}"
        if entry.release in known:
            raise HipgenError(f"{where}: two entries have this release")
        if api.published and entry.release.patch in patches:  # bindings_name would be the same
            other = patches[entry.release.patch]
            raise HipgenError(f"{where}: {other} has the same patch number")
        known[entry.release] = entry
        patches[entry.release.patch] = entry.release
    for entry in entries:
        where = f"{path}: {entry.release}: `api_set` {entry.api_set}"
        if entry.api_set not in known:
            raise HipgenError(f"{where} is not known")
        if not known[entry.api_set].own_api_set:
            raise HipgenError(f"{where} has no API set of its own")


def load_entry(item: dict[str, Any], api: Api, path: Path) -> Entry:
    name = item.get("version", "a release without `version`")
    for key in sorted(item.keys() - KEYS):
        raise HipgenError(f"{path}: {name}: unknown key `{key}`")
    for key in sorted(REQUIRED - item.keys()):
        raise HipgenError(f"{path}: {name}: `{key}` is missing")
    for key in sorted(item.keys() & TEXTS):
        if not isinstance(item[key], str):
            raise HipgenError(f"{path}: {name}: `{key}` is no text in quotes")
    soname, without = item["soname"], item.get("without", [])
    if type(soname) is not int or soname < 0:
        raise HipgenError(f"{path}: {name}: `soname` is no number from 0 on")
    if not isinstance(without, list) or not all(isinstance(one, str) for one in without):
        raise HipgenError(f"{path}: {name}: `without` is no list of names in quotes")
    release = parse_release(item["version"], api, str(path))
    api_set = parse_release(item.get("api_set", str(release)), api, f"{path}: {name}")
    others = {key: item[key] for key in ("derived_from", "neighbour") if key in item}
    try:
        return Entry(
            release, item["rocm"], soname, item["origin"], api_set, without=tuple(without), **others
        )
    except HipgenError as problem:
        raise HipgenError(f"{path}: {problem}") from None


def derive(parent: ApiSet, entry: Entry) -> ApiSet:
    """The API set of a release that declares `parent` without a few declarations or enumerators."""
    dropped: set[str] = set()
    kept: list[Declaration] = []
    for declaration in parent.declarations:
        if declaration.name in entry.without:
            dropped.add(declaration.name)
            continue
        if isinstance(declaration, Enum):
            gone = declaration.values.keys() & set(entry.without)
            dropped |= gone
            values = tuple(e for e in declaration.enumerators if e[0] not in gone)
            declaration = replace(declaration, enumerators=values)
        kept.append(declaration)
    missing = set(entry.without) - dropped
    if missing:
        raise HipgenError(
            f"{entry.release}: `without` names {', '.join(sorted(missing))}, "
            f"which {entry.derived_from} does not declare"
        )
    return ApiSet(entry.release, tuple(kept))


def carrier(rocm: str, release: Release) -> tuple[int, ...]:
    """The first release of the carrier in `rocm`, or that of the API itself."""
    found = re.search(r"\d+(\.\d+)+", rocm)
    return tuple(map(int, (found[0] if found else str(release)).split(".")))


def beside(entries: list[Entry], wanted: tuple[int, ...]) -> Entry:
    """The newest of the releases that this release of the carrier may have."""
    return [e for e in entries if carrier(e.rocm, e.release) <= wanted or e is entries[0]][-1]


def nearest(entries: list[Entry], release: Release) -> list[Entry]:
    """The known releases of the same major.minor, or else of the same major."""
    same_minor = [
        e for e in entries if (e.release.major, e.release.minor) == (release.major, release.minor)
    ]
    return same_minor or [e for e in entries if e.release.major == release.major] or entries[-1:]
