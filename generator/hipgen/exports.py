# SPDX-License-Identifier: MIT
"""What a real library exports, and the baselines of it that are committed.

A baseline is generator/apis/hip/exports/<library>-<patch>.txt: one `name@@node` a line, as
the dynamic symbol table of that build has them.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipgen.model import HipgenError, Release

if TYPE_CHECKING:
    from hipgen.project import Project

DIRECTORY = "generator/apis/hip/exports"


def read_exports(library: Path) -> list[str]:
    """Defined dynamic symbols with their version nodes, sorted."""
    nm = shutil.which("nm")
    if nm is None:
        raise HipgenError("nm: not found; install binutils")
    done = subprocess.run(
        [nm, "-D", "--defined-only", "--with-symbol-versions", str(library)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise HipgenError(f"{library}: {done.stderr.strip().splitlines()[-1]}")
    symbols = set()
    for line in done.stdout.splitlines():
        _, kind, name = line.split(maxsplit=2)
        if kind in "TtWwVvBDRi" and kind != "A":
            symbols.add(name)
    if "hipRuntimeGetVersion" not in {s.split("@")[0] for s in symbols}:
        raise HipgenError(f"{library}: exports no hipRuntimeGetVersion: not a HIP runtime")
    return sorted(symbols)


def baseline_path(project: Project, release: Release) -> Path:
    return project.root / DIRECTORY / f"libamdhip64-{release.patch}.txt"


def baseline_files(project: Project, release: Release, library: Path) -> dict[Path, str]:
    text = "".join(f"{name}\n" for name in read_exports(library))
    return {baseline_path(project, release): text}


def compare_baselines(project: Project, old: Release, new: Release) -> dict[str, Any] | None:
    """Symbols gained and lost, when both releases have a baseline."""
    paths = [baseline_path(project, release) for release in (old, new)]
    if not all(p.is_file() for p in paths):
        return None
    before, after = (set(p.read_text().split()) for p in paths)
    return {"added": sorted(after - before), "removed": sorted(before - after)}
