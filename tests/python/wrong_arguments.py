# SPDX-License-Identifier: MIT
"""Calls each function of the package once for each of its arguments, which is of a wrong kind.

The others are right.  Each call has to raise a TypeError that begins with the function and the argument,
and none may reach the library.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from types import ModuleType
from typing import Any

from every_call import declared, modules, value

# What takes any object, and what takes nothing: an object without a protocol, and one with a false one.
ANY = "object"


class Liar:
    """Has the address of an array, which is none."""

    __cuda_array_interface__ = {"data": ("no address", False)}


def is_any(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == ANY


def complaint(function: Any, arguments: dict[str, Any], name: str) -> str:
    """What is wrong with the answer to a wrong argument; empty if nothing is."""
    shown = f"{function.__name__}(): {name}: "
    try:
        function(**arguments)
    except TypeError as error:
        # A function that a macro names, too, says the name of the macro.
        said = re.match(r"\w+\(\): (\w+): ", str(error))
        return "" if said and said[1] == name else f"{shown}not named by: {error}"
    except Exception as error:
        return f"{shown}{type(error).__name__}: {error}"
    return f"{shown}{arguments[name]!r} was taken"


def check(module: ModuleType, stub: ast.FunctionDef) -> tuple[int, list[str]]:
    names = {"module": module}
    right = {
        a.arg: eval(value("module", a.annotation), names) for a in stub.args.args if a.annotation
    }
    found = []
    wrong = [
        (a.arg, kind) for a in stub.args.args if not is_any(a.annotation) for kind in (object, Liar)
    ]
    for name, kind in wrong:
        text = complaint(getattr(module, stub.name), {**right, name: kind()}, name)
        found += [text] if text else []
    return len(wrong), found


def main() -> int:
    count = 0
    for path in [name + part for name in modules() for part in ("", ".checked")]:
        module = importlib.import_module(path)
        for stub in declared(path).values():
            calls, found = check(module, stub)
            count += calls
            if found:
                print(*found, sep="\n")
                return 1
        print(f"{path}: {len(declared(path))} functions")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
