# SPDX-License-Identifier: MIT
"""The types of the Python module in Python's own terms, for its stubs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hipgen.model import Enum
from hipgen.python_calls import Call, Parameter
from hipgen.python_types import Class, Kind, Member, PythonTypes

NUMBERS = {"F32": "float", "F64": "float"}
PLAIN = {
    "MEMORY": "Memory",
    "TEXT": "Text",
    "FUNCTION": "Callable[..., object] | Address",
    "CHARS": "str | Bytes",
    "BYTES": "Bytes",
}
GIVEN = {"MEMORY": "Pointer | None", "TEXT": "str | None", "FUNCTION": "Pointer | None"}


class Stubs:
    def __init__(self, types: PythonTypes) -> None:
        self.types = types

    def class_name(self, number: int) -> str:
        return self.types.classes[number].name.replace(".", "_")

    def taken(self, kind: Kind) -> str:
        """The type of a value that Python passes."""
        if kind.name == "ENUM":
            return f"{self.types.enums[kind.number].name} | int"
        if kind.name == "HANDLE":
            return f"{self.class_name(kind.number)} | Handle"
        if kind.name == "RECORD":
            return self.class_name(kind.number)
        return PLAIN.get(kind.name, NUMBERS.get(kind.name, "SupportsIndex"))

    def given(self, kind: Kind) -> str:
        """The type of a value that Python gets."""
        if kind.name == "ENUM":
            return self.types.enums[kind.number].name
        if kind.name in ("HANDLE", "RECORD"):
            name = self.class_name(kind.number)
            return name if kind.name == "RECORD" else f"{name} | None"
        plain = {"CHARS": "str", "BYTES": "Bytes"} | GIVEN
        return plain.get(kind.name, NUMBERS.get(kind.name, "int"))

    def argument(self, param: Parameter) -> str:
        if "DATA" in param.flags:
            return "object"
        if "ARGUMENTS" in param.flags or "PACKED" in param.flags:
            return "Sequence[Memory | float] | Memory"
        if "SCALAR" in param.flags:
            return "complex | Memory" if param.kind.name == "RECORD" else "float | Memory"
        if param.kind.name == "RECORD":
            name = self.class_name(param.kind.number)
            if "POINTED" in param.flags:
                return f"{name} | list[{name}] | Memory"
            return name + self.instead_of(self.types.classes[param.kind.number])
        if param.is_list:
            return f"Sequence[{self.taken(param.kind)}] | Memory"
        return self.taken(param.kind)

    def instead_of(self, class_: Class) -> str:
        """What is taken for a record by value besides it: its members, or the first one alone."""
        if any(
            not m.kind.name.startswith(("I", "U")) or m.kind.count or m.bits for m in class_.members
        ):
            return ""
        rule = self.types.overrides.record(class_.name)
        return " | tuple[int, ...]" + (" | int" if rule.constructor else "")

    def result(self, param: Parameter, is_array: bool) -> str:
        kind = param.kind
        if param.is_list or "BORROWED" in param.flags:
            return f"list[{self.given(kind)}]"
        if kind.name == "MEMORY" and is_array:
            return "DeviceArray | None"
        return self.given(kind)

    def function(self, call: Call, shown: str, is_array: bool) -> dict[str, Any]:
        params = [
            f"{p.python_name}: {self.argument(p)}" + (" = ..." if n >= call.required else "")
            for n, p in enumerate(call.arguments)
        ]
        results = [self.result(p, is_array) for p in call.results]
        own = self.given(call.result) if call.result else ""
        everything = [own, *results] if own else results
        bare = results if call.status else everything
        alone = bare[0] if len(bare) == 1 else f"tuple[{', '.join(bare)}]"
        return {
            "name": shown,
            "parameters": ", ".join(params),
            "result": f"tuple[{', '.join(everything)}]" if everything else "None",
            "checked": alone if bare else "None",
        }

    def record(self, class_: Class) -> dict[str, Any]:
        return {
            "name": class_.name.replace(".", "_"),
            "members": [self.member(m) for m in class_.members],
        }

    def types_of_module(self, names: list[dict[str, Any]]) -> dict[str, Any]:
        """The values of the template for everything that is no function."""
        classes = self.types.classes
        by_meaning: dict[str, Sequence[Class] | Sequence[Enum]] = {
            "HS_NAMES_CLASS": classes,
            "HS_NAMES_ENUM": self.types.enums,
        }
        known = {c.name for c in classes if "." not in c.name} | {e.name for e in self.types.enums}
        aliases = [n for n in names if n["meaning"] in by_meaning and n["name"] not in known]
        return {
            "names": sorted(known | {n["name"] for n in names}),
            "enums": [e for e in self.types.enums if not self.types.home_of(e)],
            "records": [self.record(c) for c in classes if not c.home],
            "imports": self.imports(),
            "aliases": [
                {"name": n["name"], "of": by_meaning[n["meaning"]][n["number"]].name}
                for n in aliases
            ],
            "numbers": [n["name"] for n in names if n["meaning"] not in by_meaning],
        }

    def imports(self) -> list[tuple[str, str]]:
        """The stubs of other modules with types, and the names of these."""
        found = [(c.home, c.name) for c in self.types.classes if c.home]
        found += [
            (self.types.home_of(e), e.name) for e in self.types.enums if self.types.home_of(e)
        ]
        return [(home.replace("hipshim.", "hipshim._"), name) for home, name in sorted(found)]

    def member(self, member: Member) -> dict[str, str]:
        given, taken = self.given(member.kind), self.taken(member.kind)
        if member.kind.name in ("CHARS", "BYTES"):
            taken = "str | Bytes"
        elif member.kind.count:
            given, taken = f"tuple[{given}, ...]", f"Sequence[{taken}]"
        elif member.kind.name == "MEMORY":
            taken = "Sequence[Memory | float] | Memory"
        elif member.kind.name == "HANDLE":
            taken += f" | list[{self.class_name(member.kind.number)}]"
        elif member.kind.name == "FUNCTION":
            taken += " | tuple[Callable[..., object], object]"
        return {"name": member.name, "given": given, "taken": taken}
