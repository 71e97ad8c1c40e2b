# SPDX-License-Identifier: MIT
"""Writes the C source of a fake HIP runtime of one release, from its bindings.

    python3 make_fake.py PATCH > fake_PATCH.c

It has every function of the release, with the types of the release; the macros FAKE_HIP
and FAKE_HIPRTC choose those of libamdhip64 and those of libhiprtc.  A function
records its arguments and the memory behind them, poisons its outputs and fills them
with the values that the test gave (fake.h).  A name with another meaning in this
release, such as hipGetDeviceProperties since 6.0, reports an error if it is called.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "generator"))

from hipgen.model import Function, Named, Pointer, Record, ApiSet, Type  # noqa: E402
from hipgen.overrides import Overrides, ParamRule, load_overrides  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.releases import Entry  # noqa: E402
from hipgen.spell import declare  # noqa: E402

# The calls with which hipshim makes an error its own the last error, and what they return.
RECORDERS = {
    "hipCtxSetCacheConfig": ("", "hipErrorNotSupported"),
    "hipGetDevice": ("!p0 && ", "hipErrorInvalidValue"),
}
# Calls with which hipshim completes another function, and what they return then.
HELPERS = {
    "hipDeviceGetAttribute": "hipErrorInvalidValue",
    "hipDeviceGetStreamPriorityRange": "hipErrorInvalidValue",
    "hipDeviceGetUuid": "hipErrorNotSupported",
    "hipExtGetLastError": "hipSuccess",
    "hipGetLastError": "hipSuccess",
}


def is_const(type_: Type) -> bool:
    return isinstance(type_, (Named, Pointer)) and type_.const


def has_size(api_set: ApiSet, type_: Type) -> bool:
    """False for void, functions and structs that are only declared."""
    found = api_set.resolve(type_)
    record = api_set.record_of(found)
    if record is not None:
        return record.complete
    if isinstance(found, Named):
        return found.name not in ("void", "char") and not found.name.startswith(
            ("struct ", "union ")
        )
    return isinstance(found, Pointer)


def helping(name: str) -> list[str]:
    """The statements for a call that is not the one under test."""
    condition, error = RECORDERS.get(name, ("", HELPERS.get(name, "")))
    if not error:
        return []
    kind = "records" if name in RECORDERS else "helps"
    return [f'    if ({condition}fake_{kind}("{name}")) {{', f"        return {error};", "    }"]


class Maker:
    """Writes the functions of one release."""

    def __init__(self, api_set: ApiSet, stable: ApiSet, overrides: Overrides) -> None:
        self.api_set, self.stable = api_set, stable
        self.overrides = overrides
        self.stable_names = {
            symbol: name for name, rule in overrides.functions.items() for symbol in rule.symbols
        }

    def twin(self, function: Function) -> Function:
        """The stable function, whose parameter names the rules use."""
        name = self.stable_names.get(function.name, function.name)
        found = self.stable.functions.get(name, function)
        return found if len(found.params) == len(function.params) else function

    def rule(self, function: Function, number: int) -> ParamRule:
        twin = self.twin(function)
        rules = self.overrides.function(twin.name).params
        return rules.get(twin.params[number].name, ParamRule())

    def direction(self, function: Function, number: int, target: Type) -> str:
        # Only records are converted; the directions of others are for Python.
        rule = self.rule(function, number)
        stated = rule.direction if self.api_set.record_of(target) else ""
        if stated or is_const(target):
            return stated or "in"
        mine = self.stable.resolve(self.twin(function).params[number].type)
        enum = self.api_set.enum_of(target)
        record = self.stable.record_of(mine.target) if isinstance(mine, Pointer) else None
        if enum is not None:
            return self.overrides.enum(
                enum.name
            ).direction  # empty if it is a list of unknown length
        if record is not None:
            return self.overrides.record(record.name).direction or "in"
        return "in" if self.api_set.record_of(target) else "out"

    def lists(self, record: Record, number: int) -> list[str]:
        rule = self.overrides.record(record.name)
        return [
            f"        fake_take(FAKE_LIST + {number}, p{number}->{path}, "
            f"p{number}->{count} * sizeof *p{number}->{path});"
            for path, count in rule.arrays.items()
        ]

    def memory(self, function: Function, number: int) -> list[str]:
        """The statements for the memory behind a parameter."""
        rule = self.rule(function, number)
        if self.overrides.function(function.name).same_abi_everywhere:
            return []  # the headers disagree on what lies behind the pointer
        if rule.tagged_by:
            return self.tagged(function, number, rule)
        type_ = self.api_set.resolve(function.params[number].type)
        if not isinstance(type_, Pointer) or not has_size(self.api_set, type_.target):
            return []
        lines = []
        count = f" * p{self.place(self.twin(function), rule.count)}" if rule.count else ""
        size = f"sizeof *p{number}{count}"
        direction = self.direction(function, number, type_.target)
        if "in" in direction:
            lines.append(f"    fake_take(FAKE_MEMORY + {number}, p{number}, {size});")
            record = self.api_set.record_of(type_.target)
            lists = self.lists(record, number) if record else []
            lines += [f"    if (p{number}) {{", *lists, "    }"] if lists else []
        if "out" in direction:
            lines.append(f"    fake_fill(FAKE_MEMORY + {number}, (void *)p{number}, {size});")
        return lines

    def tagged(self, function: Function, number: int, rule: ParamRule) -> list[str]:
        """The statements for a pointer to void that points to an int, or a list of those."""
        if not rule.count:
            return [f"    fake_fill(FAKE_MEMORY + {number}, p{number}, sizeof(int));"]
        count = f"p{self.place(self.twin(function), rule.count)}"
        return [
            f"    for (size_t i = 0; i < {count}; i++) {{",
            f"        fake_fill(FAKE_MEMORY + {number}, p{number}[i], sizeof(int));",
            "    }",
        ]

    def place(self, function: Function, name: str) -> int:
        return next(n for n, p in enumerate(function.params) if p.name == name)

    def function(self, function: Function) -> str:
        params = ", ".join(declare(p.type, f"p{n}") for n, p in enumerate(function.params))
        lines = [
            f"FAKE_EXPORT {declare(function.result, function.name)}({params or 'void'})",
            "{",
            *helping(function.name),
            f'    fake_begin("{function.name}");',
        ]
        for number in range(len(function.params)):
            lines.append(f"    fake_take(FAKE_VALUE + {number}, &p{number}, sizeof p{number});")
        for number in range(len(function.params)):
            lines += self.memory(function, number)
        if function.name == "hipRuntimeGetVersion":
            lines.append("    *p0 = fake_version;")
        return "\n".join([*lines, *self.ending(function), "}", ""])

    def ending(self, function: Function) -> list[str]:
        result = declare(function.result, "")
        if result == "void":
            return ["    fake_end();"]
        if result in ("hipError_t", "hiprtcResult"):
            return [f"    return ({result})fake_end();"]
        return [
            f"    static {result} result;",
            "    fake_fill(FAKE_RESULT, &result, sizeof result);",
            "    fake_end();",
            "    return result;",
        ]

    def traps(self) -> list[str]:
        found = []
        for rule in self.overrides.functions.values():
            held = [s for s in rule.symbols if s in self.api_set.functions]
            for symbol in rule.symbols:
                if held and symbol != held[0]:
                    found.append(
                        f'FAKE_EXPORT void trap_{symbol}(void) __asm__("{symbol}");\n'
                        f'void trap_{symbol}(void)\n{{\n    fake_trap("{symbol}");\n}}\n'
                    )
        return found


def entry_of(project: Project, patch: int) -> Entry:
    entry = project.find_patch(patch)
    assert entry, f"{patch}: no release has this patch number"
    return entry


def main() -> None:
    project = Project()
    entry = project.api_set_entry(entry_of(project, int(sys.argv[1])))
    api_set = project.committed(entry)
    stable = project.frozen
    assert stable
    maker = Maker(api_set, stable, load_overrides(project.overrides_file))
    print(
        f'#include "{entry.bindings_name}"\n#include "fake.h"\n\nextern const int fake_version;\n'
    )
    for macro, is_hiprtc in (("FAKE_HIP", False), ("FAKE_HIPRTC", True)):
        print(f"#ifdef {macro}")
        for function in api_set.functions.values():
            if function.name.startswith("hiprtc") == is_hiprtc:
                print(maker.function(function))
        print("\n".join([] if is_hiprtc else maker.traps()), "#endif", sep="\n")


if __name__ == "__main__":
    main()
