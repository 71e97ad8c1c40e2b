# SPDX-License-Identifier: MIT
"""every_call.py: writes a program that calls each function of the package by its stub.

Each call has a value for every argument, by name, and keeps every result, as the module itself tells
them by its signatures and texts; a type checker compares both with the stub.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from types import ModuleType

MODULES = ["hipshim.hip", "hipshim.hiprtc", "hipshim.roctx"]
VALUES = {
    "None": ["Memory", "Address", "Handle", "Text", "object"],
    "0": ["int", "SupportsIndex"],
    "0.5": ["float"],
    "print": ["Callable"],
}


def value(annotation: ast.expr) -> str:
    """A value of the type; a class of the package is made without arguments."""
    names = [n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)]
    for text, types in VALUES.items():
        if any(name in types for name in names):
            return text
    return f"hip.{names[0]}()"


def declared(module: str) -> dict[str, ast.FunctionDef]:
    """The functions of a stub, which lies beside the module's file."""
    file = importlib.import_module(module).__file__
    assert file is not None
    with open(f"{file}i", encoding="utf-8") as stub:
        found = ast.parse(stub.read()).body
    return {f.name: f for f in found if isinstance(f, ast.FunctionDef)}


def results(function: object, is_checked: bool) -> int:
    """The number of results by the function's text; 0 for None, and -1 for one alone."""
    words = re.search(r"^Returns (\((.*)\)|None)\.$", inspect.getdoc(function) or "", re.M)
    assert words is not None, function
    names = [name for name in (words[2] or "").split(", ") if name.strip(",")]
    if not is_checked:
        return len(names)
    if names and names[0].rstrip(",") in ("hipError_t", "hiprtcResult"):
        names = names[1:]
    return -1 if len(names) == 1 else len(names)


def call(alias: str, function: object, stub: ast.FunctionDef, is_checked: bool) -> str:
    annotations = {a.arg: a.annotation for a in stub.args.args}
    given = []
    for name in inspect.signature(function).parameters:  # type: ignore[arg-type]
        annotation = annotations.get(name)
        given.append(f"{name}={value(annotation) if annotation else 'None'}")
    text = f"{alias}.{stub.name}({', '.join(given)})"
    count = results(function, is_checked)
    if count == 0:
        return text
    kept = [f"r{n}" for n in range(count)] if count > 0 else ["r"]
    return f"def call_{alias}_{stub.name}() -> None:\n    {', '.join(kept)}{',' * (count == 1)} = {text}\n"


def functions(module: ModuleType) -> set[str]:
    return {n for n in dir(module) if inspect.isbuiltin(getattr(module, n))}


def main() -> int:
    lines = []
    count = 0
    for name in MODULES:
        for number, path in enumerate((name, f"{name}.checked")):
            module = importlib.import_module(path)
            stubs = declared(path)
            if functions(module) != stubs.keys():
                sys.exit(f"{path}: only one has {sorted(functions(module) ^ stubs.keys())}")
            alias = path.split(".", 1)[1].replace(".", "_")
            lines.append(f"import {path} as {alias}")
            for one in sorted(stubs):
                count += 1
                lines.append(call(alias, getattr(module, one), stubs[one], bool(number)))
    print("\n".join(lines))
    print(f"{count} calls", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
