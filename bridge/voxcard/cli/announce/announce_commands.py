"""`voxcard say` and `voxcard announce`: speech on one device, or on several."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from voxcard.cli import card_commands
from voxcard.cli.console import (
    AsJson,
    ConfigFile,
    ask_bridge,
    device_ids,
    print_json,
    quiet,
    said_text,
)
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line

AUDIO_MAX = 10 << 20  # bytes: in base64 it is one line of the control socket
Urgent = Annotated[bool, typer.Option("--urgent", help="End a running turn, pass quiet hours.")]


def say(
    device: Annotated[
        str, typer.Argument(metavar="ID", help="See: voxcard devices", autocompletion=device_ids)
    ],
    text: str,
    urgent: Urgent = False,
    config_file: ConfigFile = None,
) -> None:
    """Speak TEXT on a device."""
    ask_bridge(config_file, "say", device=device, text=said_text(text), urgent=urgent)


def announce(
    text: Annotated[str, typer.Argument(help="What is spoken.")] = "",
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A device; may be repeated.", autocompletion=device_ids),
    ] = None,
    everywhere: Annotated[bool, typer.Option("--all", help="On every device.")] = False,
    audio: Annotated[Path | None, typer.Option(metavar="FILE", help="Play a sound file.")] = None,
    card: Annotated[Path | None, typer.Option(metavar="FILE", help="Show a card, too.")] = None,
    urgent: Urgent = False,
    wait: Annotated[
        int | None,
        typer.Option(metavar="SECONDS", min=0, help="For a device that is away; 0: not at all."),
    ] = None,
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Announce TEXT on devices; returns when it was played, with a line for each of them."""
    if bool(to) == everywhere:
        raise typer.BadParameter("Give either --to ID, once for each device, or --all.")
    if not (text.strip() or audio or card):
        raise typer.BadParameter("Give TEXT, --audio FILE or --card FILE.")
    values: dict[str, Json] = {"devices": list(to or ()), "urgent": urgent}
    if text.strip():
        values["text"] = text
    if audio is not None:
        values["audio"] = base64.b64encode(_sound(audio)).decode()
    if card is not None:
        values["card"] = card_commands.source(card)
    if wait is not None:
        values["wait_s"] = wait
    ends = ask_bridge(config_file, "announce", quiet if as_json else _print_report, **values)
    if as_json:
        print_json(ends)
    missed = [end["device"] for end in ends if not end["delivered"]]
    if missed:
        raise VoxcardError(f"It was not played on {', '.join(sorted(missed))}.")


def _print_report(report: Mapping[str, Json]) -> None:
    if report["state"] != "begins":
        print(f"{safe_line(report['device'])}: {safe_line(report['words'])}", flush=True)


def _sound(file: Path) -> bytes:
    try:
        data = file.read_bytes()
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error
    if not data:
        raise VoxcardError(f"{file} is empty.", "Name another file.")
    if len(data) > AUDIO_MAX:
        problem = f"{file} is larger than {AUDIO_MAX >> 20} MB."
        raise VoxcardError(problem, "Make it shorter, or save it as MP3 or Opus.")
    return data
