"""The expressions of formatString: `${/path}`, `${name}`, `${call(key: value)}`, nested."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TEMPLATE_MAX = 10_000
PARTS_MAX = 1000
DEPTH_MAX = 24

_SPACE = re.compile(r"\s*")
_PIECE = re.compile(r"\\\$\{|\$\{|[^\\$]+|[\\$]")
_NUMBER = re.compile(r"[+-]?(?=\.?[0-9])[0-9.]+(?:[eE][+-]?[0-9]*)?")
_WELL_FORMED = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_NAME = re.compile(r"@?[\w/.~-]+")
_KEY = re.compile(r"\w+")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": ""}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A binding to the data model."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A function with its named arguments."""

    name: str
    args: tuple[tuple[str, "Node"], ...]


Node = Path | Call | str | float | bool | object


class ExpressionError(ValueError):
    """An interpolation that cannot be read; the text says what is wrong with it."""


def template(text: str) -> Iterator[Node | ExpressionError]:
    """The literal texts and expressions of `text` in order; `\\${` is a literal `${`.

    An interpolation that is no expression is yielded as its error, and the rest is read on."""
    if len(text) > TEMPLATE_MAX:
        yield ExpressionError(f"is longer than {TEMPLATE_MAX} characters")
        return
    at = parts = 0
    while at < len(text):
        parts += 1
        if parts > PARTS_MAX:
            yield ExpressionError(f"has more than {PARTS_MAX} parts")
            return
        match = _PIECE.match(text, at)
        piece = match[0] if match else text[at]
        at += len(piece)
        if piece == "${":
            end = _closing(text, at)
            if end < 0:
                yield ExpressionError("an interpolation is unclosed: add a }")
                return
            try:
                yield _Reader(text[at:end]).whole()
            except ExpressionError as error:
                yield error
            at = end + 1
        else:
            yield "${" if piece == "\\${" else piece


def _closing(text: str, at: int) -> int:
    """The place of the brace that closes an interpolation begun before `at`, or -1."""
    depth, quote = 1, ""
    while at < len(text):
        character = text[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if not depth:
                return at
        at += 1
    return -1


class _Reader:
    """Reads one expression by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> Node:
        node = self._expression(0)
        if self._at < len(self._text):
            raise ExpressionError("has unexpected characters at the end of an expression")
        return node

    def _expression(self, depth: int) -> Node:
        if depth > DEPTH_MAX:
            raise ExpressionError(f"is nested deeper than {DEPTH_MAX} levels")
        self._skip()
        if self._taken("${"):
            node = self._expression(depth + 1)
            self._skip()
            if not self._taken("}"):
                raise ExpressionError("an interpolation is unclosed: add a }")
        else:
            node = self._simple(depth)
        self._skip()
        return node

    def _simple(self, depth: int) -> Node:
        following = self._text[self._at : self._at + 1]
        if following in ("'", '"'):
            return self._string()
        number = self._match(_NUMBER)
        if number:
            if not _WELL_FORMED.fullmatch(number):
                raise ExpressionError("has a number that is no number")
            return float(number) if set(number) & set(".eE") else int(number)
        name = self._match(_NAME)
        if name in _WORDS:
            return _WORDS[name]
        self._skip()
        if self._taken("("):
            return Call(name=name, args=tuple(self._arguments(depth)))
        return Path(path=name) if name else ""

    def _arguments(self, depth: int) -> Iterator[tuple[str, Node]]:
        self._skip()
        while not self._taken(")"):
            if self._at >= len(self._text):
                raise ExpressionError("a function call lacks its )")
            key = self._match(_KEY)
            self._skip()
            if not key or not self._taken(":"):
                raise ExpressionError("an argument of a function lacks its name or :")
            yield key, self._expression(depth + 1)
            self._taken(",")
            self._skip()

    def _string(self) -> str:
        characters: list[str] = []
        quote = self._text[self._at]
        self._at += 1
        while self._at < len(self._text):
            character = self._text[self._at]
            self._at += 1
            if character == quote:
                return "".join(characters)
            if character == "\\":
                character = self._text[self._at : self._at + 1]
                character = _ESCAPES.get(character, character)
                self._at += 1
            characters.append(character)
        raise ExpressionError("a text is unclosed: add its quote")

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return match[0] if match else ""

    def _skip(self) -> None:
        self._match(_SPACE)

    def _taken(self, mark: str) -> bool:
        taken = self._text.startswith(mark, self._at)
        self._at += len(mark) * taken
        return taken
