# SPDX-License-Identifier: MIT
"""What declarations need: the names in them, and the declarations behind those."""

from __future__ import annotations

from collections.abc import Iterator

from hipgen.cdecl import WORD
from hipgen.model import ApiSet, Array, Declaration, Enum, Function, FunctionType, Inline, Macro
from hipgen.model import Named, Pointer, Record, Type


def reached(api_set: ApiSet, words: set[str]) -> list[Declaration]:
    """The declarations that the words name and all that these need, in the headers' order."""
    owner = {
        name: declaration for declaration in api_set.declarations for name in names(declaration)
    }
    waiting = [owner[word] for word in sorted(words & owner.keys())]
    kept: set[Declaration] = set()
    while waiting:
        declaration = waiting.pop()
        if declaration not in kept:
            kept.add(declaration)
            waiting += [owner[name] for name in needs(declaration) if name in owner]
    return [d for d in api_set.declarations if d in kept]


def names(declaration: Declaration) -> list[str]:
    """The words that refer to the declaration: its name, with and without tag, its enumerators."""
    found = [declaration.name] if declaration.name else []
    if isinstance(declaration, (Enum, Record)):
        found.append(declaration.spelling)
    if isinstance(declaration, Enum):
        found += declaration.values
    return found


def needs(declaration: Declaration) -> Iterator[str]:
    if isinstance(declaration, Record):
        for member in declaration.fields:
            yield from named(member.type)
    elif isinstance(declaration, Function):
        yield from named(declaration.result)
        for param in declaration.params:
            yield from named(param.type)
    elif isinstance(declaration, Macro):
        yield from WORD.findall(declaration.body)
    elif not isinstance(declaration, Enum):
        yield from named(declaration.type)


def named(type_: Type) -> Iterator[str]:
    """The names that a type is spelled with."""
    if isinstance(type_, Named):
        yield type_.name.removeprefix("volatile ")
    elif isinstance(type_, Pointer):
        yield from named(type_.target)
    elif isinstance(type_, Array):
        yield from named(type_.element)
    elif isinstance(type_, Inline):
        yield from needs(type_.record)
    elif isinstance(type_, FunctionType):
        yield from named(type_.result)
        for param in type_.params:
            yield from named(param)
