# SPDX-License-Identifier: MIT
"""NDBuffer: memory of another object, with a shape and a type."""

from __future__ import annotations

import ctypes
import math
import struct
from typing import Any

from hipshim._hip import Pointer


def _item_size(typestr: str) -> int:
    is_numpy = typestr[:1] in "<>|=" and typestr[2:].isdecimal()
    return int(typestr[2:]) if is_numpy else struct.calcsize(typestr)


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> bool:
    """The stride of an axis with one item means nothing, and an empty array has none that does."""
    if 0 in shape:
        return True
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != size:
            return False
        size *= extent
    return True


class NDBuffer(Pointer):
    """A buffer of Python, or memory with a `__cuda_array_interface__`; its items are contiguous."""

    __slots__ = ("_owner", "_read_only", "_shape", "_stream", "_typestr")
    _owner: Any
    _shape: tuple[int, ...]
    _typestr: str
    _stream: int | None
    _read_only: bool

    def __new__(cls, object: Any = None) -> NDBuffer:
        try:
            view = memoryview(object)
        except TypeError:
            found = getattr(object, "__cuda_array_interface__", None)
            if found is None:
                return cls._made(object, (), "B", None, False, object)
            return cls._of_interface(found, object)
        if not view.c_contiguous:
            raise RuntimeError("NDBuffer: the buffer is not contiguous")
        return cls._made(object, view.shape or (), view.format, None, view.readonly, view)

    @classmethod
    def _made(
        cls, address: Any, shape: Any, typestr: Any, stream: int | None, read_only: bool, owner: Any
    ) -> NDBuffer:
        made = super().__new__(cls, address)
        made._owner, made._shape, made._typestr = owner, tuple(shape), typestr
        made._stream, made._read_only = stream, read_only
        return made

    @classmethod
    def _of_interface(cls, found: dict[str, Any], owner: Any) -> NDBuffer:
        for key in ("data", "shape", "typestr"):
            if key not in found:
                raise ValueError(f"NDBuffer: the __cuda_array_interface__ has no '{key}'")
        shape, typestr, strides = tuple(found["shape"]), found["typestr"], found.get("strides")
        if found.get("mask") is not None:
            raise NotImplementedError("NDBuffer: masked arrays are not served")
        if found.get("offset"):
            raise NotImplementedError("NDBuffer: an offset is not served")
        if strides is not None:
            if len(strides) != len(shape):
                raise ValueError(
                    f"NDBuffer: 'strides' has {len(strides)} items, shape {len(shape)}"
                )
            if not _is_contiguous(shape, strides, _item_size(typestr)):
                raise RuntimeError("NDBuffer: the array is not contiguous")
        address, read_only = found["data"]
        return cls._made(address, shape, typestr, found.get("stream"), read_only, owner)

    shape = property(lambda self: self._shape, doc="The lengths of the dimensions, in items.")
    typestr = property(lambda self: self._typestr, doc="The type of an item.")
    itemsize = property(lambda self: _item_size(self._typestr), doc="The bytes of an item.")
    size = property(lambda self: math.prod(self._shape), doc="The number of items.")
    rank = property(lambda self: len(self._shape), doc="The number of dimensions.")
    is_read_only = property(lambda self: self._read_only)
    stream_as_int = property(lambda self: self._stream or 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self._shape,
            "typestr": self._typestr,
            "data": (int(self), self._read_only),
            "strides": None,
            "offset": 0,
            "mask": None,
            "stream": self._stream,
            "version": 3,
        }

    def __buffer__(self, flags: int) -> memoryview:
        """For CPython 3.12 and later; those before have no buffers of Python classes."""
        size = self.size * self.itemsize
        view = memoryview((ctypes.c_char * size).from_address(int(self)))
        view = view.cast("B")
        return view.toreadonly() if self._read_only else view

    def __getitem__(self, index: Any) -> NDBuffer:
        """A part along the first dimension, which has to be contiguous, too."""
        first, *rest = self._shape
        shape = rest if isinstance(index, int) else None
        if isinstance(index, int):
            index = range(first)[index]
            index = slice(index, index + 1)
        begin, end, step = index.indices(first)
        if step != 1:
            raise RuntimeError("NDBuffer: a part with steps is not contiguous")
        if shape is None:
            shape = [max(end - begin, 0), *rest]
        address = int(self) + begin * math.prod(rest) * self.itemsize
        return self._made(address, shape, self._typestr, self._stream, self._read_only, self)

    def configure(
        self,
        *,
        shape: tuple[int, ...] | None = None,
        typestr: str | None = None,
        stream: int | None = None,
        read_only: bool | None = None,
        _force: bool = False,
    ) -> NDBuffer:
        """Gives the memory another shape or type; _force is for one with another number of bytes."""
        made = self._shape if shape is None else tuple(shape)
        size = _item_size(typestr or self._typestr)
        if stream is not None and int(stream) <= 0:
            raise ValueError("NDBuffer: 'stream' is a positive number")
        if not _force and math.prod(made) * size != self.size * self.itemsize:
            raise ValueError(f"NDBuffer: {made} items of {size} bytes are not what it has")
        self._shape, self._typestr = made, typestr or self._typestr
        self._stream = self._stream if stream is None else int(stream)
        self._read_only = self._read_only if read_only is None else read_only
        return self
