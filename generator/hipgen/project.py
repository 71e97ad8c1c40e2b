# SPDX-License-Identifier: MIT
"""The hipshim tree: where its inputs and outputs lie, and safe writing."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hipgen.model import HipgenError, Release, ApiSet
from hipgen.parse import parse_bindings
from hipgen.releases import Entry, load_releases

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Project:
    """One checkout; tests point it at a copy."""

    root: Path = ROOT
    grown: tuple[Entry, ...] = ()  # entries in place of those of releases.toml

    @property
    def bindings(self) -> Path:
        return self.root / "bindings"

    @property
    def releases_file(self) -> Path:
        return self.root / "generator/apis/hip/releases.toml"

    @property
    def overrides_file(self) -> Path:
        return self.root / "generator/apis/hip/overrides.toml"

    @property
    def stable_header(self) -> Path:
        return self.bindings / "stable.h"

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.grown) or load_releases(self.releases_file)

    def with_entries(self, entries: list[Entry]) -> "Project":
        """The tree as it will be once these entries are written."""
        return Project(self.root, tuple(entries))

    @cached_property
    def by_patch(self) -> dict[int, Entry]:
        return {e.release.patch: e for e in self.entries}

    def api_set_entry(self, entry: Entry) -> Entry:
        """The release whose bindings header holds the declarations."""
        shared = self.by_patch.get(entry.api_set)
        if shared is None or not shared.own_api_set:
            raise HipgenError(
                f"{self.releases_file}: {entry.release}: api_set {entry.api_set} "
                "is no release with bindings of its own"
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
        api_set = parse_bindings(path)
        if api_set.release != self.api_set_entry(entry).release:
            raise HipgenError(f"{path}: says that it is of HIP {api_set.release}")
        digest = self.api_set_entry(entry).digest
        if digest and api_set.digest != digest:
            raise HipgenError(
                f"{path}: declares something else than was read from the headers of "
                f"HIP {api_set.release} (its digest in releases.toml is another)"
            )
        return api_set


def write_all(files: dict[Path, str]) -> list[Path]:
    """Writes every file or none, and leaves equal ones untouched.

    Each goes to a temporary file beside its target first; only when all are
    on disk do they replace the old ones.  Returns the files that changed.
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
