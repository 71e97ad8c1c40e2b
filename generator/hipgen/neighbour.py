# SPDX-License-Identifier: MIT
"""Completes an API set that was read from published bindings of another language.

Such bindings lack some macros, default arguments, and the difference between a tag and a typedef.
A neighbour, a release whose headers were read, gives these: a declaration that is the same as the
neighbour's is the neighbour's, with its spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hipgen.abi import flag_value
from hipgen.api import Api
from hipgen.model import (
    ApiSet,
    Array,
    Declaration,
    Enum,
    Field,
    Function,
    FunctionType,
    HipgenError,
    Inline,
    Macro,
    Named,
    Param,
    Pointer,
    Record,
    Type,
    Typedef,
    key_of,
    section,
)
from hipgen.spell import unconst


def read_text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as problem:
        raise HipgenError(f"{path}: {problem.strerror}") from None


class Names:
    """Tells which names of the bindings belong to the API."""

    def __init__(self, api: Api, neighbour: ApiSet) -> None:
        self.known = {d.name for d in neighbour.declarations}
        self.foreign = api.foreign_names
        self.own = re.compile(rf"_*i?{api.name_prefix}", re.IGNORECASE)

    def wanted(self, name: str) -> bool:
        if name in self.known or name in self.foreign:
            return name in self.known
        return self.own.match(name) is not None


SAME = {"unsigned": "unsigned int", "_Bool": "bool", "unsigned long": "size_t"}
SAME |= {"uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int"}
SAME |= {"int32_t": "int", "int64_t": "long", "uint64_t": "size_t"}


class Plain:
    """Declarations without what the bindings do not keep, for comparing.

    No bindings keep tags and a constant pointer.  Those that are `lossy` may have the type in place
    of a typedef's name, and lose `const` and some macros.
    """

    def __init__(self, typedefs: dict[str, Typedef], lossy: bool) -> None:
        self.typedefs = typedefs if lossy else {}
        self.keeps_const = not lossy

    def type(self, type_: Type) -> Type:
        if isinstance(type_, Pointer):
            return Pointer(self.type(type_.target))
        if isinstance(type_, Array):
            return Array(self.type(type_.element), type_.count)
        if isinstance(type_, FunctionType):
            return FunctionType(self.type(type_.result), tuple(map(self.type, type_.params)))
        if isinstance(type_, Inline):
            return Inline(replace(self.record(type_.record), name=""))
        name = re.sub(r"^(struct|union|enum) ", "", type_.name)
        behind = self.typedefs.get(name)
        if behind and behind.type != type_ and getattr(behind.type, "name", "") != type_.name:
            return self.type(behind.type)
        return Named(SAME.get(name, name), type_.const and self.keeps_const)

    def param(self, type_: Type) -> Type:
        """The type of a parameter, for which C has a pointer in place of an array."""
        return unconst(self.type(Pointer(type_.element) if isinstance(type_, Array) else type_))

    def record(self, record: Record) -> Record:
        fields = tuple(Field(f.name, self.type(f.type), f.offset, f.bits) for f in record.fields)
        return replace(record, fields=fields, tagged=True)

    def declaration(self, d: Declaration) -> object:
        if isinstance(d, Record):
            return self.record(d)
        if isinstance(d, Enum):
            return sorted(d.enumerators)
        if isinstance(d, Typedef):
            return self.type(d.type)
        if isinstance(d, Function):
            return (self.type(d.result), [self.param(p.type) for p in d.params])
        return d.body


def completed(api_set: ApiSet, neighbour: ApiSet, lossy: bool = False) -> ApiSet:
    """The API set with the spelling, the macros and the default arguments of the neighbour."""
    read = Plain(api_set.typedefs | neighbour.typedefs, lossy)
    near = Plain(neighbour.typedefs, lossy)
    named = neighbour.records | neighbour.enums
    declarations = []
    for declaration in api_set.declarations:
        known = neighbour.by_key.get(key_of(declaration))
        if isinstance(declaration, Macro):
            continue
        if known is not None and near.declaration(known) == read.declaration(declaration):
            declaration = known
        elif isinstance(declaration, Function) and isinstance(known, Function):
            declaration = with_defaults(declaration, known)
        elif isinstance(declaration, (Record, Enum)) and isinstance(known, (Record, Enum)):
            declaration = replace(declaration, tagged=known.tagged)
        elif isinstance(declaration, Typedef) and known is None and declaration.name in named:
            continue  # the neighbour names the type itself so, without a tag
        declarations.append(declaration)
    if lossy:
        declarations += lost_typedefs(api_set, neighbour)
    declarations += macros(api_set, neighbour, lossy)
    return ApiSet(api_set.release, tuple(sorted(declarations, key=section)))


def lost_typedefs(api_set: ApiSet, neighbour: ApiSet) -> Iterator[Typedef]:
    """Typedefs of the neighbour that are second names of what is there."""
    for name, typedef in neighbour.typedefs.items():
        target = getattr(typedef.type, "name", "")
        if name not in api_set.typedefs and target in api_set.typedefs:
            yield typedef


def with_defaults(function: Function, known: Function) -> Function:
    defaults = {p.name: p.default for p in known.params}
    params = tuple(Param(p.name, p.type, defaults.get(p.name, "")) for p in function.params)
    return replace(function, params=params)


def macros(api_set: ApiSet, neighbour: ApiSet, lossy: bool) -> Iterator[Macro]:
    """Numbers are those of the bindings; others are the neighbour's, if what they name is there."""
    gone = names_of(neighbour) - names_of(api_set)
    for name in dict.fromkeys([*neighbour.macros, *api_set.macros]):
        macro, read = neighbour.macros.get(name), api_set.macros.get(name)
        value = flag_value(neighbour, name)
        is_unread = value is None or (lossy and not read)
        if macro and is_unread and not gone.intersection(re.findall(r"\w+", macro.body)):
            yield macro
        elif macro and value is not None and value == flag_value(api_set, name):
            yield macro
        elif read:
            yield read


def names_of(api_set: ApiSet) -> set[str]:
    """What a macro can name, except other macros."""
    names = {d.name for d in api_set.declarations if not isinstance(d, Macro)}
    return names.union(*(enum.values for enum in api_set.enums.values()))
