"""`voxcard sim` on the command line: a simulated device, attached to a bridge's broker."""

from pathlib import Path
from typing import Annotated

import typer

from voxcard.cards.preview.screens import SIZES
from voxcard.cli.console import ConfigFile


def sim(
    device: Annotated[str, typer.Option("--id", metavar="ID", help="Of the device.")] = "sim-1",
    host: Annotated[str, typer.Option(metavar="HOST", help="Broker, if not the file's.")] = "",
    port: Annotated[
        int | None, typer.Option(metavar="PORT", help="Of the broker.", min=1, max=65535)
    ] = None,
    root: Annotated[str, typer.Option(metavar="TEXT", help="First level of its topics.")] = "",
    user: Annotated[str, typer.Option(metavar="NAME", help="At the broker.")] = "",
    password: Annotated[
        str, typer.Option(metavar="TEXT", envvar="VOXCARD_SIM_PASSWORD", help="At the broker.")
    ] = "",
    ca: Annotated[str, typer.Option(metavar="FILE", help="Its authority; then with TLS.")] = "",
    screen: Annotated[
        str, typer.Option(metavar="SIZE", help=f"{', '.join(SIZES)} or board:<id>.")
    ] = ("128x64"),
    camera: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JPEG that its camera sees.")
    ] = None,
    window: Annotated[
        bool, typer.Option("--window", help="Its screen and button also as a page of a browser.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Of its settings and sound.")
    ] = None,
    config_file: ConfigFile = None,
) -> None:
    """Run a simulated device for your own hands, at the broker of voxcard.toml or of --host."""
    # The other commands start faster without it.
    from voxcard.cli import sim_run

    named = {"port": port, "root": root, "user": user, "password": password, "ca": ca}
    given = {key: value for key, value in named.items() if value}
    sim_run.run(config_file, device, host, given, folder, screen, camera, window)
