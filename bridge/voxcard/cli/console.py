"""What every command shares: its options, how it asks the bridge, how it prints."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from voxcard import config
from voxcard.control.server import Report, request
from voxcard.json_value import Json
from voxcard.text_safety import has_controls

ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Instead of voxcard.toml.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def group(about: str, *, no_args_is_help: bool = True) -> typer.Typer:
    """A command that has commands."""
    # Plain usage errors and traces: a box drawn around one line helps neither a person nor a
    # script, and a trace with the values of variables would show secrets.
    return typer.Typer(
        help=about,
        no_args_is_help=no_args_is_help,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
    )


def ask_bridge(
    config_file: Path | None, do: str, report: Report | None = None, **values: Json
) -> Json:
    """What the running bridge answers to the request `do`; VoxcardError when it does not."""
    socket = config.load(config_file).control.socket
    return asyncio.run(request(socket, do, values, report or quiet))


def quiet(report: Mapping[str, Json]) -> None:
    """Print nothing of what the bridge reports on the way."""


def print_json(value: Json) -> None:
    """Print JSON for people and programs."""
    print(json_text(value, indent=2))


def json_text(value: Json, indent: int | None = None) -> str:
    """JSON for a terminal, which takes some characters for commands: those are escaped."""
    to_ascii = has_controls(json.dumps(value, ensure_ascii=False))
    return json.dumps(value, ensure_ascii=to_ascii, indent=indent)
