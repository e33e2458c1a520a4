"""`voxcard device`: a board on a cable."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from voxcard.cli.console import group
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.package_files import boards as board_files

device = group("A board on a cable: give it its image, its firmware, its settings; watch it.")
BoardId = Annotated[
    str, typer.Option("--board", metavar="ID", help="Of a file in boards/, such as diy-s3-oled.")
]
PortName = Annotated[
    str, typer.Option("--port", metavar="PORT", help="Such as /dev/ttyACM0, if there are several.")
]


@device.callback()
def _needs_extra() -> None:
    if importlib.util.find_spec("esptool") is None or importlib.util.find_spec("mpremote") is None:
        raise MissingExtra("What works on a board over its cable", "flash")


@device.command()
def flash(
    board: BoardId,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Image of MicroPython, a .bin.")
    ] = None,
    port: PortName = "",
    baud: Annotated[int, typer.Option(metavar="BAUD", help="115200 for a poor cable.")] = 460800,
) -> None:
    """Write MicroPython into a board; everything on it is erased."""
    # The other commands start faster without these, and run without the extra.
    from voxcard.cable import boards, flasher, image, ports
    from voxcard.cli.cable_progress import bars

    chosen = boards.read(board, board_files())
    if file is None:
        raise VoxcardError("No image is named.", chosen.where_to_get_it())
    data = _read(file)
    read = image.check(data, chosen, boards.builds(board_files()))
    with bars() as report, flasher.connected(ports.choose(port), report) as chip:
        chip.check(chosen, read)
        chip.write(chosen, data, baud)
    version = ".".join(map(str, read.version))
    print(f"{chosen.name}: MicroPython {version} is on it. Next: voxcard device deploy")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error
