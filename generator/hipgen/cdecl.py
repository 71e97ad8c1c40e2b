# SPDX-License-Identifier: MIT
"""Reads C declarations as spell.py writes them; no compiler is needed for these."""

from __future__ import annotations

import re
from functools import cache

from hipgen.model import Array, Function, FunctionType, HipgenError, Named, Param, Pointer, Type

WORD = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\d+|[*()\[\],])")
TAGS = ("struct", "union", "enum")
NO_PARAMETERS = ("", "void")


class Reader:
    """The tokens of one declaration."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        self.next = at = 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if match is None:
                raise self.error(f"`{text[at:].strip()}`")
            self.tokens.append(match[1])
            at = match.end()

    def error(self, found: str) -> HipgenError:
        return HipgenError(f"`{self.text}`: no rule covers {found} in a declaration")

    @property
    def token(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        found = self.token
        if not found or (expected and found != expected):
            raise self.error(f"`{found}`" if found else "the end")
        self.next += 1
        return found

    def accept(self, token: str) -> bool:
        if self.token != token:
            return False
        self.next += 1
        return True

    def declaration(self, named: bool) -> tuple[Type, str]:
        """A type with the name that it declares; without `named`, there is no name."""
        const = self.accept("const")
        words = []
        while self.token.isidentifier():
            words.append(self.take())
        # The last word is the name, unless a star or a bracket comes between.
        name = words.pop() if named and self.token not in ("*", "(") and len(words) > 1 else ""
        if not words or words[-1] in TAGS:
            raise self.error("a missing type")
        base: Type = Named(" ".join(words), const)
        return self.suffixes(base, name) if name else self.declarator(base, named)

    def declarator(self, base: Type, named: bool) -> tuple[Type, str]:
        while self.accept("*"):
            base = Pointer(base, self.accept("const"))
        if self.token == "(" and self.tokens[self.next + 1 : self.next + 2] == ["*"]:
            inner = self.next + 1
            self.skip_group()
            base, _ = self.suffixes(base, "")
            end, self.next = self.next, inner
            result = self.declarator(base, named)
            self.take(")")
            self.next = end
            return result
        return self.suffixes(base, self.take() if named else "")

    def skip_group(self) -> None:
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
            if depth == 0:
                return

    def suffixes(self, base: Type, name: str) -> tuple[Type, str]:
        if self.accept("["):
            count = self.take()
            if not count.isdecimal():
                raise self.error(f"`{count}` as the length of an array")
            self.take("]")
            return Array(self.suffixes(base, "")[0], int(count)), name
        if self.accept("("):
            return FunctionType(base, self.parameter_types()), name
        return base, name

    def parameter_types(self) -> tuple[Type, ...]:
        if self.token == "void" and self.tokens[self.next + 1 : self.next + 2] == [")"]:
            self.take()
        if self.accept(")"):
            return ()
        found = [self.declaration(False)[0]]
        while self.accept(","):
            found.append(self.declaration(False)[0])
        self.take(")")
        return tuple(found)

    def whole(self, named: bool) -> tuple[Type, str]:
        """A declaration that takes all tokens."""
        result = self.declaration(named)
        if self.token:
            raise self.error(f"`{self.token}`")
        return result


@cache
def named_type(text: str) -> tuple[Type, str]:
    """`const char *name` as its type and its name."""
    return Reader(text).whole(True)


@cache
def plain_type(text: str) -> Type:
    """A type without a name, such as the result of a function."""
    return Reader(text).whole(False)[0]


@cache
def parameter(text: str) -> Param:
    declared, _, default = text.partition(" = ")
    type_, name = named_type(declared)
    return Param(name, type_, default)


def function(text: str) -> Function:
    """`result name(parameters)`, in which a parameter may have a default argument."""
    match = re.fullmatch(r"(.*?)(\w+)\((.*)\)", text)
    if match is None:
        raise HipgenError(f"`{text}`: not a declaration of a function")
    result, name, listed = match.groups()
    params = () if listed in NO_PARAMETERS else tuple(map(parameter, split(listed)))
    return Function(name, plain_type(result), params)


def split(listed: str) -> list[str]:
    """The parts between the commas that are in no parentheses."""
    if "(" not in listed:
        return listed.split(", ")
    parts, depth, start = [], 0, 0
    for at, character in enumerate(listed):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(listed[start:at].strip())
            start = at + 1
    return [*parts, listed[start:].strip()]
