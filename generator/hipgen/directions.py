# SPDX-License-Identifier: MIT
"""Decides for each parameter whether a function reads or writes what it points to.

C's types tell it for const pointers only.  For others, names tell: a function named Get fills a
record, and a list has a plural name beside a parameter that counts.  A parameter that no rule
covers is an error, and overrides.toml then has to state its direction.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from hipgen.abi import is_bytes
from hipgen.model import ApiSet, Function, FunctionType, HipgenError, Named, Param, Pointer, Type
from hipgen.overrides import Overrides
from hipgen.spell import declare

FILLS = re.compile(r"Get|Query|Import|Export|Malloc3D|Pop(?=[A-Z])")
READS = re.compile(r"Set(?!up)|Launch|Map(?!ped)")
PLURAL = re.compile(r".*[^s]s(_ptr)?|.*_arr")
COUNTS = re.compile(r"num.*|nb[A-Z].*|.*count|.*len", re.IGNORECASE)


class Directions:
    """The directions of the parameters of one API."""

    def __init__(
        self,
        api_set: ApiSet,
        overrides: Overrides,
        outputs: tuple[str, ...],  # `void **` parameters that receive an address
        inputs: tuple[str, ...],  # pointers without const that are only read
        own: str = "",  # a pattern of pointers to numbers that are the program's own
        handles: Collection[str] = (),  # types that are no memory, whatever they are in C
    ) -> None:
        self.api_set = api_set
        self.overrides = overrides
        self.outputs = outputs
        self.inputs = inputs
        self.own = re.compile(own or "(?!)")
        self.handles = handles

    def of(self, function: Function, param: Param) -> str:
        """`in`, `out` or `inout`."""
        stated = self.overrides.function(function.name).params.get(param.name)
        if stated and stated.direction:
            return stated.direction
        pointer = self.api_set.resolve(param.type)
        if not isinstance(pointer, Pointer) or self.is_read(pointer.target):
            return "in"
        found = self.by_name(function, param, pointer.target)
        if not found:
            raise HipgenError(
                f"{function.name}: {param.name}: `{declare(param.type, '')}` may be read or "
                "written, and no rule covers it: overrides.toml has to state its direction"
            )
        return found

    def is_read(self, target: Type) -> bool:
        """Whether C's type is enough: a constant, a function, bytes of the caller, or a handle."""
        if getattr(target, "const", False) or is_bytes(self.api_set, target):
            return True
        if isinstance(self.api_set.resolve(target), FunctionType):
            return True
        record = self.api_set.record_of(target)
        return record is not None and (
            not record.complete or self.overrides.record(record.name).handle
        )

    def is_number(self, param: Param, target: Type) -> bool:
        """Whether it points to numbers of the program, or to pointers to such."""
        if not self.own.fullmatch(param.name) or getattr(target, "name", "") in self.handles:
            return False
        found = self.api_set.resolve(target)
        if is_pointer_to_void(found) and param.name in self.outputs:
            return False
        while isinstance(found, Pointer):
            found = self.api_set.resolve(found.target)
        record = self.api_set.record_of(found)
        is_library_s = record is not None and not record.complete
        return self.api_set.enum_of(found) is None and not is_library_s

    def by_name(self, function: Function, param: Param, target: Type) -> str:
        if self.is_number(param, target):
            return "in"
        record = self.api_set.record_of(target)
        if record is not None:
            stated = self.overrides.record(record.name).direction
            return stated or ("out" if FILLS.search(function.name) else "in")
        if self.is_list(function, param):
            return "in"
        if param.name in self.inputs:
            return "in"
        if declare(target, "") == "void *":
            return "out" if param.name in self.outputs else ""
        return "" if READS.search(function.name) else "out"

    def is_list(self, function: Function, param: Param) -> bool:
        """Whether the name is a plural beside a parameter that counts, or values beside a list."""
        return bool(PLURAL.fullmatch(param.name)) and any(
            COUNTS.fullmatch(other.name)
            and isinstance(self.api_set.resolve(other.type), Named)
            and other is not param
            for other in function.params
        )


def is_pointer_to_void(type_: Type) -> bool:
    return isinstance(type_, Pointer) and getattr(type_.target, "name", "") == "void"
