"""The tables of codecs and panels that a device carries, from the lists of steps in boards/parts.

A step is its register, a byte that says what to do, and the data (firmware/hal/parts/steps.py):
in flash a table costs no heap, and a third of what tuples of numbers take in a .mpy.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.boards.files import ROOT

TABLES = ROOT / "firmware" / "hal" / "tables"
RATES_HZ = (16000, 24000)  # of the wire between device and bridge
WAIT, SET, CLEAR = 0x40, 0x80, 0xC0  # else it is how many bytes to write
_LINE_BYTES = 20
Step = Sequence[Any]
Part = dict[str, Any]


def encoded(step: Step) -> bytes:
    """The bytes of one step of boards/parts; ValueError for what is none."""
    match step:
        case ["w8", int(register), int(value)]:
            return bytes((register, 1, value))
        case ["w16", int(register), int(value)]:
            return bytes((register, 2, value >> 8, value & 0xFF))
        case ["set" | "clr" as name, int(register), int(mask)]:
            return bytes((register, SET if name == "set" else CLEAR, mask))
        case ["ms", int(ms)]:
            return bytes((ms, WAIT))
        case ["cmd", int(command), list(data)] if len(data) < WAIT:
            return bytes((command, len(data), *data))
    raise ValueError(f"{step} is no step of a part; see boards/README.md")


def module(name: str, part: Part) -> str:
    """The source of hal/tables/<name>.py."""
    values = _codec(part) if part["kind"] == "codec" else _panel(part)
    lines = (f"{key} = {_literal(key, value)}" for key, value in values)
    head = f'"""{part["chip"]}: made from boards/parts/{name}.json by `make boards`."""'
    return "\n".join((head, "", *lines, ""))


def _codec(part: Part) -> Iterator[tuple[str, bytes]]:
    """The machine.I2S receives with 64 bit clocks a frame and sends 16 bits with 32."""
    clocks, rates = part.get("fs", {}), part.get("rate", {})
    yield "INIT", _joined(part["init"])
    yield "LISTEN", _joined(clocks.get("64", ()))
    for rate_hz in RATES_HZ:
        steps = (*clocks.get("32", ()), *rates.get(str(rate_hz), ()), *part.get("unmute", ()))
        yield f"SPEAK_{rate_hz}", _joined(steps)
    yield "MUTE", _joined(part.get("mute", ()))


def _panel(part: Part) -> Iterator[tuple[str, bytes | int]]:
    yield "PIXELS", part.get("pixels", 0x55)
    yield "SETUP", _joined(part["init"])


def _joined(steps: Iterable[Step]) -> bytes:
    return b"".join(encoded(step) for step in steps)


def _literal(key: str, value: bytes | int) -> str:
    if isinstance(value, int):
        return f"0x{value:02X}"
    pieces = [value[at : at + _LINE_BYTES] for at in range(0, len(value), _LINE_BYTES)] or [b""]
    texts = ['b"' + "".join(f"\\x{byte:02x}" for byte in piece) + '"' for piece in pieces]
    whole = 'b"' + "".join(text[2:-1] for text in texts) + '"'
    if len(key) + 3 + len(whole) <= 99:
        return whole
    return "\n    ".join(("(", *texts)) + "\n)"


def files(parts: dict[str, Part]) -> dict[Path, str]:
    """Every module that there is to be."""
    return {TABLES / f"{name}.py": module(name, part) for name, part in parts.items()}
