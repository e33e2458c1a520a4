"""What a board's file names and the firmware does not drive, for docs/boards.md; pure."""

import ast
from collections.abc import Iterator
from typing import Any

from tools.boards import generated
from tools.boards.files import ROOT, Board
from tools.boards.rules import register_lists

_PINS = ROOT / "firmware" / "hal" / "parts" / "pins.py"
_TOUCH = ("FT6", "CST816", "GT911", "TT21100", "CHSC6X")
_POWER_CHIPS = ("AXP2101", "SY6970")
_SENSORS = ("OV", "GC0308")  # chips of a camera, which its own driver programs
_NAMES = {
    "sd": "SD card",
    "sd_on_sensor_dock": "SD card of the dock",
    "sd_sense": "SD card of the Sense",
    "sd_round": "SD card of the Round Display",
    "blue_led": "blue LED",
    "ir_cut": "IR filter",
    "mic_ref_channel": "loop-back of the speaker (TDM)",
    "rotary": "rotary switch",
    "xmos_reset": "reset of the XMOS chip",
}


def _constant(name: str) -> Any:
    """A literal of the firmware's module of pins."""
    for node in ast.parse(_PINS.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    raise ValueError(f"{_PINS} has no {name}")


def parts(board: Board) -> list[str]:
    """Each with why, in the order of the file."""
    sources = (_sound, _screen, _touch, _keys, _lights, _camera, _extra, _chips)
    return [text for source in sources for text in source(board)]


def _sound(board: Board) -> Iterator[str]:
    kinds = {"pdm": "microphone (PDM)", "i2s_slave": "sound (its other chip is the I2S master)"}
    found = [kinds.get(board["audio"][way]["kind"]) for way in ("in", "out")]
    yield from dict.fromkeys(each for each in found if each)


def _screen(board: Board) -> Iterator[str]:
    display = board.get("display") or {}
    if display.get("bus") not in (None, "i2c", "spi"):
        bus = {"qspi": "QSPI", "i80_8bit": "8-bit parallel"}[display["bus"]]
        yield f"screen ({bus}: no such bus)"
    elif display.get("optional"):
        yield "screen, until `optional` is taken out of the file"


def _devices(board: Board) -> Iterator[tuple[str, str, Any]]:
    """(bus, chip, addresses)."""
    for bus, wires in board["i2c"].items():
        for name, addresses in (wires.get("devices") or {}).items():
            yield bus, name, addresses


def _touch(board: Board) -> Iterator[str]:
    touch = board.get("touch")
    if touch and not any(
        bus == touch["i2c"] and name.startswith(_TOUCH) and addresses != "unknown"
        for bus, name, addresses in _devices(board)
    ):
        yield "touch panel (its chip or address is not known)"


def _keys(board: Board) -> Iterator[str]:
    not_keys, others = _constant("_NO_BUTTONS"), _constant("_OTHER_KEYS")
    never_talk = (*not_keys, *others, _constant("_VOLUME"))
    wired = [each["name"] for each in board["buttons"] if "gpio" in each]
    has_own = any(not name.startswith(never_talk) for name in wired)
    for each in board["buttons"]:
        name = each["name"]
        if name.startswith(not_keys) or ("gpio" in each and has_own and name.startswith(others)):
            yield name
        elif not each.keys() & {"gpio", "adc_gpio", "read", "via"}:
            yield f"{name} ({each['i2c'].split(' ')[0]})"


def _lights(board: Board) -> Iterator[str]:
    for led in board.get("leds", ())[:1]:
        if "matrix_count" in led:
            yield f"{led['matrix_count'] - 1} more lights of the Matrix"


def _camera(board: Board) -> Iterator[str]:
    camera = board.get("camera")
    if camera and "no JPEG" in camera.get("note", ""):
        yield f"camera ({camera['sensor']} makes no JPEG)"
    elif camera:
        yield "camera, without an image that can"


def _extra(board: Board) -> Iterator[str]:
    for name in board.get("extra", {}):
        yield _NAMES.get(name, name)


def _chips(board: Board) -> Iterator[str]:
    """Chips that no part of the file is about."""
    used = {(op[1], op[2]) for _, ops in register_lists(board) for op in ops if len(op) > 3}
    for way in ("in", "out"):
        codec = board["audio"][way].get("codec") or {}
        used.add((codec.get("bus"), codec.get("addr")))
    display = board.get("display") or {}
    used.add((display.get("i2c"), display.get("addr")))
    for bus, name, addresses in _devices(board):
        every = addresses if isinstance(addresses, list) else [addresses]
        if any((bus, each) in used for each in every):
            continue
        if not name.startswith((*_TOUCH, *_POWER_CHIPS, *_SENSORS)):
            yield name


def table(boards: dict[str, Board]) -> str:
    """The table as Markdown; boards of which all is driven are left out."""
    rows = [(name, "; ".join(parts(boards[name]))) for name in sorted(boards)]
    return generated.table(("board", "nothing drives its"), [row for row in rows if row[1]])
