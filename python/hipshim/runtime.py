# SPDX-License-Identifier: MIT
"""The HIP runtime in use: what hipshim's C interface tells of it, and `hipshim which`."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import IntEnum

from hipshim._library import Sized, open_library, text

_library = open_library("libhipshim.so.0")
for _name in ("hipshim_version", "hipshim_runtime_path", "hipshim_error_text"):
    getattr(_library, _name).restype = ctypes.c_char_p


class Source(IntEnum):
    """The parts of the search for a runtime, in its order."""

    NONE = 0
    PIN = 1
    LOADED = 2
    CONFIGURED = 3
    ENVIRONMENT = 4
    LINKER = 5
    DIRECTORY = 6


class Outcome(IntEnum):
    """The result of one step of the search."""

    USED = 0
    ABSENT = 1
    REJECTED = 2
    SKIPPED = 3


class Kind(IntEnum):
    """How a function is served on the runtime in use."""

    DIRECT = 0
    CONVERTED = 1
    EMULATED = 2
    MISSING = 3


class _Release(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint), ("minor", ctypes.c_uint), ("patch", ctypes.c_uint)]

    def known(self) -> tuple[int, int, int] | None:
        return (self.major, self.minor, self.patch) if self.major else None


class _Runtime(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("release", _Release),
        ("used_as", _Release),
        ("api_set", _Release),
        ("stable", _Release),
        ("match", ctypes.c_int),
        ("found_by", ctypes.c_int),
        ("kinds", ctypes.c_uint * 4),
        ("match_text", ctypes.c_char_p),
        ("path", ctypes.c_char_p),
        ("soname", ctypes.c_char_p),
        ("hiprtc_path", ctypes.c_char_p),
        ("hiprtc_text", ctypes.c_char_p),
        ("no_runtime_text", ctypes.c_char_p),
    ]


class _Step(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("source", ctypes.c_int),
        ("outcome", ctypes.c_int),
        ("subject", ctypes.c_char_p),
        ("reason", ctypes.c_char_p),
    ]


class _Function(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("kind", ctypes.c_int),
        ("since", _Release),
        ("removed", _Release),
        ("name", ctypes.c_char_p),
    ]


@dataclass(frozen=True)
class Info:
    """The runtime in use; releases are (major, minor, patch)."""

    release: tuple[int, int, int] | None  # None if there is no runtime
    used_as: tuple[int, int, int] | None  # the known release that it is treated as
    stable: tuple[int, int, int] | None  # of hipshim's own headers
    match_text: str  # how used_as was chosen
    found_by: Source
    path: str
    soname: str
    hiprtc_path: str
    hiprtc_text: str  # why hiprtc_path is empty
    no_runtime_text: str  # why path is empty
    kinds: dict[Kind, int]  # the number of functions of each kind


@dataclass(frozen=True)
class Step:
    """One step of the search."""

    source: Source
    outcome: Outcome
    subject: str  # the path, soname or variable
    reason: str


@dataclass(frozen=True)
class Function:
    """How a function is served on the runtime in use."""

    name: str
    kind: Kind
    since: tuple[int, int, int] | None
    removed: tuple[int, int, int] | None


def version() -> str:
    """The version of libhipshim."""
    return text(_library.hipshim_version())


def info() -> Info:
    """Opens the runtime and describes it; without one, `no_runtime_text` tells the reason."""
    found = _Runtime()
    _library.hipshim_runtime_info(ctypes.byref(found))
    return Info(
        release=found.release.known(),
        used_as=found.used_as.known(),
        stable=found.stable.known(),
        match_text=text(found.match_text),
        found_by=Source(found.found_by),
        path=text(found.path),
        soname=text(found.soname),
        hiprtc_path=text(found.hiprtc_path),
        hiprtc_text=text(found.hiprtc_text),
        no_runtime_text=text(found.no_runtime_text),
        kinds={kind: found.kinds[kind] for kind in Kind},
    )


def which() -> str:
    """The file of the runtime in use; empty if there is none."""
    return text(_library.hipshim_runtime_path())


def steps() -> list[Step]:
    """The steps of the search, in order."""
    found = []
    for index in range(_library.hipshim_step_count()):
        step = _Step()
        _library.hipshim_step_info(index, ctypes.byref(step))
        found.append(
            Step(Source(step.source), Outcome(step.outcome), text(step.subject), text(step.reason))
        )
    return found


def function(name: str) -> Function:
    """How a function is served; KeyError if no known release declares it."""
    found = _Function()
    if _library.hipshim_function_info(name.encode(), ctypes.byref(found)) != 0:
        raise KeyError(text(_library.hipshim_error_text()))
    return Function(text(found.name), Kind(found.kind), found.since.known(), found.removed.known())
