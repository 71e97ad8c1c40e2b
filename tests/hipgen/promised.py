# SPDX-License-Identifier: MIT
"""What hipshim has promised: one line for each declaration, symbol node and export.

`python3 tests/hipgen/promised.py [TREE] >FILE` prints what a source tree promises, by default
this one.  tests/hipgen/promised.txt is the record of it; write it anew when a version is
published.  An export that is in the record stays in its node, and a new one is in the node of
configure.ac's version; scripts/symbol-map.awk gives the libraries the same nodes.
promises_test.py compares the record with the tree.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generator"))

from hipgen.api import Api  # noqa: E402
from hipgen.headers import parse_bindings  # noqa: E402
from hipgen.model import (  # noqa: E402
    ApiSet,
    Declaration,
    Enum,
    Function,
    FunctionType,
    Inline,
    Record,
    walk_fields,
)
from hipgen.parse import Parser  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.spell import declare  # noqa: E402

EXPORTS = {  # of each library, and the prefix of its nodes
    "exports.txt": "HIPSHIM",
    "exports-kernel.txt": "HIPSHIM_KERNEL",
    "exports-rocm.txt": "HIPSHIM_ROCM",
}
GROWS = ("enum ", "union ")  # may get more items
SIZED = "struct of any size "  # may get more members at its end
OWN = Api(name="hipshim", include_directory="hipshim", headers=(), version_macro="VERSION")


def items(declaration: Declaration) -> tuple[str, list[str]]:
    """The head of the line, which never changes, and its items."""
    name = declaration.name
    if isinstance(declaration, Enum):
        sign = "unsigned" if declaration.unsigned else "signed"
        first = "" if name else declaration.enumerators[0][0]
        return f"enum {name or first} {sign}", [f"{n} = {v}" for n, v in declaration.enumerators]
    if isinstance(declaration, Record):
        layout = list(members(declaration))
        if name.startswith("hipshim_") and layout[:1] == ["size @0 size_t"]:
            return f"{SIZED}{name} {declaration.align}", [f"{declaration.size} bytes", *layout]
        return f"{declaration.kind} {name} {declaration.size} {declaration.align}", layout
    if isinstance(declaration, Function):
        type_ = FunctionType(declaration.result, tuple(p.type for p in declaration.params))
        return f"function {name}", [declare(type_, "")]
    if hasattr(declaration, "body"):
        return f"macro {name}", [declaration.body]
    return f"typedef {name}", [declare(declaration.type, "")]


def members(record: Record) -> Iterator[str]:
    """Each member with its offset in bits and its width if it is a bit-field."""
    for path, member, at in walk_fields(record):
        nested = member.type
        type_ = nested.record.kind if isinstance(nested, Inline) else declare(nested, "")
        width = "" if member.bits is None else f" : {member.bits}"
        yield f"{path} @{at}{width} {type_}"


def facts(api_set: ApiSet, exports: Iterable[str]) -> list[str]:
    lines = list(exports)
    for declaration in api_set.declarations:
        head, found = items(declaration)
        lines.append(f"{head}: {'; '.join(found)}")
    return sorted(lines)


def own_api_set(directory: Path) -> ApiSet:
    """The declarations of hipshim's own public headers."""
    text = "".join(f"#define VERSION_{part} 0\n" for part in OWN.version_parts)
    headers = sorted((directory / OWN.include_directory).glob("*.h"))
    text += "".join(f"#include <{OWN.include_directory}/{header.name}>\n" for header in headers)
    return Parser(OWN, text, [f"-I{directory}"], str(directory)).api_set()


def exports_of(tree: Path) -> Iterator[str]:
    """The nodes and the exports, each in its node."""
    record = (tree / "tests/hipgen/promised.txt").read_text().splitlines()
    nodes = dict(line[7:].split("@@") for line in record if line.startswith("export "))
    found = re.search(r"AC_INIT\(\[hipshim\], \[(\d+\.\d+)", (tree / "configure.ac").read_text())
    assert found, "configure.ac: no version"
    opened = {f"{prefix}_{found[1]}" for prefix in EXPORTS.values()}
    opened |= {line[5:] for line in record if line.startswith("node ")}
    yield from (f"node {node}" for node in opened)
    for file, prefix in EXPORTS.items():
        for name in (tree / "tests/install" / file).read_text().split():
            yield f"export {name}@@{nodes.get(name, f'{prefix}_{found[1]}')}"


def facts_of(tree: Path) -> list[str]:
    project = Project(tree)
    stable = facts(parse_bindings(project.api, project.bindings / "stable.h"), exports_of(tree))
    return sorted(stable + facts(own_api_set(tree / "include/hipshim"), []))


def grown(head: str, promised: list[str], now: list[str]) -> list[str]:
    """What is wrong with a structure whose `size` its caller sets: it may only grow at its end.

    A member in the padding at the end would not change the size, so no callee could tell
    callers that have it from others.
    """
    end, *old = promised
    found = [f"{head}: {i}: removed, changed or moved" for i in old if i not in now]
    if now[1 : len(promised)] != old and not found:
        found = [f"{head}: a new member is not at the end"]
    for member in now[len(promised) :]:
        at = re.search(r" @(\d+)", member)
        if not found and at and int(at[1]) < int(end.split()[0]) * 8:
            found = [f"{head}: {member}: in the padding at the end"]
    return found


def problems(promised: list[str], now: list[str]) -> list[str]:
    """The promises that are not kept."""
    there = dict(line.partition(": ")[::2] for line in now)
    found = []
    for line in promised:
        head, _, text = line.partition(": ")
        if head not in there:
            found.append(f"{head}: removed or changed")
        elif head.startswith(SIZED):
            found += grown(head, text.split("; "), there[head].split("; "))
        elif head.startswith(GROWS):
            kept = there[head].split("; ")
            found += [f"{head}: {i}: removed or changed" for i in text.split("; ") if i not in kept]
        elif there[head] != text:
            found.append(f"{head}: {text}: now {there[head]}")
    return found


if __name__ == "__main__":
    print("\n".join(facts_of(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)))
