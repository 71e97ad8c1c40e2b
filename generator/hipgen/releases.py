# SPDX-License-Identifier: MIT
"""Reads releases.toml and headers.lock: the known releases and the origin of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hipgen.api import Api
from hipgen.model import ApiSet, Declaration, Enum, HipgenError, Release

KEYS = {"version", "rocm", "soname", "origin", "api_set", "digest"}
KEYS |= {"derived_from", "without", "neighbour"}
REQUIRED = {"version", "rocm", "soname", "origin"}


@dataclass(frozen=True)
class Entry:
    """One release; `api_set` is the patch number of the release whose bindings it shares."""

    release: Release
    rocm: str
    soname: int
    origin: str
    api_set: int
    derived_from: str = ""
    without: tuple[str, ...] = ()
    sha256: dict[str, str] = field(default_factory=dict, hash=False)
    neighbour: str = ""  # the release that completed published bindings
    digest: str = ""  # ApiSet.digest of the bindings, if the release has an API set of its own

    @property
    def own_api_set(self) -> bool:
        return self.api_set == self.release.patch

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


def load_releases(path: Path, lock: Path, api: Api) -> list[Entry]:
    """The entries in ascending order; an unknown key in either file is an error."""
    data, digests = load_table(path), load_table(lock)
    entries = [load_entry(item, digests, api, path) for item in data.pop("release", [])]
    for version in digests.keys() - {str(e.release) for e in entries}:
        raise HipgenError(f"{lock}: {version}: no such release in {path.name}")
    if data:
        raise HipgenError(f"{path}: unknown table `{next(iter(data))}`")
    patches = [e.release.patch for e in entries]
    for patch in patches:
        if patches.count(patch) > 1:
            raise HipgenError(f"{path}: two releases with the patch number {patch}")
    for e in entries:
        if e.api_set not in patches:
            raise HipgenError(f"{path}: {e.release}: `api_set` {e.api_set} is that of no release")
    return sorted(entries, key=lambda e: e.release)


def load_entry(item: dict[str, Any], digests: dict[str, Any], api: Api, path: Path) -> Entry:
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
        item.get("api_set", release.patch),
        item.get("derived_from", ""),
        tuple(item.get("without", ())),
        dict(digests.get(str(release), {})),
        item.get("neighbour", ""),
        item.get("digest", ""),
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
