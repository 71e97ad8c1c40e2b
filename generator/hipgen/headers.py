# SPDX-License-Identifier: MIT
"""Finds and reads the header files of an API: those of a vendor, and hipgen's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hipgen.api import Api
from hipgen.model import ApiSet, HipgenError, Release
from hipgen.parse import Parser


def parse_headers(
    api: Api, directory: Path, release: Release | None = None, used: Sequence[Path] = ()
) -> ApiSet:
    """The API set that the vendor headers in `directory` declare.

    `used` are directories with the headers of other APIs, whose declarations do not count.
    """
    base = find_include_directory(api, directory)
    text = api.prelude + "\n"
    text += "".join(f"#include <{api.include_directory}/{name}>\n" for name in api.headers)
    flags = [*api.flags, f"-I{base}", *(f"-isystem{path}" for path in used)]
    return Parser(api, text, flags, str(base / api.first_header), release).api_set()


def parse_bindings(api: Api, path: Path) -> ApiSet:
    """The API set that a bindings header or the stable header declares."""
    if not path.is_file():
        raise HipgenError(f"{path}: no such file")
    return Parser(api, f'#include "{path}"\n', [f"-I{path.parent}"], str(path)).api_set()


def find_include_directory(api: Api, directory: Path) -> Path:
    """The include path in `directory`: a prefix, its include directory, or one below that."""
    inside = ("", "include", "usr/include", f"{api.include_directory}/include")
    for base in (*(directory / name for name in inside), directory.parent):
        if (base / api.first_header).is_file():
            return base
    raise HipgenError(f"{directory}: no {api.first_header} in it or in its include directory")
