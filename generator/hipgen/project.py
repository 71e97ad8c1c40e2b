# SPDX-License-Identifier: MIT
"""The hipshim tree: the places of inputs and outputs, and safe writing."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from hipgen.api import Api, load_api
from hipgen.apidata import ApiData
from hipgen.model import ApiSet, HipgenError, Release, key_of
from hipgen.releases import Entry, beside, carrier, load_releases

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Pending:
    """A new release that no file has yet."""

    entries: tuple[Entry, ...]  # of all releases
    api_set: ApiSet  # of the new one
    exports: list[str] | None = None  # of its library


@dataclass(frozen=True)
class Project:
    """One checkout, or the copy of it that a test made."""

    root: Path = ROOT
    pending: Pending | None = None
    name: str = ""  # of the API's folder in generator/apis/; empty: the one that is published
    everything: bool = False  # with the optional APIs

    @property
    def bindings(self) -> Path:
        top = self.root / "bindings"
        return top if self.api.published else top / self.api_directory.name

    @cached_property
    def api_directories(self) -> list[Path]:
        """The folders of all APIs that have releases; of others there are excerpts."""
        found = sorted(self.root.glob("generator/apis/*/releases.toml"))
        return [path.parent for path in found]

    @cached_property
    def api_directory(self) -> Path:
        if self.name:
            found = [path for path in self.api_directories if path.name == self.name]
        else:
            found = [d for d in self.api_directories if load_api(d / "api.toml").published]
        if len(found) != 1:
            wanted = f"named {self.name}" if self.name else "with `published`"
            raise HipgenError(f"{self.root}/generator/apis: {len(found)} APIs {wanted}")
        return found[0]

    @property
    def others(self) -> list["Project"]:
        """The APIs that are not published."""
        names = [path.name for path in self.api_directories if path != self.api_directory]
        found = [Project(self.root, name=name) for name in names]
        return [one for one in found if self.everything or not one.api.optional]

    @cached_property
    def api(self) -> Api:
        return load_api(self.api_directory / "api.toml")

    @cached_property
    def used(self) -> list["Project"]:
        """The APIs whose types this one knows."""
        return [Project(self.root, name=name) for name in self.api.uses]

    def used_sets(self, rocm: str, release: Release) -> list[ApiSet]:
        """What they declare in a release of the carrier."""
        wanted = carrier(rocm, release)
        return [used.with_types(used.committed(beside(used.entries, wanted))) for used in self.used]

    def with_types(self, api_set: ApiSet) -> ApiSet:
        """The API set with the types that only other APIs need, which types.def has."""
        if not self.types:
            return api_set
        known = [e.release for e in self.known[0]]  # without a new one, whose types are the newest
        release = api_set.release if api_set.release in known else known[-1]
        types = self.types.api_set(release).declarations
        missing = tuple(d for d in types if key_of(d) not in api_set.by_key)
        return replace(api_set, declarations=api_set.declarations + missing)

    @cached_property
    def types(self) -> ApiData | None:
        path = self.api_directory / "types.def"
        return ApiData(path, [e.release for e in self.known[0]]) if path.is_file() else None

    @property
    def releases_file(self) -> Path:
        return self.api_directory / "releases.toml"

    @property
    def api_file(self) -> Path:
        return self.api_directory / "api.def"

    @property
    def stable_file(self) -> Path:
        return self.api_directory / "stable.def"

    @property
    def overrides_file(self) -> Path:
        return self.api_directory / "overrides.toml"

    @property
    def adapters_text(self) -> str:
        """The C functions that rules name, where the API has no folder in src."""
        path = self.api_directory / "adapters.c"
        return path.read_text() if path.is_file() else ""

    @property
    def exports_directory(self) -> Path:
        return self.api_directory / "exports"

    @property
    def siblings_file(self) -> Path:
        return self.root / "generator/apis/siblings.toml"

    @property
    def inputs(self) -> list[str]:
        """The files below generator/ that the generated files depend on."""
        facts = self.root / "generator"
        found = (path for directory in self.api_directories for path in directory.rglob("*"))
        files = [path.relative_to(facts) for path in found if path.is_file()]
        files.append(self.siblings_file.relative_to(facts))
        code = ROOT / "generator"
        for pattern in ("hipgen/*.py", "templates/*.j2"):
            files += [path.relative_to(code) for path in code.glob(pattern)]
        return sorted(map(str, files))

    @cached_property
    def known(self) -> tuple[list[Entry], Release | None]:
        return load_releases(self.releases_file, self.api)

    @property
    def entries(self) -> list[Entry]:
        return list(self.pending.entries) if self.pending else self.known[0]

    def with_pending(
        self, entries: list[Entry], api_set: ApiSet, exports: list[str] | None
    ) -> "Project":
        """The same tree with these entries, one of them new, as if they were written."""
        return Project(self.root, Pending(tuple(entries), api_set, exports), self.name)

    @cached_property
    def by_release(self) -> dict[Release, Entry]:
        return {e.release: e for e in self.entries}

    def api_set_entry(self, entry: Entry) -> Entry:
        """The release whose bindings header has the declarations of `entry`."""
        shared = self.by_release.get(entry.api_set)
        if shared is None or not shared.own_api_set:
            raise HipgenError(
                f"{self.releases_file}: {entry.release}: api_set {entry.api_set}: "
                "this release has no API set of its own"
            )
        return shared

    def find_patch(self, patch: int) -> Entry | None:
        """The release with this patch number, which the names of published bindings have."""
        return next((e for e in self.entries if e.release.patch == patch), None)

    def find(self, release: Release) -> Entry | None:
        return self.by_release.get(release)

    @cached_property
    def data(self) -> ApiData:
        return ApiData(self.api_file, [e.release for e in self.known[0]])

    @cached_property
    def api_sets(self) -> dict[Release, ApiSet]:
        """The API sets by release, oldest first, without those that releases share."""
        return {e.release: self.committed(e) for e in self.entries if e.own_api_set}

    def committed(self, entry: Entry) -> ApiSet:
        """What a release declares; it has the number of the release that shares its API set."""
        release = self.api_set_entry(entry).release
        if self.pending and self.pending.api_set.release == release:
            return self.pending.api_set
        rocm = self.by_release[release].rocm
        return self.data.api_set(release, lambda: self.used_sets(rocm, release))

    @cached_property
    def frozen(self) -> ApiSet | None:
        """The stable API set so far."""
        release = self.known[1]
        if release is None and self.stable_file.is_file():
            raise HipgenError(
                f"{self.releases_file}: `stable` is missing, and there is a stable.def"
            )
        return (
            ApiData(self.stable_file, [release]).api_set(release, self.used_stable)
            if release
            else None
        )

    def used_stable(self) -> list[ApiSet]:
        return [used.with_types(used.frozen) for used in self.used if used.frozen]


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
