"""What runs on a board, and whether the firmware for a board's file may go there; pure."""

from dataclasses import dataclass

from voxcard.cable.boards import Board
from voxcard.cable.image import OLDEST
from voxcard.errors import VoxcardError
from voxcard.json_value import Json

# By their numbers in sys.implementation._mpy (py/persistentcode.h).
_ARCHITECTURES = {2: "x64", 1: "x86", 10: "xtensawin", 11: "rv32imc"}
_PSRAM_BYTES = 1 << 20  # a heap in PSRAM has more, one without never


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A MicroPython: where it runs, its native code, its build ("" before 1.25), its heap.

    `firmware` is the digest of the Voxcard that is part of the image, "" without one.
    """

    platform: str
    version: tuple[int, ...]
    architecture: str
    build: str
    heap_bytes: int
    firmware: str = ""

    @property
    def is_chip(self) -> bool:
        """Whether it runs on an ESP32, not on a computer."""
        return self.platform == "esp32"


def read(values: Json) -> Running:
    """Of what the helper `running` prints."""
    return Running(
        platform=values["platform"],
        version=tuple(values["version"]),
        architecture=_ARCHITECTURES.get(values["mpy"] >> 10 & 15, ""),
        build=values["build"],
        heap_bytes=values["heap_bytes"],
        firmware=values["firmware"],
    )


def check(running: Running, board: Board) -> None:
    """VoxcardError when the firmware for `board` would not run there."""
    if not running.architecture:
        raise VoxcardError("This MicroPython runs no native code.", board.where_to_get_it())
    if not running.is_chip:
        return
    if running.architecture != board.architecture:
        problem = f"The chip on the cable runs {running.architecture}, {board.id} needs"
        remedy = "Name the board that is plugged in: --board."
        raise VoxcardError(f"{problem} {board.architecture}.", remedy)
    if running.version[:2] < OLDEST:
        version, oldest = (".".join(map(str, each)) for each in (running.version, OLDEST))
        problem = f"MicroPython {version} runs on the board; Voxcard needs {oldest} or newer."
        raise VoxcardError(problem, f"{board.where_to_get_it()} Then: voxcard device flash.")
    fits = running.build == board.image if board.is_frozen else not _is_ours(running.build)
    if not fits:
        problem = f"The image on the board is {running.build}, {board.id} needs"
        raise VoxcardError(f"{problem} {board.image_build}.", board.where_to_get_it())
    if board.is_frozen and not running.firmware:
        problem = f"The image on the board, {running.build}, has no Voxcard inside."
        raise VoxcardError(problem, board.where_to_get_it())
    if board.psram and running.heap_bytes < _PSRAM_BYTES:
        problem = f"The image on the board does not use its PSRAM ({running.build})."
        raise VoxcardError(problem, board.where_to_get_it())


def _is_ours(build: str) -> bool:
    return build.startswith("VOXCARD_")


def other_firmware(running: Running, board: Board, digest: str) -> str:
    """What to do where the image holds another firmware than the one of this `digest`; else ""."""
    if not running.firmware or running.firmware == digest:
        return ""
    return (
        f"The image on the board holds another firmware ({running.firmware}) than this Voxcard"
        f" ({digest}). To bring it up to date: make image BOARD={board.image}, voxcard device"
        " flash, and deploy again."
    )
