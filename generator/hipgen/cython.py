# SPDX-License-Identifier: MIT
"""Reads published Cython bindings where the headers of a release are not at hand.

The declarations are in a .pxd file (cname.pxd), the symbols of the functions in the .pyx file beside
it, and the values in the compiled module (name) of the same package, which Python must be able to
import: it needs no runtime.  Cython keeps no widths of bit-fields, no place of an anonymous member,
and no names that begin with two underscores.  A neighbour, which has the same structure, gives
these; where the module knows sizes, they must agree.  The file is rewritten in C and goes through
the same parser as a header.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hipgen.abi import flag_value
from hipgen.api import Api
from hipgen.model import ApiSet, Function, HipgenError, Record
from hipgen.neighbour import Names, completed, read_text
from hipgen.parse import Parser

RECORD = re.compile(r"(?:cdef|ctypedef) (struct|union) (\w+)(?: \"(\w+)\")?:$")
ENUM = re.compile(r"(?:cdef|ctypedef) enum ?(\w*):$")
NUMBER = re.compile(r"cdef \w[\w ]*?\W(\w+)$")
TYPEDEF = re.compile(r"ctypedef (.+)$")
CALLBACK = re.compile(r"(.+?)\(\*(\w+)\) ?\((.*)\)$")
FUNCTION = re.compile(r"cdef (.+?)\b(\w+)\((.*)\) (?:except\S* \S+|noexcept) nogil$")
RENAMED = re.compile(r"from \S+ cimport (\w+) as (\w+)$")
SYMBOL = re.compile(r'__init_symbol\(&_(\w+)__funptr,"(\w+)"\)')
ARRAY = re.compile(r"(.+?)((?:\[\d+\])+) (\w+)$")  # int[2] name
ANONYMOUS = re.compile(r"_(?:struct|union)_\d+$")

# Prints the integers and the sizes of the modules that the command line names.
VALUES = """
import enum, importlib, json, sys
values, sizes = {}, {}
for module in map(importlib.import_module, sys.argv[1:]):
    for name, one in vars(module).items():
        if isinstance(one, type) and issubclass(one, enum.Enum):
            values.update((key, int(member.value)) for key, member in one.__members__.items())
        elif isinstance(one, int):
            values[name] = int(one)
        elif hasattr(one, "c_sizeof") and hasattr(one, "allocate"):
            sizes[name] = one.c_sizeof(one.allocate(1))
json.dump([values, sizes], sys.stdout)
"""


@dataclass
class CythonFile:
    """The declarations of one or more files, as texts."""

    numbers: list[str] = field(default_factory=list)
    enums: list[tuple[str, list[str]]] = field(default_factory=list)
    records: dict[str, tuple[str, list[str]]] = field(default_factory=dict)  # kind, members
    aliases: list[tuple[str, str]] = field(default_factory=list)  # name, type
    functions: dict[str, tuple[str, str]] = field(default_factory=dict)  # result, parameters
    symbols: dict[str, str] = field(default_factory=dict)  # the names in C of those that differ
    order: list[str] = field(default_factory=list)  # of aliases and records


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line that declares something, with its indentation."""
    for line in text.splitlines():
        bare = line.strip()
        if bare and not bare.startswith("#"):
            yield len(line) - len(line.lstrip()), bare


class Reader:
    """Reads the lines of .pxd files into a CythonFile."""

    def __init__(self) -> None:
        self.file = CythonFile()
        self.members: list[str] = []  # of the declaration that is open
        self.indent = -1  # its indentation; -1: none is open

    def read(self, path: Path) -> None:
        self.indent = -1
        for indent, line in logical_lines(read_text(path)):
            if self.indent >= 0 and indent > self.indent:
                if line != "pass":
                    self.members.append(ARRAY.sub(r"\1 \3\2", line))
                continue
            self.indent = -1
            self.declaration(indent, line)
        symbols = SYMBOL.findall(read_text(path.with_suffix(".pyx")))
        self.file.symbols.update((name, symbol) for name, symbol in symbols if name != symbol)

    def declaration(self, indent: int, line: str) -> None:
        file = self.file
        if found := RECORD.match(line):
            self.open(indent)
            file.records[found[2]] = (found[1], self.members)
            file.order.append(found[2])
            if found[3]:
                file.symbols[found[2]] = found[3]
        elif found := ENUM.match(line):
            self.open(indent)
            file.enums.append((found[1], self.members))
        elif found := FUNCTION.match(line):
            file.functions[found[2]] = (found[1], found[3])
        elif found := RENAMED.match(line):
            self.alias(found[2], f"{found[1]} {found[2]}")
        elif found := NUMBER.match(line):
            file.numbers.append(found[1])
        elif found := TYPEDEF.match(line):
            name = CALLBACK.match(found[1])
            self.alias(name[2] if name else found[1].split()[-1], found[1])

    def open(self, indent: int) -> None:
        self.members, self.indent = [], indent

    def alias(self, name: str, declaration: str) -> None:
        self.file.aliases.append((name, declaration))
        self.file.order.append(name)


def values_of(files: list[Path]) -> tuple[dict[str, int], dict[str, int]]:
    """The values and the sizes of the modules that the files belong to."""
    top = files[0].resolve().parent
    while list(top.glob("__init__.p*")):
        top = top.parent
    modules = []
    for path in files:
        name = re.sub(r"^cy?", "", path.stem)
        modules.append(".".join([*path.resolve().parent.relative_to(top).parts, name]))
    done = subprocess.run(
        [sys.executable, "-c", VALUES, *modules],
        env={**os.environ, "PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise HipgenError(f"{top}: this Python cannot import {', '.join(modules)}: {reason}")
    values, sizes = json.loads(done.stdout)
    return values, sizes


class Writer:
    """Writes the declarations in C."""

    def __init__(self, files: list[Path], api: Api, neighbour: ApiSet) -> None:
        reader = Reader()
        for path in files:
            reader.read(path)
        self.file = reader.file
        self.what = files[0]  # in error texts
        self.values, self.sizes = values_of(files)
        self.neighbour = neighbour
        self.names = Names(api, neighbour)
        self.wanted = self.names.wanted
        known = neighbour.records | neighbour.enums
        self.tags = {  # the names that are no typedef
            name: one.spelling
            for name, one in known.items()
            if one.tagged and name not in neighbour.typedefs
        }
        self.owner = {name: self.find_owner(name) for name in self.file.records}
        self.renamed = dict(self.file.symbols)
        for name, owner in self.owner.items():  # a tag inside a record belongs to the file
            if owner and not ANONYMOUS.search(name):
                self.renamed[name] = name[len(owner) + 1 :]

    def find_owner(self, name: str) -> str:
        """The record inside which the record is declared, by its name; "" if none."""
        inner = rf"_((struct|union)_\d+|{self.names.own.pattern}.*)$"
        owners = [r for r in self.file.records if name.startswith(f"{r}_")]
        owners = [r for r in owners if re.match(inner, name[len(r) :], re.IGNORECASE)]
        return "" if name in self.names.known else max(owners, key=len, default="")

    def tag(self, name: str) -> str:
        return self.renamed.get(name, name)

    def spelled(self, text: str) -> str:
        """The text with the names of C, with `struct` and the like where they are needed."""

        def word(found: re.Match[str]) -> str:
            return self.tags.get(self.tag(found[0]), self.tag(found[0]))

        return re.sub(r"\w+", word, text)

    def text(self) -> str:
        lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
        macros = self.neighbour.macros
        tags = {name: self.tag(name) for name in self.file.order}
        kept = [n for n, tag in tags.items() if self.wanted(tag) and tag not in macros]
        for name in filter(self.is_outer, kept):
            kind, tag = self.file.records[name][0], tags[name]
            lines.append(f"{kind} {tag};" if tag in self.tags else f"typedef {kind} {tag} {tag};")
        lines += self.enums()
        aliases = dict(self.file.aliases)
        for name in kept:
            if name in aliases:
                lines.append(self.spelled(f"typedef {aliases[name]};"))
            elif self.is_outer(name) and self.file.records[name][1]:
                lines += self.record(name)
        for name, (result, params) in self.file.functions.items():
            if self.wanted(name) and not name.startswith("__"):
                lines.append(self.spelled(f"{result}{name}({params or 'void'});"))
        lines += self.numbers()
        return "\n".join([*lines, ""])

    def is_outer(self, name: str) -> bool:
        return name in self.file.records and not ANONYMOUS.search(name)

    def enums(self) -> Iterator[str]:
        for name, members in self.file.enums:
            if not self.has_values(name, members):
                continue
            values = ", ".join(f"{member} = {self.values[member]}" for member in members)
            if name and self.wanted(name):
                yield f"enum {name} {{ {values} }};"
                if name not in self.tags:
                    yield f"typedef enum {name} {name};"
            elif not name and all(map(self.wanted, members)):
                yield f"enum {{ {values} }};"

    def has_values(self, name: str, members: list[str]) -> bool:
        """False if the enum belongs to another library, so that the module has none of its values."""
        lost = [member for member in members if member not in self.values]
        known = {value for enum in self.neighbour.enums.values() for value in enum.values}
        if lost and (len(lost) < len(members) or known & set(members)):
            raise HipgenError(
                f"{self.what}: {name or 'an unnamed enum'}: the Python module beside it has no value "
                f"of {', '.join(lost)}: both must be of one version of the package"
            )
        return not lost

    def numbers(self) -> Iterator[str]:
        for name in filter(self.wanted, self.file.numbers):
            if name in self.values:
                near, value = flag_value(self.neighbour, name), self.values[name]
                if near is not None and (near - value) % 2**32 == 0:
                    value = near  # Cython takes each of them for an int
                yield f"#define {name} {value}"

    def record(self, name: str) -> Iterator[str]:
        tag, kind = self.tag(name), self.file.records[name][0]
        known = self.neighbour.records.get(tag)
        yield f"{kind} {tag} {{ {' '.join(self.members(name, known))} }};"
        if name in self.sizes and not self.owner[name]:  # Cython itself lays out the inner ones
            yield f'_Static_assert(sizeof({self.spelled(tag)}) == {self.sizes[name]}, "{tag}");'

    def members(self, name: str, known: Record | None) -> Iterator[str]:
        """The members in C; those that Cython lacks stand where the neighbour has them."""
        lost = self.lost_members(name)
        fields = known.fields if known else ()
        widths = {f.name: f.bits for f in fields if f.bits is not None}
        places = [f.name for f in fields if f.name]
        for at, one in enumerate(fields):
            if not one.name and lost:
                places.insert(at, lost.pop(0))
        if lost:
            raise HipgenError(
                f"{name}: the place of its member without a name is not in Cython bindings, "
                "and the neighbour has no such record"
            )
        texts = {self.member_name(m): m for m in self.file.records[name][1]}
        before = {b: a for a, b in zip(places, places[1:]) if a in self.file.records}
        for member, text in texts.items():
            if member in before:
                yield self.inline(before[member], "", known)
            width = f" : {widths[member]}" if member in widths else ""
            yield self.member(text, member, width, known)
        if places and places[-1] in self.file.records:
            yield self.inline(places[-1], "", known)

    @staticmethod
    def member_name(text: str) -> str:
        found = re.search(r"(\w+)(\[\d+\])*$", text) or re.search(r"\(\*(\w+)\)", text)
        if not found:
            raise HipgenError(f"{text}: no rule covers this member of Cython bindings")
        return found[1]

    def lost_members(self, name: str) -> list[str]:
        """The records that are declared inside the record and are the type of no member."""
        text = " ".join(self.file.records[name][1])
        inner = [r for r, owner in self.owner.items() if owner == name and ANONYMOUS.search(r)]
        return [r for r in inner if not re.search(rf"\b{r}\b", text)]

    def member(self, text: str, member: str, width: str, known: Record | None) -> str:
        inner = text.split()[0]
        if inner in self.file.records and ANONYMOUS.search(inner):
            return self.inline(inner, text[len(inner) :].strip(), known)
        return self.spelled(f"{text}{width};")

    def inline(self, inner: str, declarator: str, known: Record | None) -> str:
        """The record `inner`, which has no name, as a member."""
        kind = self.file.records[inner][0]
        found = self.inner_record(known, re.sub(r"\[.*", "", declarator))
        return f"{kind} {{ {' '.join(self.members(inner, found))} }} {declarator};"

    @staticmethod
    def inner_record(known: Record | None, name: str) -> Record | None:
        for one in known.fields if known else ():
            inner = getattr(getattr(one.type, "element", one.type), "record", None)
            if one.name == name and isinstance(inner, Record):
                return inner
        return None


def parse_cython(api: Api, files: list[Path], neighbour: ApiSet) -> ApiSet:
    """The API set that Cython bindings declare."""
    writer = Writer(files, api, neighbour)
    if not writer.file.functions:
        raise HipgenError(f"{files[0]}: no Cython bindings, because it declares no function")
    api_set = Parser(api, writer.text(), [], str(files[0])).api_set()
    private = [
        d for d in neighbour.declarations if isinstance(d, Function) and d.name.startswith("__")
    ]
    joined = ApiSet(api_set.release, (*api_set.declarations, *private))
    return completed(joined, neighbour, lossy=True)
