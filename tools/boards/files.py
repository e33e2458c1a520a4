"""The boards' files of this checkout, and which part of a board uses which pin."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "boards"
PARTS = BOARDS / "parts"
Board = dict[str, Any]
# Signals the chip drives; the others it reads, or both.
_DRIVEN = frozenset(
    (
        *("amp_enable", "backlight", "clk", "clock", "cmd", "cs", "data_out", "dc", "enable_gpio"),
        *("mclk", "mosi", "power", "power_gpio", "power_on", "rd", "rst", "scl", "sck", "sda"),
        *("wr", "ws", "xclk"),
    )
)
_BUS_SIGNALS = (
    *("sck", "mosi", "miso", "cs", "dc", "rst"),
    *("d0", "d1", "d2", "d3", "wr", "rd"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One pin of one part: `part` is its path in the file, `signal` what the pin carries."""

    gpio: int
    part: str
    signal: str
    driven: bool
    analogue: bool = False

    @property
    def name(self) -> str:
        return f"{self.part}.{self.signal}"


def read(path: Path) -> Board:
    board: Board = json.loads(path.read_text(encoding="utf-8"))
    return board


def every(folder: Path = BOARDS) -> dict[str, Board]:
    """The boards of a folder by the names of their files."""
    paths = sorted(path for path in folder.glob("*.json") if path.stem != "schema")
    return {path.stem: read(path) for path in paths}


def written(board: Board) -> str:
    """A board's file: one line for each of its keys."""
    lines = (f" {json.dumps(key)}: {json.dumps(board[key], ensure_ascii=False)}" for key in board)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def parts(folder: Path = PARTS) -> dict[str, dict[str, Any]]:
    """The register lists of codecs and panels by name."""
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def uses(board: Board) -> list[Use]:
    """Every pin the file names, in the file's order; pins of expanders are texts and left out."""
    return [use for source in _SOURCES for use in source(board)]


def _use(part: str, signal: str, gpio: Any, *, analogue: bool = False) -> Iterator[Use]:
    if isinstance(gpio, int):
        driven = (part == "leds" or signal in _DRIVEN) and not analogue
        yield Use(gpio=gpio, part=part, signal=signal, driven=driven, analogue=analogue)


def _pins(part: str, values: Any, signals: tuple[str, ...]) -> Iterator[Use]:
    for signal in signals:
        yield from _use(part, signal, (values or {}).get(signal))


def _power(board: Board) -> Iterator[Use]:
    for op in board.get("power", ()):
        if op[0] == "pin":
            yield from _use("power", "power", op[1])


def _i2c(board: Board) -> Iterator[Use]:
    for name, bus in board["i2c"].items():
        yield from _pins(f"i2c.{name}", bus, ("sda", "scl"))


def _audio(board: Board) -> Iterator[Use]:
    audio = board["audio"]
    yield from _use("audio", "mclk", (audio.get("mclk") or {}).get("gpio"))
    for way in ("in", "out"):
        stream = audio[way]
        yield from _pins(f"audio.{way}", stream, ("sck", "ws", "clk"))
        signal = "sd" if way == "in" else "data_out"
        yield from _use(f"audio.{way}", signal, stream.get("sd"))
        yield from _use(f"audio.{way}", "amp_enable", (stream.get("amp_enable") or {}).get("gpio"))


def _display(board: Board) -> Iterator[Use]:
    display = board.get("display") or {}
    yield from _pins("display", display, _BUS_SIGNALS)
    for number, gpio in enumerate(display.get("data", ())):
        yield from _use("display", f"data{number}", gpio)
    for switch in ("backlight", "power_on"):
        yield from _use("display", switch, (display.get(switch) or {}).get("gpio"))


def _people(board: Board) -> Iterator[Use]:
    yield from _pins("touch", board.get("touch"), ("int", "rst"))
    for button in board["buttons"]:
        name = button["name"]
        yield from _use("buttons", name, button.get("gpio"))
        yield from _use("buttons", name, button.get("adc_gpio"), analogue=True)
    for light in board.get("leds", ()):
        for signal in ("gpio", "data", "clock", "power_gpio"):
            yield from _use("leds", signal, light.get(signal))


def _camera(board: Board) -> Iterator[Use]:
    camera = board.get("camera") or {}
    for number, gpio in enumerate(camera.get("data", ())):
        yield from _use("camera", f"data{number}", gpio)
    signals = ("vsync", "href", "pclk", "xclk", "sda", "scl", "pwdn", "reset")
    yield from _pins("camera", camera, signals)


def _battery(board: Board) -> Iterator[Use]:
    battery = board.get("battery") or {}
    yield from _use("battery", "adc_gpio", battery.get("adc_gpio"), analogue=True)
    yield from _pins("battery", battery, ("charging_gpio", "enable_gpio"))


def _extra(board: Board) -> Iterator[Use]:
    """What is on the board beside the parts the firmware knows: wired, so not free."""
    for name, values in board.get("extra", {}).items():
        for signal, gpio in values.items() if isinstance(values, dict) else ():
            numbers = gpio if isinstance(gpio, list) else [gpio]
            for number in numbers:
                yield from _use(f"extra.{name}", signal, number)


_SOURCES = (_power, _i2c, _audio, _display, _people, _camera, _battery, _extra)
