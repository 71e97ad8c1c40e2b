# SPDX-License-Identifier: MIT
"""Reads api.def: what every known release of an API declares.

The file has one stanza for each form of a declaration.  A stanza, or a line in it, may
end with two spaces and the releases that have it; without them, all releases (or all
of the stanza) have it.  No compiler is needed to read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hipgen import cdecl
from hipgen.foreign import unknown_names, with_foreign
from hipgen.layout import Layout
from hipgen.model import ApiSet, Declaration, Enum, Field, HipgenError, Inline, Macro
from hipgen.model import Record, Release, Typedef, key_of, section

TAGGED = re.compile(r"(typedef )?(packed )?(enum|struct|union)(?: (\w+))?(;?)")
BITS = re.compile(r"(.*) : (\d+)")
ENUMERATOR = re.compile(r"([A-Za-z_]\w*) = (-?[0-9]+)")


class Spans:
    """The known releases in ascending order, and sets of them as bit masks and as text."""

    def __init__(self, ordered: list[Release]) -> None:
        self.ordered = ordered
        self.all = (1 << len(ordered)) - 1
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        for number, release in enumerate(ordered):
            for name in (f"{release.major}.{release.minor}", str(release)):
                self.first.setdefault(name, number)
                self.last[name] = number
        self.masks: dict[str, int] = {"": self.all}

    def mask(self, text: str) -> int:
        """`5.0-5.7, 6.2.41133, 7.0-` as a bit for each release."""
        if text not in self.masks:
            mask = 0
            for span in text.split(", "):
                mask |= self.mask_of_span(span)
            self.masks[text] = mask
        return self.masks[text]

    def mask_of_span(self, span: str) -> int:
        begin, dash, end = span.partition("-")
        if not begin:
            raise HipgenError(f"`{span}` is not a release such as 6.4, or a span such as 6.4-7.1")
        for name in filter(None, (begin, end)):
            if name not in self.first:
                raise HipgenError(f"`{span}`: no release {name} is known")
        first = self.first[begin]
        last = self.last[end or begin] if end or not dash else len(self.ordered) - 1
        if first > last:
            raise HipgenError(f"`{span}`: the first release is newer than the last one")
        return (1 << last + 1) - (1 << first)

    def text(self, mask: int) -> str:
        """The shortest text for which mask() returns this mask."""
        spans = []
        number = 0
        while mask >> number:
            begin = number
            while mask >> number & 1:
                number += 1
            if number > begin:
                spans.append(self.span(begin, number - 1))
            number += 1
        return ", ".join(spans)

    def span(self, begin: int, end: int) -> str:
        first, last = self.name(begin, self.first), self.name(end, self.last)
        if end == len(self.ordered) - 1:
            return f"{first}-"
        return first if first == last else f"{first}-{last}"

    def name(self, number: int, known: dict[str, int]) -> str:
        """6.4 where that means this release, or else the whole version."""
        release = self.ordered[number]
        short = f"{release.major}.{release.minor}"
        return short if known[short] == number else str(release)


@dataclass
class Stanza:
    """One form of a declaration, and the releases that have it."""

    head: str
    mask: int
    where: str  # for error texts
    items: list[tuple[str, int]] = field(default_factory=list)  # members, with their releases
    known: dict[int, Declaration] = field(default_factory=dict)  # by the members that count

    def declaration(self, bit: int) -> Declaration:
        """What a release declares; the layouts of records are still missing."""
        chosen = sum(1 << n for n, (_, mask) in enumerate(self.items) if mask & bit)
        if chosen not in self.known:
            texts = [text for text, mask in self.items if mask & bit]
            try:
                self.known[chosen] = parse(self.head, texts)
            except HipgenError as problem:
                raise HipgenError(f"{self.where}: {problem}") from None
        return self.known[chosen]


def parse(head: str, items: list[str]) -> Declaration:
    tagged = TAGGED.fullmatch(head)
    if tagged:
        typedef, packed, kind, name, closed = tagged.groups(default="")
        if kind == "enum":
            return enum(name, items, not typedef and bool(name))
        size = -1 if closed else 0
        fields = tuple(map(member, items))
        return Record(name, kind, size, 0, fields, not typedef, bool(packed))
    if items:
        raise HipgenError(f"`{head}`: has members, but is no enum, struct or union")
    if head.startswith("#define "):
        name, _, body = head.removeprefix("#define ").partition(" ")
        return Macro(name, body)
    if head.startswith("typedef "):
        type_, name = cdecl.named_type(head.removeprefix("typedef "))
        return Typedef(name, type_)
    return cdecl.function(head)


def enum(name: str, items: list[str], tagged: bool) -> Enum:
    values = []
    for item in items:
        match = ENUMERATOR.fullmatch(item)
        if match is None:
            raise HipgenError(f"`{item}`: not an enumerator with its value")
        values.append((match[1], int(match[2])))
    if not values:
        raise HipgenError(f"`enum {name}`: no enumerators")
    return Enum(name, all(value >= 0 for _, value in values), tuple(values), tagged)


def member(text: str) -> Field:
    """A member of a record, whose offset is not known yet."""
    if "{" in text:
        lines = text.split("\n")
        kind, name = lines[0].removesuffix(" {"), lines[-1].removeprefix("}").strip()
        packed, kind = kind.startswith("packed "), kind.removeprefix("packed ")
        if kind not in ("struct", "union") or not re.fullmatch(r"\w*", name):
            raise HipgenError(f"`{lines[0]}`: not the begin of a struct or union")
        fields = tuple(member(one) for one in items_of([line[4:] for line in lines[1:-1]]))
        return Field(name, Inline(Record("", kind, 0, 0, fields, False, packed)), 0)
    bits = BITS.fullmatch(text)
    type_, name = cdecl.named_type(bits[1] if bits else text)
    return Field(name, type_, 0, int(bits[2]) if bits else None)


def items_of(lines: list[str]) -> Iterator[str]:
    """The members in these lines; one that is defined in place takes several lines."""
    waiting: list[str] = []
    for line in lines:
        waiting.append(line)
        if len(waiting) == 1 and not line.partition("  ")[0].endswith("{"):
            yield waiting.pop()
        elif line.startswith("}"):
            yield "\n".join(waiting)
            waiting = []
    if waiting:
        raise HipgenError(f"`{waiting[0]}`: no line begins with the closing brace")


def repeated(declaration: Declaration, enumerators: set[str]) -> str:
    """A member that the record has twice, or an enumerator that is in `enumerators` already.

    Adds the enumerators of the declaration to `enumerators`, because C has one scope for all of them.
    """
    names: list[str] = []
    seen: set[str] = set()
    if isinstance(declaration, Enum):
        names, seen = [name for name, _ in declaration.enumerators], enumerators
    elif isinstance(declaration, Record):
        names = [one.name for one in declaration.fields if one.name]
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


class ApiData:
    """The stanzas of one api.def."""

    def __init__(self, path: Path, ordered: list[Release]) -> None:
        self.path = path
        self.spans = Spans(ordered)
        self.stanzas: list[Stanza] = []
        try:
            text = path.read_text()
        except OSError as problem:
            raise HipgenError(f"{path}: {problem.strerror}") from None
        except UnicodeDecodeError as problem:
            raise HipgenError(f"{path}: {problem}") from None
        block: list[tuple[int, str]] = []
        for number, line in enumerate([*text.splitlines(), "end"], 1):
            if not line or line.startswith("# "):
                continue
            if block and not line.startswith(" "):
                self.stanzas.append(self.stanza(block))
                block = []
            block.append((number, line))
        if not self.stanzas and ordered:
            raise HipgenError(f"{path}: no declaration")

    def stanza(self, block: list[tuple[int, str]]) -> Stanza:
        (at, first), *rest = block
        result = Stanza(*self.split(first, at), f"{self.path}:{at}")
        numbers = iter(number for number, _ in rest)
        try:
            items = list(items_of([line.removeprefix("    ") for _, line in rest]))
        except HipgenError as problem:
            raise HipgenError(f"{result.where}: {problem}") from None
        for item in items:
            at, *_ = [next(numbers) for _ in item.split("\n")]
            first, newline, inner = item.partition("\n")
            text, own = self.split(first, at)
            result.items.append((text + newline + inner, own & result.mask))
        return result

    def split(self, line: str, number: int) -> tuple[str, int]:
        text, _, releases = line.partition("  ")
        try:
            return text, self.spans.mask(releases)
        except HipgenError as problem:
            raise HipgenError(f"{self.path}:{number}: {problem}") from None

    @property
    def keys(self) -> list[tuple[str, str]]:
        """Kind and name of every declaration, in the order of the file."""
        bits = ((stanza, stanza.mask & -stanza.mask) for stanza in self.stanzas)
        return list(dict.fromkeys(key_of(stanza.declaration(bit)) for stanza, bit in bits))

    def api_set(self, release: Release, foreign: Callable[[], list[ApiSet]] = list) -> ApiSet:
        """What this release declares, with the types of other APIs from `foreign`, if it needs any."""
        bit = 1 << self.spans.ordered.index(release)
        found: dict[tuple[str, str], Declaration] = {}
        enumerators: set[str] = set()
        by_name: dict[str, Declaration] = {}
        for stanza in self.stanzas:
            if not stanza.mask & bit:
                continue
            declaration = stanza.declaration(bit)
            key = key_of(declaration)
            if key in found:
                raise HipgenError(f"{stanza.where}: {release} declares {key[1]} twice")
            found[key] = declaration
            twice = repeated(declaration, enumerators)
            if twice:
                raise HipgenError(f"{stanza.where}: {release} declares `{twice}` twice")
            spelled = getattr(declaration, "spelling", declaration.name)
            by_name[spelled] = declaration
        used = foreign() if unknown_names(tuple(found.values())) else []
        others = {getattr(d, "spelling", d.name): d for one in used for d in one.declarations}
        layout = Layout((others | by_name).get)
        try:
            laid_out = [layout.lay_out(d) if isinstance(d, Record) else d for d in found.values()]
        except HipgenError as problem:
            raise HipgenError(f"{self.path}: {release}: {problem}") from None
        return with_foreign(ApiSet(release, tuple(sorted(laid_out, key=section))), used)
