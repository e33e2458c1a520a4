"""What every command shares: its options, how it asks the bridge, how it prints."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Annotated, TextIO

import typer

from voxcard import config
from voxcard.control.server import Report, request
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import has_controls

ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Instead of voxcard.toml.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def group(about: str, *, top: bool = False, no_args_is_help: bool = True) -> typer.Typer:
    """A command that has commands; the one at the `top` also installs completion in a shell."""
    # Plain usage errors and traces: a box drawn around one line helps neither a person nor a
    # script, and a trace with the values of variables would show secrets.
    return typer.Typer(
        help=about,
        no_args_is_help=no_args_is_help,
        rich_markup_mode=None,
        add_completion=top,
        pretty_exceptions_enable=False,
    )


def finish_output(out: TextIO) -> None:
    """Write what is still in `out`, which was the standard output at the start.

    End as other Unix tools do when nobody reads it any more.
    """
    try:
        out.flush()
        unread = sys.stdout is not out  # typer met a closed pipe and put a silent one in its place
    except BrokenPipeError:
        unread = True
    if unread:
        # By the signal: a shell knows that from an error, and nothing is said of it.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)


def said_text(text: str) -> str:
    """`text` if there is something in it; the library's usage error if not."""
    if not text.strip():
        raise typer.BadParameter("TEXT is empty: write what is to be said.")
    return text


def device_ids() -> list[str]:
    """For completion in a shell: the devices of the bridge that runs, if one does."""
    try:
        return [row["id"] for row in ask_bridge(None, "devices")]
    except VoxcardError:
        return []


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


async def until_signalled(program: Coroutine[None, None, None]) -> None:
    """Run until Ctrl-C or a service manager's SIGTERM; both let it end its children."""
    loop = asyncio.get_running_loop()
    running = loop.create_task(program, name="program")
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await running
