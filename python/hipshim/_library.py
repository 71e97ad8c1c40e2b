# SPDX-License-Identifier: MIT
"""The C libraries of hipshim, for the modules that call them by ctypes: none of it is fast or often."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


def open_library(name: str) -> ctypes.CDLL:
    """The copy in the package, or else the one that the dynamic linker finds."""
    from hipshim import _hip  # libhipshim itself, as the extension found it  # noqa: F401

    own = os.path.join(HERE, "lib", name)
    return ctypes.CDLL(own if os.path.exists(own) else name)


class Sized(ctypes.Structure):
    """A structure that begins with its size, as hipshim's C interface wants it."""

    def __init__(self, **members: Any) -> None:
        super().__init__(**members)
        self.size = ctypes.sizeof(self)


def text(value: bytes | None) -> str:
    return (value or b"").decode(errors="surrogateescape")


def texts(items: list[str]) -> Any:
    """An array of C strings."""
    return (ctypes.c_char_p * len(items))(*map(os.fsencode, items))


def members(structure: ctypes.Structure) -> Iterator[tuple[str, Any]]:
    for name, *_ in structure._fields_:
        yield name, getattr(structure, name)
