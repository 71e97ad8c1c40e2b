# SPDX-License-Identifier: MIT
"""What the Python module has to know of each function: its signature, and the call in C."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, replace
from functools import cached_property

from hipgen.api import PythonRule
from hipgen.directions import COUNTS, READS, Directions
from hipgen.model import ApiSet, Function, FunctionType, HipgenError, Named, Param, Pointer, Type
from hipgen.overrides import Overrides
from hipgen.python_types import Kind, PythonTypes
from hipgen.spell import declare

BY_VALUE = re.compile(r"[IU](8|16|32|64)|BOOL|ENUM")
NO_LENGTH = -1


@dataclass(frozen=True)
class Parameter:
    """A parameter in C, and the argument or result that it is in Python."""

    name: str
    type: Type
    direction: str
    kind: Kind
    is_list: bool = False
    length: int = NO_LENGTH  # the parameter that counts; less than -1 for a number of its own
    flags: tuple[str, ...] = ()
    default: str = ""

    @property
    def python_name(self) -> str:
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name

    @property
    def is_argument(self) -> bool:
        return self.direction != "out" and "QUERIED" not in self.flags

    @property
    def is_result(self) -> bool:
        """Whether Python gets it back; a record that the caller gave is written in place."""
        return "out" in self.direction and not (
            self.direction == "inout" and self.kind.name == "RECORD"
        )

    @property
    def is_plain(self) -> bool:
        """Whether a call only passes it on: a number, a handle, memory or a text."""
        return (
            self.direction == "in"
            and not self.is_list
            and not set(self.flags) - {"WRITTEN", "FREED"}
            and self.kind.name not in ("RECORD", "FUNCTION", "CHARS", "BYTES")
        )

    @property
    def all_flags(self) -> str:
        flags = ["FLOW_PLAIN"] * self.is_plain
        flags += [{"in": "FLOW_IN", "out": "FLOW_OUT", "inout": "FLOW_INOUT"}[self.direction]]
        flags += ["FLOW_LIST"] * self.is_list
        flags += [f"FLOW_{flag}" for flag in self.flags if flag != "FREED"]
        return " | ".join(flags)


class Call:
    """One function."""

    def __init__(
        self,
        function: Function,
        params: list[Parameter],
        result: Kind | None,  # None for void
        names: dict[str, int],  # the values of enumerators and macros, for defaults
        status: str = "",  # the enum that its result is, if this tells success
    ) -> None:
        self.function = function
        self.params = params
        self.result = result
        self.names = names
        self.status = status

    @cached_property
    def arguments(self) -> list[Parameter]:
        return [p for p in self.params if p.is_argument]

    @cached_property
    def results(self) -> list[Parameter]:
        return [p for p in self.params if p.is_result]

    @property
    def required(self) -> int:
        """The number of arguments without a default, all of which come first."""
        last = 0
        for number, param in enumerate(self.arguments, 1):
            if not param.default:
                last = number
        return last

    @property
    def signature(self) -> str:
        shown = [
            p.python_name + (f"={python_default(p, self.names)}" if number >= self.required else "")
            for number, p in enumerate(self.arguments)
        ]
        return f"({', '.join(['$self', *shown])})"

    @property
    def expressions(self) -> str:
        return ", ".join(expression(n, p) for n, p in enumerate(self.params))


def python_default(param: Parameter, names: dict[str, int]) -> str:
    """The default in Python's own terms, because no name of the module can stand in a signature."""
    text = param.default.strip()
    is_pointer = param.kind.name in ("HANDLE", "MEMORY", "TEXT", "RECORD")
    if text in ("0", "NULL", "nullptr"):
        return "None" if is_pointer else "0"
    is_number = re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)", text)
    return text if is_number else str(names.get(text, "..."))


def expression(number: int, param: Parameter) -> str:
    """The argument in C; `v` has a slot for each parameter."""
    spelled = declare(param.type, "")
    if "SCALAR" in param.flags:
        return f"({spelled})v[{number}].p"
    if param.is_list or param.kind.name == "RECORD" or "POINTED" in param.flags:
        by_value = param.kind.name == "RECORD" and "POINTED" not in param.flags
        return (
            f"*({spelled} *)v[{number}].p"
            if by_value and not param.is_list
            else f"({spelled})v[{number}].p"
        )
    if param.is_result:
        return f"({spelled})&v[{number}]"
    if param.kind.name.startswith("F") and param.kind.name != "FUNCTION":
        return f"v[{number}].{param.kind.name.lower()}"
    if BY_VALUE.fullmatch(param.kind.name):
        return f"({spelled})v[{number}].u64"
    return f"({spelled})v[{number}].p"


class Calls:
    """Builds the calls of one API."""

    def __init__(
        self, api_set: ApiSet, overrides: Overrides, types: PythonTypes, rule: PythonRule
    ) -> None:
        self.api_set = api_set
        self.overrides = overrides
        self.types = types
        self.rule = rule
        own = "|".join(filter(None, (rule.arrays_of_numbers, rule.scalars)))
        self.directions = Directions(
            api_set, overrides, rule.outputs, rule.inputs, own, rule.handles
        )
        enums = api_set.enums.values()
        self.names = {name: value for enum in enums for name, value in enum.enumerators}
        for macro in api_set.macros.values():
            number = re.search(r"\b(0x[0-9a-fA-F]+|[1-9]\d*)\b", macro.body)
            if number and not re.search(r"[-+*|<]", macro.body):
                self.names[macro.name] = int(number[0], 0)

    def of(self, function: Function) -> Call:
        params = [self.parameter(function, p) for p in function.params]
        params = self.with_data(self.with_freed(function, self.with_queries(params)))
        found = self.api_set.resolve(function.result)
        is_void = isinstance(found, Named) and found.name == "void"
        result = None if is_void else self.types.kind(function.result)
        enum = self.api_set.enum_of(function.result)
        name = enum.name if enum else ""
        status = name if name in self.overrides.error_enums else ""
        return Call(function, params, result, self.names, status)

    def parameter(self, function: Function, param: Param) -> Parameter:
        direction = self.directions.of(function, param)
        made = Parameter(param.name, param.type, direction, Kind("MEMORY"), default=param.default)
        type_ = self.api_set.resolve(param.type)
        if param.name in self.rule.argument_lists + self.rule.packed:
            packed = param.name in self.rule.packed
            return replace(made, flags=("PACKED" if packed else "ARGUMENTS",))
        if not isinstance(type_, Pointer):
            return replace(made, kind=self.types.kind(param.type))
        return self.pointer(function, param, made, type_)

    def pointer(
        self, function: Function, param: Param, made: Parameter, pointer: Pointer
    ) -> Parameter:
        target = pointer.target
        record = self.api_set.record_of(target)
        own = self.types.kind(param.type)
        count = self.length(function, param)
        if own.name in ("TEXT", "FUNCTION") or self.types.handle_of(param.type):
            return replace(made, kind=own)
        if not self.is_bytes(target) and self.directions.is_number(param, target):
            return self.numbers(function, param, made, target)
        if own.name == "MEMORY" and self.is_bytes(target):
            return self.memory(function, param, made, target)
        if record is not None and self.types.is_handle(record):
            return replace(made, kind=own)
        if record is not None:
            kind = Kind("RECORD", self.types.class_numbers[record.name])
            is_list = made.direction == "out" and count != NO_LENGTH
            return replace(made, kind=kind, flags=("POINTED",), length=count, is_list=is_list)
        element = self.types.kind(target)
        if made.direction == "out":
            return self.output(function, made, element, count)
        if made.direction == "inout":
            return replace(made, kind=element)
        return replace(made, kind=element, is_list=True, length=count)

    def numbers(self, function: Function, param: Param, made: Parameter, target: Type) -> Parameter:
        """Memory with numbers, or one number that Python passes itself."""
        size = self.types.size_of(target)
        element = self.types.kind(target)
        is_scalar = re.fullmatch(self.rule.scalars or "(?!)", param.name) is not None
        if is_scalar and getattr(target, "const", False) and self.is_float(element):
            return replace(made, kind=element, length=-1 - size, flags=("SCALAR",))
        made = self.memory(function, param, made, target)
        return replace(made, kind=Kind("MEMORY", size)) if made.length != NO_LENGTH else made

    def is_float(self, kind: Kind) -> bool:
        """Whether it is a number of Python in C, or a complex one: two of them."""
        if kind.name != "RECORD":
            return kind.name in ("F32", "F64")
        members = [m.kind.name for m in self.types.classes[kind.number].members]
        return members in (["F32", "F32"], ["F64", "F64"])

    def memory(self, function: Function, param: Param, made: Parameter, target: Type) -> Parameter:
        """Bytes of the caller, with the parameter that tells how many."""
        stated = self.overrides.function(function.name).params.get(param.name)
        is_read = (
            getattr(target, "const", False)
            or param.name in self.rule.inputs
            or param.name.startswith("src")
            or re.fullmatch(self.rule.addresses or "(?!)", param.name) is not None
            or stated is not None
            and stated.direction == "in"
            or bool(READS.search(function.name) and not param.name.startswith("dst"))
        )
        made = replace(made, flags=() if is_read else ("WRITTEN",))
        if not re.fullmatch(self.rule.buffers or "(?!)", param.name):
            return made
        names = [p.name for p in function.params]
        if "height" in names:
            after = names[names.index(param.name) :] + names
            pitch = next((n for n in after if re.fullmatch(self.rule.pitches, n)), "")
            rows = Kind("MEMORY", names.index("width"))
            flags = (*made.flags, "PITCHED")
            return replace(made, kind=rows, flags=flags, length=names.index(pitch))
        size = next((n for n in self.rule.sizes if n in names), "")
        return replace(made, length=names.index(size)) if size else made

    def output(self, function: Function, made: Parameter, element: Kind, count: int) -> Parameter:
        target = self.api_set.resolve(made.type)
        assert isinstance(target, Pointer)
        if element.name == "HANDLE" and count != NO_LENGTH and self.is_const_pointer(target.target):
            return replace(made, kind=element, length=count, flags=("BORROWED",))
        if element.name in ("MEMORY", "TEXT"):
            kind = Kind("BYTES") if element.name == "TEXT" and count != NO_LENGTH else element
            return replace(made, kind=kind, length=count)
        return replace(made, kind=element, length=count, is_list=count != NO_LENGTH)

    def is_bytes(self, target: Type) -> bool:
        found = self.api_set.resolve(target)
        return isinstance(found, Named) and found.name in ("void", "char")

    def is_const_pointer(self, type_: Type) -> bool:
        return isinstance(type_, Pointer) and getattr(type_.target, "const", False)

    def length(self, function: Function, param: Param) -> int:
        """The number of the parameter that counts this one, or NO_LENGTH."""
        rule = self.overrides.function(function.name).params.get(param.name)
        names = [p.name for p in function.params]
        count = (rule.length or rule.count) if rule else ""
        if count:
            if count.isdecimal():
                return -1 - int(count)
            if count not in names:
                raise HipgenError(f"{function.name}: {param.name}: no parameter {count} counts it")
            return names.index(count)
        if not self.directions.is_list(function, param) or self.is_single(param):
            return NO_LENGTH
        counting = [
            n
            for n, other in enumerate(function.params)
            if COUNTS.fullmatch(other.name) and isinstance(self.api_set.resolve(other.type), Named)
        ]
        named = [n for n in counting if bare(names[n]) == bare(param.name)]
        if len(named or counting) > 1:
            raise HipgenError(
                f"{function.name}: {param.name}: no rule tells which parameter counts it: "
                "overrides.toml has to state its length"
            )
        return (named or counting)[0]

    def is_single(self, param: Param) -> bool:
        """Whether the name is a plural and the type one record of settings."""
        type_ = self.api_set.resolve(param.type)
        return isinstance(type_, Pointer) and self.api_set.record_of(type_.target) is not None

    def with_queries(self, params: list[Parameter]) -> list[Parameter]:
        """Lists whose length the function returns: it is called for the length first."""
        queried = {
            p.length
            for p in params
            if p.is_list
            and p.direction == "out"
            and p.length >= 0
            and params[p.length].direction == "inout"
        }
        return [
            replace(p, flags=(*p.flags, "QUERIED"), direction="inout") if n in queried else p
            for n, p in enumerate(params)
        ]

    def with_freed(self, function: Function, params: list[Parameter]) -> list[Parameter]:
        """The first handle or memory of a function that ends it."""
        if not re.search(self.rule.ends or "(?!)", function.name):
            return params
        for number, param in enumerate(params):
            if param.kind.name in ("HANDLE", "MEMORY") and param.direction == "in":
                freed = replace(param, flags=(*param.flags, "FREED"))
                return [*params[:number], freed, *params[number + 1 :]]
        return params

    def with_data(self, params: list[Parameter]) -> list[Parameter]:
        """A function that is called back gets the caller's data as its last argument."""
        if not any(p.kind.name == "FUNCTION" for p in params):
            return params
        return [
            replace(p, flags=("DATA",)) if declare(p.type, "") == "void *" else p for p in params
        ]


def bare(name: str) -> str:
    """The name without the letters that tell its type or use."""
    name = re.sub(r"^(num_|num|nb|p(?=[A-Z]))|(_ptr|_arr|_options)$", "", name)
    return name.lower().rstrip("s").replace("_", "")
