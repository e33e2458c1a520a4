"""The I2C chips that a board's file expects, and what it means which of them answer; pure.

Numbers by which chips name themselves: ES8311 esp-bsp, ES7210, ES7243E and ES8156 as in ESPHome's
and public drivers, AXP2101 XPowersLib, AW9523 Linux, FT6336, CST816 and GT911 SensorLib.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from voxcard.cable.hardware.report import ABSENT, FAILED, OK, Result
from voxcard.json_value import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A chip of the file: where it may be, and which of the board's parts needs it ("" none)."""

    name: str
    bus: str
    addresses: tuple[int, ...]
    part: str


# Beginnings of names: registers as (register, bits of its number, bytes); what they may hold.
_IDS: dict[str, tuple[tuple[tuple[int, int, int], ...], tuple[str, ...]]] = {
    "ES8311": (((0xFD, 8, 2),), ("8311",)),
    "ES7210": (((0x3D, 8, 2),), ("7210",)),
    "ES7243E": (((0xFD, 8, 2),), ("7a43",)),
    "ES8156": (((0xFD, 8, 1),), ("81",)),
    "AXP2101": (((0x03, 8, 1),), ("4a",)),
    "AW9523": (((0x10, 8, 1),), ("23",)),
    "FT6": (((0xA3, 8, 1),), ("64", "36", "06")),
    "CST816": (((0xA7, 8, 1),), ("b4", "b5", "b6")),
    "GT911": (((0x8140, 16, 3),), ("393131",)),
}
_TOUCH = ("FT6", "CST816", "GT911", "TT21100", "CHSC6X")  # a board has one of those it names
_SLEEPS = "CST816"  # until it is touched


def expected(board: JsonObject) -> list[Chip]:
    """Every chip with a known address; SSD1306 and the like are the screen's own address."""
    found = list(_named(board))
    display = board.get("display") or {}
    if display.get("bus") == "i2c":
        places = {(chip.bus, address) for chip in found for address in chip.addresses}
        if (display["i2c"], display["addr"]) not in places:
            name, place = display["driver"].upper(), (display["addr"],)
            found.append(Chip(name=name, bus=display["i2c"], addresses=place, part="screen"))
    return found


def _named(board: JsonObject) -> Iterator[Chip]:
    parts: dict[tuple[str, int], str] = {}
    for part, place in _places(board):
        parts.setdefault(place, part)
    for bus, wires in board["i2c"].items():
        for name, addresses in (wires.get("devices") or {}).items():
            every = addresses if isinstance(addresses, list) else [addresses]
            known = tuple(each for each in every if isinstance(each, int))
            if not known:
                continue
            part = next((parts[bus, each] for each in known if (bus, each) in parts), "")
            if not part and name.startswith(_TOUCH) and board.get("touch"):
                part = "touch"
            if not part and name in str((board.get("battery") or {}).get("via", "")):
                part = "battery"
            yield Chip(name=name, bus=bus, addresses=known, part=part)


def _places(board: JsonObject) -> Iterator[tuple[str, tuple[str, int]]]:
    """(part, (bus, address)) of what the file writes to or reads from; the first names count."""
    for way, part in (("in", "microphone"), ("out", "speaker")):
        codec = board["audio"][way].get("codec")
        if codec:
            yield part, (codec["bus"], codec["addr"])
    display = board.get("display") or {}
    if display.get("bus") == "i2c":
        yield "screen", (display["i2c"], display["addr"])
    for name in ("init", "on"):
        for op in (display.get("backlight") or {}).get(name, ()):
            if op[0] not in ("ms", "pin"):
                yield "screen", (op[1], op[2])
    for op in board.get("power", ()):
        if op[0] not in ("ms", "pin"):
            yield "power supply", (op[1], op[2])
    for button in board["buttons"]:
        if "read" in button:
            yield "buttons", (button["read"][0], button["read"][1])


def wanted(board: JsonObject) -> dict[str, list[tuple[int, tuple[tuple[int, int, int], ...]]]]:
    """What the helper `chips` is to look at: {bus: [(address, registers of its number)]}."""
    looks: dict[str, list[tuple[int, tuple[tuple[int, int, int], ...]]]] = {}
    for chip in expected(board):
        registers = _id_of(chip.name)[0]
        looks.setdefault(chip.bus, []).extend((each, registers) for each in chip.addresses)
    return looks


def _id_of(name: str) -> tuple[tuple[tuple[int, int, int], ...], tuple[str, ...]]:
    return next((_IDS[each] for each in _IDS if name.startswith(each)), ((), ()))


def results(board: JsonObject, buses: Iterable[JsonObject]) -> Iterator[Result]:
    """One result a chip, of what the helper `chips` printed."""
    seen = {each["bus"]: each for each in buses}
    every = expected(board)
    touches = [chip for chip in every if chip.part == "touch"]
    has_touch = any(_answers(chip, seen) is not None for chip in touches)
    for chip in every:
        bus = seen.get(chip.bus, {})
        if "error" in bus:
            text = f"The I2C bus {chip.bus} cannot be used ({bus['error']})."
            yield Result(part=chip.name, verdict=FAILED, text=text)
            continue
        address = _answers(chip, seen)
        if address is not None:
            yield _there(chip, address, bus)
        else:
            is_spare = chip.part == "touch" and has_touch
            yield _missing(chip, board["i2c"][chip.bus], bus, is_spare=is_spare)


def _answers(chip: Chip, seen: dict[Json, JsonObject]) -> int | None:
    there = seen.get(chip.bus, {}).get("there", ())
    return next((each for each in chip.addresses if each in there), None)


def _there(chip: Chip, address: int, bus: JsonObject) -> Result:
    where = f"At {address:#04x} of {chip.bus}"
    registers, known = _id_of(chip.name)
    number = "".join(bus["ids"].get(str(address), ()))
    if not registers:
        return Result(part=chip.name, verdict=OK, text=f"{where}.")
    if number in known:
        return Result(part=chip.name, verdict=OK, text=f"{where}, number {number}.")
    text = f"{where} a chip says {number or 'nothing'}, not {' or '.join(known)}: it is another."
    return Result(part=chip.name, verdict=FAILED, text=text)


def _missing(chip: Chip, wires: JsonObject, bus: JsonObject, *, is_spare: bool) -> Result:
    places = " or ".join(f"{each:#04x}" for each in chip.addresses)
    text = f"{chip.name} expected at {places} of {chip.bus}: not there"
    if is_spare:
        return Result(part=chip.name, verdict=ABSENT, text=f"{text}; the board has another one.")
    if not chip.part:
        return Result(part=chip.name, verdict=ABSENT, text=f"{text}; nothing needs it.")
    if chip.name.startswith(_SLEEPS):
        text += "; it sleeps until it is touched: see the button touch."
        return Result(part=chip.name, verdict=ABSENT, text=text)
    pins = f"SDA (GPIO{wires['sda']}) and SCL (GPIO{wires['scl']})"
    if not bus.get("there"):
        text += f": nothing answers there; check {pins}, their pull-ups and the supply."
    else:
        others = ", ".join(f"{each:#04x}" for each in bus["there"])
        text += f": check its supply and its address; {others} answer. The {chip.part} needs it."
    return Result(part=chip.name, verdict=FAILED, text=text)
