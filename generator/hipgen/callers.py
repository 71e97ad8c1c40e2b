# SPDX-License-Identifier: MIT
"""The caller ABIs: the stable ABI of libhipshim, and one for each drop-in library.

A drop-in has the newest known ABI of a soname.  It exports the symbols that the real
library of that release exports, at the same version nodes, and what [export] rules name of
older releases, so that programs for those start too; the exports directory of
the API has the list.  The same plan and the same templates convert the calls of
every caller ABI.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hipgen import exports
from hipgen.api import Api
from hipgen.reach import reached
from hipgen.model import ApiSet, Declaration, Function, HipgenError, Macro, Release, key_of, section
from hipgen.overrides import FunctionRule, Overrides
from hipgen.project import Project
from hipgen.releases import Entry


@dataclass(frozen=True)
class Caller:
    """One caller ABI, with the rules as seen from it."""

    name: str  # of its shared files: stable, dropin7
    folder: str  # of its own files, below bindings/
    header: str  # that declares its types, below bindings/
    api_set: ApiSet
    overrides: Overrides
    extra: tuple[Function, ...] = ()  # exported by the real library, declared by no header
    later: tuple[Declaration, ...] = ()  # of other releases, with the types that they need
    symbols: tuple[tuple[str, str], ...] = ()  # of the runtime library: name, version node
    number: int = -1  # N of the soname STEM.so.N that the drop-in has

    @property
    def nodes(self) -> list[dict[str, object]]:
        """The version nodes, oldest first.  Each node inherits from the one before it."""
        found: list[dict[str, object]] = []
        before = ""
        # A node without a number comes last: no release tells its age.
        for name in sorted({n for _, n in self.symbols}, key=lambda n: (numbers_of(n) or [999])):
            held = [symbol for symbol, node in self.symbols if node == name]
            found.append({"name": name, "before": before, "symbols": held})
            before = name
        return found


def numbers_of(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def stable_caller(api: Api, stable: ApiSet, overrides: Overrides) -> Caller:
    return Caller("stable", "stable", stable_header(api), stable, overrides)


def stable_header(api: Api) -> str:
    """The header of the stable API set, below the folder of the API's generated files."""
    return "stable.h" if api.published else f"include/{api.installed_as}"


def dropin_callers(
    project: Project,
    api_sets: dict[Release, ApiSet],
    overrides: Overrides,
    declared: dict[str, Function],
) -> list[Caller]:
    """One for each soname of which an export list is known; its newest list is used."""
    newest: dict[int, ApiSet] = {}
    for api_set in api_sets.values():
        if exports.export_list(project, api_set.release) is not None:
            newest[project.by_release[api_set.release].soname] = api_set
    return [
        dropin_caller(project, api_set, list(api_sets.values()), overrides, declared)
        for api_set in newest.values()
    ]


def dropin_caller(
    project: Project,
    api_set: ApiSet,
    api_sets: list[ApiSet],
    overrides: Overrides,
    declared: dict[str, Function],
) -> Caller:
    entry = project.by_release[api_set.release]
    symbols = symbols_of(project, entry, overrides)
    rules = rules_of_dropin(api_set.release, overrides)
    added = later_declarations(project, api_set, api_sets, rules)
    nodes = {d.name: rules[d.name].node for d in added if isinstance(d, Function)}
    kept = kept_declarations(project, api_set, api_sets, overrides)
    nodes |= {d.name: node for d, node in kept if isinstance(d, Function)}
    later = (*added, *(d for d, _ in kept))
    symbols += nodes.items()
    names = {name for name, _ in symbols}
    extra = undeclared_functions(names - api_set.functions.keys() - nodes.keys(), declared)
    offered = tuple(
        d
        for d in api_set.declarations
        if not isinstance(d, Function)
        or d.name in names
        or project.api.is_companion_function(d.name)
    )
    rules |= rules_of_extra(extra, overrides)
    folder = f"dropin/{entry.soname}"
    return Caller(
        f"dropin{entry.soname}",
        folder,
        entry.bindings_name if project.api.published else f"{folder}/bindings.h",
        replace(api_set, declarations=offered + extra + later),
        replace(overrides.seen_from(api_set), functions=rules),
        extra,
        later,
        tuple(symbols),
        entry.soname,
    )


def rules_of_extra(extra: tuple[Function, ...], overrides: Overrides) -> dict[str, FunctionRule]:
    found = {}
    for function in extra:
        rule = overrides.exports.get(function.name)
        other = rule.other if rule else overrides.function(function.name).exported
        found[function.name] = FunctionRule(
            assume_exported=True, same_abi_everywhere=True, exported=other
        )
    return found


def rules_of_dropin(release: Release, overrides: Overrides) -> dict[str, FunctionRule]:
    """The rules of functions; those that answer for a major get that of the drop-in."""
    own = (release.major, release.minor)
    return {
        name: replace(rule, release=own) if rule.semantics_changed_in == "major" else rule
        for name, rule in overrides.functions.items()
    }


def undeclared_functions(names: set[str], declared: dict[str, Function]) -> tuple[Function, ...]:
    for name in sorted(names - declared.keys()):
        raise HipgenError(
            f"{name}: a library exports it, but no header and no [export] rule has it"
        )
    return tuple(declared[name] for name in sorted(names))


def later_declarations(
    project: Project, api_set: ApiSet, api_sets: list[ApiSet], rules: dict[str, FunctionRule]
) -> tuple[Declaration, ...]:
    """The functions of later sonames that the drop-in has as well, with the types that they need.

    Their meaning is that of the first release that declares them, which becomes the rule.
    """
    found: dict[tuple[str, str], Declaration] = {}
    soname = {release: entry.soname for release, entry in project.by_release.items()}
    for name, rule in rules.items():
        first = next((s for s in api_sets if name in s.functions), None)
        if not rule.node or not first or soname[first.release] <= soname[api_set.release]:
            continue
        rules[name] = replace(rule, release=(first.release.major, first.release.minor))
        for declaration in reached(first, {name}):
            if key_of(declaration) not in api_set.by_key and not isinstance(declaration, Macro):
                found[key_of(declaration)] = declaration
    return tuple(sorted(found.values(), key=section))


def kept_declarations(
    project: Project, api_set: ApiSet, api_sets: list[ApiSet], overrides: Overrides
) -> list[tuple[Declaration, str]]:
    """What only older libraries of the soname export and a rule serves by other names, with the
    types that it needs and the version nodes.
    """
    found: dict[tuple[str, str], tuple[Declaration, str]] = {}
    soname = {release: entry.soname for release, entry in project.by_release.items()}
    for older in api_sets:
        if older.release >= api_set.release or soname[older.release] != soname[api_set.release]:
            continue
        for name, node in versioned_symbols(project, older.release):
            if name in older.functions.keys() - api_set.functions.keys():
                if overrides.function(name).symbols:
                    for one in reached(older, {name}):
                        if key_of(one) not in api_set.by_key and not isinstance(one, Macro):
                            found[key_of(one)] = one, node
    return list(found.values())


def symbols_of(project: Project, newest: Entry, overrides: Overrides) -> list[tuple[str, str]]:
    """Those of the release, and those with an [export] rule of older releases of the soname.

    A name that api.toml leaves out needs such a rule, too.
    """
    symbols = versioned_symbols(project, newest.release)
    found = {n: rule.node for n, rule in overrides.exports.items() if rule.soname == newest.soname}
    for entry in project.entries:
        if entry.soname == newest.soname and entry != newest:
            found |= dict(versioned_symbols(project, entry.release))
    known = {name for name, _ in symbols}
    rules = overrides.exports.keys() - known
    symbols += [(name, node) for name, node in sorted(found.items()) if name in rules]
    left_out = project.api.is_left_out
    return [one for one in symbols if one[0] in overrides.exports or not left_out(one[0])]


def versioned_symbols(project: Project, release: Release) -> list[tuple[str, str]]:
    """The names and version nodes of what the library of the release exports, "" without nodes."""
    lines = exports.export_list(project, release) or ()
    symbols = [tuple(line.split("@@")) for line in lines if "@" in line]
    if any(len(symbol) != 2 for symbol in symbols) or (symbols and len(symbols) < len(lines)):
        path = exports.list_path(project, release)
        raise HipgenError(f"{path}: a symbol without a default version")
    return [(name, node) for name, node in symbols] or [(name, "") for name in lines]
