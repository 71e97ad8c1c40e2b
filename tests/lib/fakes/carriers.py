# SPDX-License-Identifier: MIT
"""Random arguments for the property tests, and the checks of their conversion."""

from __future__ import annotations

import ctypes
import random
from dataclasses import dataclass, field

from hipgen.model import Enum, Record, ApiSet
from layout import REFUSED, Oracle, Place, places

VALUE, MEMORY, LIST, RESULT = 0, 32, 64, 96  # as in fake.h
GUARD = 64
EDGES = (0, 0, 1, -1, 2, 127, 255, 256, 0x7FFFFFFF, -0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 63)


ONE_ALONE = -1.0


class Wrong(Exception):
    """A property does not hold; the text names it."""


def check(holds: bool, text: str) -> None:
    if not holds:
        raise Wrong(text)


class Memory:
    """A block on the C heap, between guard bytes that must not change."""

    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    exact = False  # no guards, because AddressSanitizer checks the bounds

    def __init__(self, content: bytes) -> None:
        guard = 0 if self.exact else GUARD
        self.size, self.guard = len(content), guard
        self.block = self.libc.malloc(self.size + 2 * guard or 1)
        self.address = self.block + guard
        edge = b"\x3c" * guard
        ctypes.memmove(self.block, edge + content + edge, self.size + 2 * guard)

    def read(self) -> bytes:
        return ctypes.string_at(self.address, self.size)

    def release(self) -> None:
        edges = ctypes.string_at(self.block, self.guard) + ctypes.string_at(
            self.address + self.size, self.guard
        )
        self.libc.free(self.block)
        check(edges == b"\x3c" * len(edges), "bytes beside an argument were written")


class Fake:
    """The functions that control the fake runtime."""

    def __init__(self, path: str) -> None:
        self.library = ctypes.CDLL(path)
        self.library.fake_taken.restype = ctypes.c_void_p
        self.library.fake_last.restype = ctypes.c_char_p
        self.library.fake_count.restype = ctypes.c_ulong
        self.library.fake_recorded.restype = ctypes.c_ulong
        self.size = ctypes.c_size_t()

    def reset(self, function: str) -> None:
        self.library.fake_reset(function.encode())

    def give(self, slot: int, content: bytes) -> None:
        self.library.fake_give(slot, content, ctypes.c_size_t(len(content)))

    def taken(self, slot: int) -> bytes | None:
        found = self.library.fake_taken(slot, ctypes.byref(self.size))
        return None if found is None else ctypes.string_at(found, self.size.value)

    def fail(self, nth: int, error: int) -> None:
        """Makes the n-th call from now fail."""
        self.library.fake_fail(ctypes.c_ulong(nth), error)

    @property
    def count(self) -> int:
        return int(self.library.fake_count())

    @property
    def recorded(self) -> int:
        """Errors that hipshim made the last error of the thread."""
        return int(self.library.fake_recorded())


@dataclass
class Maker:
    """Random values for one pair of releases."""

    oracle: Oracle
    rng: random.Random
    turn: int = 0  # of the call; selects the wild member if there is only one

    def is_wild(self, wild: float, number: int, count: int) -> bool:
        """Whether a member may have a value that the other side cannot express."""
        if wild == ONE_ALONE:
            return number == self.turn % count
        return self.rng.random() < wild

    def number(self, place: Place) -> int | bytes:
        rng = self.rng
        if place.form == "bytes":
            return rng.choice((b"", rng.randbytes(place.size), rng.randbytes(place.size)))
        if place.enum and rng.random() < 0.85:
            return rng.choice(place.enum.enumerators)[1]
        if place.enum:
            return rng.choice((rng.randrange(-2, 40), rng.choice(EDGES[:9])))
        bits = place.size if place.form == "bits" else 8 * place.size
        value = rng.choice((rng.choice(EDGES), rng.getrandbits(bits), rng.getrandbits(bits // 2)))
        value &= (1 << bits) - 1
        if place.form == "signed" and value >> bits - 1:
            value -= 1 << bits
        return value

    def fitting(self, source: Place, pair: tuple[Place, Place], into: bool) -> int | bytes:
        """A value that the other side can express."""
        for _ in range(8):
            value = self.number(source)
            if self.oracle.carried(*pair, value, into) is not REFUSED:
                return value
        if source.enum:
            for _, value in source.enum.enumerators:
                if self.oracle.carried(*pair, value, into) is not REFUSED:
                    return value
        return 0

    def caller_record(self, mine: Record, theirs: Record, wild: float) -> bytearray:
        memory = bytearray(self.rng.randbytes(mine.size))  # padding has random bytes
        if mine.kind == "union":
            return memory
        ignore = self.oracle.ignored(mine)
        pairs = self.oracle.partners(mine, theirs)
        for number, (place, partner) in enumerate(pairs):
            if place.path in ignore or self.is_wild(wild, number, len(pairs)):
                value = self.number(place)
            elif partner:
                value = self.fitting(place, (place, partner), True)
            else:
                value = b"" if place.form == "bytes" else 0
            place.write(memory, value)
        return memory

    def runtime_record(self, mine: Record, theirs: Record, wild: float) -> bytearray:
        memory = bytearray(self.rng.randbytes(theirs.size))
        if theirs.kind == "union":
            return memory
        for place in self.oracle.runtime_places(theirs):
            place.write(memory, self.number(place))
        pairs = self.oracle.partners(mine, theirs)
        for number, (place, partner) in enumerate(pairs):
            if partner and not self.is_wild(wild, number, len(pairs)):
                partner.write(memory, self.fitting(partner, (place, partner), False))
        return memory


@dataclass
class RecordForm:
    """A record in the layouts of both sides."""

    oracle: Oracle
    mine: Record
    theirs: Record

    def refused(self, source: bytes | bytearray, into: bool) -> list[str]:
        """The members whose value the other side cannot express."""
        if self.mine.kind == "union":
            return []
        found = []
        ignore = self.oracle.ignored(self.mine)
        for place, partner in self.oracle.partners(self.mine, self.theirs):
            if place.path in ignore:
                continue
            if partner is None:
                if into and place.read(source) not in (0, bytes(place.size)):
                    found.append(place.path)
                continue
            value = (place if into else partner).read(source)
            if self.oracle.carried(place, partner, value, into) is REFUSED:
                found.append(place.path)
        return found

    def compare(self, source: bytes | bytearray, got: bytes, into: bool, skip: set[str]) -> None:
        """Checks that `got` is the conversion of `source`; padding does not count."""
        if self.mine.kind == "union":
            size = min(len(source), len(got))
            check(got[:size] == source[:size], f"{self.mine.name}: bytes differ")
            return
        ignore = self.oracle.ignored(self.mine) | skip
        used = set()
        for place, partner in self.oracle.partners(self.mine, self.theirs):
            if partner:
                used.add(partner.offset)
            if place.path in ignore:
                continue
            if partner is None:
                if not into:
                    zero = place.read(got) in (0, bytes(place.size))
                    check(zero, f"{place.path}: not in this release, but not zero")
                continue
            value = (place if into else partner).read(source)
            wanted = self.oracle.carried(place, partner, value, into)
            found = (partner if into else place).read(got)
            check(found == wanted, f"{place.path}: {value!r} became {found!r}, not {wanted!r}")
        if into:
            self.rest_is_zero(got, used)

    def rest_is_zero(self, got: bytes, used: set[int]) -> None:
        """Checks that members that only the runtime has are zero in a converted record."""
        if self.oracle.caller.records.get(self.theirs.name) == self.theirs:
            return
        for place in self.oracle.runtime_places(self.theirs):
            if place.offset not in used:
                zero = place.read(got) in (0, bytes(place.size))
                check(zero, f"{place.path}: only in this release, but not zero")


@dataclass
class Argument:
    """One argument: the value to pass, and the expectations after the call."""

    passed: object = 0
    unrepresentable: list[str] = field(default_factory=list)  # refused before the call
    unrepresentable_out: list[str] = field(default_factory=list)  # refused after it
    memory: list[Memory] = field(default_factory=list)


def enum_place(enum: Enum) -> Place:
    return Place("", "enum", 0, 4, enum)


def signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value
