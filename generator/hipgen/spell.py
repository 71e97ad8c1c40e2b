# SPDX-License-Identifier: MIT
"""Spells model types as C declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hipgen.model import (
    Array,
    Enum,
    Field,
    FunctionType,
    Inline,
    Named,
    Param,
    Pointer,
    Record,
    Type,
    walk_fields,
)

Rename = Callable[[str], str]


def same(name: str) -> str:
    return name


def declare(type_: Type, name: str, rename: Rename = same, indent: str = "") -> str:
    """`name` declared with `type_`: declare(pointer to int, "p") is `int *p`."""
    if isinstance(type_, Named):
        const = "const " if type_.const else ""
        return f"{const}{rename(type_.name)} {name}".rstrip()
    if isinstance(type_, Inline):
        return f"{inline_record(type_.record, rename, indent)} {name}".rstrip()
    if isinstance(type_, Pointer):
        const = "const " if type_.const else ""
        inner = f"*{const}{name}".rstrip()
        if isinstance(type_.target, (Array, FunctionType)):
            inner = f"({inner})"
        return declare(type_.target, inner, rename, indent)
    if isinstance(type_, Array):
        return declare(type_.element, f"{name}[{type_.count}]", rename, indent)
    params = ", ".join(declare(p, "", rename) for p in type_.params) or "void"
    return declare(type_.result, f"{name}({params})", rename, indent)


def kind_of(record: Record) -> str:
    return f"{record.kind} __attribute__((packed))" if record.packed else record.kind


def inline_record(record: Record, rename: Rename, indent: str) -> str:
    lines = [f"{kind_of(record)} {{"]
    lines += field_lines(record, rename, indent + "    ")
    return "\n".join([*lines, indent + "}"])


def field_lines(record: Record, rename: Rename = same, indent: str = "    ") -> list[str]:
    """The declarations of the members of a record."""
    return [indent + declare_field(f, rename, indent) + ";" for f in record.fields]


def declare_field(member: Field, rename: Rename, indent: str) -> str:
    text = declare(member.type, member.name, rename, indent)
    return text if member.bits is None else f"{text} : {member.bits}"


def parameters(params: tuple[Param, ...], default: str = "", rename: Rename = same) -> str:
    """A parameter list; `default` is the macro around C++ default arguments."""
    spelled = []
    for number, param in enumerate(params):
        text = declare(param.type, param.name or f"arg{number}", rename)
        if default and param.default:
            text += f" {default}({param.default})"
        spelled.append(text)
    return ", ".join(spelled) or "void"


def offsets(record: Record) -> Iterator[tuple[str, int]]:
    """Every member that offsetof can name, with its offset in bytes."""
    for path, member, at in walk_fields(record):
        if member.bits is None:
            yield path, at // 8


def enum_value(enum: Enum, value: int) -> str:
    return f"{value}u" if enum.unsigned and value > 0x7FFFFFFF else str(value)


def unconst(type_: Type) -> Type:
    """The type without its outermost const."""
    if isinstance(type_, (Named, Pointer)):
        return replace(type_, const=False)
    return type_
