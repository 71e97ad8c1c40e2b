# SPDX-License-Identifier: MIT
"""Reads generator/apis/NAME/api.toml: the names of one API that hipgen needs.

No other file of the generator knows a name of an API.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipgen.model import HipgenError


@dataclass(frozen=True)
class RuntimeLibrary:
    """The library that holds the runtime's functions."""

    stem: str  # of the file name, before ".so.N"
    version_function: str  # every runtime exports it, and no other library does


@dataclass(frozen=True)
class CompilerLibrary:
    """The library that holds the functions of the run-time compiler."""

    stem: str
    function_prefix: str
    since: int  # the first major whose runtime does not contain the compiler


@dataclass(frozen=True)
class Excerpt:
    """The header that `hipgen excerpt` writes; paths are relative to the root."""

    sources: str  # the directory whose .c and .h files use the declarations
    output: str
    guard: str  # the include guard of the output


@dataclass(frozen=True)
class Api:
    """The facts of api.toml."""

    name: str  # as texts spell it
    source_folder: str  # below src/, with the functions that are written by hand
    include_directory: str  # the directory of the headers, below the include path
    headers: tuple[str, ...]  # the files to parse; the first one identifies a header tree
    version_macro: str  # the macros of the version are this name with _MAJOR and so on
    flags: tuple[str, ...] = ()  # for the compiler
    version_parts: tuple[str, ...] = ("MAJOR", "MINOR", "PATCH")
    version_header: str = ""  # the file that defines those macros
    default_argument_macro: str = ""  # M in "int f(int a M(0))"
    name_prefix: str = ""  # of all names that belong to the API
    foreign_names: tuple[str, ...] = ()  # with that prefix, but declared by other headers
    per_thread_macro: str = ""  # programs define it to call the per-thread functions
    per_thread_suffix: str = ""  # of the names of those functions
    keeps_alignment: bool = False  # whether aligned types are accepted, and written as such
    runtime: RuntimeLibrary | None = None
    compiler: CompilerLibrary | None = None
    excerpt: Excerpt | None = None

    @property
    def first_header(self) -> str:
        return f"{self.include_directory}/{self.headers[0]}"

    @property
    def runtime_library(self) -> RuntimeLibrary:
        if self.runtime is None:
            raise HipgenError(f"{self.name}: api.toml has no table `runtime`")
        return self.runtime

    @property
    def compiler_library(self) -> CompilerLibrary:
        if self.compiler is None:
            raise HipgenError(f"{self.name}: api.toml has no table `compiler`")
        return self.compiler

    def is_compiler_function(self, name: str) -> bool:
        return name.startswith(self.compiler_library.function_prefix)


TABLES: dict[str, type] = {
    "runtime": RuntimeLibrary,
    "compiler": CompilerLibrary,
    "excerpt": Excerpt,
}


def load_api(path: Path) -> Api:
    """The facts of one api.toml; an unknown or a missing key is an error."""
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise HipgenError(f"{path}: {problem}") from None
    for key, value in data.items():
        if isinstance(value, list):
            data[key] = tuple(value)
    try:
        for key in TABLES.keys() & data.keys():
            data[key] = TABLES[key](**data[key])
        return Api(**data)
    except TypeError as problem:
        raise HipgenError(f"{path}: {problem}") from None
