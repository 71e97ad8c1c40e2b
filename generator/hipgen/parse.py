# SPDX-License-Identifier: MIT
"""Reads a header with libclang into a model.Surface.

The only file that imports clang.  A vendor header, a bindings header and the
stable header go through the same code, so a bindings header can be the record
of what a release declares.  The system headers a HIP header includes are
replaced by the small ones in hipgen/include: the result then depends on the
HIP header alone, not on the machine's C library, and parses faster.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

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
    Release,
    Surface,
    Type,
    Typedef,
    key_of,
)

SYSTEM = Path(__file__).parent / "include"
TARGET = "x86_64-linux-gnu"

# What hipshim's own headers use as scaffolding and no release declares.
OWN_PREFIX = "HIPSHIM_"

DEFAULT_ARGUMENT = re.compile(r"(?:__dparm|HIPSHIM_DEFAULT)\s*\(")
WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NUMBER = re.compile(r"\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")
C_TYPE_WORDS = {"void", "int", "unsigned", "char", "long", "short", "signed", "float", "double"}


def parse_headers(directory: Path) -> Surface:
    """The surface of a ROCm install's or header tree's `hip` directory."""
    return header_parser(directory).surface()


def header_digests(directory: Path) -> dict[str, str]:
    """The sha256 of every header that parse_headers reads, by its name."""
    base = find_include_dir(directory) / "hip"
    parser = header_parser(directory)  # owns what get_includes hands out
    names = {Path(i.include.name) for i in parser.unit.get_includes()}
    return {
        str(path.relative_to(base)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(names)
        if path.is_relative_to(base) and path.name != "hip_version.h"
    }


def header_parser(directory: Path) -> "Parser":
    base = find_include_dir(directory)
    text = "#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n"
    flags = ["-D__HIP_PLATFORM_AMD__", f"-I{base}"]
    return Parser(text, flags, str(base / "hip/hip_runtime_api.h"))


def parse_bindings(path: Path) -> Surface:
    """The surface that a bindings header or the stable header declares."""
    if not path.is_file():
        raise HipgenError(f"{path}: no such file")
    return Parser(f'#include "{path}"\n', [f"-I{path.parent}"], str(path)).surface()


def find_include_dir(directory: Path) -> Path:
    """Accepts an install prefix, its include directory, or include/hip."""
    for base in (directory, directory / "include", directory.parent, directory / "hip/include"):
        if (base / "hip/hip_runtime_api.h").is_file():
            return base
    raise HipgenError(f"{directory}: no hip/hip_runtime_api.h in it or in its include directory")


class Parser:
    """One translation unit on its way to a Surface."""

    def __init__(self, text: str, flags: list[str], what: str) -> None:
        self.what = what
        self.types: dict[str, Type] = {}
        self.sources: dict[str, str] = {}
        self.declared: dict[tuple[str, str], Declaration] = {}
        self.macros: dict[str, tuple[str, str]] = {}
        args = ["-x", "c", "-std=c11", f"--target={TARGET}", "-nostdinc", "-w"]
        args += ["-fsyntax-only", f"-isystem{SYSTEM}", *flags]
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        options |= cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        try:
            self.unit = cindex.Index.create().parse(
                "hipgen-input.c", args, [("hipgen-input.c", text)], options
            )
        except cindex.TranslationUnitLoadError:
            raise HipgenError(f"{what}: libclang could not read it") from None
        for problem in self.unit.diagnostics:
            if problem.severity >= cindex.Diagnostic.Error:
                place = problem.location
                where = f"{place.file}:{place.line}" if place.file else what
                raise HipgenError(f"{where}: {problem.spelling}")

    def surface(self) -> Surface:
        for cursor in self.unit.cursor.get_children():
            if cursor.kind not in SKIPPED and not in_system_header(cursor):
                file = cursor.location.file
                if file is not None:
                    self.visit(cursor, file.name)
        release = self.release()
        self.keep_macros()
        if not any(isinstance(d, Function) for d in self.declared.values()):
            raise HipgenError(f"{self.what}: declares no function")
        ordered = sorted(self.declared.values(), key=section)
        return Surface(release, tuple(ordered))

    def visit(self, cursor: cindex.Cursor, file: str) -> None:
        kind = cursor.kind
        if kind == Kind.FUNCTION_DECL:
            self.add_function(cursor, file)
        elif kind == Kind.MACRO_DEFINITION:
            self.note_macro(cursor, file)
        elif kind in (Kind.STRUCT_DECL, Kind.UNION_DECL):
            if not is_anonymous(cursor):
                self.add_record(cursor, cursor.spelling, True)
        elif kind == Kind.ENUM_DECL:
            self.add_enum(cursor)
        elif kind == Kind.TYPEDEF_DECL:
            self.add_typedef(cursor)
        else:
            place = cursor.location
            raise HipgenError(
                f"{file}:{place.line}: {cursor.spelling}: "
                f"no rule covers a declaration of kind {kind.name}"
            )

    def put(self, declaration: Declaration) -> None:
        """Keeps the first declaration of a thing, or the one that completes it."""
        key = key_of(declaration)
        old = self.declared.get(key)
        if isinstance(old, Record) and isinstance(declaration, Record):
            if declaration.complete and not old.complete:
                del self.declared[key]
        elif isinstance(old, Function) and isinstance(declaration, Function):
            if plain(old) != plain(declaration):
                raise HipgenError(f"{self.what}: {key[1]}: declared twice, with different types")
        self.declared.setdefault(key, declaration)

    def add_record(self, cursor: cindex.Cursor, name: str, tagged: bool) -> None:
        if cursor.is_definition():
            self.put(self.record(cursor, name, tagged))
        else:
            kind = "union" if cursor.kind == Kind.UNION_DECL else "struct"
            self.put(Record(name, kind, -1, 0, (), tagged))

    def record(self, cursor: cindex.Cursor, name: str, tagged: bool) -> Record:
        fields = []
        for child in cursor.get_children():
            if child.kind == Kind.FIELD_DECL:
                type_ = self.type(child.type, f"{name}.{child.spelling}")
                width = child.get_bitfield_width() if child.is_bitfield() else None
                fields.append(Field(child.spelling, type_, child.get_field_offsetof(), width))
            elif child.kind in (Kind.STRUCT_DECL, Kind.UNION_DECL) and not is_anonymous(child):
                # In C a tag declared inside a record belongs to the file.
                self.add_record(child, child.spelling, True)
        fields = self.with_anonymous(cursor, name, fields)
        kind = "union" if cursor.kind == Kind.UNION_DECL else "struct"
        size, align = cursor.type.get_size(), cursor.type.get_align()
        return Record(name, kind, size, align, tuple(fields), tagged)

    def with_anonymous(self, cursor: cindex.Cursor, name: str, fields: list[Field]) -> list[Field]:
        """Adds the anonymous members, which libclang 14 shows as bare records."""
        for child in cursor.get_children():
            if child.kind not in (Kind.STRUCT_DECL, Kind.UNION_DECL):
                continue
            if not conf_is_anonymous_member(child):
                continue
            inner = self.record(child, "", False)
            # The offset of the first named member tells where the record lies.
            first = next((c for c in members(child)), None)
            if first is None:
                raise HipgenError(f"{self.what}: {name}: an anonymous member without a name inside")
            own = inner_offset(inner, first.spelling)
            at = cursor.type.get_offset(first.spelling) - own
            fields.append(Field("", Inline(inner), at))
        return sorted(fields, key=lambda f: f.offset) if cursor.kind == Kind.STRUCT_DECL else fields

    def add_enum(self, cursor: cindex.Cursor) -> None:
        if not cursor.is_definition():
            return
        self.put(self.enum(cursor, "" if is_anonymous(cursor) else cursor.spelling))

    def enum(self, cursor: cindex.Cursor, name: str, tagged: bool = True) -> Enum:
        values = tuple((c.spelling, c.enum_value) for c in cursor.get_children())
        unsigned = cursor.enum_type.kind == TypeKind.UINT
        return Enum(name, unsigned, values, tagged and bool(name))

    def add_typedef(self, cursor: cindex.Cursor) -> None:
        name = cursor.spelling
        under = cursor.underlying_typedef_type
        declaration = under.get_declaration()
        if declaration.kind != Kind.NO_DECL_FOUND and names_nothing(declaration, name):
            if declaration.kind == Kind.ENUM_DECL:
                self.declared.pop(("enum", next(declaration.get_children()).spelling), None)
                self.put(self.enum(declaration, name, False))
                return
            if declaration.kind in (Kind.STRUCT_DECL, Kind.UNION_DECL):
                self.add_record(declaration, name, False)
                return
        type_ = self.type(under, name)
        if isinstance(type_, Pointer) or type_ != Named(name):
            self.put(Typedef(name, type_))

    def add_function(self, cursor: cindex.Cursor, file: str) -> None:
        if cursor.is_definition() or cursor.storage_class == cindex.StorageClass.STATIC:
            return
        name = cursor.spelling
        if cursor.type.kind == TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic():
            raise HipgenError(f"{file}: {name}: no rule covers a variadic function")
        defaults = self.defaults(cursor, file)
        params = tuple(
            Param(p.spelling, self.type(p.type, name), defaults.get(p.spelling, ""))
            for p in cursor.get_arguments()
        )
        self.put(Function(name, self.type(cursor.result_type, name), params))

    def defaults(self, cursor: cindex.Cursor, file: str) -> dict[str, str]:
        """The C++ default arguments, which C parsing sees as an empty macro."""
        extent = cursor.extent
        text = self.source(file)[extent.start.offset : extent.end.offset + 200]
        text = text.split(";", 1)[0]
        found: dict[str, str] = {}
        for match in DEFAULT_ARGUMENT.finditer(text):
            depth, end = 1, match.end()
            while depth and end < len(text):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            before = WORD.findall(COMMENT.sub(" ", text[: match.start()]))
            found[before[-1]] = " ".join(text[match.end() : end - 1].split())
        return found

    def source(self, file: str) -> str:
        """A header's text; latin-1 keeps byte offsets equal to indices."""
        if file not in self.sources:
            self.sources[file] = Path(file).read_bytes().decode("latin-1")
        return self.sources[file]

    def type(self, type_: cindex.Type, where: str) -> Type:
        spelling = type_.spelling
        known = self.types.get(spelling)
        if known is None:
            known = self.build_type(type_, where)
            self.types[spelling] = known
        return known

    def build_type(self, type_: cindex.Type, where: str) -> Type:
        kind = type_.kind
        const = type_.is_const_qualified()
        if kind == TypeKind.POINTER:
            return Pointer(self.type(type_.get_pointee(), where), const)
        if kind == TypeKind.CONSTANTARRAY:
            return Array(self.type(type_.element_type, where), type_.element_count)
        if kind == TypeKind.INCOMPLETEARRAY:
            return Pointer(self.type(type_.element_type, where))
        if kind == TypeKind.FUNCTIONPROTO:
            params = tuple(self.type(p, where) for p in type_.argument_types())
            return FunctionType(self.type(type_.get_result(), where), params)
        declaration = type_.get_declaration()
        if kind == TypeKind.ELABORATED and is_anonymous(declaration):
            if declaration.kind == Kind.ENUM_DECL:
                raise HipgenError(
                    f"{self.what}: {where}: no rule covers an enum without a name here"
                )
            return Inline(self.record(declaration, "", False))
        if kind == TypeKind.UNEXPOSED:
            return self.build_type(type_.get_canonical(), where)
        if kind in SCALARS or kind in (TypeKind.TYPEDEF, TypeKind.ELABORATED, TypeKind.RECORD):
            return Named(bare_name(type_.spelling), const)
        if kind == TypeKind.ENUM:
            return Named(bare_name(type_.spelling), const)
        raise HipgenError(
            f"{self.what}: {where}: no rule covers the type `{type_.spelling}' ({kind.name})"
        )

    def note_macro(self, cursor: cindex.Cursor, file: str) -> None:
        name = cursor.spelling
        extent = cursor.extent
        text = self.source(file)[extent.start.offset : extent.end.offset]
        body = text[len(name) :]
        if body.startswith("("):  # function-like
            return
        body = " ".join(COMMENT.sub(" ", body.replace("\\\n", " ")).split())
        self.macros[name] = (body, file)

    def release(self) -> Release:
        parts = []
        for part in ("MAJOR", "MINOR", "PATCH"):
            body, _ = self.macros.get(f"HIP_VERSION_{part}", ("", ""))
            if not body.isdecimal():
                raise HipgenError(
                    f"{self.what}: no release: HIP_VERSION_{part} is not defined as a number "
                    "(hip/hip_version.h is missing or empty)"
                )
            parts.append(int(body))
        return Release(*parts)

    def keep_macros(self) -> None:
        """Keeps the macros that stand for a value, a flag or another name.

        Those are the object-like ones whose every word is declared here; the
        others are attributes, guards and switches of the header itself.
        """
        known = {name for kind, name in self.declared if kind != "macro"}
        for declaration in self.declared.values():
            if isinstance(declaration, Enum):
                known.update(declaration.values)
        waiting = {
            name: body
            for name, (body, _) in self.macros.items()
            if body and not name.startswith(("_", "HIP_VERSION", OWN_PREFIX)) and '"' not in body
        }
        progress = True
        while progress:
            progress = False
            for name, body in list(waiting.items()):
                words = WORD.findall(NUMBER.sub("0", body))
                if all(w in known or w in C_TYPE_WORDS for w in words):
                    self.put(Macro(name, body))
                    known.add(name)
                    del waiting[name]
                    progress = True


SKIPPED = {
    Kind.MACRO_INSTANTIATION,
    Kind.INCLUSION_DIRECTIVE,
    Kind.STATIC_ASSERT,
    Kind.UNEXPOSED_DECL,
}

SCALARS = {
    TypeKind.VOID,
    TypeKind.BOOL,
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.UCHAR,
    TypeKind.SHORT,
    TypeKind.USHORT,
    TypeKind.INT,
    TypeKind.UINT,
    TypeKind.LONG,
    TypeKind.ULONG,
    TypeKind.LONGLONG,
    TypeKind.ULONGLONG,
    TypeKind.FLOAT,
    TypeKind.DOUBLE,
}


def section(declaration: Declaration) -> int:
    """Types first, then macros, then functions: default arguments name macros."""
    return {Macro: 1, Function: 2}.get(type(declaration), 0)


def plain(function: Function) -> tuple[Type, tuple[Type, ...]]:
    return function.result, tuple(p.type for p in function.params)


def bare_name(spelling: str) -> str:
    name = spelling.removeprefix("const ").removesuffix(" const")
    return "bool" if name == "_Bool" else name


def in_system_header(cursor: cindex.Cursor) -> bool:
    """True for hipgen/include, and for what the compiler itself defines."""
    return bool(cindex.conf.lib.clang_Location_isInSystemHeader(cursor.location))


def is_anonymous(cursor: cindex.Cursor) -> bool:
    spelling = cursor.spelling
    return not spelling or "(" in spelling


def conf_is_anonymous_member(cursor: cindex.Cursor) -> bool:
    return bool(cindex.conf.lib.clang_Cursor_isAnonymousRecordDecl(cursor))


def names_nothing(declaration: cindex.Cursor, typedef: str) -> bool:
    """True for the record or enum of `typedef struct { ... } name;`."""
    return is_anonymous(declaration) or (
        declaration.spelling == typedef and declaration.type.spelling == typedef
    )


def members(cursor: cindex.Cursor) -> list[cindex.Cursor]:
    found = []
    for child in cursor.get_children():
        if child.kind == Kind.FIELD_DECL:
            found.append(child)
        elif conf_is_anonymous_member(child):
            found.extend(members(child))
    return found


def inner_offset(record: Record, name: str) -> int:
    from hipgen.model import walk_fields

    return next(at for path, _, at in walk_fields(record) if path == name)


if "HIPGEN_LIBCLANG" in os.environ:
    cindex.Config.set_library_file(os.environ["HIPGEN_LIBCLANG"])
