# SPDX-License-Identifier: MIT
"""`hipgen excerpt`: the declarations of an API that some sources of hipshim use.

The output has every declaration that the sources name, and every type that those
need.  When the sources begin to use more of the API, the difference of the output
shows what.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hipgen.api import Api, Excerpt, load_api
from hipgen.cdecl import WORD
from hipgen.model import Declaration, HipgenError, Record
from hipgen.project import Project, write_all
from hipgen.reach import reached
from hipgen.render import declaration_values, render

# The largest alignment of a scalar; a larger one comes from an attribute.
NATURAL = 8


def write(project: Project, name: str, headers: Path, out: Path | None) -> None:
    """Writes the excerpt of the API `name` to `out`, or to the file that api.toml names.

    "-" is standard output.
    """
    api = load_api(project.root / "generator/apis" / name / "api.toml")
    if api.excerpt is None:
        raise HipgenError(f"{name}: api.toml has no table `excerpt`")
    text = text_of(project, api, api.excerpt, headers)
    if str(out) == "-":
        sys.stdout.write(text)
    else:
        write_all({out or project.root / api.excerpt.output: text})


def text_of(project: Project, api: Api, excerpt: Excerpt, headers: Path) -> str:
    from hipgen.headers import parse_headers  # needs libclang, which the package does not

    api_set = parse_headers(api, headers)
    declarations = reached(api_set, words_of(project.root, excerpt))
    return render(
        "excerpt.h",
        release=api_set.release,
        excerpt=excerpt,
        declarations=[values(d) for d in declarations],
    )


def words_of(root: Path, excerpt: Excerpt) -> set[str]:
    """Every word in the sources; the output itself does not count."""
    output = root / excerpt.output
    files = [path for path in (root / excerpt.sources).rglob("*.[ch]") if path != output]
    if not files:
        raise HipgenError(f"{root / excerpt.sources}: no C sources")
    return {word for path in files for word in WORD.findall(path.read_text())}


def values(declaration: Declaration) -> dict[str, object]:
    """The values for the template, with the alignment that an attribute asks for."""
    found = declaration_values(declaration)
    if isinstance(declaration, Record) and declaration.complete and declaration.align > NATURAL:
        aligned = f"__attribute__((aligned({declaration.align})))"
        found["head"] = found["head"].replace(declaration.kind, f"{declaration.kind} {aligned}", 1)
    return found
