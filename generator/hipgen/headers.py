# SPDX-License-Identifier: MIT
"""Finds and reads the header files of an API: those of a vendor, and hipgen's own."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hipgen.api import Api
from hipgen.model import ApiSet, HipgenError
from hipgen.parse import Parser


def parse_headers(api: Api, directory: Path) -> ApiSet:
    """The API set that the vendor headers in `directory` declare."""
    return header_parser(api, directory).api_set()


def parse_bindings(api: Api, path: Path) -> ApiSet:
    """The API set that a bindings header or the stable header declares."""
    if not path.is_file():
        raise HipgenError(f"{path}: no such file")
    return Parser(api, f'#include "{path}"\n', [f"-I{path.parent}"], str(path)).api_set()


def header_digests(api: Api, directory: Path) -> dict[str, str]:
    """The SHA-256 digest of every vendor header that parse_headers reads, by its name."""
    base = find_include_directory(api, directory) / api.include_directory
    parser = header_parser(api, directory)  # owns the objects that get_includes returns
    names = {Path(i.include.name) for i in parser.unit.get_includes()}
    return {
        str(path.relative_to(base)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(names)
        if path.is_relative_to(base) and path.name != api.version_header
    }


def header_parser(api: Api, directory: Path) -> Parser:
    base = find_include_directory(api, directory)
    text = "".join(f"#include <{api.include_directory}/{name}>\n" for name in api.headers)
    return Parser(api, text, [*api.flags, f"-I{base}"], str(base / api.first_header))


def find_include_directory(api: Api, directory: Path) -> Path:
    """The include path in `directory`: a prefix, its include directory, or one below that."""
    inside = ("", "include", "usr/include", f"{api.include_directory}/include")
    for base in (*(directory / name for name in inside), directory.parent):
        if (base / api.first_header).is_file():
            return base
    raise HipgenError(f"{directory}: no {api.first_header} in it or in its include directory")
