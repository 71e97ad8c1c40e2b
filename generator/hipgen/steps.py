# SPDX-License-Identifier: MIT
"""The statements that a converter is made of, one class for each kind.

`form` names the macro in convert_steps.c.j2 that writes the statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Step:
    """One statement.  `to` and `source` are members of the destination and the source."""

    form: ClassVar[str]
    declares: ClassVar[str] = ""  # the local variable that the statement needs
    may_fail: ClassVar[bool] = True

    to: str
    source: str

    @property
    def calls(self) -> tuple[str, ...]:
        """The converters that the statement calls."""
        return ()

    @property
    def needs_arena(self) -> bool:
        return False


@dataclass(frozen=True)
class Plain(Step):
    """A member that has the same bytes on both sides."""

    may_fail = False

    at: tuple[int, int] | None  # byte offsets in the caller's and the runtime's record
    size: int

    @property
    def last(self) -> str:
        """The source of the last member that the statement copies."""
        return self.source


@dataclass(frozen=True)
class Assign(Plain):
    """An assignment."""

    form = "assign"


@dataclass(frozen=True)
class CopyBytes(Plain):
    """A memcpy, for arrays and records."""

    form = "copy_bytes"


@dataclass(frozen=True)
class CopyRun(Plain):
    """One copy of members that follow each other on both sides."""

    form = "copy_run"

    last_member: str

    @property
    def last(self) -> str:
        return self.last_member


@dataclass(frozen=True)
class Cast(Step):
    """An integer that becomes a wider integer."""

    form = "assign"
    may_fail = False


@dataclass(frozen=True)
class Narrow(Step):
    """An integer that becomes a narrower integer, if its value fits."""

    form = "narrow"

    type: str


@dataclass(frozen=True)
class Saturate(Step):
    """An unsigned integer of another width: the largest value stays the largest, and so are larger ones."""

    form = "saturate"
    may_fail = False

    to_type: str
    source_type: str
    largest: str  # the type whose largest value is the limit in the source


@dataclass(frozen=True)
class CopyText(Step):
    """Text in an array of another size; what does not fit is left out, but never the end."""

    form = "copy_text"

    count: int  # of the shorter array
    must_fit: bool  # whether longer text has no way to the other side

    @property
    def may_fail(self) -> bool:  # type: ignore[override]
        return self.must_fit


@dataclass(frozen=True)
class Elements(Step):
    """An array in the record, whose elements or number differ; `element` converts one of them."""

    form = "elements"

    element: Step
    count: int  # of the shorter array
    must_fit: bool  # whether more elements than 0 behind that have no way to the other side
    counter: str  # the member of the destination that may be larger than its array, or empty

    @property
    def may_fail(self) -> bool:  # type: ignore[override]
        return self.must_fit or self.element.may_fail

    @property
    def declares(self) -> str:  # type: ignore[override]
        return self.element.declares

    @property
    def calls(self) -> tuple[str, ...]:
        return self.element.calls

    @property
    def needs_arena(self) -> bool:
        return self.element.needs_arena


@dataclass(frozen=True)
class Convert(Step):
    """A member that a converter converts."""

    converter: str

    @property
    def calls(self) -> tuple[str, ...]:
        return (self.converter,)


@dataclass(frozen=True)
class ConvertEnum(Convert):
    form = "convert_enum"
    declares = "int value"

    type: str


@dataclass(frozen=True)
class ConvertRecord(Convert):
    """A record inside the record."""

    form = "convert_record"
    declares = "const char *unrepresentable"

    with_arena: bool

    @property
    def needs_arena(self) -> bool:
        return self.with_arena


@dataclass(frozen=True)
class ConvertArray(Convert):
    """A pointer to converted records; the arena holds the result."""

    form = "convert_array"
    declares = "const char *unrepresentable"

    type: str
    count: str  # the member that counts them

    @property
    def needs_arena(self) -> bool:
        return True


@dataclass(frozen=True)
class RefuseOut(Step):
    """A pointer to records that cannot be converted for the caller: nobody would free them."""

    form = "refuse_out"


@dataclass(frozen=True)
class Reject:
    """A test that a member which the other side lacks has its default value."""

    source: str
    since: str  # the first release that has the member
    at: int  # byte offset
    size: int
    joins: bool  # whether the member before it is rejected, too


def join_runs(steps: list[Step]) -> list[Step]:
    """Replaces plain members that follow each other on both sides by one copy."""
    joined: list[Step] = []
    for step in steps:
        last = joined[-1] if joined else None
        if isinstance(last, Plain) and isinstance(step, Plain) and follows(last, step):
            joined[-1] = CopyRun(
                last.to, last.source, last.at, last.size + step.size, last_member=step.source
            )
            continue
        joined.append(step)
    return joined


def follows(first: Plain, second: Plain) -> bool:
    if first.at is None or second.at is None:
        return False
    return all(a + first.size == b for a, b in zip(first.at, second.at))


def reject_spans(rejects: list[Reject]) -> list[tuple[str, str, int]]:
    """First member, last member and size of each run of rejected members.

    A run may contain padding, which has any value.  If a run is not all zero, each
    of its members is tested.
    """
    spans: list[tuple[str, str, int, int]] = []
    for reject in rejects:
        end = reject.at + reject.size
        if spans and reject.joins:
            first, _, begin, _ = spans[-1]
            spans[-1] = (first, reject.source, begin, end)
        else:
            spans.append((reject.source, reject.source, reject.at, end))
    return [(first, last, end - begin) for first, last, begin, end in spans]
