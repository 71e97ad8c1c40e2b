# SPDX-License-Identifier: MIT
"""Writes api.def.  The text depends on what the releases declare and on the order of the names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from hipgen import spell
from hipgen.apidata import Spans
from hipgen.reach import named, needs
from hipgen.model import ApiSet, Declaration, Enum, Field, Function, Inline, Macro
from hipgen.model import Pointer, Record, Release, key_of, section

Key = tuple[str, str]

HEAD = """\
# SPDX-License-Identifier: MIT
# The declarations of {title}, written by `hipgen add-release`.
# Two spaces and releases at the end of a line mean that only these have it; 6.4 as the first
# one of a span is the oldest known 6.4, and as the last one the newest.
"""


def in_order(keys: list[Key], api_sets: list[ApiSet]) -> list[Key]:
    """The keys with those that only `api_sets` have, each after the one that it follows there.

    In every API set, a declaration comes after those that it needs.
    """
    ordered = list(keys)
    kinds: dict[Key, int] = {}
    before: dict[Key, set[Key]] = {}
    for api_set in api_sets:
        kinds |= {key_of(d): section(d) for d in api_set.declarations}
        owner = {name: key_of(d) for d in api_set.declarations for name in spellings(d)}
        known, at = set(ordered), 0
        for declaration in api_set.declarations:
            key = key_of(declaration)
            if key not in known:
                ordered.insert(at, key)
            at = ordered.index(key) + 1
            wanted = {owner[name] for name in needed(declaration) if name in owner} - {key}
            # Other sections come before or after this one as a whole.
            before.setdefault(key, set()).update(k for k in wanted if kinds[k] == kinds[key])
    ordered.sort(key=lambda key: kinds.get(key, 0))
    done: dict[Key, None] = {}

    def put(key: Key) -> None:
        for other in sorted(before[key] - done.keys(), key=ordered.index):
            put(other)
        done[key] = None

    for key in ordered:
        if key in kinds and key not in done:
            put(key)
    return list(done)


def spellings(declaration: Declaration) -> list[str]:
    """What other declarations call this one; a struct and a typedef may share a name."""
    found = [getattr(declaration, "spelling", declaration.name)]
    return found + list(declaration.values) if isinstance(declaration, Enum) else found


def needed(declaration: Declaration) -> Iterator[str]:
    """The names that must be declared before, which is not so for a pointer to a tag in a record."""
    if not isinstance(declaration, Record):
        yield from needs(declaration)
        return
    for field in declaration.fields:
        target = field.type
        while isinstance(target, Pointer):
            target = target.target
        if isinstance(target, Inline):
            yield from needed(target.record)
        elif target == field.type or " " not in getattr(target, "name", ""):
            yield from named(target)


def sorted_by(keys: list[Key], api_set: ApiSet) -> ApiSet:
    """The same declarations in the order of `keys`."""
    place = {key: number for number, key in enumerate(keys)}
    ordered = sorted(api_set.declarations, key=lambda d: place[key_of(d)])
    return replace(api_set, declarations=tuple(ordered))


def text_of(title: str, api_sets: dict[Release, ApiSet], keys: list[Key]) -> str:
    """The text of api.def; `api_sets` has all releases in ascending order, `keys` all names."""
    spans = Spans(list(api_sets))
    lines = [HEAD.format(title=title)]
    for key in keys:
        forms: dict[str, list[tuple[int, Declaration]]] = {}
        for number, api_set in enumerate(api_sets.values()):
            declaration = api_set.by_key.get(key)
            if declaration is not None:
                forms.setdefault(head_of(declaration), []).append((1 << number, declaration))
        for head, found in forms.items():
            lines += stanza(head, found, spans)
    return "\n".join(lines) + "\n"


def stanza(head: str, found: list[tuple[int, Declaration]], spans: Spans) -> list[str]:
    whole = sum(bit for bit, _ in found)
    lines = [head + note(whole, spans.all, spans)]
    for text, mask in merged([(bit, items_of(declaration)) for bit, declaration in found]):
        first, newline, rest = text.partition("\n")
        noted = f"{first}{note(mask, whole, spans)}{newline}{rest}"
        lines.append("    " + noted.replace("\n", "\n    "))
    return lines


def note(mask: int, outer: int, spans: Spans) -> str:
    return "" if mask == outer else f"  {spans.text(mask)}"


def merged(versions: list[tuple[int, list[str]]]) -> list[tuple[str, int]]:
    """The lines of all versions, each with the releases that have it at this place."""
    lines: list[tuple[str, int]] = []
    for bit, items in versions:
        matcher = SequenceMatcher(None, [text for text, _ in lines], items, autojunk=False)
        result: list[tuple[str, int]] = []
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind == "equal":
                result += [(text, mask | bit) for text, mask in lines[a:b]]
            else:
                result += lines[a:b] + [(text, bit) for text in items[c:d]]
        lines = result
    return lines


def head_of(declaration: Declaration) -> str:
    if isinstance(declaration, (Enum, Record)):
        kind = kind_of(declaration) if isinstance(declaration, Record) else "enum"
        typedef = "" if declaration.tagged or not declaration.name else "typedef "
        closed = "" if isinstance(declaration, Enum) or declaration.complete else ";"
        return f"{typedef}{kind} {declaration.name}".rstrip() + closed
    if isinstance(declaration, Macro):
        return f"#define {declaration.name} {declaration.body}"
    if isinstance(declaration, Function):
        params = []
        for param in declaration.params:
            default = f" = {param.default}" if param.default else ""
            params.append(spell.declare(param.type, param.name) + default)
        return (
            f"{spell.declare(declaration.result, declaration.name)}({', '.join(params) or 'void'})"
        )
    return f"typedef {spell.declare(declaration.type, declaration.name)}"


def items_of(declaration: Declaration) -> list[str]:
    if isinstance(declaration, Enum):
        return [f"{name} = {value}" for name, value in declaration.enumerators]
    if isinstance(declaration, Record):
        return [member(field) for field in declaration.fields]
    return []


def member(field: Field) -> str:
    """One line, or several for a struct or union that is defined in place."""
    if not isinstance(field.type, Inline):
        return spell.declare_field(field, spell.same, "")
    inner = "\n".join(member(one) for one in field.type.record.fields)
    inner = inner.replace("\n", "\n    ")
    return f"{kind_of(field.type.record)} {{\n    {inner}\n}} {field.name}".rstrip()


def kind_of(record: Record) -> str:
    return f"packed {record.kind}" if record.packed else record.kind
