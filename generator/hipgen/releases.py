# SPDX-License-Identifier: MIT
"""Reads releases.toml: the known releases and the origin of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hipgen.api import Api
from hipgen.model import ApiSet, Declaration, Enum, HipgenError, Release

KEYS = {"version", "rocm", "soname", "origin", "api_set"}
KEYS |= {"derived_from", "without", "neighbour"}
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

    @property
    def own_api_set(self) -> bool:
        return self.api_set == self.release

    @property
    def bindings_name(self) -> str:
        return f"bindings_{self.release.patch}.h"


def parse_release(text: str, api: Api, where: str) -> Release:
    parts = text.split(".")
    if len(parts) != 3 or not all(p.isdecimal() for p in parts):
        raise HipgenError(f"{where}: `{text}` is not a release such as 6.2.41134")
    major, minor, patch = map(int, parts)
    return Release(major, minor, patch, api.name)


def load_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise HipgenError(f"{path}: {problem}") from None


def load_releases(path: Path, api: Api) -> tuple[list[Entry], Release | None]:
    """The entries in ascending order, and the release that the stable API set has grown by last.

    An unknown key is an error.
    """
    data = load_table(path)
    stable = data.pop("stable", None)
    entries = [load_entry(item, api, path) for item in data.pop("release", [])]
    if data:
        raise HipgenError(f"{path}: unknown key `{next(iter(data))}`")
    known = [e.release for e in entries]
    for entry in entries:
        if known.count(entry.release) > 1:
            raise HipgenError(f"{path}: {entry.release}: two entries have this release")
        if entry.api_set not in known:
            raise HipgenError(f"{path}: {entry.release}: `api_set` {entry.api_set} is not known")
    newest = parse_release(stable, api, f"{path}: stable") if stable else None
    return sorted(entries, key=lambda e: e.release), newest


def load_entry(item: dict[str, Any], api: Api, path: Path) -> Entry:
    name = item.get("version", "a release without `version`")
    for key in sorted(item.keys() - KEYS):
        raise HipgenError(f"{path}: {name}: unknown key `{key}`")
    for key in sorted(REQUIRED - item.keys()):
        raise HipgenError(f"{path}: {name}: `{key}` is missing")
    release = parse_release(item["version"], api, str(path))
    return Entry(
        release,
        item["rocm"],
        item["soname"],
        item["origin"],
        parse_release(item.get("api_set", str(release)), api, f"{path}: {name}"),
        item.get("derived_from", ""),
        tuple(item.get("without", ())),
        item.get("neighbour", ""),
    )


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


def nearest(entries: list[Entry], release: Release) -> list[Entry]:
    """The known releases of the same major.minor, or else of the same major."""
    same_minor = [
        e for e in entries if (e.release.major, e.release.minor) == (release.major, release.minor)
    ]
    return same_minor or [e for e in entries if e.release.major == release.major] or entries[-1:]
