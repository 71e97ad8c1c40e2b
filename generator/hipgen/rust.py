# SPDX-License-Identifier: MIT
"""Reads published Rust bindings (of rust-bindgen) where the headers of a release are not at hand.

Such a file has every name, value, type and prototype.  It lacks the macros that are no
numbers, default arguments, and the difference between a tag and a typedef, which a neighbour
gives (neighbour.py).  The file is rewritten in C and goes through the same parser as a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hipgen.api import Api
from hipgen.model import ApiSet, HipgenError
from hipgen.neighbour import Names, completed, read_text
from hipgen.parse import Parser

RAW = "::std::os::raw::"
VOID = f"{RAW}c_void"
SCALARS = {
    **{f"{RAW}c_{name}": name for name in ("void", "char", "short", "int", "long")},
    **{f"{RAW}c_u{name}": f"unsigned {name}" for name in ("char", "short", "int", "long")},
    **{"i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t"},
    **{"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t"},
    **{"f32": "float", "f64": "double", "usize": "size_t", "bool": "bool"},
    f"{RAW}c_schar": "signed char",
    f"{RAW}c_longlong": "long long",
    f"{RAW}c_ulonglong": "unsigned long long",
    f"{RAW}c_float": "float",
    f"{RAW}c_double": "double",
}
# bindgen adds an underscore to names that are words of Rust.
WORDS = (
    "abstract as async await become box crate dyn final fn impl in let loop macro match mod move "
    "mut override priv pub ref self super trait try type unsafe unsized use virtual where yield"
)

CONST = re.compile(r"pub const (\w+)\s*:\s*(\w+)\s*=\s*(-?\d+)\s*;")
ALIAS = re.compile(r"pub type (\w+)\s*=\s*([^;]+);|pub use self::(\w+) as (\w+);")
RECORD = re.compile(r"pub (struct|union) (\w+) \{([^}]*)\}")
MEMBER = re.compile(r"pub (\w+)\s*:\s*(.*?),\s*(?=pub |$)", re.S)
GETTER = re.compile(
    r"pub fn (\w+)\(&self\) -> ([\w:]+) \{\s*unsafe \{[^}]*?\.get\(\d+usize, (\d+)u8\)"
)
PROTOTYPE = re.compile(r"pub fn (\w+)\(([^{}]*?)\)\s*(?:->\s*([^;{]+))?;", re.S)
SIZE = re.compile(r'\["Size of (\w+)"\]\s*\[[^;]*? - (\d+)usize\]')
CALLBACK = re.compile(
    r'::std::option::Option<\s*unsafe extern "C" fn\((.*)\)\s*(?:->\s*(.+?))?,?\s*>$'
)
BIT_UNIT = re.compile(r"_bitfield_\d+$")
ANONYMOUS = "__bindgen_anon_"
NESTED = "__bindgen_ty_"


@dataclass
class RustFile:
    """The declarations of one file, as texts."""

    numbers: dict[str, int] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    records: dict[str, tuple[str, str]] = field(default_factory=dict)  # kind, members
    bits: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    functions: dict[str, tuple[str, str]] = field(default_factory=dict)  # parameters, result
    sizes: dict[str, int] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)  # of aliases and records


def with_c_tags(text: str) -> str:
    """In C, a tag that is declared inside a record belongs to the file; bindgen joins both names."""
    for _, outer, members in RECORD.findall(text):
        for name in re.findall(rf"\b{outer}_(?!_)(\w+)", members):
            text = re.sub(rf"\b{outer}_{name}\b", name, text)
    return text


def read_file(text: str) -> RustFile:
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#["))
    text = with_c_tags(text)
    found = RustFile(sizes={name: int(size) for name, size in SIZE.findall(text)})
    types = {m[0] for m in ALIAS.findall(text)}
    for name, type_, value in CONST.findall(text):
        if type_ in types:
            members = found.enums.setdefault(type_, {})
            members[name.removeprefix(f"{type_}_")] = int(value)
        else:
            found.numbers[name] = int(value)
    places: dict[str, int] = {}
    for match in ALIAS.finditer(text):
        name, target = match[1] or match[4], match[2] or match[3]
        if name not in found.enums:
            found.aliases[name] = target
            places[name] = match.start()
    for match in RECORD.finditer(text):
        found.records[match[2]] = (match[1], match[3])
        places[match[2]] = match.start()
        body = text[match.end() :].split("\npub ", 1)[0]
        if body.lstrip().startswith(f"impl {match[2]} "):
            found.bits[match[2]] = GETTER.findall(body)
    for name, params, result in PROTOTYPE.findall(text):
        found.functions[name] = (params, result)
    found.order = sorted(places, key=lambda name: places[name])
    return found


# --- Rust types in C ---


def split_params(text: str) -> list[tuple[str, str]]:
    """The names and types of parameters; commas inside parentheses do not separate."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1}.get(letter, 0)
        depth -= letter == ">" and text[at - 1] != "-"
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    pairs = [part.partition(":") for part in parts if part.strip()]
    return [(plain_name(name.strip()), type_.strip()) for name, _, type_ in pairs]


def plain_name(name: str) -> str:
    return name[:-1] if name.endswith("_") and name[:-1] in WORDS.split() else name


def c_type(rust: str, name: str, tags: dict[str, str], const: bool = False) -> str:
    """The declaration of `name` with a Rust type, in C; `tags` spells the names that need it."""
    rust = " ".join(rust.split())
    for mark, inner in (("*mut ", False), ("*const ", True)):
        if rust.startswith(mark):
            pointer = f"*{'const ' if const else ''}{name}"
            return c_type(rust.removeprefix(mark), pointer, tags, inner)
    array = re.match(r"\[(.*); (\d+)usize\]$", rust)
    if array:
        inside = f"({name})" if name.startswith("*") else name
        return c_type(array[1], f"{inside}[{array[2]}]", tags, const)
    callback = CALLBACK.match(rust)
    if callback:
        params = c_params(callback[1], tags)
        return c_type(callback[2] or VOID, f"(*{name})({params})", tags)
    base = SCALARS.get(rust, tags.get(rust, rust))
    if not re.fullmatch(r"\w[\w ]*", base):
        raise HipgenError(f"{name}: no rule covers the Rust type {rust}")
    return f"{'const ' if const else ''}{base} {name}".rstrip()


def c_params(text: str, tags: dict[str, str]) -> str:
    return ", ".join(c_type(type_, name, tags) for name, type_ in split_params(text)) or "void"


# --- the file in C ---


class Writer:
    """Writes the declarations that belong to the API."""

    def __init__(self, file: RustFile, api: Api, neighbour: ApiSet) -> None:
        self.file = file
        self.wanted = Names(api, neighbour).wanted
        self.done: set[str] = set()
        self.tags = self.find_tags(neighbour)

    def find_tags(self, neighbour: ApiSet) -> dict[str, str]:
        """The names that are no typedef: the neighbour's, or new ones that have an alias."""
        kinds = {name: kind for name, (kind, _) in self.file.records.items()}
        kinds |= dict.fromkeys(self.file.enums, "enum")
        aliased = {target.removeprefix("*mut ") for target in self.file.aliases.values()}
        known = neighbour.records | neighbour.enums
        return {
            name: f"{kind} {name}"
            for name, kind in kinds.items()
            if NESTED not in name
            and (known[name].tagged if name in known else name in aliased)
            and name not in neighbour.typedefs
        }

    def text(self) -> str:
        file, wanted = self.file, self.wanted
        lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
        for name, (kind, _) in file.records.items():
            if wanted(name) and NESTED not in name:
                lines.append(f"{kind} {name};")
                lines += [] if name in self.tags else [f"typedef {kind} {name} {name};"]
        for name, members in file.enums.items():
            values = ", ".join(f"{n} = {v}" for n, v in members.items())
            if wanted(name):
                lines.append(f"enum {name} {{ {values} }};")
                lines += [] if name in self.tags else [f"typedef enum {name} {name};"]
            elif all(wanted(member) for member in members):
                lines.append(f"enum {{ {values} }};")
        for name in filter(wanted, file.order):
            lines += self.declaration(name)
        for name, (params, result) in file.functions.items():
            if wanted(name):
                prototype = f"{name}({c_params(params, self.tags)})"
                lines.append(c_type(result or VOID, prototype, self.tags) + ";")
        lines += [f"#define {n} {v}" for n, v in file.numbers.items() if wanted(n)]
        return "\n".join([*lines, ""])

    def declaration(self, name: str) -> Iterator[str]:
        if name in self.file.aliases:
            yield f"typedef {c_type(self.file.aliases[name], name, self.tags)};"
        elif NESTED not in name and name not in self.done:
            kind, members = self.file.records[name]
            self.done.add(name)
            if "_unused" in members:
                return
            yield from self.inner_records(members)
            yield f"{kind} {name} {{ {self.members(name)} }};"
            if name in self.file.sizes:
                spelled = self.tags.get(name, name)
                yield f'_Static_assert(sizeof({spelled}) == {self.file.sizes[name]}, "{name}");'

    def inner_records(self, members: str) -> Iterator[str]:
        """The records that are members by value, which C needs before."""
        for name in re.findall(r":\s*\[?(\w+)", members):
            if name in self.file.records:
                if NESTED in name:
                    yield from self.inner_records(self.file.records[name][1])
                yield from self.declaration(name)

    def members(self, record: str) -> str:
        text = []
        for name, type_ in MEMBER.findall(self.file.records[record][1].strip()):
            if BIT_UNIT.match(name):
                fields = self.file.bits.get(record, [])
                text += [f"{c_type(t, n, self.tags)} : {width};" for n, t, width in fields]
            elif type_ in self.file.records and NESTED in type_:
                own = "" if name.startswith(ANONYMOUS) else plain_name(name)
                kind, _ = self.file.records[type_]
                text.append(f"{kind} {{ {self.members(type_)} }} {own};")
            elif not name.startswith(("_bitfield_align", "__bindgen_padding")):
                text.append(f"{c_type(type_, plain_name(name), self.tags)};")
        return " ".join(text)


def parse_rust(api: Api, path: Path, neighbour: ApiSet) -> ApiSet:
    """The API set that a file of Rust bindings declares."""
    file = read_file(read_text(path))
    if not file.functions:
        raise HipgenError(f"{path}: no Rust bindings, because it declares no function")
    return completed(
        Parser(api, Writer(file, api, neighbour).text(), [], str(path)).api_set(), neighbour
    )
