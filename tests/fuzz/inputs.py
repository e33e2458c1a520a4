"""Inputs that are nearly right: what the repository holds as good, with a few things changed."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden"
CHANGES_MAX = 4
_SIGNS = "[]{}()<>|:;,.\"'\\*_`#-+=!&@~ \n"
_SIZE_MAX = 200_000  # of an input, so that doubling it over and over ends

# Texts and values that readers have stumbled over.
TEXTS = (
    "", " ", "\n", "\x00", "\x1b[2J", "\x1b]52;c;AAAA\x07", "\ud800", "a\udfffb", "\u202e",
    "\ufeff", "\u2028", "e\u0301" * 40, "x" * 3000, "طلبك", "주문", "👨\u200d👩\u200d👧",
    "%s %d {0} {name}",
    "../../etc/passwd", "javascript:alert(1)", "data:image/png;base64,AAAA",
    "https://a.example/x",
    "[" * 300, "(" * 300, "{{" * 100, "1e999", "-0", "2024-99-99", "0x" + "f" * 40, "true",
    "null",
    "<script>alert(1)</script>", "```\n", "| a |\n|---|\n", "**", "a\tb\rc", "\x85", "\x9b31m",
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 0.5, -0.0, 255, 65535, 65536, 2**31, 2**53 + 1, 10**400, 1e308,
    float("nan"), float("inf"), [], {}, [[]], {"": ""}, [None] * 40, *TEXTS,
)  # fmt: skip
BYTES = (
    b"", b"\x00", b"\xff", b"\x80" * 4, b"\xed\xa0\x80", b"\xc0\x80", b"\x7f\xff\xff\xff",
    b"\r\n", b"\x00" * 64, b"%s", b"[" * 500, b'"\\ud800"', b"1e999", b"-", b"\xf0\x9f\x92",
)  # fmt: skip


def golden(pattern: str) -> tuple[Path, ...]:
    """The files below tests/golden of a pattern, always in the same order."""
    return tuple(sorted(GOLDEN.glob(pattern)))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a target reads: one of `seeds`, changed some times, in the form it is read in.

    An input follows from a few numbers: the first names the seed, each other one is a change. So
    one that fails is made small by leaving numbers out.
    """

    seeds: Sequence[Any]
    change: Callable[[Random, Any, Sequence[Any]], Any]
    form: Callable[[Any, int], Any] = lambda value, number: value

    def numbers(self, chance: Random) -> list[int]:
        """The numbers of another input."""
        return [chance.getrandbits(32) for _ in range(1 + chance.randint(0, CHANGES_MAX))]

    def make(self, numbers: Sequence[int]) -> Any:
        """The input of these numbers."""
        first, *changes = numbers
        value = self.seeds[first % len(self.seeds)]
        for number in changes:
            value = self.change(Random(number), value, self.seeds)
        return self.form(value, first)


def changed_bytes(seeds: Sequence[bytes]) -> Inputs:
    """Bytes with some of them changed, moved, doubled or cut."""
    return Inputs(seeds, _change_bytes)


def changed_text(seeds: Sequence[str]) -> Inputs:
    """Texts with pieces put in, doubled, moved or cut."""
    return Inputs(seeds, _change_text)


def changed_json(seeds: Sequence[Any]) -> Inputs:
    """JSON values with some of the values in them changed."""
    return Inputs(seeds, _change_json)


def json_text(seeds: Sequence[Any]) -> Inputs:
    """JSON texts of changed values, some of them in ASCII."""
    return Inputs(
        seeds, _change_json, lambda value, number: json.dumps(value, ensure_ascii=number % 2 > 0)
    )


def json_bytes(seeds: Sequence[Any]) -> Inputs:
    """JSON of changed values as bytes, some of them with bytes changed besides."""

    def form(value: Any, number: int) -> bytes:
        text = json.dumps(value, ensure_ascii=number % 2 > 0)
        data = text.encode("utf-8", "surrogatepass")
        return _change_bytes(Random(number), data, [data]) if number % 3 == 0 else data

    return Inputs(seeds, _change_json, form)


def _change_bytes(chance: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at, count = chance.randint(0, len(data)), chance.choice((1, 1, 2, 4, 16, 100))
    other = chance.choice(seeds)
    start = chance.randint(0, len(other))
    piece = chance.choice(
        (
            chance.choice(BYTES),
            chance.randbytes(chance.randint(1, 4)),
            data[at : at + count],
            other[at : at + count],
            other[start : start + count],
        )
    )
    if chance.random() < 0.2 and at < len(data):
        piece = bytes((data[at] ^ 1 << chance.randint(0, 7),))
    gone = chance.choice((0, len(piece), len(piece), count, len(data)))
    return (data[:at] + piece + data[at + gone :])[:_SIZE_MAX]


def _change_text(chance: Random, text: str, seeds: Sequence[str]) -> str:
    at, count = chance.randint(0, len(text)), chance.choice((1, 1, 2, 8, 40))
    other = chance.choice(seeds)
    start = chance.randint(0, len(other))
    piece = chance.choice(
        (
            chance.choice(TEXTS),
            chr(chance.choice((chance.randint(0, 0x24F), chance.randint(0, 0x10FFFF)))),
            chance.choice(_SIGNS),
            other[start : start + count],
            text[at : at + count],
        )
    )
    gone = chance.choice((0, 0, 1, count, len(text)))
    times = chance.choice((1, 1, 1, 1, 1, 2, 50, 2000))
    return (text[:at] + piece * times + text[at + gone :])[:_SIZE_MAX]


def _change_json(
    chance: Random, value: Any, seeds: Sequence[Any], depth: int | None = None
) -> Any:
    """`value` with something changed `depth` steps inside it, or as deep as it goes."""
    if depth is None:
        depth = chance.randint(0, 8)
    if depth and isinstance(value, dict) and value:
        key = chance.choice(list(value))
        return {**value, key: _change_json(chance, value[key], seeds, depth - 1)}
    if depth and isinstance(value, list) and value:
        at = chance.randrange(len(value))
        inner = _change_json(chance, value[at], seeds, depth - 1)
        return [*value[:at], inner, *value[at + 1 :]]
    return chance.choice(_CHANGES)(chance, value, _inner(chance, chance.choice(seeds)))


def _left_out(chance: Random, value: Any, other: Any) -> Any:
    if isinstance(value, dict) and value:
        gone = chance.choice(list(value))
        return {key: each for key, each in value.items() if key != gone}
    return value[:-1] if isinstance(value, list | str) else None


def _put_in(chance: Random, value: Any, other: Any) -> Any:
    new = chance.choice((other, chance.choice(VALUES)))
    if isinstance(value, dict):
        names = [*TEXTS[:12], *(other if isinstance(other, dict) else "x")]
        return {**value, chance.choice(names): new}
    return [*value, new] if isinstance(value, list) else new


def _repeated(chance: Random, value: Any, other: Any) -> Any:
    many = chance.choice((2, 50))
    return (value * many)[:4000] if isinstance(value, list | str) else [value] * many


def _wrapped(chance: Random, value: Any, other: Any) -> Any:
    return chance.choice(([value], {"type": value}, [[value]], {"": value}))


def _worded(chance: Random, value: Any, other: Any) -> Any:
    text = value if isinstance(value, str) else str(value)[:200]
    return _change_text(chance, text, [text])


def _other(chance: Random, value: Any, other: Any) -> Any:
    return other


def _odd(chance: Random, value: Any, other: Any) -> Any:
    return chance.choice((*VALUES, chance.randint(-(2**33), 2**33), chance.random()))


_CHANGES = (_left_out, _put_in, _repeated, _wrapped, _worded, _other, _odd, _odd)


def _inner(chance: Random, value: Any) -> Any:
    """A value somewhere inside `value`."""
    for _ in range(chance.randint(0, 5)):
        inside = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(inside, list) or not inside:
            break
        value = chance.choice(inside)
    return value
