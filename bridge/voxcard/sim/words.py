"""What happens on a device, as lines a person reads: results of tools, screens."""

import json
from collections.abc import Callable, Iterator, Mapping

from voxcard.json_value import Json
from voxcard.text_safety import safe_line

LONGEST = 300  # characters of a line
# The dots of a braille character by column and row, as Unicode numbers them.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def happening(told: Mapping[str, Json]) -> str:
    """One line about what the bridge tells of a device; "" for what is not worth one."""
    kind, text, detail = told["kind"], str(told["text"]), told.get("detail") or {}
    if kind in ("turn", "tools", "watching"):
        return ""
    if kind == "tool":
        arguments = [f"{key}={_short(value)}" for key, value in detail["arguments"].items()]
        text = f"{' '.join([detail['name'], *arguments])} → {result(text)}"
    elif kind == "transcript":
        kind, text = "heard", text or "nothing"
    elif kind == "sentence":
        kind = "says"
    return f"{kind:<6} {cut(text)}"


def result(text: str) -> str:
    """What a tool answered: JSON as `name value` pairs, anything else as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return ", ".join(_pairs(value)) if isinstance(value, dict | list) and value else text


def cut(text: str) -> str:
    """One safe line of at most LONGEST characters."""
    line = safe_line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _pairs(value: Json, name: str = "", depth: int = 0) -> Iterator[str]:
    inside = value.items() if isinstance(value, dict) else enumerate(value, 1)
    for key, each in inside:
        path = f"{name} {key}".strip().replace("_", " ")
        if isinstance(each, dict | list) and each and depth < 4:
            yield from _pairs(each, path, depth + 1)
        else:
            yield f"{path} {_short(each)}"


def _short(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def screen(pbm: bytes, columns: int) -> str:
    """A P4 bitmap as text, lit pixels (0) drawn: half blocks where `columns` hold them, which a
    phone can read codes from, else braille, half as wide and high."""
    _, size, data = pbm.split(b"\n", 2)
    width, height = map(int, size.split())
    stride = (width + 7) // 8

    def lit(x: int, y: int) -> bool:
        return x < width and y < height and not data[y * stride + x // 8] << x % 8 & 128

    if width <= columns:
        cells = [
            "".join(" ▀▄█"[lit(x, y) + 2 * lit(x, y + 1)] for x in range(width))
            for y in range(0, height, 2)
        ]
    else:
        cells = [
            "".join(_braille(lit, x, y) for x in range(0, width, 2)) for y in range(0, height, 4)
        ]
    return "\n".join(cells)


def _braille(lit: Callable[[int, int], bool], x: int, y: int) -> str:
    dots = (
        dot * lit(x + column, y + row)
        for column, rows in enumerate(_DOTS)
        for row, dot in enumerate(rows)
    )
    return chr(0x2800 + sum(dots))
