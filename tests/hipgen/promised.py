# SPDX-License-Identifier: MIT
"""What the stable ABI has promised: one line for each declaration and each export.

`python3 tests/hipgen/promised.py [TREE] >tests/hipgen/promised.txt` records what a source
tree promises, by default this one.  Do so when a version of hipshim is published.
promises_test.py compares the record with the tree.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generator"))

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
from hipgen.project import Project  # noqa: E402
from hipgen.spell import declare  # noqa: E402

EXPORTS = ("exports.txt", "exports-kernel.txt")
GROWS = ("enum ", "union ")  # may get more items; every other line stays as it is


def items(declaration: Declaration) -> tuple[str, list[str]]:
    """The head of the line, which never changes, and its items."""
    name = declaration.name
    if isinstance(declaration, Enum):
        sign = "unsigned" if declaration.unsigned else "signed"
        first = "" if name else declaration.enumerators[0][0]
        return f"enum {name or first} {sign}", [f"{n} = {v}" for n, v in declaration.enumerators]
    if isinstance(declaration, Record):
        head = f"{declaration.kind} {name} {declaration.size} {declaration.align}"
        return head, list(members(declaration))
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
    lines = [f"export {name}" for name in exports]
    for declaration in api_set.declarations:
        head, found = items(declaration)
        lines.append(f"{head}: {'; '.join(found)}")
    return sorted(lines)


def facts_of(tree: Path) -> list[str]:
    project = Project(tree)
    exports = [n for file in EXPORTS for n in (tree / "tests/install" / file).read_text().split()]
    return facts(parse_bindings(project.api, project.stable_header), exports)


def problems(promised: list[str], now: list[str]) -> list[str]:
    """The promises that are not kept."""
    there = dict(line.partition(": ")[::2] for line in now)
    found = []
    for line in promised:
        head, _, text = line.partition(": ")
        if head not in there:
            found.append(f"{head}: removed or changed")
        elif head.startswith(GROWS):
            kept = there[head].split("; ")
            found += [f"{head}: {i}: removed or changed" for i in text.split("; ") if i not in kept]
        elif there[head] != text:
            found.append(f"{head}: {text}: now {there[head]}")
    return found


if __name__ == "__main__":
    print("\n".join(facts_of(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)))
