"""What is wrong with a board's file, as sentences that say what to change; pure.

`faults` refuse a file, `warnings` are to be known: pins that the chip reads when it starts, the
console's pins, and everything the file calls unknown.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tools.boards import chips
from tools.boards.files import Board, Use, uses

CLASS_1_PSRAM_MB = 2  # from here on the firmware's files have room in the heap
IMAGES = {"esp32": "VOXCARD_ESP32", "esp32s3": "VOXCARD_S3", "esp32c3": "VOXCARD_C3"}
_WORDS = {"w8": 5, "w16": 5, "set": 5, "clr": 5, "ms": 2, "pin": 3}  # an op's length
Parts = dict[str, dict[str, Any]]


def faults(board: Board, parts: Parts) -> list[str]:
    """Why this board cannot be as its file says; empty when it can.

    The file is what the schema says. `parts` are the register lists there are.
    """
    rules = (_pins, _double, _ram, _i2c, _i2s, _audio, _registers)
    return [text for rule in rules for text in rule(board, parts)]


def _accepted(board: Board) -> set[int]:
    return {int(gpio) for gpio in board.get("accepted", {})}


def _pins(board: Board, _: Parts) -> Iterator[str]:
    chip = chips.CHIPS[board["chip"]]
    taken = chips.taken(board["chip"], (board.get("psram") or {}).get("bus"), board.get("module"))
    lent = chips.lent(board["chip"])
    reserved = set(board.get("reserved", ()))
    for use in uses(board):
        pin = f"{use.name}: GPIO{use.gpio}"
        if use.gpio not in chip.bonded:
            yield f"{pin} is no pin of an {chip.name} module"
        elif use.gpio in taken:
            yield f"{pin} belongs to {taken[use.gpio]}"
        elif use.gpio in chip.input_only and use.driven:
            yield f"{pin} is input only"
        elif use.gpio in lent and use.gpio not in _accepted(board):
            yield f"{pin} belongs to {lent[use.gpio]}; say why it is free under accepted"
        elif use.gpio in reserved:
            yield f"{pin} is one of the pins that the file calls reserved"
        elif use.analogue and use.gpio not in chip.adc1:
            yield f"{pin} cannot be measured beside Wi-Fi: it is not on ADC1"


def _double(board: Board, _: Parts) -> Iterator[str]:
    by_pin: dict[int, list[Use]] = defaultdict(list)
    for use in uses(board):
        by_pin[use.gpio].append(use)
    for gpio, sharers in sorted(by_pin.items()):
        if gpio not in _accepted(board):
            for first, second in combinations(sharers, 2):
                if not _may_share(board, first, second):
                    yield f"{first.name} and {second.name} both use GPIO{gpio}"
    for gpio in sorted(_accepted(board)):
        if len(by_pin[gpio]) < 2 and gpio not in chips.lent(board["chip"]):
            yield f"accepted: nothing is wrong with GPIO{gpio}; remove it"


def _may_share(board: Board, first: Use, second: Use) -> bool:
    one, other = sorted((first.part, second.part))
    if (one, other) == ("audio.in", "audio.out"):  # they take turns
        return bool(board["audio"]["duplex"] != "full")
    if (one, other) == ("battery", "power"):  # the switch that is on as long as it lives
        return True
    if one == "camera" and other.startswith("i2c."):  # the sensor is one more chip on the bus
        return first.signal == second.signal
    if one == "camera" or other == "camera":  # a model of the board with one or the other
        instead_of = board["camera"].get("instead_of", ())
        return one in instead_of or other in instead_of
    return first.analogue and second.analogue  # keys on one ladder of resistors


def _ram(board: Board, _: Parts) -> Iterator[str]:
    chip, firmware = board["chip"], board["firmware"]
    psram = board.get("psram") or {"mb": 0, "bus": None}
    if psram["bus"] is not None and psram["bus"] not in chips.psram_buses(chip):
        yield f"psram: there is no {psram['bus']} PSRAM for an {chips.CHIPS[chip].name}"
    right = 1 if psram["mb"] >= CLASS_1_PSRAM_MB else 2
    if board["class"] != right:
        yield f"class: {psram['mb']} MB of PSRAM make it {right}, the file says {board['class']}"
    image = IMAGES[chip] if right == 2 else None
    if firmware.get("image") != image:
        need = f"needs the image {image}" if image else "runs a stock image; remove image"
        yield f"firmware.image: a board of class {right} {need}"
    if ("SPIRAM_OCT" in firmware["build"]) != (psram["bus"] == "octal"):
        yield f"firmware.build: {firmware['build']} is not for {psram['bus'] or 'no'} PSRAM"
    if (firmware["offset"] == "0x1000") != (chip == "esp32"):
        yield f"firmware.offset: {firmware['offset']} is not that of an {chips.CHIPS[chip].name}"


def _i2c(board: Board, _: Parts) -> Iterator[str]:
    """No two chips of a bus answer to one address."""
    for name, bus in board["i2c"].items():
        chips_at: dict[int, str] = {}
        for chip, addresses in bus.get("devices", {}).items():
            for address in addresses if isinstance(addresses, list) else [addresses]:
                if isinstance(address, int) and chips_at.setdefault(address, chip) != chip:
                    yield f"i2c.{name}: {chips_at[address]} and {chip} both have {address:#04x}"


def _i2s(board: Board, _: Parts) -> Iterator[str]:
    audio, chip = board["audio"], chips.CHIPS[board["chip"]]
    units = [audio[way]["i2s_id"] for way in ("in", "out") if "i2s_id" in audio[way]]
    for unit in units:
        if unit >= chip.i2s_units:
            yield f"audio: an {chip.name} has no I2S unit {unit}"
    if len(units) == 2 and audio["duplex"] == "full" and units[0] == units[1]:
        yield "audio.duplex: full needs two I2S units, and in and out name the same"


def _audio(board: Board, parts: Parts) -> Iterator[str]:
    """A codec is on a bus of the board, has a known list, and the clock it wants."""
    for way in ("in", "out"):
        codec = board["audio"][way].get("codec")
        if codec is None:
            continue
        part = f"audio.{way}.codec"
        if codec["clock"] == "mclk_pwm" and "mclk" not in board["audio"]:
            yield f"{part}: its clock is mclk_pwm, and audio.mclk names no pin"
        if codec["bus"] not in board["i2c"]:
            yield f"{part}: the board has no I2C bus {codec['bus']}"
        if "init" in codec and codec["init"] not in parts:
            yield f"{part}: there is no boards/parts/{codec['init']}.json"
        elif "init" in codec and parts[codec["init"]]["chip"] != codec["chip"]:
            yield f"{part}: {codec['init']} is for {parts[codec['init']]['chip']}"
    init = (board.get("display") or {}).get("init")
    if init is not None and init not in parts:
        yield f"display: there is no boards/parts/{init}.json"


def _registers(board: Board, _: Parts) -> Iterator[str]:
    """The register lists name buses the board has, and are as long as they must be."""
    for path, ops in register_lists(board):
        for op in ops:
            if op[0] not in _WORDS or len(op) != _WORDS[op[0]]:
                yield f"{path}: {op} is no step; see boards/README.md"
            elif op[0] not in ("ms", "pin") and op[1] not in board["i2c"]:
                yield f"{path}: {op} names no I2C bus of the board"


def register_lists(board: Board) -> Iterator[tuple[str, list[list[Any]]]]:
    """(path, steps) of every list of steps in a board's file."""
    yield "power", board.get("power", [])
    switches = {
        "audio.out.amp_enable": board["audio"]["out"].get("amp_enable") or {},
        "display.backlight": (board.get("display") or {}).get("backlight") or {},
    }
    for path, switch in switches.items():
        for name in ("init", "on", "off"):
            yield f"{path}.{name}", switch.get(name, [])


def warnings(board: Board) -> list[str]:
    """What somebody who wires this board should know, pin by pin, and what nobody knows yet."""
    chip = chips.CHIPS[board["chip"]]
    found = []
    for use in uses(board):
        if use.gpio in chip.strapping:
            found.append(f"{use.name}: GPIO{use.gpio} is a strapping pin, read at reset")
        if use.gpio in chip.console:
            found.append(f"{use.name}: GPIO{use.gpio} is the console's")
    return [*found, *(f"{path} is unknown" for path in unknowns(board))]


def unknowns(value: Any, path: str = "") -> Iterator[str]:
    """Paths of what a file calls "unknown"."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from unknowns(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from unknowns(inner, f"{path}[{number}]")
    elif value == "unknown":
        yield path
