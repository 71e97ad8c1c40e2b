# SPDX-License-Identifier: MIT
"""The stable API set: the layouts of one release, and the functions of every release.

It never changes, it only grows.  So a declaration that the stable header has takes
precedence over that of any release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hipgen.model import (
    Array,
    Declaration,
    Enum,
    Field,
    Function,
    FunctionType,
    HipgenError,
    Inline,
    Macro,
    Named,
    Param,
    Pointer,
    Record,
    ApiSet,
    Type,
    key_of,
    section,
)
from hipgen.overrides import Overrides


def merge(frozen: ApiSet | None, api_sets: list[ApiSet], overrides: Overrides) -> ApiSet:
    """Returns `frozen` with the additions of `api_sets`, which are oldest first.

    Types come only from the newest release, and from older ones if a function needs
    them.  So a release that is not newer than `frozen` adds only functions.
    """
    newest = api_sets[-1]
    grows = frozen is None or newest.release > frozen.release
    release = max(newest.release, frozen.release) if frozen else newest.release
    merged: dict[tuple[str, str], Declaration] = {}
    names: set[str] = set()

    def add(declaration: Declaration) -> None:
        key = key_of(declaration)
        if key not in merged:
            merged[key] = declaration
            names.update(declared_names(declaration))

    if frozen is not None:
        for declaration in frozen.declarations:
            add(declaration)
    for api_set in reversed(api_sets):
        for declaration in api_set.declarations:
            if api_set is newest and grows and isinstance(declaration, Enum):
                extend(merged, names, declaration)
            if api_set is newest and grows and isinstance(declaration, Record):
                if overrides.record(declaration.name).union == "prefix":
                    extend_union(merged, declaration, api_set)
            if (api_set is newest and grows) or isinstance(declaration, Function):
                if wanted(declaration, overrides, names):
                    for needed in dependencies(declaration, api_set, overrides):
                        is_own = key_of(needed) in api_set.by_key
                        if is_own and wanted(needed, overrides, names):
                            add(needed)
                    add(prepared(declaration, overrides))
    ordered = sorted(merged.values(), key=section)
    return ApiSet(release, tuple(ordered))


def extend(merged: dict[tuple[str, str], Declaration], names: set[str], newer: Enum) -> None:
    """Adds the new enumerators of a release to an enum that exists already."""
    old = merged.get(key_of(newer))
    if not isinstance(old, Enum):
        return
    for name, value in newer.enumerators:
        if name not in old.values and name in names:
            raise HipgenError(f"{name}: new in {newer.name}, but another declaration has the name")
    added = tuple((n, v) for n, v in newer.enumerators if n not in old.values)
    names.update(n for n, _ in added)
    merged[key_of(newer)] = replace(old, enumerators=old.enumerators + added)


def extend_union(
    merged: dict[tuple[str, str], Declaration], newer: Record, api_set: ApiSet
) -> None:
    """Adds the new members of a release to a union of the same size, and before it their types."""
    old = merged.get(key_of(newer))
    if not isinstance(old, Record) or (old.size, old.align) != (newer.size, newer.align):
        return
    known = {member.name for member in old.fields}
    added = tuple(member for member in newer.fields if member.name not in known)
    before = list(merged)[: list(merged).index(key_of(newer))]
    seen = set(before)
    needed = [d for member in added for d in type_dependencies(member.type, api_set, seen)]
    first = {key: merged[key] for key in before}
    first |= {key_of(d): merged.get(key_of(d), d) for d in needed}
    first[key_of(newer)] = replace(old, fields=old.fields + added)
    rest = {key: declaration for key, declaration in merged.items() if key not in first}
    merged.clear()
    merged.update(first | rest)


def wanted(declaration: Declaration, overrides: Overrides, names: set[str]) -> bool:
    name = declaration.name
    if isinstance(declaration, Function):
        return not overrides.function(name).absent and name not in names
    if overrides.is_by_hand(name):
        return False
    return not any(n in names for n in declared_names(declaration)) or isinstance(
        declaration, Record
    )


def declared_names(declaration: Declaration) -> set[str]:
    """The names that must not be declared a second time."""
    if isinstance(declaration, Enum):
        return set(declaration.values)
    if isinstance(declaration, (Macro, Function)):
        return {declaration.name}
    return {f"type {declaration.name}"} if not isinstance(declaration, Record) else set()


def prepared(declaration: Declaration, overrides: Overrides) -> Declaration:
    if isinstance(declaration, Function):
        defaults = overrides.function(declaration.name).defaults
        params = tuple(
            Param(p.name, p.type, defaults.get(p.name, p.default)) for p in declaration.params
        )
        return replace(declaration, params=params)
    if isinstance(declaration, Record):
        aliases = overrides.record(declaration.name).member_aliases
        if aliases:
            return replace(
                declaration, fields=tuple(with_other_name(f, aliases) for f in declaration.fields)
            )
    return declaration


def with_other_name(member: Field, aliases: dict[str, str]) -> Field:
    """An anonymous union of the member and the same member under its older name."""
    if member.name not in aliases:
        return member
    both = (Field(member.name, member.type, 0), Field(aliases[member.name], member.type, 0))
    return Field("", Inline(Record("", "union", 4, 4, both, False)), member.offset)


def dependencies(
    declaration: Declaration, api_set: ApiSet, overrides: Overrides
) -> Iterator[Declaration]:
    """The types that a function needs, each before the types that need it."""
    if not isinstance(declaration, Function):
        return
    seen: set[tuple[str, str]] = set()
    for type_ in (declaration.result, *(p.type for p in declaration.params)):
        yield from type_dependencies(type_, api_set, seen)


def type_dependencies(
    type_: Type, api_set: ApiSet, seen: set[tuple[str, str]]
) -> Iterator[Declaration]:
    if isinstance(type_, Pointer):
        yield from type_dependencies(type_.target, api_set, seen)
    elif isinstance(type_, Array):
        yield from type_dependencies(type_.element, api_set, seen)
    elif isinstance(type_, FunctionType):
        for inner in (type_.result, *type_.params):
            yield from type_dependencies(inner, api_set, seen)
    elif isinstance(type_, Inline):
        for member in type_.record.fields:
            yield from type_dependencies(member.type, api_set, seen)
    elif isinstance(type_, Named):
        yield from named_dependencies(type_.name, api_set, seen)


def named_dependencies(
    name: str, api_set: ApiSet, seen: set[tuple[str, str]]
) -> Iterator[Declaration]:
    for kind in ("record", "enum", "typedef"):
        bare = name.split(" ", 1)[-1] if kind != "typedef" else name
        found = api_set.known.get((kind, bare))
        if found is None or key_of(found) in seen:
            continue
        seen.add(key_of(found))
        if isinstance(found, Record):
            for member in found.fields:
                yield from type_dependencies(member.type, api_set, seen)
        elif not isinstance(found, (Enum, Function, Macro)):
            yield from type_dependencies(found.type, api_set, seen)
        yield found
