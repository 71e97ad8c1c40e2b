# SPDX-License-Identifier: MIT
"""Renders the Python module of one API: C tables, a function in C for each one, and stubs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hipgen.api import Api, PythonRule
from hipgen.callers import Caller
from hipgen.documents import served_on
from hipgen.model import Function, FunctionType, Macro
from hipgen.plan import Plan
from hipgen.python_calls import Call, Calls, Parameter
from hipgen.python_stubs import Stubs
from hipgen.python_texts import Texts
from hipgen.python_types import PythonTypes, unnamed_values
from hipgen.render import render
from hipgen.spell import declare, parameters

# What a name means, the number of its class or enum, and its value in C.
Meaning = tuple[str, int, str]


@dataclass
class ShownCall:
    """A call as the template writes it."""

    call: Call
    rule: PythonRule
    rows: str
    notes: str  # the documentation behind the signature
    shown: str = ""  # the name that users write, of a macro if there is one

    def text(self, name: str) -> str:
        """The signature and documentation under this name, as a string of C."""
        lines = "\n".join([f"{name}{self.call.signature}", "--", "", self.notes])
        return '"' + lines.replace('"', '\\"').replace("\n", "\\n") + '"'

    def __getattr__(self, name: str) -> Any:
        return getattr(self.call, name)

    @property
    def c_count(self) -> int:
        return len(self.c_params)

    @cached_property
    def c_params(self) -> list[Parameter]:
        """The parameters, and a record that the function returns by value."""
        result = self.call.result
        if result is None or result.name != "RECORD":
            return self.call.params
        own = Parameter("result", self.call.function.result, "out", result)
        return [*self.call.params, own]

    @property
    def result_kind(self) -> str:
        result = self.call.result
        return "KIND_NONE" if result is None or result.name == "RECORD" else result.text

    @property
    def result_number(self) -> int:
        return self.call.result.number if self.call.result else 0

    @property
    def runs_once(self) -> str:
        return "true" if self.call.function.name in self.rule.runs_once else "false"

    @property
    def c_results(self) -> int:
        """The number of results that come through parameters."""
        return len(self.call.results) + self.c_count - len(self.call.params)

    @property
    def traits(self) -> str:
        """What a call of it has to look for; src/python/module.h says more."""
        flags = {flag for param in self.call.params for flag in param.flags}
        records = (p for p in self.c_params if p.kind.name == "RECORD" and p.direction == "out")
        found = ["TRAIT_RECORDS"] * any(not p.is_list for p in records)
        found += ["TRAIT_QUERIED"] * ("QUERIED" in flags)
        found += ["TRAIT_STATUS"] * bool(self.call.status)
        return " | ".join(found) or "0"

    @property
    def freed(self) -> int:
        """The argument that is no more after the call, or -1."""
        return next((n for n, p in enumerate(self.call.arguments) if "FREED" in p.flags), -1)

    @property
    def bytes(self) -> int:
        named = self.rule.arrays.get(self.call.function.name)
        names = [p.name for p in self.call.params]
        return names.index(named) if named else -1

    @property
    def initial(self) -> str:
        """The values of missing arguments."""
        values = [
            f"[{n}] = {{.i64 = (int64_t)({p.default})}}"
            for n, p in enumerate(self.call.params)
            if p.default.strip() not in ("", "0", "NULL", "nullptr")
        ]
        return f"HS_INITIAL({', '.join(values) or '{0}'})"

    @property
    def statement(self) -> str:
        call = f"{self.call.function.name}({self.call.expressions})"
        result = self.call.result
        if result is None:
            return call
        if result.name == "RECORD":
            spelled = declare(self.call.function.result, "")
            return f"*({spelled} *)v[{len(self.call.params)}].p = {call}"
        cast = (
            "(uint64_t)(uintptr_t)" if result.name in ("TEXT", "MEMORY", "HANDLE") else "(uint64_t)"
        )
        return f"result = {cast}{call}"


class PythonModule:
    """The files of one API."""

    def __init__(
        self,
        api: Api,
        caller: Caller,
        plan: Plan,
        rule: PythonRule,
        homes: dict[tuple[str, str], str],
    ) -> None:
        self.api = api
        self.caller = caller
        self.plan = plan
        self.rule = rule
        self.api_set = caller.api_set
        self.types = PythonTypes(self.api_set, caller.overrides, rule, homes)
        self.calls = Calls(self.api_set, caller.overrides, self.types, rule)
        self.modules = [rule.module, *rule.modules]

    def files(self) -> dict[str, str]:
        found = {}
        surfaces = []
        for number, module in enumerate(self.modules):
            functions = [f for f in self.plan.functions if self.api.library_of(f.name) == number]
            calls = [self.shown(f) for f in functions]
            methods = f"hs_methods_{number}"
            named = self.named(calls)
            found[f"{module}_functions.c"] = self.render_functions(calls, named, methods, module)
            found |= self.package(number, named)
            surfaces.append(
                {
                    "module": f"hipshim.{module}",
                    "methods": methods,
                    "names": self.names(number),
                }
            )
        found["types.c"] = self.render_types(surfaces)
        found[f"hipshim/_{self.rule.module}.pyi"] = render(
            "python_types.pyi",
            extension=f"hipshim._{self.rule.module}",
            **Stubs(self.types).types_of_module(self.names(0)),
        )
        found["files.mk"] = self.makefile(found)
        return found

    def makefile(self, files: dict[str, str]) -> str:
        published = self.api.published
        name = self.api.name
        return render(
            "python_module.mk",
            module=self.rule.module,
            folder="bindings/python" if published else f"bindings/{name}/python",
            sources=[file for file in files if file.endswith(".c")],
            files=sorted(file for file in files if not file.endswith(".c")),
            includes=[] if published else [name, *(f"{n}/include" for n in self.api.uses[1:])],
            library="libhipshim" if published else f"libhipshim-{name}",
            optional=self.api.optional,
        )

    def shown(self, function: Function) -> ShownCall:
        call = self.calls.of(function)
        declared = f"{declare(function.result, function.name)}({parameters(function.params)})"
        served = served_on(function, self.plan, self.caller.overrides)
        notes = Texts(self.types, self.rule).of(call, declared, served)
        return ShownCall(call, self.rule, f"params_of_{function.name}", notes, function.name)

    def named(self, calls: list[ShownCall]) -> dict[str, ShownCall]:
        """The functions by their names, and by those of macros that stand for them."""
        names = {c.call.function.name: c for c in calls}
        aliases = {}
        for macro in self.api_set.macros.values():
            alias, _, params = macro.name.partition("(")
            target, _, arguments = macro.body.partition("(")
            if target in names and params == arguments:
                aliases[alias] = names[target]
                names[target].shown = alias
        return dict(sorted({**names, **aliases}.items()))

    def package(self, library: int, named: dict[str, ShownCall]) -> dict[str, str]:
        """The files of the package that publish the functions of one library, and their stubs."""
        stubs = Stubs(self.types)
        functions = [
            stubs.function(c.call, name, c.call.function.name in self.rule.arrays)
            for name, c in named.items()
        ]
        found = {}
        for name, checked in (("__init__", False), ("checked", True)):
            values = {
                "module": f"hipshim.{self.modules[library]}",
                "extension": f"_{self.rule.module}",
                "checked": checked,
                "error": self.rule.error,
                "is_core": not self.rule.core,
            }
            path = f"hipshim/{self.modules[library]}/{name}.py"
            found[path] = render("python_package.py", **values)
            found[f"{path}i"] = render("python_stub.pyi", **values, functions=functions)
        return found

    def render_functions(
        self, calls: list[ShownCall], named: dict[str, ShownCall], methods: str, module: str
    ) -> str:
        rows: dict[str, dict[str, Any]] = {}
        for call in calls:
            key = repr([(p.all_flags, p.kind, p.length) for p in call.c_params])
            row = rows.setdefault(key, {"name": f"params_{len(rows)}", "params": call.c_params})
            call.rows = row["name"]
        kept = [row for row in rows.values() if row["params"]]
        for call in calls:
            call.rows = call.rows if call.c_params else "NULL"
        return render(
            "python_module.c",
            api=self.api,
            part=f"functions of {module}",
            header=self.header,
            calls=calls,
            parameter_rows=kept,
            methods=methods,
            named=named.items(),
        )

    @property
    def header(self) -> str:
        """As src/python includes it; that of another API lies in its own folder of bindings/."""
        return (
            f"{self.api.include_directory}/{self.api.headers[0]}"
            if self.api.published
            else self.caller.header
        )

    def render_types(self, surfaces: list[dict[str, Any]]) -> str:
        overrides = self.caller.overrides
        handles = {r.name for r in self.api_set.records.values() if self.types.is_handle(r)}
        handles |= set(self.rule.handles.values())
        own = [self.header, *self.rule.headers]
        classes = [
            {
                "name": c.name,
                "spelling": c.spelling if c.name not in handles else "",
                "size": c.size,
                "align": c.align,
                "home": f'"{c.home}"' if c.home else "NULL",
                "members": c.members,
                "table": f"members_of_{c.name.replace('.', '_')}" if c.members else "NULL",
                "missing": overrides.record(c.name).constructor or "0",
                "is_handle": "true" if c.name in handles else "false",
            }
            for c in self.types.classes
        ]
        trampolines = [self.trampoline(f) for f in self.types.functions]
        return render(
            "python_types.c",
            api=self.api,
            headers=own if self.rule.core else [*own, "hipshim/hipshim.h"],
            enums=[(e, self.types.home_of(e)) for e in self.types.enums],
            classes=classes,
            surfaces=surfaces,
            trampolines=trampolines,
            memory=self.memory(),
            core=f'"hipshim._{self.rule.core}"' if self.rule.core else "NULL",
            error_text="NULL" if self.rule.core else "hipshim_error_text",
        )

    def memory(self) -> dict[str, str] | None:
        names = self.rule.memory
        if not names:
            return None
        function = self.api_set.functions[names["attributes"]]
        record = self.api_set.record_of(self.api_set.resolve(function.params[0].type).target)  # type: ignore[union-attr]
        assert record is not None
        return {**names, "record": record.spelling}

    def trampoline(self, type_: FunctionType) -> dict[str, Any]:
        """A function in C that calls one of Python with its arguments; the last is the data."""
        spelled = [declare(p, f"a{n}") for n, p in enumerate(type_.params)]
        *others, _ = type_.params
        kinds = [self.types.kind(p) for p in others]
        return {
            "parameters": ", ".join(spelled),
            "kinds": ", ".join(f"{{{k.text}, {k.number}}}" for k in kinds) or "{0, 0}",
            "addresses": ", ".join(f"&a{n}" for n in range(len(others))) or "NULL",
            "count": len(others),
            "data": f"a{len(others)}",
        }

    # --- names ---

    def names(self, library: int) -> list[dict[str, Any]]:
        found: dict[str, Meaning] = {}
        for number, class_ in enumerate(self.types.classes):
            if "." not in class_.name:
                found[class_.name] = ("CLASS", number, "0")
        for number, enum in enumerate(self.types.enums):
            found[enum.name] = ("ENUM", number, "0")
        for alias, (what, number) in self.types.aliases.items():
            found.setdefault(alias, (what.upper(), number, "0"))
        for name, value in unnamed_values(self.api_set).items():
            found[name] = ("NUMBER", 0, str(value))
        enumerators = self.enumerators()
        for macro in self.api_set.macros.values():
            meaning = self.macro(macro, found, enumerators)
            if meaning is not None:
                found.setdefault(macro.name, meaning)
        return [
            {"name": n, "meaning": f"HS_NAMES_{w}", "number": number, "value": value}
            for n, (w, number, value) in sorted(found.items())
        ]

    def enumerators(self) -> dict[str, Meaning]:
        return {
            name: ("ENUMERATOR", number, str(value))
            for number, enum in enumerate(self.types.enums)
            for name, value in enum.enumerators
        }

    def macro(
        self,
        macro: Macro,
        known: dict[str, Meaning],
        enumerators: dict[str, Meaning],
    ) -> Meaning | None:
        body = macro.body.strip()
        if body in known:
            return known[body]
        if body in enumerators:
            return enumerators[body]
        words = set(re.findall(r"\b[A-Za-z_]\w*", body)) - self.api_set.typedefs.keys()
        is_number = words <= self.api_set.macros.keys() | {"int", "void"} and body
        return ("NUMBER", 0, f"HS_NUMBER({macro.name})") if is_number else None
