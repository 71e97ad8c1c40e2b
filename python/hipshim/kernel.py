# SPDX-License-Identifier: MIT
"""Compiles kernels, keeps them in hipshim's cache, and loads them.

    kernel = compile(source, arch="gfx90a")       # needs no GPU
    with Module(source) as module:                # for the current device
        function = module.function("axpy")        # for hipshim.hip.hipModuleLaunchKernel
    codes = Embedded([Code("axpy", "gfx90a", data), ...])
    with codes.module("axpy") as module:          # the code that fits the current device
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import TracebackType
from typing import Any, TypeVar

from hipshim import hip
from hipshim._library import Sized, open_library, text, texts

_library = open_library("libhipshim-kernel.so.0")
_runtime = open_library("libhipshim.so.0")
for _where, _name, _result in (
    (_runtime, "hipshim_error_text", ctypes.c_char_p),
    (_runtime, "hipshim_status_text", ctypes.c_char_p),
    (_library, "hipshim_kernel_code", ctypes.c_void_p),
    (_library, "hipshim_kernel_log", ctypes.c_char_p),
    (_library, "hipshim_kernel_arch", ctypes.c_char_p),
    (_library, "hipshim_kernel_cache_message", ctypes.c_char_p),
    (_library, "hipshim_kernel_lowered_name", ctypes.c_char_p),
    (_library, "hipshim_module_handle", ctypes.c_void_p),
    (_library, "hipshim_module_kernel", ctypes.c_void_p),
):
    getattr(_where, _name).restype = _result

AnyModule = TypeVar("AnyModule", bound="Loaded")


class Origin(IntEnum):
    """Where the code of a kernel came from."""

    NONE = 0
    COMPILED = 1
    CACHED = 2
    BY_HIPCC = 3


class KernelError(Exception):
    """A kernel was not compiled or loaded: `status` is hipshim's, `log` the compiler's."""

    def __init__(self, status: int, reason: str, log: str) -> None:
        self.status = status
        self.log = log
        super().__init__(f"{reason}\n{log}".rstrip())


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel."""

    code: bytes  # for hipModuleLoadData
    log: str
    arch: str
    origin: Origin
    cache_message: str  # why the result was not kept; empty if it was
    names: dict[str, str]  # the symbol of each expression


class _Header(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class _Options(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("source", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("arch", ctypes.c_char_p),
        ("options", ctypes.c_void_p),
        ("option_count", ctypes.c_size_t),
        ("headers", ctypes.c_void_p),
        ("header_count", ctypes.c_size_t),
        ("expressions", ctypes.c_void_p),
        ("expression_count", ctypes.c_size_t),
        ("files", ctypes.c_void_p),
        ("file_count", ctypes.c_size_t),
        ("flags", ctypes.c_uint),
        ("hipcc", ctypes.c_char_p),
        ("hip_version", ctypes.c_char_p),
    ]


@dataclass
class Request:
    """What is compiled; include/hipshim/hipshim/kernel.h explains each member."""

    source: str
    name: str = ""
    arch: str = ""
    options: Sequence[str] = ()
    headers: Mapping[str, str] | None = None  # the text of each name
    expressions: Sequence[str] = ()
    files: Sequence[str | os.PathLike[str]] = ()
    cache: bool = True
    use_hipcc: bool = False
    hipcc: str = ""
    hip_version: str = ""

    def in_c(self) -> tuple[_Options, list[Any]]:
        """The structure, and the objects that have to live as long."""
        lists = [
            texts(list(self.options)),
            texts(list(self.expressions)),
            texts([os.fspath(file) for file in self.files]),
        ]
        pairs = [(n.encode(), t.encode()) for n, t in (self.headers or {}).items()]
        headers = (_Header * len(pairs))(*[_Header(*pair) for pair in pairs])
        options, expressions, files = (ctypes.addressof(one) for one in lists)
        made = _Options(
            source=self.source.encode(),
            name=self.name.encode() or None,
            arch=self.arch.encode() or None,
            options=options,
            option_count=len(self.options),
            headers=ctypes.addressof(headers),
            header_count=len(pairs),
            expressions=expressions,
            expression_count=len(self.expressions),
            files=files,
            file_count=len(self.files),
            flags=(0 if self.cache else 1) | (2 if self.use_hipcc else 0),
            hipcc=os.fsencode(self.hipcc) or None,
            hip_version=self.hip_version.encode() or None,
        )
        return made, [lists, headers, pairs]


def _kernel(handle: int | None, expressions: Sequence[str]) -> Kernel:
    size = ctypes.c_size_t()
    pointer = ctypes.c_void_p(handle)
    code = _library.hipshim_kernel_code(pointer, ctypes.byref(size))
    names = {
        one: text(_library.hipshim_kernel_lowered_name(pointer, one.encode()))
        for one in expressions
    }
    return Kernel(
        code=ctypes.string_at(code, size.value) if code else b"",
        log=text(_library.hipshim_kernel_log(pointer)),
        arch=text(_library.hipshim_kernel_arch(pointer)),
        origin=Origin(_library.hipshim_kernel_origin(pointer)),
        cache_message=text(_library.hipshim_kernel_cache_message(pointer)),
        names=names,
    )


def _reason(status: int) -> str:
    return text(_runtime.hipshim_error_text()) or text(_runtime.hipshim_status_text(status))


def compile(source: str, **members: Any) -> Kernel:
    """Compiles a kernel or finds it in the cache; the other arguments are those of Request."""
    request = Request(source, **members)
    options, kept = request.in_c()
    handle = ctypes.c_void_p()
    status = _library.hipshim_kernel_compile(ctypes.byref(options), ctypes.byref(handle))
    reason = _reason(status) if status else ""
    try:
        made = _kernel(handle.value, request.expressions if status == 0 else ())
    finally:
        _library.hipshim_kernel_free(handle)
    del kept
    if status != 0:
        raise KernelError(status, reason, made.log)
    return made


def detect_arch(wanted: str = "") -> str:
    """The architecture of `wanted`, HIPSHIM_ARCH, the current device, or the first GPU."""
    room = ctypes.create_string_buffer(64)
    status = _library.hipshim_arch_detect(wanted.encode() or None, room, len(room), None)
    if status != 0:
        raise KernelError(status, _reason(status), "")
    return text(room.value)


class Loaded:
    """A module on the current device; threads that want the same share it."""

    _handle: ctypes.c_void_p

    @property
    def handle(self) -> hip.ihipModule_t:
        """The hipModule_t, which stays the module's."""
        if not self._handle:
            raise ValueError("the module was released")
        return hip.ihipModule_t(_library.hipshim_module_handle(self._handle))

    def function(self, name: str) -> hip.ihipModuleSymbol_t:
        """A kernel by its name."""
        from hipshim.hip import checked

        found = checked.hipModuleGetFunction(self.handle, name)
        assert found is not None
        return found

    def release(self) -> None:
        """Gives the module back; the last one who does unloads it."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        _library.hipshim_module_release(handle)

    def __enter__(self: AnyModule) -> AnyModule:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.release()


class Module(Loaded):
    """A kernel that is compiled, or found in the cache, and loaded."""

    def __init__(self, source: str, **members: Any) -> None:
        self._handle = ctypes.c_void_p()
        self._request = Request(source, **members)
        options, kept = self._request.in_c()
        status = _library.hipshim_module_get(ctypes.byref(options), ctypes.byref(self._handle))
        del kept
        if status != 0:
            raise KernelError(status, _reason(status), "")

    @property
    def kernel(self) -> Kernel:
        if not self._handle:
            raise ValueError("the module was released")
        return _kernel(_library.hipshim_module_kernel(self._handle), self._request.expressions)

    def function(self, name: str) -> hip.ihipModuleSymbol_t:
        """A kernel by its name, or by one of the expressions."""
        if name in self._request.expressions:
            name = self.kernel.names[name]
        return super().function(name)


@dataclass(frozen=True)
class Code:
    """A code object for one architecture."""

    kernel: str  # its name, under which it is looked for
    arch: str  # "gfx90a", "gfx90a:xnack-", "gfx11-generic"
    code: bytes
    plain_size: int = 0  # the size to which it unpacks, if `code` is compressed


class _Code(ctypes.Structure):
    _fields_ = [
        ("kernel", ctypes.c_char_p),
        ("arch", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("code_size", ctypes.c_size_t),
        ("plain_size", ctypes.c_size_t),
    ]


class _Embedded(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("version", ctypes.c_uint),
        ("codes", ctypes.POINTER(_Code)),
        ("code_count", ctypes.c_size_t),
        ("sources", ctypes.c_void_p),
        ("source_count", ctypes.c_size_t),
    ]


class Embedded:
    """Code objects for several architectures: a program's own, or those of `hipshim embed`."""

    def __init__(self, codes: Sequence[Code]) -> None:
        pointers = [ctypes.c_char_p(c.code) for c in codes]
        made = [
            _Code(
                kernel=c.kernel.encode(),
                arch=c.arch.encode(),
                code=ctypes.cast(p, ctypes.c_void_p).value,
                code_size=len(c.code),
                plain_size=c.plain_size,
            )
            for c, p in zip(codes, pointers)
        ]
        array = (_Code * len(made))(*made)
        self._kept: Any = (array, pointers)
        self._embedded = _Embedded(version=1, codes=array, code_count=len(made))

    @classmethod
    def in_library(cls, path: str | os.PathLike[str], name: str) -> Embedded:
        """What `hipshim embed -o NAME` wrote, linked into a shared library that exports NAME."""
        library = ctypes.CDLL(os.fspath(path))
        made = cls([])
        made._kept, made._embedded = library, _Embedded.in_dll(library, name)
        return made

    def find(self, name: str, arch: str = "") -> Code:
        """The code object that fits an architecture best, by default that of the current device."""
        found = ctypes.POINTER(_Code)()
        self._call("hipshim_embedded_find", name, arch, found)
        code = found.contents
        content = ctypes.string_at(code.code, code.code_size)
        return Code(text(code.kernel), text(code.arch), content, code.plain_size)

    def module(self, name: str, arch: str = "") -> Loaded:
        """The code object that fits best, loaded; its source is compiled if none does."""
        made = Loaded()
        made._handle = ctypes.c_void_p()
        self._call("hipshim_embedded_module_get", name, arch, made._handle)
        return made

    def _call(self, function: str, name: str, arch: str, found: Any) -> None:
        status = getattr(_library, function)(
            ctypes.byref(self._embedded), name.encode(), arch.encode() or None, ctypes.byref(found)
        )
        if status != 0:
            raise KernelError(status, _reason(status), "")
