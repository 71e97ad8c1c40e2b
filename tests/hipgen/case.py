# SPDX-License-Identifier: MIT
"""The base class of the generator's tests."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generator"))

from hipgen.__main__ import main  # noqa: E402
from hipgen.project import Project  # noqa: E402

VENDOR_TREES = ("5.2", "5.7", "6.4", "7.2")


def runtimes_directory() -> Path:
    default = Path(os.environ.get("abs_builddir", ROOT)) / "runtimes"
    return Path(os.environ.get("HIPSHIM_RUNTIMES", default))


def hipgen_process(words: tuple[str | Path, ...]) -> CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "generator"))
    return subprocess.run(
        [sys.executable, "-m", "hipgen", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


class HipgenCase(unittest.TestCase):
    """A scratch directory, the committed project, and ways to run hipgen."""

    project = Project()

    def setUp(self) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="hipshim-test."))
        self.addCleanup(shutil.rmtree, self.scratch)

    def hipgen(self, *words: str | Path, process: bool = False) -> CompletedProcess[str]:
        """Runs the command line in this process, or with `process` in one of its own, as users do."""
        if process:
            return hipgen_process(words)
        out, err = io.StringIO(), io.StringIO()
        with (
            patch.object(sys, "argv", ["hipgen", *map(str, words)]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                status = main()
            except SystemExit as problem:  # of argparse
                status = int(problem.code or 0)
        return CompletedProcess(words, status, out.getvalue(), err.getvalue())

    plain_tree: Path | None = None  # for the tests of one process

    def copy_of_tree(self) -> Path:
        """The parts of the tree that hipgen reads and writes, without the optional APIs, which take long."""
        if HipgenCase.plain_tree is None:
            made = Path(tempfile.mkdtemp(prefix="hipgen-tree."))
            atexit.register(shutil.rmtree, made, ignore_errors=True)
            optional = [one.name for one in Project(everything=True).others if one.api.optional]
            for name in ("bindings", "generator/apis"):
                shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns(*optional))
            done = self.hipgen("--root", made, "generate", "--no-all")
            self.assertEqual(done.returncode, 0, done.stderr)
            HipgenCase.plain_tree = made
        return Path(shutil.copytree(HipgenCase.plain_tree, self.scratch / "tree"))

    def header_tree(self, text: str, hiprtc: str = "") -> Path:
        """A header tree whose hip_runtime_api.h is `text`."""
        hip = self.scratch / "headers/hip"
        hip.mkdir(parents=True, exist_ok=True)
        (hip / "hip_runtime_api.h").write_text(text)
        (hip / "hiprtc.h").write_text(hiprtc)
        return self.scratch / "headers"

    def vendor_tree(self, name: str) -> Path:
        tree = runtimes_directory() / name / "usr/include"
        if not (tree / "hip/hip_runtime_api.h").is_file():
            required = os.environ.get("HIPSHIM_TEST_RUNTIMES") == "require"
            if required and name != "7.2":
                self.fail(f"no vendor headers in {tree} (tests/lib/fetch-runtimes gets them)")
            self.skipTest(f"no vendor headers in {tree} (tests/lib/fetch-runtimes gets them)")
        return tree


VERSION = """
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 99999
"""
