# SPDX-License-Identifier: MIT
"""`hipgen hsa`: the loopback's own HSA declarations, read from vendor headers.

Kept is what the loopback names, with every type that it needs: nothing else of
HSA is hipshim's business, and a header that grows with the loopback alone shows
in its diff what the loopback has come to rely on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from hipgen.model import (
    Array,
    Declaration,
    Enum,
    Function,
    FunctionType,
    HipgenError,
    Inline,
    Macro,
    Named,
    Pointer,
    Record,
    Release,
    ApiSet,
    Type,
)
from hipgen.parse import WORD, Parser
from hipgen.project import Project, write_all
from hipgen.render import declaration_values, render

HEADERS = (
    "amd_hsa_queue.h",
    "amd_hsa_signal.h",
    "hsa.h",
    "hsa_ext_amd.h",
    "hsa_ext_image.h",
    "hsa_ven_amd_loader.h",
)
LOOPBACK = "tests/loopback"
OUTPUT = f"{LOOPBACK}/hsa.h"

# What a scalar's alignment can be; more was asked for with an attribute.
NATURAL = 8


class HsaParser(Parser):
    """HSA headers, whose version is that of AMD's extensions."""

    keeps_alignment = True

    def __init__(self, include: Path) -> None:
        text = "".join(f"#include <hsa/{name}>\n" for name in HEADERS)
        super().__init__(text, [f"-I{include}", "-DINT32_MAX=2147483647"], str(include / "hsa"))

    def release(self) -> Release:
        parts = []
        for part in ("MAJOR", "MINOR"):
            body, _ = self.macros.get(f"HSA_AMD_INTERFACE_VERSION_{part}", ("", ""))
            if not body.isdecimal():
                raise HipgenError(f"{self.what}: HSA_AMD_INTERFACE_VERSION_{part} is no number")
            parts.append(int(body))
        return Release(parts[0], parts[1], 0)


def write(project: Project, headers: Path, out: Path | None) -> None:
    """Writes the header to `out`, or where the loopback includes it from; "-" is standard output."""
    text = text_of(project, headers)
    if str(out) == "-":
        sys.stdout.write(text)
    else:
        write_all({out or project.root / OUTPUT: text})


def text_of(project: Project, headers: Path) -> str:
    api_set = HsaParser(find_include_dir(headers)).api_set()
    declarations = reached(api_set, words_of(project.root / LOOPBACK))
    return render(
        "hsa.h",
        version=f"{api_set.release.major}.{api_set.release.minor}",
        declarations=[values(d) for d in declarations],
    )


def find_include_dir(directory: Path) -> Path:
    """Accepts an install prefix or its include directory."""
    for base in (directory, directory / "include", directory / "usr/include"):
        if (base / "hsa/hsa.h").is_file():
            return base
    raise HipgenError(f"{directory}: no hsa/hsa.h in it or in its include directory")


def words_of(directory: Path) -> set[str]:
    """Every word of the loopback's sources but this header's own."""
    files = [path for path in directory.rglob("*.[ch]") if path.name != Path(OUTPUT).name]
    if not files:
        raise HipgenError(f"{directory}: no sources of the loopback")
    return {word for path in files for word in WORD.findall(path.read_text())}


def reached(api_set: ApiSet, words: set[str]) -> list[Declaration]:
    """What the words name and what that needs, in the order of the headers."""
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
    """What calls for the declaration: its name, that with its tag, its enumerators."""
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


def values(declaration: Declaration) -> dict[str, object]:
    """Like those of the bindings, with the alignment that was asked for."""
    found = declaration_values(declaration)
    if isinstance(declaration, Record) and declaration.complete and declaration.align > NATURAL:
        aligned = f"__attribute__((aligned({declaration.align})))"
        found["head"] = found["head"].replace(declaration.kind, f"{declaration.kind} {aligned}", 1)
    return found
