# SPDX-License-Identifier: MIT
"""Tells records that an attribute lays out, which libclang does not show, by their cursors."""

from __future__ import annotations

from typing import Any

from hipgen.model import HipgenError


def is_packed(cursor: Any) -> bool:
    """Whether no member is aligned, as only __attribute__((packed)) and its pragma make it."""
    found = list(cursor.type.get_fields())
    if cursor.type.get_align() != 1 or all(m.type.get_align() <= 1 for m in found):
        return False
    end = 0
    for member in found:
        if member.get_field_offsetof() != (0 if cursor.kind.name == "UNION_DECL" else end):
            return False
        bits = member.get_bitfield_width() if member.is_bitfield() else 0
        end += bits or member.type.get_size() * 8
    return True


def check_layout(cursor: Any, what: str) -> None:
    """Refuses a layout that needs another attribute than `packed`."""
    end, widest = 0, 8
    for member in cursor.type.get_fields():
        align = member.type.get_align() * 8
        widest = max(widest, align)
        start = member.get_field_offsetof()
        if not member.is_bitfield():
            wanted = 0 if cursor.kind.name == "UNION_DECL" else -(-end // align) * align
            if start != wanted:
                raise HipgenError(f"{what}: no rule covers a packed or aligned member")
        width = member.get_bitfield_width() if member.is_bitfield() else 0
        end = max(end, start + (width or member.type.get_size() * 8))
    if cursor.type.get_align() * 8 != widest and end:
        raise HipgenError(f"{what}: no rule covers a packed or aligned record")
