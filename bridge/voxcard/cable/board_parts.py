"""Which of the firmware's modules a board carries: not the simulator's, not others' parts."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from voxcard.board_panels import faces
from voxcard.json_value import Json, JsonObject

DRIVERS, TABLES = "hal/drivers/", "hal/tables/"
LANGUAGES = "languages/"
FACES, TYPE = "faces/", ("screen/own/", "screen/type/", "voxwire/type/")
SIMULATED = ("hal/simulator.py", "hal/simulated_audio.py", "hal/simulated_flash.py")
# Parts that few boards have, and how the file of one says that it has them.
_RARE: dict[str, Callable[[JsonObject], bool]] = {
    "hal/parts/apa102.py": lambda board: any(
        each["type"] == "apa102" for each in board.get("leds", ())
    ),
    "hal/parts/backlight.py": lambda board: "gpio" in _backlight(board),
    "hal/parts/battery.py": lambda board: bool(board.get("battery")),
    "hal/parts/camera.py": lambda board: bool(board.get("camera")),
    "hal/parts/chip_backlight.py": lambda board: "i2c" in _backlight(board),
    "hal/sound/codec.py": lambda board: any(
        "codec" in board["audio"][way] for way in ("in", "out")
    ),
    "hal/parts/keys.py": lambda board: any(
        "read" in each or "adc_gpio" in each for each in board["buttons"]
    ),
    "hal/parts/light.py": lambda board: any(
        each["type"] in ("ws2812", "sk6812", "apa102") for each in board.get("leds", ())
    ),
    "hal/parts/pin_light.py": lambda board: any(
        each["type"] == "gpio" for each in board.get("leds", ())
    ),
    "hal/parts/power_chip.py": lambda board: (
        "via" in (board.get("battery") or {}) and "adc_gpio" not in board["battery"]
    ),
    "hal/sound/stretch.py": lambda board: 15625 in board["audio"]["in"].get("rates", ())[:1],
    "hal/parts/touch.py": lambda board: bool(board.get("touch")),
    "hal/parts/low_battery.py": lambda board: bool(board.get("battery")),
    "toolbox/camera.py": lambda board: bool(board.get("camera")),
}
_PANELS = {"i2c": None, "spi": "rgb_panel"}  # one driver for all of a bus, or one a controller


def drivers(board: JsonObject, firmware: Path) -> set[str]:
    """The drivers and tables of the board file `board`, paths under the folder `firmware`.

    A chip without one has none: the firmware says so when it starts.
    """
    names = {f"{TABLES}{name}.py" for name in _tables(board)}
    display = board.get("display") or {}
    if display.get("bus") in _PANELS:
        names.add(f"{DRIVERS}{_PANELS[display['bus']] or display['driver']}.py")
    found: set[str] = set()
    waiting = sorted(names)
    while waiting:
        path = waiting.pop()
        if path not in found and (firmware / path).exists():
            found.add(path)
            waiting += _drivers_imported(firmware / path)
    return found


def _backlight(board: JsonObject) -> JsonObject:
    light: JsonObject = (board.get("display") or {}).get("backlight") or {}
    return light


def _tables(board: Json) -> Iterator[str]:
    audio = board["audio"]
    for holder in (
        audio["in"].get("codec") or {},
        audio["out"].get("codec") or {},
        board.get("display") or {},
    ):
        if "init" in holder:
            yield holder["init"]


def _drivers_imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hal.drivers."):
            yield f"{str(node.module).replace('.', '/')}.py"


def _needless_type(board: JsonObject, firmware: Path) -> set[str]:
    """Files of faces, and modules of type, that this board has no use for."""
    mine = faces(board)
    every = {path.name for path in (firmware / FACES).glob("*.font")}
    needless = {f"{FACES}{name}" for name in every if name.removesuffix(".font") not in mine}
    if not mine:
        for folder in TYPE:
            needless |= {f"{folder}{path.name}" for path in (firmware / folder).glob("*.py")}
        needless -= {"voxwire/type/__init__.py", "voxwire/type/roles.py"}
    return needless


def left_out(board: JsonObject, firmware: Path) -> set[str]:
    """Files under the folder `firmware` that this board has no use for."""
    every = {
        f"{folder}{path.name}"
        for folder in (DRIVERS, TABLES)
        for path in (firmware / folder).glob("*.py")
    }
    if not board.get("display"):
        # Their words, not what looks for them: a ring is drawn by code that all boards carry.
        words = (firmware / LANGUAGES).glob("[a-z]*.py")
        every |= {f"{LANGUAGES}{path.name}" for path in words}
    rare = {path for path, is_there in _RARE.items() if not is_there(board)}
    needless = rare | _needless_type(board, firmware)
    return (every - drivers(board, firmware)) | needless | set(SIMULATED)
