# SPDX-License-Identifier: MIT
"""every_call.py: writes a program that calls each function of the package by its stub.

Each call has a value for every argument, by name, and keeps every result, as the module itself tells
them by its signatures and texts; a type checker compares both with the stub.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import sys
from types import ModuleType

import hipshim

VALUES = {
    "None": ["Memory", "Address", "Handle", "Text", "object"],
    "0": ["int", "SupportsIndex"],
    "0.5": ["float"],
    "print": ["Callable"],
}


def modules() -> list[str]:
    """Those of the package that have functions of an API."""
    folder = os.path.dirname(hipshim.__file__)
    names = sorted(os.listdir(folder))
    return [f"hipshim.{n}" for n in names if os.path.exists(os.path.join(folder, n, "checked.py"))]


def value(alias: str, annotation: ast.expr) -> str:
    """A value of the type; a class of the package is made without arguments."""
    names = [n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)]
    if "tuple" in names:  # a record by value
        return f"{alias}.{next(n for n in names if n not in ('tuple', 'int'))}()"
    for text, types in VALUES.items():
        if any(name in types for name in names):
            return text
    return f"{alias}.{names[0]}()"


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
    status = re.search(r"^A (\w+) other than 0 is a failure", inspect.getdoc(function) or "", re.M)
    if names and status is not None and names[0].rstrip(",") == status[1]:
        names = names[1:]
    return -1 if len(names) == 1 else len(names)


def call(alias: str, function: object, stub: ast.FunctionDef, is_checked: bool) -> str:
    annotations = {a.arg: a.annotation for a in stub.args.args}
    given = []
    for name in inspect.signature(function).parameters:  # type: ignore[arg-type]
        annotation = annotations.get(name)
        given.append(f"{name}={value(alias, annotation) if annotation else 'None'}")
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
    for name in modules():
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
