# SPDX-License-Identifier: MIT
"""Direct calls of libclang, for what is asked of every declaration.

The bindings in clang.cindex make three to six calls for each of these, convert
every result and check it.  A header has thousands of cursors, and that is half
of the time of a run.  Questions that are asked more rarely go through cindex.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from clang import cindex

from hipgen.model import HipgenError


class Location(ctypes.Structure):
    """libclang's CXSourceLocation."""

    _fields_ = [("pointers", ctypes.c_void_p * 2), ("number", ctypes.c_uint)]


class Range(ctypes.Structure):
    """libclang's CXSourceRange."""

    _fields_ = [("pointers", ctypes.c_void_p * 2), ("begin", ctypes.c_uint), ("end", ctypes.c_uint)]


class Text(ctypes.Structure):
    """libclang's CXString."""

    _fields_ = [("data", ctypes.c_void_p), ("flags", ctypes.c_uint)]


VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, cindex.Cursor, cindex.Cursor, ctypes.c_void_p)


class Clang:
    """The functions of libclang that the parser calls for every declaration."""

    def __init__(self) -> None:
        # A handle of its own, because argument types are set for a whole handle.
        self.library = ctypes.CDLL(cindex.conf.get_filename())
        cursor, type_, number = cindex.Cursor, cindex.Type, ctypes.c_uint
        pointer, wide = ctypes.c_void_p, ctypes.c_longlong
        self.argument = self.function("Cursor_getArgument", cursor, cursor, number)
        self.argument_count = self.function("Cursor_getNumArguments", ctypes.c_int, cursor)
        self.begin = self.function("getRangeStart", Location, Range)
        self.c_string = self.function("getCString", ctypes.c_char_p, Text)
        self.cursor_text = self.function("getCursorSpelling", Text, cursor)
        self.cursor_type = self.function("getCursorType", type_, cursor)
        self.end = self.function("getRangeEnd", Location, Range)
        self.enum_value = self.function("getEnumConstantDeclValue", wide, cursor)
        self.extent = self.function("getCursorExtent", Range, cursor)
        self.file_text = self.function("getFileName", Text, pointer)
        self.in_system_header = self.function("Location_isInSystemHeader", number, Location)
        self.location = self.function("getCursorLocation", Location, cursor)
        self.place = self.function("getExpansionLocation", None, Location, *[pointer] * 4)
        self.type_text = self.function("getTypeSpelling", Text, type_)
        self.visit = self.function("visitChildren", number, cursor, VISITOR, pointer)

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        found = getattr(self.library, f"clang_{name}")
        found.restype = result
        found.argtypes = arguments
        return found

    def string(self, text: Text) -> str:
        # The text is not freed: most of it belongs to libclang, and a run is short.
        found: bytes = self.c_string(text) or b""
        return found.decode()

    def spelling(self, cursor: cindex.Cursor) -> str:
        return self.string(self.cursor_text(cursor))


@cache
def clang() -> Clang:
    """The library; a missing one and one without a function are errors in words."""
    try:
        return Clang()
    except (OSError, AttributeError, cindex.LibclangError) as problem:
        reason = str(problem).splitlines()[0]
        raise HipgenError(
            f"libclang: {reason}; hipgen is tested with libclang 14 to 19 (Debian: python3-clang), "
            "and HIPGEN_LIBCLANG names another one"
        ) from None


if "HIPGEN_LIBCLANG" in os.environ:
    cindex.Config.set_library_file(os.environ["HIPGEN_LIBCLANG"])
