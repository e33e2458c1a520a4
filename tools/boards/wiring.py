"""What is wired to what on a board, read from its file: for tables and pictures; pure.

Parts that are soldered on the board have their chips' names; modules that a person wires have the
names their pins carry, and the wires of their supply.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tools.boards.files import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """From a pin of a part to one of the board: "GPIO5", "3V3", "5V", "GND" or an expander's."""

    pin: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part and its wires; `note` is what a name does not say."""

    title: str
    note: str = ""
    by_hand: bool = False
    side: str = "left"
    wires: tuple[Wire, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """The names on a module's pins, by what the file calls them, and its other pins."""

    pins: dict[str, str]
    supply: tuple[tuple[str, str], ...]
    note: str = ""


# From the modules' own print; the voltages from their chips' data sheets.
MODULES = {
    "INMP441": Module(
        pins={"sck": "SCK", "ws": "WS", "sd": "SD"},
        supply=(("VDD", "3V3"), ("GND", "GND"), ("L/R", "GND")),
    ),
    "MAX98357A": Module(
        pins={"sck": "BCLK", "ws": "LRC", "sd": "DIN"},
        supply=(("VIN", "5V"), ("GND", "GND")),
        note="4 or 8 Ω speaker to its + and −",
    ),
    "ssd1306": Module(
        pins={"sda": "SDA", "scl": "SCL"},
        supply=(("VCC", "3V3"), ("GND", "GND")),
    ),
    "st7789": Module(
        pins={"sck": "SCL", "mosi": "SDA", "cs": "CS", "dc": "DC", "rst": "RES",
              "backlight": "BLK"},
        supply=(("VCC", "3V3"), ("GND", "GND")),
    ),
}  # fmt: skip
# A microphone that is strapped to the other channel.
_STRAP = {"left": "GND", "right": "3V3"}
# Boards whose parts are modules and a breadboard.
BY_HAND = ("diy-s3-oled", "diy-s3-lcd", "freenove-s3-wroom-cam")
_ON_DEVKIT = ("boot",)  # buttons that are on the board itself


def parts(board: Board) -> list[Part]:
    """The parts of a board, in the order somebody wires them; without the camera."""
    by_hand = board["id"] in BY_HAND
    found = [
        *_stream(board, "in", by_hand),
        *_stream(board, "out", by_hand),
        *_display(board, by_hand),
        *_touch(board),
        *_buttons(board, by_hand),
        *_leds(board),
    ]
    return [part for part in found if part.wires]


def _pin(value: Any) -> str:
    return f"GPIO{value}" if isinstance(value, int) else str(value)


def _wires(names: dict[str, str], values: dict[str, Any]) -> tuple[Wire, ...]:
    return tuple(
        Wire(pin=name, to=_pin(values[key]))
        for key, name in names.items()
        if values.get(key) is not None
    )


def _supply(module: Module, channel: str = "left") -> tuple[Wire, ...]:
    return tuple(
        Wire(pin=pin, to=_STRAP[channel] if pin == "L/R" else to) for pin, to in module.supply
    )


def _stream(board: Board, way: str, by_hand: bool) -> Iterator[Part]:
    stream = board["audio"][way]
    what = "microphone" if way == "in" else "speaker"
    codec = stream.get("codec") or {}
    name = codec.get("chip") or stream.get("part", "").split(" ")[0]
    module = MODULES.get(name) if by_hand else None
    names = module.pins if module else {"sck": "BCLK", "ws": "WS", "clk": "CLK", "sd": "data"}
    wires = _wires(names, stream)
    if codec.get("clock") == "mclk_pwm":
        wires += _wires({"gpio": "MCLK"}, board["audio"]["mclk"])
    if codec:
        bus = board["i2c"][codec["bus"]]
        wires += _wires({"sda": "SDA", "scl": "SCL"}, bus)
    amplifier = stream.get("amp_enable") or {}
    wires += _wires({"gpio": "amplifier on", "i2c": "amplifier on"}, amplifier)
    if module:
        wires += _supply(module, stream.get("channel", "left"))
    note = f"I2C {codec['addr']:#04x}" if codec else module.note if module else ""
    title = f"{name} ({what})" if name else what.capitalize()
    yield Part(title=title, note=note, by_hand=module is not None, wires=wires)


def _display(board: Board, by_hand: bool) -> Iterator[Part]:
    display = board.get("display") or {}
    if "width" not in display:
        return
    module = MODULES.get(display["driver"]) if by_hand else None
    names = {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "cs": "CS", "dc": "DC", "rst": "RST",
             "sda": "SDA", "scl": "SCL", "backlight": "backlight"}  # fmt: skip
    backlight = display.get("backlight") or {}
    values = {**display, "backlight": backlight.get("gpio", backlight.get("i2c"))}
    if display["bus"] == "i2c":
        values |= board["i2c"][display["i2c"]]
    wires = _wires(module.pins if module else names, values)
    note = f"{display['width']}×{display['height']}"
    note += f", I2C {display['addr']:#04x}" if display["bus"] == "i2c" else ""
    yield Part(
        title=f"{display.get('panel') or display['driver'].upper()} (screen)",
        note=note,
        by_hand=module is not None,
        side="right",
        wires=wires + (_supply(module) if module else ()),
    )


def _touch(board: Board) -> Iterator[Part]:
    touch = board.get("touch")
    if touch:
        wires = _wires({"sda": "SDA", "scl": "SCL"}, board["i2c"][touch["i2c"]])
        wires += _wires({"int": "INT"}, touch)
        yield Part(title=f"{touch['chip']} (touch)", side="right", wires=wires)


def _buttons(board: Board, by_hand: bool) -> Iterator[Part]:
    loose = [button for button in board["buttons"] if button["name"] not in _ON_DEVKIT]
    fixed = [button for button in board["buttons"] if button not in loose]
    groups = [(loose, True), (fixed, False)] if by_hand else [(board["buttons"], False)]
    for group, added in groups:
        wires = tuple(
            Wire(pin=button["name"], to=_pin(gpio))
            for button in group
            if (gpio := button.get("gpio", button.get("adc_gpio"))) is not None
        )
        if added and wires:
            wires += (Wire(pin="other side", to="GND"),)
        title = "Buttons" if len(group) > 1 or added else "Button"
        yield Part(title=title, by_hand=added, side="right", wires=wires)


def _leds(board: Board) -> Iterator[Part]:
    for light in board.get("leds", ()):
        names = {"gpio": "data", "data": "data", "clock": "clock", "power_gpio": "power"}
        count = light.get("count", 1)
        note = f"{count} of them" if count != 1 else ""
        if "alt_gpio" in light:
            note = f"GPIO{light['alt_gpio']} on newer ones"
        yield Part(title=f"{light['type'].upper()} (light)", note=note, side="right",
                   wires=_wires(names, light))  # fmt: skip


def rows(board: Board) -> list[tuple[str, str, str]]:
    """(part, its pin, the board's) of every wire, for a table."""
    listed = []
    for part in parts(board):
        name = part.title + (f", {part.note}" if part.note else "")
        for number, wire in enumerate(part.wires):
            listed.append((name if number == 0 else "", wire.pin, wire.to))
    return listed
