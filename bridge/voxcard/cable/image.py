"""Reads an ESP32 image of MicroPython, and refuses one that does not belong on a board.

Formats: ESP-IDF's `esp_image_format.h` (header, application description) and its partition table.
An image begins with the bootloader, which lies at the board's offset of the flash.
"""

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from voxcard.cable.boards import CHIP_IDS, MEGABYTE, Board
from voxcard.errors import VoxcardError

OLDEST = (1, 28)  # 1.26 and 1.27 miscompile viper code on RISC-V
_MAGIC = 0xE9
_HEADER = struct.Struct("<4B I 4B H")  # magic, segments, mode, size, entry, pins, chip id
_DESCRIPTION_AT, _DESCRIPTION = 32, b"\x32\x54\xcd\xab"  # begins an application, no bootloader
_PARTITIONS_AT = 0x8000  # in the flash
_PARTITION = struct.Struct("<2s B B I I 16s I")
_PARTITION_MAGIC = b"\xaa\x50"
_VERSION = re.compile(rb"v(\d{1,3})\.(\d{1,3})\.(\d{1,3})\S{0,60} on \d{4}-\d\d-\d\d")
_BUILD = re.compile(rb"\0((?:ESP32|M5STACK|VOXCARD)[A-Z0-9_]*(?:-[A-Z0-9_]+)?)(?=\0)")
# What people take for an image, by its first bytes.
_OTHERS = {
    b"PK": "a ZIP archive",
    b"<": "a web page",
    b"UF2\n": "a .uf2 file",
    b"\x1f\x8b": "gzip",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """`needs_bytes`: flash up to the end of its last partition. `build`: "" when it names none."""

    chip_id: int
    needs_bytes: int
    version: tuple[int, ...]
    build: str


def read(data: bytes, offset: int, builds: Iterable[str]) -> Image:
    """The image in `data`, to be written at `offset`; `builds` are names it may have.

    VoxcardError when it is none.
    """
    if len(data) < _PARTITIONS_AT or data[0] != _MAGIC:
        raise VoxcardError(f"The file is no image for an ESP32: it is {_kind(data)}.")
    if data[_DESCRIPTION_AT : _DESCRIPTION_AT + 4] == _DESCRIPTION:
        raise VoxcardError("The file is an .app-bin, which holds no bootloader.", _WHOLE)
    _, _, _, size, *_, chip_id = _HEADER.unpack_from(data)
    table = _partitions_end(data, _PARTITIONS_AT - offset)
    version = _VERSION.search(data)
    if version is None:
        raise VoxcardError("The file is an image for an ESP32, but not of MicroPython.", _WHOLE)
    return Image(
        chip_id=chip_id,
        needs_bytes=max(table, (1 << (size >> 4)) * MEGABYTE),
        version=tuple(int(part) for part in version.groups()),
        build=_build(data, builds),
    )


_WHOLE = "Take the file that ends in .bin alone."


def check(data: bytes, board: Board, builds: Iterable[str]) -> Image:
    """The image in `data` if it belongs on `board`; VoxcardError if not.

    `builds` are those of all boards. An image that names none of them is taken: with a camera's
    driver it is another project's.
    """
    try:
        image = read(data, board.offset, {*builds, board.image_build})
    except VoxcardError as error:
        remedy = error.remedy or board.where_to_get_it()
        raise VoxcardError(error.problem, remedy) from error
    problem = _problem(image, board)
    if problem:
        raise VoxcardError(problem, board.where_to_get_it())
    return image


def check_app(data: bytes, board: Board, builds: Iterable[str], slot_bytes: int) -> None:
    """VoxcardError unless `data` is an application for `board`, an .app-bin.

    `builds` are those of all boards, `slot_bytes` what its flash has room for.
    """
    remedy = f"Take the .app-bin of {board.image_build}, which its build leaves beside the .bin."
    if len(data) < _DESCRIPTION_AT + 4 or data[0] != _MAGIC:
        raise VoxcardError(f"The file is no .app-bin: it is {_kind(data)}.", remedy)
    if data[_DESCRIPTION_AT : _DESCRIPTION_AT + 4] != _DESCRIPTION:
        raise VoxcardError("The file is no .app-bin: it begins with a bootloader.", remedy)
    version = _VERSION.search(data)
    if version is None:
        raise VoxcardError("The file is an .app-bin, but not of MicroPython.", remedy)
    image = Image(
        chip_id=_HEADER.unpack_from(data)[-1],
        needs_bytes=0,
        version=tuple(int(part) for part in version.groups()),
        build=_build(data, {*builds, board.image_build}),
    )
    problem = _problem(image, board)
    if not problem and len(data) > slot_bytes:
        problem = f"The image has {len(data)} bytes, a slot of {board.id} has {slot_bytes}."
    if problem:
        raise VoxcardError(problem, remedy)


def _problem(image: Image, board: Board) -> str:
    if image.chip_id != CHIP_IDS[board.chip]:
        chips = {number: chip for chip, number in CHIP_IDS.items()}
        chip = chips.get(image.chip_id, f"a chip of id {image.chip_id}")
        return f"The image is for {chip}, the board {board.id} has {board.chip}."
    if image.needs_bytes > board.flash_mb * MEGABYTE:
        needs = image.needs_bytes // MEGABYTE
        return f"The image needs {needs} MB of flash, the board {board.id} has {board.flash_mb}."
    if image.build not in ("", board.image_build):
        return f"The image is {image.build}, the board {board.id} needs {board.image_build}."
    if image.version[:2] < OLDEST:
        version, oldest = (".".join(map(str, each)) for each in (image.version, OLDEST))
        return f"The image is of MicroPython {version}; Voxcard needs {oldest} or newer."
    return ""


def _partitions_end(data: bytes, at: int) -> int:
    """Where in the flash the last partition ends."""
    ends: list[int] = []
    while data[at : at + 2] == _PARTITION_MAGIC:
        _, _, _, start, size, _, _ = _PARTITION.unpack_from(data, at)
        ends.append(start + size)
        at += _PARTITION.size
    if not ends:
        raise VoxcardError("The image holds no partition table where this board needs it.")
    return max(ends)


def _build(data: bytes, builds: Iterable[str]) -> str:
    names = {match.decode() for match in _BUILD.findall(data)}
    # A build is named as a whole: the chip's generic name may stand in it for other reasons.
    return max(names & set(builds), key=len, default="")


def _kind(data: bytes) -> str:
    for start, kind in _OTHERS.items():
        if data.lstrip().startswith(start):
            return kind
    return "too short" if data[:1] == bytes([_MAGIC]) else "something else"
