# SPDX-License-Identifier: MIT
"""Reads generator/apis/NAME/api.toml: the names of one API that hipgen needs.

No other file of the generator knows a name of an API.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hipgen.model import HipgenError


@dataclass(frozen=True)
class Library:
    """A library of the API.  src/engine/api.h says more about each member."""

    stem: str  # of the file name, before ".so.N"
    probe: str  # every such library exports this function
    second_probe: str = ""
    scope_probe: str = ""
    prefix: str = ""  # of its functions; those without a library's prefix are in the first one
    since: int = 0  # the first major with a file of its own
    inside_until: int = 0  # the last major whose first library has the functions, too


@dataclass(frozen=True)
class Variable:
    """A variable of the environment that names a prefix."""

    name: str
    prefix: bool = False
    packaged: bool = False


@dataclass(frozen=True)
class Place:
    """A directory of installations."""

    path: str
    newest: str = ""
    directory: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class Search:
    """Where the first library may be; src/engine/api.h says more about each member."""

    prefix_places: tuple[str, ...]
    package_stem: str
    packages: tuple[str, ...]
    variables: tuple[Variable, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Excerpt:
    """The header that `hipgen excerpt` writes; paths are relative to the root."""

    sources: str  # the directory whose .c and .h files use the declarations
    output: str
    guard: str  # the include guard of the output


@dataclass(frozen=True)
class PythonRule:
    """What names tell about the functions of the Python module."""

    module: str  # of the functions of the first library
    modules: tuple[str, ...] = ()  # of those of the other libraries
    error: str = ""  # the exception of functions that fail
    core: str = ""  # the module that has the classes of pointers and records; empty: this one
    outputs: tuple[str, ...] = ()  # `void **` parameters that receive an address
    inputs: tuple[str, ...] = ()  # pointers without const that are only read
    addresses: str = ""  # a pattern of pointers of which functions only take the address
    arrays_of_numbers: str = ""  # a pattern of pointers to numbers in memory of the program
    scalars: str = ""  # a pattern of pointers to one number, which may be given itself
    headers: tuple[str, ...] = ()  # of the types that types.def has
    binary: tuple[str, ...] = ()  # arrays of characters, as RECORD.MEMBER, that are no text
    buffers: str = ""  # a pattern of pointers to memory that may be the program's own
    # Parameters with the bytes or numbers of such memory, the first one counts.
    sizes: tuple[str, ...] = ()
    pitches: str = ""  # a pattern of the bytes of a row, beside `width` and `height`
    argument_lists: tuple[str, ...] = ()  # `void **` with the addresses of a kernel's arguments
    packed: tuple[str, ...] = ()  # `void **` with the arguments of a kernel in one buffer
    ends: str = ""  # a pattern of functions after which their handle or memory is no more
    runs_once: tuple[str, ...] = ()  # functions that call back once at most
    arrays: dict[str, str] = field(default_factory=dict)  # function -> parameter with its bytes
    memory: dict[str, str] = field(default_factory=dict)  # the functions that DeviceArray calls
    # Types that are `void *` in C and name an object of the library -> the class of such objects.
    handles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Api:
    """The facts of api.toml."""

    name: str  # as texts spell it
    include_directory: str  # the directory of the headers, below the include path
    headers: tuple[str, ...]  # the files to parse; the first one identifies a header tree
    version_macro: str = ""  # with _MAJOR and so on; empty: the carrier's release is the key
    optional: bool = False  # whether only `hipgen generate --all` has it
    published: bool = False  # whether git has the bindings of its releases, in bindings/ itself
    installed_as: str = ""  # the stable header, as programs include it
    includes: tuple[str, ...] = ()  # what it includes besides the stable headers of used APIs
    uses: tuple[str, ...] = ()  # folders of other APIs: their types are known to this one
    used: "Api | None" = None  # the first of these; its [search] finds this one, too
    pin: str = ""  # the variable that names the library
    apart: bool = False  # whether its drop-ins have a folder of their own, which is in no path
    registers_kernels: bool = False  # whether the library has kernels for the API that it uses
    cmake: str = ""  # the target of its package for CMake, which is named as the last part
    prelude: str = ""  # C before the headers, which they rely on
    postlude: str = ""  # C for the stable header: macros that are no values, such as initializers
    empty_headers: tuple[str, ...] = ()  # that its headers include and do not need, such as C++'s
    skip: str = ""  # a pattern of names that are left out: variadic functions, types of another API
    ignore_exports: str = ""  # a pattern of symbols that do not count, such as C++ names
    function_macros: bool = False  # whether macros that call a function are kept
    flags: tuple[str, ...] = ()  # for the compiler
    source_folder: str = ""  # below src/, with the functions that are written by hand
    version_parts: tuple[str, ...] = ("MAJOR", "MINOR", "PATCH")
    version_header: str = ""  # the file that defines those macros
    default_argument_macro: str = ""  # M in "int f(int a M(0))"
    name_prefix: str = ""  # of all names that belong to the API
    foreign_names: tuple[str, ...] = ()  # with that prefix, but declared by other headers
    per_thread_macro: str = ""  # programs define it to call the per-thread functions
    per_thread_suffix: str = ""  # of the names of those functions
    keeps_alignment: bool = False  # whether aligned types are accepted, and written as such
    noun: str = ""  # for its runtime
    install_hint: str = ""
    carrier: str = ""  # the distribution whose releases carry it
    version_function: str = ""  # of the first library
    version_weights: tuple[int, int] = (1, 1)  # of the major and the minor in its answer
    library: tuple[Library, ...] = ()
    search: Search | None = None
    since: dict[str, int] = field(default_factory=dict)  # for the hand-written code
    excerpt: Excerpt | None = None
    python: PythonRule | None = None

    @property
    def first_header(self) -> str:
        return f"{self.include_directory}/{self.headers[0]}"

    @property
    def libraries(self) -> tuple[Library, ...]:
        if not self.library:
            raise HipgenError(f"{self.name}: api.toml has no table `library`")
        return self.library

    def library_of(self, name: str) -> int:
        """The number of the library that has the function."""
        for number, library in enumerate(self.libraries):
            if library.prefix and name.startswith(library.prefix):
                return number
        return 0

    @property
    def folder(self) -> str:
        """The folder of its drop-ins in the published API's, with a slash; or empty."""
        own = f"{self.name}/" if self.apart else "siblings/"
        return own if self.optional else ""

    def is_left_out(self, symbol: str) -> bool:
        """Whether no library of hipshim has this symbol of a real one."""
        patterns = filter(None, (self.skip, self.ignore_exports))
        return any(re.fullmatch(pattern, symbol) for pattern in patterns)

    def is_companion_function(self, name: str) -> bool:
        return self.library_of(name) > 0


def table(kind: type, data: dict[str, Any]) -> Any:
    """A table of api.toml as an object, with its lists as tuples."""
    inner = {"variables": Variable, "places": Place}
    return kind(
        **{
            key: (
                tuple(table(inner[key], v) if key in inner else v for v in value)
                if isinstance(value, list)
                else value
            )
            for key, value in data.items()
        }
    )


def load_api(path: Path) -> Api:
    """The facts of one api.toml; an unknown or a missing key is an error."""
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise HipgenError(f"{path}: {problem}") from None
    try:
        for key, kind in {"search": Search, "excerpt": Excerpt, "python": PythonRule}.items():
            if key in data:
                data[key] = table(kind, data[key])
        data["library"] = [table(Library, entry) for entry in data.get("library", [])]
        if "uses" in data:
            data["used"] = load_api(path.parent.parent / data["uses"][0] / path.name)
            data["search"] = data["used"].search
        return Api(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})
    except TypeError as problem:
        raise HipgenError(f"{path}: {problem}") from None
