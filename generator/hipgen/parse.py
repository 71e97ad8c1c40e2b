# SPDX-License-Identifier: MIT
"""Reads a header with libclang into a model.ApiSet.

Only this file and libclang.py import clang.  A vendor header, a bindings header
and the stable header go through the same code, so that a bindings header can be
the record of what a release declares.  The small headers in hipgen/include
replace the system headers that a vendor header includes: the result depends on
the vendor header alone, not on the machine's C library, and parses faster.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

from clang import cindex
from clang.cindex import CursorKind as Kind
from clang.cindex import StorageClass, TypeKind

from hipgen.api import Api
from hipgen.cdecl import WORD
from hipgen.libclang import VISITOR, Location, clang
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
    ApiSet,
    Type,
    Typedef,
    key_of,
    section,
    walk_fields,
)
from hipgen.packing import check_layout, is_packed

SYSTEM = Path(__file__).parent / "include"
TARGET = "x86_64-linux-gnu"
INPUT = "hipgen-input.c"

# The prefix of the macros that hipshim's own headers define for themselves.
OWN_PREFIX = "HIPSHIM_"

# The limit of nested types such as pointers to pointers; real headers have three.
DEPTH = 50

OWN_DEFAULT_ARGUMENT = "HIPSHIM_DEFAULT"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NUMBER = re.compile(r"\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")
C_TYPE_WORDS = {"void", "int", "unsigned", "char", "long", "short", "signed", "float", "double"}


class Parser:
    """Parses one translation unit into an API set."""

    def __init__(
        self, api: Api, text: str, flags: list[str], what: str, release: Release | None = None
    ) -> None:
        """`release` is that of an API whose headers do not tell it."""
        self.api = api
        self.known_release = release
        self.what = what  # names the header in error texts
        self.clang = clang()
        self.depth = 0
        self.files: dict[int, str] = {}
        self.types_at: dict[int, Type] = {}
        self.types: dict[str, Type] = {}
        self.sources: dict[str, str] = {INPUT: text}
        self.declared: dict[tuple[str, str], Declaration] = {}
        self.macros: dict[str, tuple[str, str]] = {}
        self.calls: list[tuple[Macro, str]] = []  # function-like macros, and what they call
        macros = filter(None, (api.default_argument_macro, OWN_DEFAULT_ARGUMENT))
        self.default_argument = re.compile(rf"(?:{'|'.join(macros)})\s*\(")
        args = ["-x", "c", "-std=c11", f"--target={TARGET}", "-nostdinc", "-w"]
        args += ["-fsyntax-only", f"-isystem{SYSTEM}", *flags]
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        options |= cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        files = [(INPUT, text), *((str(SYSTEM / name), "") for name in api.empty_headers)]
        try:
            self.unit = cindex.Index.create().parse(INPUT, args, files, options)
        except cindex.TranslationUnitLoadError:
            raise HipgenError(f"{what}: libclang could not read it") from None
        for problem in self.unit.diagnostics:
            if problem.severity >= cindex.Diagnostic.Error:
                place = problem.location
                where = f"{place.file}:{place.line}" if place.file else what
                raise HipgenError(f"{where}: {words_of(problem)}")

    def api_set(self) -> ApiSet:
        for cursor in self.children(self.unit.cursor):
            if cursor.kind in SKIPPED:
                continue
            # For libclang, hipgen/include and the compiler's own definitions are "system".
            location = self.clang.location(cursor)
            if not self.clang.in_system_header(location):
                file, _ = self.place(location)
                if file:
                    self.visit(cursor, file)
        release = self.release()
        self.keep_macros()
        if not any(isinstance(d, Function) for d in self.declared.values()):
            raise HipgenError(f"{self.what}: declares no function")
        kept = [d for d in self.declared.values() if not self.is_skipped(d.name)]
        return ApiSet(release, tuple(sorted(kept, key=section)))

    def is_skipped(self, name: str) -> bool:
        return bool(self.api.skip and re.fullmatch(self.api.skip, name))

    def children(self, cursor: cindex.Cursor) -> list[cindex.Cursor]:
        found: list[cindex.Cursor] = []

        def keep(child: cindex.Cursor, _parent: cindex.Cursor, _data: Any) -> int:
            child._tu = self.unit  # the methods of cindex need it
            found.append(child)
            return 1  # CXChildVisit_Continue

        self.clang.visit(cursor, VISITOR(keep), None)
        return found

    def place(self, location: Location) -> tuple[str, int]:
        """The file and the offset in it; the file is empty if there is none."""
        handle, offset = ctypes.c_void_p(), ctypes.c_uint()
        self.clang.place(location, ctypes.byref(handle), None, None, ctypes.byref(offset))
        if not handle.value:
            return "", 0
        if handle.value not in self.files:
            self.files[handle.value] = self.clang.string(self.clang.file_text(handle))
        return self.files[handle.value], offset.value

    def visit(self, cursor: cindex.Cursor, file: str) -> None:
        kind = cursor.kind
        if kind == Kind.FUNCTION_DECL:
            self.add_function(cursor, file)
        elif kind == Kind.MACRO_DEFINITION:
            self.note_macro(cursor, file)
        elif kind in (Kind.STRUCT_DECL, Kind.UNION_DECL):
            if not has_no_tag(cursor):
                self.add_record(cursor, self.clang.spelling(cursor), True)
        elif kind == Kind.ENUM_DECL:
            self.add_enum(cursor)
        elif kind == Kind.TYPEDEF_DECL:
            self.add_typedef(cursor)
        elif kind != Kind.VAR_DECL or cursor.storage_class != StorageClass.STATIC:
            # A static variable is no library's.
            place = cursor.location
            raise HipgenError(
                f"{file}:{place.line}: {cursor.spelling}: "
                f"no rule covers a declaration of kind {kind.name}"
            )

    def put(self, declaration: Declaration) -> None:
        """Keeps the first declaration of a name, or the one that completes it."""
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
        children = self.children(cursor)
        for child in children:
            if child.kind == Kind.FIELD_DECL:
                own = self.clang.spelling(child)
                type_ = self.type(self.clang.cursor_type(child), f"{name}.{own}")
                width = child.get_bitfield_width() if child.is_bitfield() else None
                fields.append(Field(own, type_, child.get_field_offsetof(), width))
            elif child.kind in (Kind.STRUCT_DECL, Kind.UNION_DECL) and not has_no_tag(child):
                # In C, a tag that is declared inside a record belongs to the file.
                self.add_record(child, child.spelling, True)
        fields = self.with_anonymous(cursor, name, fields)
        kind = "union" if cursor.kind == Kind.UNION_DECL else "struct"
        size, align = cursor.type.get_size(), cursor.type.get_align()
        packed = is_packed(cursor)
        if not packed and not self.api.keeps_alignment:
            check_layout(cursor, f"{self.what}: {name}")
        return Record(name, kind, size, align, tuple(fields), tagged, packed)

    def with_anonymous(self, cursor: cindex.Cursor, name: str, fields: list[Field]) -> list[Field]:
        """Adds the anonymous members, which libclang 14 does not show as fields."""
        for child in cursor.get_children():
            if child.kind not in (Kind.STRUCT_DECL, Kind.UNION_DECL):
                continue
            if not conf_is_anonymous_member(child):
                continue
            inner = self.record(child, "", False)
            # The offset of the first named member gives the offset of the record.
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
        name = "" if has_no_tag(cursor) else self.clang.spelling(cursor)
        self.put(self.enum(cursor, name))

    def enum(self, cursor: cindex.Cursor, name: str, tagged: bool = True) -> Enum:
        kind = cursor.enum_type.kind
        unsigned = kind in (TypeKind.UINT, TypeKind.ULONG)
        # libclang sign-extends the value of an unsigned enumerator.
        mask = {TypeKind.UINT: 0xFFFFFFFF, TypeKind.ULONG: 2**64 - 1}.get(kind, -1)
        values = tuple(
            (self.clang.spelling(c), self.clang.enum_value(c) & mask)
            for c in self.children(cursor)
            if c.kind == Kind.ENUM_CONSTANT_DECL  # others are attributes
        )
        return Enum(name, unsigned, values, tagged and bool(name))

    def add_typedef(self, cursor: cindex.Cursor) -> None:
        name = self.clang.spelling(cursor)
        under = cursor.underlying_typedef_type
        if cursor.type.get_align() > under.get_align() > 0 and not self.api.keeps_alignment:
            raise HipgenError(f"{self.what}: {name}: no rule covers an aligned type")
        declaration = under.get_declaration()
        if declaration.kind in TAGGED and has_no_tag(declaration):
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
        name = self.clang.spelling(cursor)
        type_ = cursor.type
        if self.is_skipped(name):
            return
        if type_.kind == TypeKind.FUNCTIONPROTO and type_.is_function_variadic():
            raise HipgenError(
                f"{file}: {name}: no rule covers a variadic function; `skip` of api.toml leaves it out"
            )
        defaults = self.defaults(cursor, file)
        params = []
        for number in range(self.clang.argument_count(cursor)):
            param = self.clang.argument(cursor, number)
            own = self.clang.spelling(param)
            given = self.type(self.clang.cursor_type(param), name)
            params.append(Param(own, given, defaults.get(own, "")))
        self.put(Function(name, self.type(type_.get_result(), name), tuple(params)))

    def defaults(self, cursor: cindex.Cursor, file: str) -> dict[str, str]:
        """The C++ default arguments.  In C, the macro around them expands to nothing."""
        _, start = self.place(self.clang.begin(self.clang.extent(cursor)))
        source = self.source(file)
        text = source[start : source.find(";", start)]
        found: dict[str, str] = {}
        for match in self.default_argument.finditer(text):
            depth, end = 1, match.end()
            while depth and end < len(text):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            before = WORD.findall(COMMENT.sub(" ", text[: match.start()]))
            found[before[-1]] = " ".join(text[match.end() : end - 1].split())
        return found

    def source(self, file: str) -> str:
        """The text of a header, as latin-1, in which byte offsets are equal to indices."""
        if file not in self.sources:
            self.sources[file] = Path(file).read_bytes().decode("latin-1")
        return self.sources[file]

    def type(self, type_: cindex.Type, where: str) -> Type:
        # Types are cached by libclang's address of the type, and by their spelling.
        address = type_.data[0]
        known = self.types_at.get(address)
        if known is None:
            type_._tu = self.unit
            spelling = self.clang.string(self.clang.type_text(type_))
            known = self.types.get(spelling)
            if known is None:
                self.depth += 1
                if self.depth > DEPTH:
                    raise HipgenError(f"{self.what}: {where}: a type nested too deeply")
                known = self.build_type(type_, where)
                self.depth -= 1
                self.types[spelling] = known
            self.types_at[address] = known
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
            f"{self.what}: {where}: no rule covers the type `{type_.spelling}` ({kind.name})"
        )

    def note_macro(self, cursor: cindex.Cursor, file: str) -> None:
        name = self.clang.spelling(cursor)
        extent = self.clang.extent(cursor)
        _, start = self.place(self.clang.begin(extent))
        _, end = self.place(self.clang.end(extent))
        text = self.source(file)[start:end]
        body = text[len(name) :]
        if body.startswith("("):
            self.note_call(name, body)
            return
        body = " ".join(COMMENT.sub(" ", body.replace("\\\n", " ")).split())
        self.macros[name] = (body, file)

    def note_call(self, name: str, body: str) -> None:
        """Keeps a macro that only calls a function of the API with its own arguments."""
        found = re.fullmatch(r"(\(\w*\)) (\w+)(\(\w*\))", body)
        if self.api.function_macros and found and found[1] == found[3]:
            self.calls.append((Macro(name + found[1], found[2] + found[3]), found[2]))

    def release(self) -> Release:
        if not self.api.version_macro:
            if self.known_release is None:
                raise HipgenError(f"{self.what}: its release must be given, with --release")
            return self.known_release
        parts = []
        for part in self.api.version_parts:
            name = f"{self.api.version_macro}_{part}"
            body, _ = self.macros.get(name, ("", ""))
            if not body.isdecimal():
                missing = f"{self.api.include_directory}/{self.api.version_header}"
                raise HipgenError(
                    f"{self.what}: no release: {name} is not defined as a number "
                    f"({missing} is missing or empty)"
                )
            parts.append(int(body))
        patch = parts[2] if len(parts) > 2 else 0
        return Release(parts[0], parts[1], patch, self.api.name)

    def keep_macros(self) -> None:
        """Keeps the macros that stand for a value, a flag or another name.

        Those are the object-like ones whose every word is declared here; the
        others are attributes, guards and switches of the header itself.
        """
        known = {name for kind, name in self.declared if kind != "macro"}
        for declaration in self.declared.values():
            if isinstance(declaration, Enum):
                known.update(declaration.values)
        # The bindings header defines the version itself; an excerpt has no such lines.
        version = () if self.api.excerpt else tuple(filter(None, (self.api.version_macro,)))
        hidden = ("_", OWN_PREFIX, *version)
        waiting = {
            name: body
            for name, (body, _) in self.macros.items()
            if body and body.isascii() and not name.startswith(hidden) and '"' not in body
        }
        for macro, function in self.calls:
            if function in known:
                self.put(macro)
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

TAGGED = {Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.ENUM_DECL}

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


def words_of(problem: cindex.Diagnostic) -> str:
    """The text of a diagnostic, which may quote bytes of the header that are no text."""
    try:
        return str(problem.spelling)
    except UnicodeDecodeError:
        return "bytes that are no text where a declaration should be"


def plain(function: Function) -> tuple[Type, tuple[Type, ...]]:
    return function.result, tuple(p.type for p in function.params)


def bare_name(spelling: str) -> str:
    name = spelling.removeprefix("const ").removesuffix(" const")
    return "bool" if name == "_Bool" else name


def is_anonymous(cursor: cindex.Cursor) -> bool:
    spelling = clang().spelling(cursor)
    return not spelling or "(" in spelling


def conf_is_anonymous_member(cursor: cindex.Cursor) -> bool:
    return bool(cindex.conf.lib.clang_Cursor_isAnonymousRecordDecl(cursor))


def has_no_tag(cursor: cindex.Cursor) -> bool:
    """Whether the struct, union or enum is that of `typedef struct { ... } name;`.

    Its cursor has the name of the typedef since libclang 16, and so has its type in any libclang.
    """
    return is_anonymous(cursor) or cursor.type.spelling == clang().spelling(cursor)


def members(cursor: cindex.Cursor) -> list[cindex.Cursor]:
    found = []
    for child in cursor.get_children():
        if child.kind == Kind.FIELD_DECL:
            found.append(child)
        elif conf_is_anonymous_member(child):
            found.extend(members(child))
    return found


def inner_offset(record: Record, name: str) -> int:
    return next(at for path, _, at in walk_fields(record) if path == name)
