"""Build the image of a board without PSRAM: MicroPython with the firmware frozen in.

    python -m tools.build.image VOXCARD_ESP32        an image, or a board: diy-esp32-oled
    python -m tools.build.image BOARD --source DIR   MicroPython's checkout, else out/micropython

Runs MicroPython's own build, in an installed ESP-IDF or in Espressif's container. Where something
is missing it says in one sentence what, and does nothing.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from voxcard.cable.board_parts import SIMULATED

from tools.boards import files
from tools.build import partitions
from tools.build.firmware import ROOT, stage_frozen

DEFINITIONS = ROOT / "boards" / "micropython"
OUT = ROOT / "out" / "image"
SOURCE = ROOT / "out" / "micropython"
TAG = "v1.28.0"
OLDEST = (1, 28)  # before it, viper code for the C3 went wrong (424ae08680)
CONTAINER = "espressif/idf:v5.5.1"  # what that version of MicroPython recommends
# The budget of a slot. MicroPython's variant for updates fits 0x180000 bytes with Bluetooth and
# Ethernet, compiled for size as ours is (ports/esp32/partitions-4MiB-ota.csv); ours has neither.
STOCK_BYTES = 0x180000
FROZEN_BYTES = 384 * 1024  # the firmware, fonts and asyncio; held by tests/heap32
_CLONE = f"git clone --depth 1 -b {TAG} https://github.com/micropython/micropython"


class ImageError(RuntimeError):
    """Why no image was built, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """How a shell command is run where ESP-IDF is; `place` is ours to name to the user."""

    place: str
    prefix: tuple[str, ...]


def image_of(name: str) -> str:
    """The image `name`, or the one of a board; ImageError where there is none to build."""
    if (DEFINITIONS / name / "mpconfigboard.cmake").is_file():
        return name
    boards = files.every()
    if name not in boards:
        known = ", ".join(images())
        raise ImageError(f"There is no image or board {name}; images: {known}.")
    image: str | None = boards[name]["firmware"].get("image")
    if image is None:
        build = boards[name]["firmware"]["build"]
        raise ImageError(f"{name} has PSRAM and runs MicroPython's own image {build}.")
    return image


def images() -> list[str]:
    """The names of the images there are."""
    return sorted(path.parent.name for path in DEFINITIONS.glob("*/mpconfigboard.cmake"))


def check_source(source: Path) -> None:
    """ImageError unless `source` is a MicroPython that our board definitions fit."""
    header = source / "py" / "mpconfig.h"
    if not (source / "ports" / "esp32").is_dir() or not header.is_file():
        raise ImageError(f"MicroPython's sources are missing; run: {_CLONE} {source}")
    text = header.read_text(encoding="utf-8")
    major, minor = (
        int(re.findall(rf"define MICROPY_VERSION_{part} (\d+)", text)[0])
        for part in ("MAJOR", "MINOR")
    )
    if (major, minor) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ImageError(f"{source} is MicroPython {major}.{minor}; it must be {oldest} or newer.")


def toolchain(source: Path) -> Toolchain:
    """Where ESP-IDF is: in this shell, or in a container; ImageError when nowhere."""
    if shutil.which("idf.py"):
        return Toolchain(place="the installed ESP-IDF", prefix=())
    for program in ("docker", "podman"):
        if shutil.which(program):
            owner = f"{os.getuid()}:{os.getgid()}"
            mounts = [f"--volume={path}:{path}" for path in (ROOT, source)]
            options = ("run", "--rm", f"--user={owner}", "--env=HOME=/tmp", *mounts, CONTAINER)
            return Toolchain(place=f"{CONTAINER} by {program}", prefix=(program, *options))
    raise ImageError(
        f"Neither ESP-IDF (idf.py) nor docker nor podman is here; install Docker for {CONTAINER},"
        " or run ESP-IDF's export.sh in this shell."
    )


def prepare(image: str, folder: Path) -> None:
    """Put what MicroPython's build needs of ours into `folder`: definitions and modules."""
    for name in (image, "common"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(DEFINITIONS / name, folder / name)
    modules = folder / "common" / "modules"
    stage_frozen(modules)
    for name in SIMULATED:
        (modules / name).unlink()


def commands(image: str, folder: Path, source: Path) -> list[list[str]]:
    """MicroPython's build, step by step."""
    port = [
        *("make", "-C", str(source / "ports" / "esp32"), f"BOARD={image}"),
        *(f"BOARD_DIR={folder / image}", f"BUILD={folder / 'build'}"),
        f"FROZEN_MANIFEST={folder / 'common' / 'manifest.py'}",
    ]
    return [
        ["make", "-C", str(source / "mpy-cross")],
        [*port, "submodules"],
        [*port, "all"],
    ]


def collect(image: str, folder: Path) -> list[Path]:
    """Copy the results; ImageError when the image is too large for a slot."""
    app = folder / "build" / "micropython.bin"
    table = (DEFINITIONS / image / "partitions.csv").read_text(encoding="utf-8")
    [slot, _] = partitions.slot_sizes(partitions.read(table))
    if app.stat().st_size > slot:
        raise ImageError(f"The image has {app.stat().st_size} bytes, a slot has {slot}.")
    results = []
    for name, result in (
        ("firmware.bin", f"{image}.bin"),
        ("micropython.bin", f"{image}.app-bin"),
    ):
        results.append(folder / result)
        shutil.copy(folder / "build" / name, results[-1])
    return results


def build(name: str, source: Path) -> list[Path]:
    """Build the image `name` or that of the board `name`; the files made."""
    image = image_of(name)
    source = source.absolute()
    check_source(source)
    tools = toolchain(source)
    folder = OUT / image
    prepare(image, folder)
    print(f"Building {image} with {tools.place}; the first time takes some minutes.")
    for command in commands(image, folder, source):
        if subprocess.run([*tools.prefix, *command], check=False).returncode:
            raise ImageError(f"MicroPython's build failed; its words are above: {command[0]}.")
    return collect(image, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", help=f"{', '.join(images())}, or a board's id")
    parser.add_argument("--source", type=Path, default=SOURCE)
    options = parser.parse_args()
    try:
        results = build(options.board, options.source)
    except ImageError as error:
        print(error, file=sys.stderr)
        return 1
    for path in results:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size} bytes  sha256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
