# SPDX-License-Identifier: MIT
"""Writes C sources for one release of AMD SMI or ROCm SMI as a library and another one as a client.

    python3 smi_pair.py API LIBRARY CLIENT DIRECTORY [FUNCTION...]     for example amdsmi 10.1.0 6.3.1 /tmp/x

DIRECTORY/fake.c has every function of LIBRARY that fills a struct, and fills each member with a
value that follows from the member's name; padding and all other bytes are 0xA5.  DIRECTORY/client.c
calls those that CLIENT has, too, and checks in its own layout that each member that both have holds
the value of its name, that no other member has got 0xA5, and that nothing was written behind the
struct; FUNCTION is left out.  None of hipgen's conversions is used: the types are those of api.def.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generator"))

from hipgen import bindings  # noqa: E402
from hipgen.abi import width  # noqa: E402
from hipgen.model import (
    ApiSet,
    Array,
    Enum,
    Function,
    Inline,
    Named,
    Pointer,
    Record,
    Type,
)  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.releases import parse_release  # noqa: E402
from hipgen.spell import declare  # noqa: E402

ROOM = 8  # records of a list
HEAD = "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
# What was renamed for all releases at once, or has another type, is not compared.
CHANGED = {"vram_vendor", "sleep_clk"}
BOUND = re.compile(r".*_(LAST|MAX|_MAX|FIRST)")


def number(path: str) -> int:
    """From 1 to 100, so that it fits every type; small where it counts the elements of a list."""
    name = path.rsplit(".", 1)[-1]
    if re.match(r"num_|count$", name):
        return 2
    return zlib.crc32(re.sub(r"\[.*?\]", "", path).encode()) % 100 + 1


@dataclass(frozen=True)
class Value:
    """One member: its path in C, its kind, and the enum behind it."""

    path: str
    kind: str  # number, flag, bit, text, enum, pointer, or skipped
    places: int = 0  # of text
    enum: Enum | None = None


Filled = tuple[int, Record]  # the parameter, and the struct


class Side:
    """The types of one release."""

    def __init__(self, project: Project, release: str) -> None:
        entry = project.find(parse_release(release, project.api, release))
        assert entry, release
        self.api_set: ApiSet = project.committed(entry)
        self.header = bindings.text_of(project, self.api_set, entry)

    def values(self, record: Record, prefix: str = "") -> Iterator[Value]:
        if record.kind == "union":  # one member of each is the whole
            whole = next(
                m.name for m in record.fields if isinstance(m.type, Named) and "uint" in m.type.name
            )
            yield Value(prefix + whole, "number")
            return
        for member in record.fields:
            if member.bits is not None:
                yield Value(f"{prefix}{member.name}", "bit")
                continue
            yield from self.of_type(member.type, f"{prefix}{member.name}")

    def of_type(self, type_: Type, path: str) -> Iterator[Value]:
        name = re.sub(r"\[\d+\]", "", path).rsplit(".", 1)[-1]
        found = self.api_set.resolve(type_)
        record = type_.record if isinstance(type_, Inline) else self.api_set.record_of(type_)
        enum = self.api_set.enum_of(type_)
        if re.fullmatch(r"reserved\d*", name) or name in CHANGED:
            yield Value(path, "skipped")
        elif record is not None and record.complete:
            yield from self.values(record, f"{path}.")
        elif isinstance(found, Array) and declare(found.element, "") == "char":
            yield Value(path, "text", found.count)
        elif isinstance(found, Array):
            for place in range(found.count):
                yield from self.of_type(found.element, f"{path}[{place}]")
        elif enum is not None and width(enum) == 4:
            yield Value(path, "enum", enum=enum)
        else:
            is_flag = isinstance(found, Named) and found.name == "bool"
            kind = "flag" if is_flag else "number"
            yield Value(path, "pointer" if isinstance(found, Pointer) else kind)

    def filled(self, function: Function) -> Filled | None:
        """The parameter through which the function fills a struct."""
        for place, param in enumerate(function.params):
            type_ = self.api_set.resolve(param.type)
            target = type_.target if isinstance(type_, Pointer) else None
            record = target and self.api_set.record_of(target)
            if record and record.complete and not getattr(target, "const", False):
                return place, record
        return None


def meaning(enumerator: str) -> str:
    """Without the prefixes that 6.2 added."""
    return re.sub(r"^AMDSMI_(PROCESSOR_TYPE_|IO(?=LINK))?", "", enumerator)


def common(one: Enum, other: Enum) -> list[str]:
    """The meanings that both enums have."""
    a, b = ({meaning(n) for n in e.values if not BOUND.fullmatch(n)} for e in (one, other))
    return sorted(a & b)


def number_of(enum: Enum, wanted: str) -> int:
    return next(v for n, v in enum.enumerators if meaning(n) == wanted)


class Pair:
    def __init__(self, library: Side, client: Side) -> None:
        self.library, self.client = library, client
        self.enums = [{d.name: d for d in s.api_set.enums.values()} for s in (library, client)]

    def value(self, value: Value) -> str:
        """The C expression; empty if the member has none."""
        if value.kind == "enum":
            assert value.enum
            sides = [known.get(value.enum.name) for known in self.enums]
            names = common(*sides) if all(sides) else []  # type: ignore[arg-type]
            return (
                str(number_of(value.enum, names[number(value.path) % len(names)])) if names else ""
            )
        texts = {"flag": "1", "bit": "1", "number": str(number(value.path))}
        return texts.get(
            value.kind, f"(void *){number(value.path)}" if value.kind == "pointer" else ""
        )

    def parameter(self, theirs: Function, mine: Function, at: int) -> tuple[bool, int, int] | None:
        """Whether this is a pointer to an enum, and one value of both sides, or none."""
        sides = ((self.library.api_set, theirs), (self.client.api_set, mine))
        types = [api_set.resolve(function.params[at].type) for api_set, function in sides]
        through = all(isinstance(type_, Pointer) for type_ in types)
        found = [
            api_set.enum_of(
                type_.target if isinstance(type_, Pointer) else function.params[at].type
            )
            for (api_set, function), type_ in zip(sides, types)
        ]
        if not all(found) or 8 in [width(e) for e in found if e]:
            return None
        a, b = found
        assert a and b
        names = common(a, b)
        chosen = names[(len(mine.name) + at) % len(names)]
        return through, number_of(a, chosen), number_of(b, chosen)

    def enums_of(self, theirs: Function, mine: Function) -> dict[int, tuple[bool, int, int]]:
        if len(theirs.params) != len(mine.params):
            return {}
        found = {at: self.parameter(theirs, mine, at) for at in range(len(mine.params))}
        return {at: one for at, one in found.items() if one}

    def functions(self) -> Iterator[tuple[Function, Function, Filled | None, Filled | None]]:
        """What both releases have, if it fills a struct or has an enum."""
        for mine in self.client.api_set.functions.values():
            theirs = self.library.api_set.functions.get(mine.name)
            if theirs:
                there, here = self.library.filled(theirs), self.client.filled(mine)
                same = there and here and there[0] == here[0]
                if same:
                    yield theirs, mine, there, here
                elif not there and not here and self.enums_of(theirs, mine):
                    yield theirs, mine, None, None


def counter_of(function: Function, at: int) -> int | None:
    """The parameter beside a list that counts its records, if the function fills one."""
    names = {"max_processes", "num_items", "num_elem", "num_pages", "num_regions", "count"}
    return next((n for n, p in enumerate(function.params) if p.name in names and n != at), None)


def filler(pair: Pair, record: Record) -> Iterator[str]:
    """The function that fills one struct of the library."""
    yield f"static void fill_{record.name}({record.spelling} *p)\n{{\n    memset(p, 0xA5, sizeof *p);"
    for value in pair.library.values(record):
        text = pair.value(value)
        if value.kind == "text":
            yield f'    snprintf(p->{value.path}, {value.places}, "%s", "{value.path}");'
        elif text:
            yield f"    p->{value.path} = {text};"
    yield "}"


def faked(pair: Pair, theirs: Function, mine: Function, there: Filled | None) -> Iterator[str]:
    """One function of the library."""
    params = ", ".join(declare(p.type, f"p{n}") for n, p in enumerate(theirs.params))
    yield f"{declare(theirs.result, theirs.name)}({params})\n{{"
    for at, (through, value, _) in pair.enums_of(theirs, mine).items():
        if through:
            yield f"    *p{at} = {value};"
        else:
            yield f"    if ((uint32_t)p{at} != (uint32_t){value}) {{\n        return 1;\n    }}"
    if there:
        at, record = there
        counter = counter_of(theirs, at)
        if counter is not None and isinstance(theirs.params[counter].type, Pointer):
            yield f"    for (uint32_t i = 0; i < {ROOM}; i++) {{\n        fill_{record.name}(&p{at}[i]);\n    }}"
            yield f"    *p{counter} = {ROOM};"
        else:
            yield f"    fill_{record.name}(p{at});"
    yield "    return 0;\n}"


def fake(pair: Pair) -> str:
    lines = [pair.library.header, HEAD]
    found = list(pair.functions())
    records = {there[1].name: there[1] for _, _, there, _ in found if there}
    for record in records.values():
        lines += filler(pair, record)
    for theirs, mine, there, _ in found:
        lines += faked(pair, theirs, mine, there)
    rest = pair.library.api_set.functions.keys() - {theirs.name for theirs, *_ in found}
    lines += [
        f'void other_{n}(void) __asm__("{n}");\nvoid other_{n}(void)\n{{\n}}' for n in sorted(rest)
    ]
    return "\n".join(lines) + "\n"


CLIENT = """
static unsigned failed, checked;

static void expect(int good, const char *function, const char *member)
{
    checked++;
    if (!good) {
        failed++;
        printf("%s: %s\\n", function, member);
    }
}

static int all(const unsigned char *at, size_t size, int byte)
{
    while (size > 0 && *at == byte) {
        at++;
        size--;
    }
    return size == 0;
}
"""


def checks(pair: Pair, name: str, theirs: Record, mine: Record) -> Iterator[str]:
    known = {v.path: v for v in pair.library.values(theirs)}
    for value in pair.client.values(mine):
        other = known.get(value.path)
        where = f'"{name}", "{value.path}"'
        if value.kind == "skipped" or (other and other.kind == "skipped"):
            continue
        if other is None and value.kind != "bit":
            yield f"    expect(!all((void *)&r->{value.path}, sizeof r->{value.path}, 0xA5), {where});"
        elif other is None:
            continue
        elif value.kind == other.kind == "text":
            length = min(value.places, other.places) - 1
            yield f'    expect(!strcmp(r->{value.path}, "{value.path[:length]}"), {where});'
        elif value.kind == other.kind and pair.value(value):
            yield f"    expect(r->{value.path} == {pair.value(value)}, {where});"


def argument(
    pair: Pair, mine: Function, place: int, enums: dict[int, tuple[bool, int, int]]
) -> str:
    type_ = pair.client.api_set.resolve(mine.params[place].type)
    if place in enums:
        through, _, value = enums[place]
        return (
            f"(void *)&values[{place}]"
            if through
            else f"({declare(mine.params[place].type, '')}){value}"
        )
    if declare(mine.params[place].type, "") == "amdsmi_bdf_t":
        return "(amdsmi_bdf_t){.as_uint = 1}"
    return "(void *)scratch" if isinstance(type_, Pointer) else "1"


def call(pair: Pair, theirs: Function, mine: Function, here: Filled | None) -> Iterator[str]:
    """The body of one check, but for the members."""
    enums = pair.enums_of(theirs, mine)
    arguments = [argument(pair, mine, place, enums) for place in range(len(mine.params))]
    counter = counter_of(mine, here[0]) if here else None
    listed = counter is not None and isinstance(mine.params[counter].type, Pointer)
    places = ROOM if listed else 1
    if here:
        arguments[here[0]] = "(void *)room.record"
        if counter is not None:
            arguments[counter] = "&number" if listed else "1"
        yield f"    struct {{ unsigned char before[64]; {here[1].spelling} record[{places}]; unsigned char after[8192]; }} room;"
        yield "    memset(&room, 0x5A, sizeof room);"
        if counter is not None and not listed:  # it is read, too
            yield "    memset(&room.record[0], 0, sizeof room.record[0]);"
    yield f"    static unsigned char scratch[4096];\n    uint32_t number = {places};\n    int values[16] = {{0}};"
    yield "    (void)number;\n    (void)scratch;\n    (void)values;"
    yield f'    expect({mine.name}({", ".join(arguments)}) == 0, "{mine.name}", "its status");'
    for at, (through, _, value) in enums.items():
        if through:
            yield f'    expect(values[{at}] == (int){value}, "{mine.name}", "{mine.params[at].name}");'
    if here:
        for side in ("before", "after"):
            yield f'    expect(all(room.{side}, sizeof room.{side}, 0x5A), "{mine.name}", "{side} the struct");'


def client(pair: Pair, left_out: set[str]) -> str:
    lines = [pair.client.header, HEAD, CLIENT]
    called = []
    for theirs, mine, there, here in pair.functions():
        if mine.name in left_out:
            continue
        called.append(mine.name)
        lines += [f"static void check_{mine.name}(void)", "{", *call(pair, theirs, mine, here)]
        if there and here:
            lines += [f"    {here[1].spelling} *r = &room.record[0];", "    (void)r;"]
            lines += checks(pair, mine.name, there[1], here[1])
        lines.append("}")
    lines += ["int main(void)", "{", *(f"    check_{name}();" for name in called)]
    lines.append(
        f'    printf("{len(called)} functions, %u checks, %u failed\\n", checked, failed);'
    )
    lines.append("    return failed != 0;\n}")
    return "\n".join(lines) + "\n"


def main() -> None:
    name, library, mine, directory, *left_out = sys.argv[1:]
    project = Project(ROOT, name=name)
    pair = Pair(Side(project, library), Side(project, mine))
    Path(directory, "fake.c").write_text(fake(pair))
    Path(directory, "client.c").write_text(client(pair, set(left_out)))


if __name__ == "__main__":
    main()
