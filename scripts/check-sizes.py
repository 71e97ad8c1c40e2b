#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what is larger than HACKING.md allows: functions, files, templates, makefiles, folders.

Run in the source tree: scripts/check-sizes.py, without arguments.  Exit status 1 if something is
printed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

FUNCTION = 40
FILE = 500
LIMITS = {"*.j2": 120, "*.mk": 250, "Makefile.am": 250, "configure.ac": 150}
# Lines of C in folders of src together.
BUDGETS = {
    ("engine", "hip"): 6890,
    ("cache", "embed", "kernel"): 4801,
    ("loopback",): 4094,
    ("loopback/isa",): 5224,
    ("tool",): 8366,
    ("python",): 4200,
}
C_FOLDERS = ("src", "include", "examples")
PYTHON_FOLDERS = ("generator/hipgen", "scripts", "tests")
# Facts, not code: the loopback's excerpt of HSA's declarations.
GENERATED = ("src/loopback/hsa.h", "bindings")


def files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.rglob(pattern))
    return [f for f in found if not str(f).startswith(GENERATED) and "build" not in f.parts[0]]


def c_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Functions with their lines from the brace in column 0 to the closing one."""
    name, start = "", 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r"[A-Za-z_].*?\b(\w+)\(", line):
            name = match[1]
        if line == "{":
            start = number
        elif line == "}" and start:
            yield name, number - start - 1
            start = 0


def python_functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def too_long(path: Path, functions: Iterator[tuple[str, int]]) -> Iterator[str]:
    for name, length in functions:
        if length > FUNCTION:
            yield f"{path}: {name}: {length} lines, {FUNCTION} are allowed"
    length = len(path.read_text().splitlines())
    if length > FILE:
        yield f"{path}: {length} lines, {FILE} are allowed"


def over_budget() -> Iterator[str]:
    for folders, limit in BUDGETS.items():
        paths = [f for name in folders for f in files(Path("src", name), "*.[ch]")]
        inner = [Path("src", name) for other in BUDGETS for name in other if other != folders]
        paths = [f for f in paths if not any(i in f.parents and len(i.parts) > 2 for i in inner)]
        length = sum(len(path.read_text().splitlines()) for path in paths)
        if length > limit:
            names = " and ".join(f"src/{name}" for name in folders)
            yield f"{names}: {length} lines, {limit} are allowed"


def findings() -> Iterator[str]:
    for folder in C_FOLDERS:
        for path in [*files(Path(folder), "*.c"), *files(Path(folder), "*.h")]:
            yield from too_long(path, c_functions(path))
    for folder in PYTHON_FOLDERS:
        for path in files(Path(folder), "*.py"):
            yield from too_long(path, python_functions(path))
    for pattern, limit in LIMITS.items():
        for path in files(Path("."), pattern):
            length = len(path.read_text().splitlines())
            if length > limit:
                yield f"{path}: {length} lines, {limit} are allowed"
    yield from over_budget()


def main() -> int:
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if len(sys.argv) > 1:
        print(f"check-sizes.py: {sys.argv[1]}: unknown argument; it takes none", file=sys.stderr)
        return 2
    found = list(findings())
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
