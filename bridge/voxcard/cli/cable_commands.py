"""`voxcard device`: a board on a cable."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from voxcard.cli.console import group
from voxcard.errors import MissingExtra

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
    # The other commands start faster without it, and run without the extra.
    from voxcard.cli import cable_run

    cable_run.flash(board, file, port, baud)


@device.command()
def deploy(
    board: BoardId = "",
    settings: Annotated[
        str, typer.Option(metavar="FILE", help="JSON of voxcard devices add --json; -: stdin.")
    ] = "",
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="One more setting.")
    ] = None,
    wifi: Annotated[
        str, typer.Option(metavar="NAME", help="Its Wi-Fi; its password is asked for.")
    ] = "",
    country: Annotated[str, typer.Option(metavar="DE", help="Where its Wi-Fi is used.")] = "",
    ca: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Authority of the broker; then with TLS.")
    ] = None,
    port: PortName = "",
) -> None:
    """Put Voxcard and its settings on a board; what is there and the same is not sent again."""
    from voxcard.cli import cable_run

    words = tuple(values or ())
    asked = cable_run.Settings(file=settings, words=words, wifi=wifi, country=country, ca=ca)
    cable_run.deploy(board, asked, port)


@device.command()
def monitor(port: PortName = "") -> None:
    """Print what a board says, until Ctrl-C; it is not disturbed."""
    from voxcard.cli import cable_run

    cable_run.monitor(port)


@device.command()
def logs(port: PortName = "") -> None:
    """Print why a board's program ended last, and the log of a new start, for an issue."""
    from voxcard.cli import cable_run

    cable_run.logs(port)


@device.command("factory-reset")
def factory_reset(
    port: PortName = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take settings, passwords and the Wi-Fi off a board; the firmware stays."""
    from voxcard.cli import cable_run

    if not yes:
        typer.confirm("Forget all settings, passwords and the Wi-Fi of the board?", abort=True)
    cable_run.factory_reset(port)


@device.command("test-hardware")
def try_hardware(
    port: PortName = "",
    report: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the report goes, for an issue.")
    ] = Path("hardware.txt"),
    press_s: Annotated[
        int, typer.Option("--press", metavar="SECONDS", help="A button is waited for.")
    ] = 15,
) -> None:
    """Try screen, sound, buttons, network and memory of a board that has Voxcard."""
    from voxcard.cli import cable_test

    cable_test.run(port, report, press_s)
