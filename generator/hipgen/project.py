# SPDX-License-Identifier: MIT
"""The hipshim tree: the places of inputs and outputs, and safe writing."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hipgen.api import Api, load_api
from hipgen.headers import parse_bindings
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.releases import Entry, load_releases

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Project:
    """One checkout, or the copy of it that a test made."""

    root: Path = ROOT
    grown: tuple[Entry, ...] = ()  # replace the entries of releases.toml
    new_exports: dict[int, list[str]] = field(default_factory=dict)  # by patch number

    @property
    def bindings(self) -> Path:
        return self.root / "bindings"

    @cached_property
    def api_directory(self) -> Path:
        """The directory of the one API that has releases; of others there are excerpts."""
        found = sorted(self.root.glob("generator/apis/*/releases.toml"))
        if len(found) != 1:
            raise HipgenError(f"{self.root}/generator/apis: {len(found)} files releases.toml")
        return found[0].parent

    @cached_property
    def api(self) -> Api:
        return load_api(self.api_directory / "api.toml")

    @property
    def releases_file(self) -> Path:
        return self.api_directory / "releases.toml"

    @property
    def lock_file(self) -> Path:
        return self.api_directory / "headers.lock"

    @property
    def overrides_file(self) -> Path:
        return self.api_directory / "overrides.toml"

    @property
    def exports_directory(self) -> Path:
        return self.api_directory / "exports"

    @property
    def stable_header(self) -> Path:
        return self.bindings / "stable.h"

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.grown) or load_releases(self.releases_file, self.lock_file, self.api)

    def grow(self, entries: list[Entry], new_exports: dict[int, list[str]]) -> "Project":
        """The same tree with these entries in releases.toml, and these export lists."""
        return Project(self.root, tuple(entries), new_exports)

    @cached_property
    def by_patch(self) -> dict[int, Entry]:
        return {e.release.patch: e for e in self.entries}

    def api_set_entry(self, entry: Entry) -> Entry:
        """The release whose bindings header has the declarations of `entry`."""
        shared = self.by_patch.get(entry.api_set)
        if shared is None or not shared.own_api_set:
            raise HipgenError(
                f"{self.releases_file}: {entry.release}: api_set {entry.api_set}: "
                "no release with this patch number has bindings of its own"
            )
        return shared

    def find(self, release: Release) -> Entry | None:
        return next((e for e in self.entries if e.release == release), None)

    @cached_property
    def api_sets(self) -> dict[int, ApiSet]:
        """The committed API sets by patch number, oldest release first."""
        own = [e for e in self.entries if e.own_api_set]
        return {e.release.patch: self.committed(e) for e in own}

    def committed(self, entry: Entry) -> ApiSet:
        path = self.bindings / self.api_set_entry(entry).bindings_name
        api_set = parse_bindings(self.api, path)
        if api_set.release != self.api_set_entry(entry).release:
            raise HipgenError(f"{path}: defines the version of {api_set.release.title}")
        digest = self.api_set_entry(entry).digest
        if digest and api_set.digest != digest:
            raise HipgenError(
                f"{path}: declares something else than the headers of {api_set.release.title} "
                "(its digest in releases.toml is another)"
            )
        return api_set


def write_all(files: dict[Path, str]) -> list[Path]:
    """Writes every file or none; a file that would not change is not written.

    Each text goes to a temporary file beside its target.  The temporary files
    replace the targets when all of them are on disk.  Returns the files that changed.
    """
    staged: list[tuple[str, Path]] = []
    replaced: list[tuple[Path, bytes | None]] = []
    try:
        for path, text in files.items():
            if path.is_file() and path.read_text() == text:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            staged.append((name, path))
            with os.fdopen(handle, "w") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o644)
        for name, path in staged:
            before = path.read_bytes() if path.is_file() else None
            os.replace(name, path)
            replaced.append((path, before))
    except OSError as problem:
        for path, before in replaced:
            path.unlink() if before is None else path.write_bytes(before)
        for name, _ in staged:
            if os.path.exists(name):
                os.unlink(name)
        raise HipgenError(f"{problem.filename}: {problem.strerror}: nothing was written") from None
    return [path for _, path in staged]


def other_files(directory: Path, files: set[Path]) -> list[Path]:
    """The files below `directory` that are not in `files`, except hidden ones and objects of a build."""
    return [
        path
        for path in sorted(directory.rglob("*"))
        if path.is_file()
        and path not in files
        and path.suffix not in (".o", ".lo")
        and not any(part.startswith(".") for part in path.relative_to(directory).parts)
    ]


def remove_others(directory: Path, files: set[Path]) -> list[Path]:
    """Removes the files that other_files returns, and the folders that become empty."""
    removed = other_files(directory, files)
    for path in removed:
        path.unlink()
        folder = path.parent
        while folder != directory and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
    return removed
