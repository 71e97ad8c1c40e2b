# SPDX-License-Identifier: MIT
"""The differences between two API sets, as data and as text."""

from __future__ import annotations

from typing import Any

from hipgen import spell
from hipgen.model import (
    Declaration,
    Enum,
    Function,
    Macro,
    Record,
    ApiSet,
    Typedef,
    key_of,
    walk_fields,
)

KINDS = ("function", "record", "enum", "typedef", "macro")


def compare(old: ApiSet, new: ApiSet) -> dict[str, Any]:
    """{kind: {"added": [...], "removed": [...], "changed": {name: [notes]}}}."""
    result: dict[str, Any] = {
        "api": new.release.api,
        "from": str(old.release),
        "to": str(new.release),
    }
    for kind in KINDS:
        before = {k[1]: d for k, d in old.known.items() if k[0] == kind}
        after = {k[1]: d for k, d in new.known.items() if k[0] == kind}
        changed = {
            name: describe(before[name], after[name], old, new)
            for name in sorted(before.keys() & after.keys())
            if before[name] != after[name]
        }
        result[kind] = {
            "added": sorted(after.keys() - before.keys()),
            "removed": sorted(before.keys() - after.keys()),
            "changed": changed,
        }
    return result


def is_empty(difference: dict[str, Any]) -> bool:
    return not any(any(difference[kind].values()) for kind in KINDS)


def describe(before: Declaration, after: Declaration, old: ApiSet, new: ApiSet) -> list[str]:
    if isinstance(before, Record) and isinstance(after, Record):
        return describe_record(before, after)
    if isinstance(before, Enum) and isinstance(after, Enum):
        return describe_enum(before, after)
    return [f"was: {text_of(before)}", f"now: {text_of(after)}"]


def text_of(d: Declaration) -> str:
    if isinstance(d, Function):
        params = spell.parameters(d.params, "=")
        return f"{spell.declare(d.result, d.name)}({params})"
    if isinstance(d, Typedef):
        return spell.declare(d.type, d.name)
    if isinstance(d, Macro):
        return d.body
    return key_of(d)[1]


def describe_record(before: Record, after: Record) -> list[str]:
    notes = []
    if before.size != after.size:
        notes.append(f"size {size_text(before)} -> {size_text(after)}")
    old = {path: (at, member) for path, member, at in walk_fields(before)}
    new = {path: (at, member) for path, member, at in walk_fields(after)}
    for path, (at, member) in old.items():
        if path not in new:
            notes.append(f"{path} removed (was at {place(at)})")
            continue
        now, other = new[path]
        if now != at:
            notes.append(f"{path} moved {place(at)} -> {place(now)}")
        was_type, is_type = spell.declare(member.type, ""), spell.declare(other.type, "")
        if was_type != is_type and "{" not in was_type + is_type:
            notes.append(f"{path} at {place(now)}: {was_type} -> {is_type}")
    notes += [f"{path} added at {place(at)}" for path, (at, _) in new.items() if path not in old]
    return notes or ["layout unchanged, nested declaration differs"]


def size_text(record: Record) -> str:
    return str(record.size) if record.complete else "unknown"


def place(bits: int) -> str:
    return str(bits // 8) if bits % 8 == 0 else f"{bits // 8}, bit {bits % 8}"


def describe_enum(before: Enum, after: Enum) -> list[str]:
    old, new = before.values, after.values
    notes = [f"{n} {old[n]} -> {new[n]}" for n in old if n in new and old[n] != new[n]]
    notes += [f"{n} = {old[n]} removed" for n in old if n not in new]
    notes += [f"{n} = {new[n]} added" for n in new if n not in old]
    return notes or ["same enumerators, another underlying type or order"]


def as_text(difference: dict[str, Any]) -> str:
    lines = [f"{difference['api']} {difference['from']} -> {difference['to']}"]
    titles = {"function": "functions", "record": "records", "enum": "enums"}
    titles |= {"typedef": "typedefs", "macro": "macros", "symbol": "symbols"}
    for kind, title in titles.items():
        part = difference.get(kind)
        if not part or not any(part.values()):
            continue
        lines.append(f"\n{title}:")
        lines += [f"  + {name}" for name in part["added"]]
        lines += [f"  - {name}" for name in part["removed"]]
        for name, notes in part.get("changed", {}).items():
            lines.append(f"  * {name}")
            lines += [f"      {note}" for note in notes]
    if difference.get("broken"):
        lines.append("\nbreaks programs for the first:")
        lines += [f"  ! {name}: {text}" for name, text in difference["broken"].items()]
    if len(lines) == 1:
        lines.append("no difference")
    return "\n".join(lines) + "\n"
