# SPDX-License-Identifier: MIT
"""The kinds of parameters of HIP functions, for the property tests.

Each kind makes an argument, sets the output of the fake runtime for it, and checks
the value that arrived there and the value that came back.
"""

from __future__ import annotations

import ctypes

from carriers import (
    LIST,
    MEMORY,
    VALUE,
    Argument,
    Fake,
    Maker,
    Memory,
    RecordForm,
    check,
    enum_place,
    signed,
)
from hipgen.model import Enum
from layout import REFUSED, CType

SCRATCH = 4096  # bytes behind a pointer of unknown target


class Parameter:
    """A value that is passed unchanged."""

    def __init__(self, number: int, name: str, ctype: CType) -> None:
        self.number, self.name, self.ctype = number, name, ctype

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        size = ctypes.sizeof(self.ctype)
        return Argument(self.ctype.from_buffer_copy(maker.rng.randbytes(size)))

    def wanted(self, argument: Argument) -> bytes:
        return bytes(memoryview(argument.passed))  # type: ignore[arg-type]

    def settle(self, arguments: list[Argument], params: list["Parameter"]) -> None:
        """Sets the other arguments that describe this one."""

    def arrived(self, argument: Argument, fake: Fake) -> None:
        got = fake.taken(VALUE + self.number)
        wanted = self.wanted(argument)
        check(got == wanted, f"{self.name}: {wanted.hex()} arrived as {(got or b'').hex()}")

    def came_out(self, argument: Argument, fake: Fake) -> None:
        """Checks the output after a call that succeeded."""

    def untouched(self, argument: Argument) -> bool:
        """Whether the memory of the caller is unchanged, after a call that failed."""
        return True


class EnumValue(Parameter):
    def __init__(self, number: int, name: str, mine: Enum, theirs: Enum) -> None:
        super().__init__(number, name, ctypes.c_uint32)
        self.mine, self.theirs = mine, theirs

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        value = maker.number(enum_place(self.mine))
        assert isinstance(value, int)
        self.expected = maker.oracle.enum(self.mine, self.theirs, value, True)
        unrepresentable = [self.name] if self.expected is REFUSED else []
        return Argument(ctypes.c_uint32(value & 0xFFFFFFFF), unrepresentable)

    def wanted(self, argument: Argument) -> bytes:
        if not isinstance(self.expected, int):
            return b""
        return (self.expected & 0xFFFFFFFF).to_bytes(4, "little")


class Flag(Parameter):
    """The one flag that the function accepts, which has another value in the runtime."""

    def __init__(self, number: int, name: str, ctype: CType, here: int, there: int) -> None:
        super().__init__(number, name, ctype)
        self.here, self.there = here, there

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        value = maker.rng.choice((0, self.here, self.there, maker.rng.getrandbits(8)))
        lost = value == self.there != self.here
        return Argument(self.ctype(value), [self.name] if lost else [])

    def wanted(self, argument: Argument) -> bytes:
        value = argument.passed.value  # type: ignore[attr-defined]
        return bytes(self.ctype(self.there if value == self.here else value))


class Opaque(Parameter):
    """A pointer that is passed unchanged; the output of the fake must arrive unchanged."""

    def __init__(self, number: int, name: str, size: int, filled: bool) -> None:
        super().__init__(number, name, ctypes.c_void_p)
        self.size, self.filled = size, filled

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        block = Memory(bytes(self.size or SCRATCH))
        self.given = maker.rng.randbytes(self.size)
        if self.filled:
            fake.give(MEMORY + self.number, self.given)
        return Argument(ctypes.c_void_p(block.address), memory=[block])

    def came_out(self, argument: Argument, fake: Fake) -> None:
        if self.filled:
            check(argument.memory[0].read() == self.given, f"{self.name}: came out changed")


class EnumOut(Parameter):
    def __init__(self, number: int, name: str, mine: Enum, theirs: Enum) -> None:
        super().__init__(number, name, ctypes.c_void_p)
        self.mine, self.theirs = mine, theirs

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        value = maker.number(enum_place(self.theirs))
        assert isinstance(value, int)
        fake.give(MEMORY + self.number, (value & 0xFFFFFFFF).to_bytes(4, "little"))
        self.expected = maker.oracle.enum(self.mine, self.theirs, value, False)
        unrepresentable = [self.name] if self.expected is REFUSED else []
        block = Memory(b"\x5b" * 4)
        return Argument(
            ctypes.c_void_p(block.address), unrepresentable_out=unrepresentable, memory=[block]
        )

    def arrived(self, argument: Argument, fake: Fake) -> None:
        """The runtime gets a pointer to a variable of the adapter, so there is no check."""

    def came_out(self, argument: Argument, fake: Fake) -> None:
        got = int.from_bytes(argument.memory[0].read(), "little", signed=True)
        check(got == self.expected, f"{self.name}: came out as {got}, not {self.expected}")

    def untouched(self, argument: Argument) -> bool:
        return argument.memory[0].read() == b"\x5b" * 4


class Records(Parameter):
    """A pointer to one or more records, for input, output or both."""

    def __init__(
        self, number: int, name: str, form: RecordForm, direction: str, count: int | None
    ) -> None:
        super().__init__(number, name, ctypes.c_void_p)
        self.form, self.direction, self.count = form, direction, count
        self.lists = form.oracle.overrides.record(form.mine.name).arrays

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        self.length = 1
        self.hung: list[tuple[RecordForm, bytes]] = []
        if self.count is not None:
            self.length = maker.rng.choice((0, 1, 1, 2, 2, 3, 3, 3, 17, 17, 300))
        mine, theirs = self.form.mine, self.form.theirs
        content = bytearray(b"\x5b" * mine.size * self.length)
        argument = Argument()
        if "in" in self.direction:
            records = [maker.caller_record(mine, theirs, wild) for _ in range(self.length)]
            for record in records:
                self.hang_lists(maker, record, argument, wild)
                argument.unrepresentable += self.form.refused(record, True)
            content = bytearray(b"".join(records))
        if "out" in self.direction:
            self.given = maker.runtime_record(mine, theirs, wild)
            fake.give(MEMORY + self.number, bytes(self.given))
            argument.unrepresentable_out = self.form.refused(self.given, False)
        block = Memory(bytes(content))
        self.content = bytes(content)
        argument.memory.insert(0, block)
        argument.passed = ctypes.c_void_p(block.address)
        return argument

    def hang_lists(self, maker: Maker, record: bytearray, argument: Argument, wild: float) -> None:
        members = {
            p.path: (p, q) for p, q in self.form.oracle.partners(self.form.mine, self.form.theirs)
        }
        for path, count in self.lists.items():
            form = self.list_form(path)
            length = maker.rng.choice((0, 1, 2, 40))
            entries = [maker.caller_record(form.mine, form.theirs, wild) for _ in range(length)]
            for entry in entries:
                argument.unrepresentable += form.refused(entry, True)
            block = Memory(b"".join(entries))
            argument.memory.append(block)
            members[path][0].write(record, block.address)
            members[count][0].write(record, length)
            self.hung.append((form, b"".join(entries)))

    def settle(self, arguments: list[Argument], params: list[Parameter]) -> None:
        if self.count is not None:
            arguments[self.count].passed = params[self.count].ctype(self.length)

    def list_form(self, path: str) -> RecordForm:
        found = []
        oracle = self.form.oracle
        for api_set, record in (
            (oracle.caller, self.form.mine),
            (oracle.runtime, self.form.theirs),
        ):
            type_ = next(f.type for f in record.fields if f.name == path)
            target = api_set.resolve(type_).target  # type: ignore[union-attr]
            inner = api_set.record_of(target)
            assert inner is not None
            found.append(inner)
        return RecordForm(oracle, *found)

    def arrived(self, argument: Argument, fake: Fake) -> None:
        if "in" not in self.direction:
            return
        got = fake.taken(MEMORY + self.number)
        size, there = self.form.mine.size, self.form.theirs.size
        check(got is not None and len(got) == self.length * there, f"{self.name}: did not arrive")
        assert got is not None
        for n in range(self.length):
            source = self.content[n * size : (n + 1) * size]
            self.form.compare(source, got[n * there : (n + 1) * there], True, set(self.lists))
        for form, content in self.hung:
            got = fake.taken(LIST + self.number) or b""
            size, there = form.mine.size, form.theirs.size
            check(len(got) // there == len(content) // size, f"{self.name}: another list arrived")
            for n in range(len(content) // size):
                source = content[n * size : (n + 1) * size]
                form.compare(source, got[n * there : (n + 1) * there], True, set())

    def came_out(self, argument: Argument, fake: Fake) -> None:
        got = argument.memory[0].read()
        if "out" in self.direction:
            self.form.compare(bytes(self.given), got, False, self.decided_elsewhere())
        else:
            check(got == self.content, f"{self.name}: an input was written to")

    def decided_elsewhere(self) -> set[str]:
        """Members that hipshim derives from the value of another one."""
        for place, partner in self.form.oracle.partners(self.form.mine, self.form.theirs):
            if place.path == "isManaged" and partner and partner.read(self.given) == 1:
                return {"type", "memoryType"}
        return set()

    def untouched(self, argument: Argument) -> bool:
        return argument.memory[0].read() == self.content


class Tagged(Parameter):
    """A pointer to void whose target an enumerator selects, or a list of those."""

    def __init__(
        self, number: int, tag: tuple[int, int], count: int | None, pair: tuple[Enum, Enum]
    ) -> None:
        super().__init__(number, "data", ctypes.c_void_p)
        (self.tag, self.case), self.count, self.pair = tag, count, pair

    def make(self, maker: Maker, fake: Fake, wild: float) -> Argument:
        value = maker.number(enum_place(self.pair[1]))
        assert isinstance(value, int)
        content = (value & 0xFFFFFFFF).to_bytes(4, "little")
        fake.give(MEMORY + self.number, content)
        self.given = signed(value & 0xFFFFFFFF)
        self.expected = maker.oracle.enum(*self.pair, value, False)
        length = 1 if self.count is None else maker.rng.choice((0, 1, 2, 5))
        self.tags = [self.case + (maker.rng.random() > 0.6) for _ in range(length)]
        self.blocks = [Memory(b"\x5b" * 4) for _ in range(length)]
        refused = self.case in self.tags and self.expected is REFUSED
        argument = Argument(
            unrepresentable_out=["ATTRIBUTE"] if refused else [], memory=self.blocks[:]
        )
        pointers = b"".join(b.address.to_bytes(8, "little") for b in self.blocks)
        if self.count is None:
            argument.passed = ctypes.c_void_p(self.blocks[0].address)
        else:
            argument.memory.append(Memory(pointers))
            argument.passed = ctypes.c_void_p(argument.memory[-1].address)
        return argument

    def settle(self, arguments: list[Argument], params: list[Parameter]) -> None:
        tag = params[self.tag]
        if self.count is None:
            assert isinstance(tag, EnumValue)
            tag.expected, arguments[self.tag].unrepresentable = self.tags[0], []
            arguments[self.tag].passed = ctypes.c_uint32(self.tags[0])
            return
        block = Memory(b"".join(t.to_bytes(4, "little") for t in self.tags))
        arguments[self.tag].memory.append(block)
        arguments[self.tag].passed = ctypes.c_void_p(block.address)
        arguments[self.count].passed = ctypes.c_uint32(len(self.tags))

    def came_out(self, argument: Argument, fake: Fake) -> None:
        for tag, block in zip(self.tags, self.blocks):
            got = int.from_bytes(block.read(), "little", signed=True)
            wanted = self.expected if tag == self.case else self.given
            check(got == wanted, f"{self.name}: came out as {got}, not {wanted}")
