# SPDX-License-Identifier: MIT
"""random_calls.py COUNT SEED [MODULE...]: calls functions with arguments of every kind, right and wrong.

Every exception but those that a wrong argument may raise is a failure, and so is a crash.
"""

from __future__ import annotations

import array
import ctypes
import gc
import importlib
import inspect
import random
import sys
from collections.abc import Callable
from typing import Any

from hipshim import hip, hiprtc
from hipshim.hip import checked
from hipshim.errors import HipError

ALLOWED = (TypeError, ValueError, OverflowError, HipError, IndexError, AttributeError, MemoryError)
DIRECTED = {"kernelParams", "extra", "args", "params"}


def make(source: random.Random, pool: list[Any]) -> Any:
    """A value of any kind; the numbers are no addresses that a function could follow."""
    kind = source.randrange(16)
    if kind < 4:
        return source.choice([0, 1, 2, 3, -1, 7, 1 << 50, 1 << 70])
    if kind == 4:
        return source.choice(["text", b"bytes", "", "a\0b", "ü"])
    if kind == 5:
        return source.choice([bytearray(64), array.array("i", range(8)), memoryview(b"12345678")])
    if kind == 6:
        return [make(source, pool) for _ in range(source.randrange(4))]
    if kind == 7:
        return tuple(make(source, pool) for _ in range(source.randrange(4)))
    if kind == 8:
        return source.choice([ctypes.c_int(3), ctypes.c_void_p(None), (ctypes.c_float * 4)()])
    if kind == 9:
        return lambda *arguments: None
    if kind == 10:
        return source.choice([1.5, object(), {}, Ellipsis, True])
    return source.choice(pool) if pool and kind < 14 else None


def record(source: random.Random, pool: list[Any]) -> Any:
    """A record with some members set."""
    made = source.choice(RECORDS)()
    for member in source.sample(made.PROPERTIES(), min(3, len(made))):
        try:
            setattr(made, member, make(source, pool))
        except ALLOWED:
            pass
        getattr(made, member)
    repr(made)
    return made


OTHERS = [
    importlib.import_module(f"hipshim.{name}{part}")
    for name in sys.argv[3:]
    for part in ("", ".checked")
]
RECORDS = [
    getattr(module, n)
    for module in (hip, *OTHERS)
    for n in dir(module)
    if isinstance(getattr(module, n, None), type)
    and issubclass(getattr(module, n), hip.Record)
    and n != "Record"
]
# Memory that a function would follow: the test has none but its own.
NUMBERS_ONLY = {"hipKernelNameRefByPtr"}


def functions() -> list[Callable[..., Any]]:
    return [
        getattr(module, name)
        for module in OTHERS or (hip, checked, hiprtc)
        for name in dir(module)
        if not name.endswith("attr__")
        and name != "__dir__"
        and inspect.isbuiltin(getattr(module, name))
    ]


def main() -> int:
    count, seed = map(int, sys.argv[1:3])
    source = random.Random(seed)
    known = functions()
    pool: list[Any] = []
    done = raised = 0
    for turn in range(count):
        function = source.choice(known)
        parameters = list(inspect.signature(function).parameters.values())
        arguments = [
            record(source, pool) if source.random() < 0.2 else make(source, pool)
            for _ in parameters
        ]
        if source.random() < 0.05:
            arguments = arguments[: source.randrange(len(arguments) + 1)]
        try:
            results = function(*arguments)
            done += 1
            for one in results if isinstance(results, tuple) else (results,):
                if isinstance(one, (hip.Pointer, hip.Record)):
                    pool.append(one)
        except ALLOWED:
            raised += 1
        if len(pool) > 50:
            del pool[: source.randrange(25)]
        if turn % 500 == 0:
            gc.collect()
    print(f"{done} calls returned, {raised} raised")
    return 0 if done > count // 50 and raised > count // 50 else 1


if __name__ == "__main__":
    sys.exit(main())
