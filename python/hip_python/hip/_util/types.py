# SPDX-License-Identifier: MIT
"""HIP Python's adapters: objects of a program's own that calls take for pointers.

Calls take lists, texts and buffers themselves, so only programs that name these classes need them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from hip._util.buffers import NDBuffer
from hipshim._hip import DeviceArray, Pointer

__all__ = [
    "CStr",
    "DeviceArray",
    "ListOfBytes",
    "ListOfInt",
    "ListOfPointer",
    "ListOfUnsigned",
    "ListOfUnsignedLong",
    "NDBuffer",
    "Pointer",
]
AnyList = TypeVar("AnyList", bound="_ListOf")


class CStr(Pointer):
    """A text of C.  One that a program gave lives as long as the process, once for each content."""

    __slots__ = ()
    _retained_inputs: ClassVar[dict[bytes, bytes]] = {}

    def __new__(cls, object: Any = None) -> CStr:
        if isinstance(object, (str, bytes)):
            content = object.encode() if isinstance(object, str) else object
            object = cls._retained_inputs.setdefault(content, content)
        return super().__new__(cls, object)

    def __str__(self) -> str:
        return bytes(self).decode(errors="surrogateescape")

    def __bytes__(self) -> bytes:
        return ctypes.string_at(int(self)) if self else b""

    decode = __str__


class _ListOf(Pointer):
    """Items in memory of its own, or an address of items whose number is not known."""

    __slots__ = ("_items",)
    _type: ClassVar[Any]

    def __new__(cls: type[AnyList], object: Any = None) -> AnyList:
        items = None
        if isinstance(object, (list, tuple)):
            items = (cls._type * len(object))(*map(cls._to_c, object))
        return cls._of(object if items is None else items, items)

    @classmethod
    def _of(cls: type[AnyList], address: Any, items: Any) -> AnyList:
        made = super().__new__(cls, address)
        made._items = items
        return made

    @classmethod
    def allocate(cls: type[AnyList], count: int) -> AnyList:
        """A list of `count` items that are zero."""
        if count < 0:
            raise ValueError(f"{cls.__name__}.allocate(): {count} is not a number of items")
        items = (cls._type * count)()
        return cls._of(items, items)

    @staticmethod
    def _to_c(item: Any) -> Any:
        return item

    @staticmethod
    def _from_c(item: Any) -> Any:
        return item

    def _known(self) -> Any:
        if self._items is None:
            raise TypeError(f"{type(self).__name__}: the number of items at an address is unknown")
        return self._items

    def __len__(self) -> int:
        return len(self._known())

    def __getitem__(self, index: int | slice) -> Any:
        found = self._known()[index]
        return [*map(self._from_c, found)] if isinstance(index, slice) else self._from_c(found)

    def __iter__(self) -> Iterator[Any]:
        return map(self._from_c, self._known())

    def to_list(self) -> list[Any]:
        return list(self)

    def to_tuple(self) -> tuple[Any, ...]:
        return tuple(self)


class ListOfInt(_ListOf):
    __slots__ = ()
    _type = ctypes.c_int


class ListOfUnsigned(_ListOf):
    __slots__ = ()
    _type = ctypes.c_uint


class ListOfUnsignedLong(_ListOf):
    __slots__ = ()
    _type = ctypes.c_ulong


class ListOfPointer(_ListOf):
    __slots__ = ()
    _type = ctypes.c_void_p

    @staticmethod
    def _to_c(item: Any) -> int:
        return int(Pointer(item))

    @staticmethod
    def _from_c(item: int | None) -> Pointer:
        return Pointer(item or 0)


class ListOfBytes(_ListOf):
    """Texts of C, which live as long as the process."""

    __slots__ = ()
    _type = ctypes.c_char_p
    _retained_inputs: ClassVar[dict[Any, Any]] = {}

    @staticmethod
    def _to_c(item: Any) -> Any:
        if isinstance(item, str):
            item = item.encode()
        if not isinstance(item, (bytes, CStr)):
            raise TypeError(
                f"ListOfBytes: expected a str, bytes or CStr, got {type(item).__name__}"
            )
        kept = ListOfBytes._retained_inputs.setdefault(item, item)
        return kept if isinstance(kept, bytes) else ctypes.c_char_p(int(kept))


def _clear_retained_inputs() -> None:
    """For tests: forgets the texts, whose addresses are no longer valid then."""
    CStr._retained_inputs.clear()
    ListOfBytes._retained_inputs.clear()
