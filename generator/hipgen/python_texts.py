# SPDX-License-Identifier: MIT
"""The documentation of a function in Python: all of it follows from the model."""

from __future__ import annotations

import re

from hipgen.api import PythonRule
from hipgen.model import Named
from hipgen.python_calls import NO_LENGTH, Call, Parameter
from hipgen.python_types import Kind, PythonTypes

# Sizes that count no parameter's memory are in bytes, too.
IN_BYTES = re.compile(r"bytes$|size$", re.IGNORECASE)
WORDS = {"TEXT": "a str or bytes", "MEMORY": "memory", "FUNCTION": "a callable"}
FLAGGED = {
    "DATA": "any object, which the callable gets last",
    "ARGUMENTS": "a tuple of the kernel's arguments",
    "PACKED": "a tuple of the kernel's arguments, which are packed into one buffer",
}


class Texts:
    def __init__(self, types: PythonTypes, rule: PythonRule) -> None:
        self.types = types
        self.rule = rule

    def of(self, call: Call, declared: str, served: str) -> str:
        lines = [
            f"{p.python_name}: {self.argument(call, n)}"
            for n, p in enumerate(call.params)
            if p.is_argument
        ]
        blocks = [f"{declared};", "\n".join(lines), f"{self.results(call)}\n{served}"]
        return "\n\n".join(block for block in blocks if block)

    def argument(self, call: Call, number: int) -> str:
        param = call.params[number]
        for flag, text in FLAGGED.items():
            if flag in param.flags:
                return text
        if "SCALAR" in param.flags:
            scalar = "complex" if param.kind.name == "RECORD" else "float"
            return f"a {scalar}, or memory with one"
        counted = self.counted(call, param)
        if param.is_list:
            return f"a list{counted}: {self.value(param.kind)}"
        text = self.unit(call, number) or self.value(param.kind) + counted
        if param.kind.name == "HANDLE" and isinstance(param.type, Named):
            text = param.type.name
        if "FREED" in param.flags:
            return f"{text}, which ends with the call"
        if param.kind.name == "MEMORY":
            text += ", written" if "WRITTEN" in param.flags else ", read"
        return text

    def value(self, kind: Kind) -> str:
        if kind.name == "ENUM":
            return self.types.enums[kind.number].name
        if kind.name in ("HANDLE", "RECORD"):
            return self.types.classes[kind.number].name
        return WORDS.get(kind.name, "a float" if kind.name in ("F32", "F64") else "an int")

    def counted(self, call: Call, param: Parameter) -> str:
        """How much of the caller's memory or list the function uses."""
        if param.length == NO_LENGTH:
            return ""
        if param.length < NO_LENGTH:
            return f" of {-1 - param.length} items"
        count = call.params[param.length].python_name
        if "PITCHED" in param.flags:
            width, rows = call.params[param.kind.number : param.kind.number + 2]
            return f", {rows.name} rows of {width.name} bytes, each {count} bytes after the last"
        in_bytes = param.kind.name == "MEMORY" and not param.is_list and not param.kind.number
        return f" of {count} {'bytes' if in_bytes else 'items'}"

    def unit(self, call: Call, number: int) -> str:
        """The unit of a number, if there is one that the model or the name tells."""
        param = call.params[number]
        counted = [p for p in call.params if p.length == number]
        in_rows = [p.kind.number for p in call.params if "PITCHED" in p.flags]
        is_size = param.kind.name in ("U32", "U64") and IN_BYTES.search(param.name)
        if (
            number in in_rows
            or any(p.kind == Kind("MEMORY") and not p.is_list for p in counted)
            or self.rule.arrays.get(call.function.name) == param.name
            or (is_size and not counted)
        ):
            return "a number of bytes"
        return f"the number of items of {counted[0].name}" if counted else ""

    def results(self, call: Call) -> str:
        names = [p.name for p in call.results]
        status = call.status
        if status:
            names.insert(0, status)
        elif call.result is not None:
            names.insert(0, "the result")
        if not names:
            return "Returns None."
        text = f"Returns ({', '.join(names)}{',' if len(names) == 1 else ''})."
        if status and self.rule.error:
            text += f"\nA {status} other than 0 is a failure; in `checked` it is raised as {self.rule.error}."
        return text
