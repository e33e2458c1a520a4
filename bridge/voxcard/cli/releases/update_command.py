"""`voxcard update`: brings a release to a device over the network, and shows how far it is."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from voxcard import config
from voxcard.cli.console import AsJson, ConfigFile, ask_bridge, device_ids, print_json
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.releases import archive, progress, records
from voxcard.releases.progress import Progress
from voxcard.text_safety import safe_line

ALL = "all"
_BAR_WIDTH = 30


def update(
    device: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="See: voxcard devices; all: every one of that board.",
            autocompletion=device_ids,
        ),
    ],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Of voxcard release build.")
    ] = None,
    cancel: Annotated[bool, typer.Option("--cancel", help="Take the offer back.")] = False,
    admin_token: Annotated[
        str, typer.Option(envvar="VOXCARD_ADMIN_TOKEN", help="Of [control] admin_token.")
    ] = "",
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Update a device over the network; without FILE, say how its last update went."""
    if cancel and file is not None:
        raise typer.BadParameter("Give either FILE or --cancel.")
    if file is not None:
        _offer(device, file, admin_token, config_file, as_json=as_json)
        return
    do = "update_cancel" if cancel else "update_state"
    answer = ask_bridge(config_file, do, device=device, token=admin_token)
    if as_json:
        print_json(answer)
    else:
        print(_sentence(answer))


def _offer(
    device: str, file: Path, token: str, config_file: Path | None, *, as_json: bool
) -> None:
    board = archive.read(file).manifest.board  # a file that is none is told at once
    accounts = config.load(config_file).mqtt.accounts

    def offer(device_id: str, report: Callable[[Mapping[str, Json]], None]) -> Json:
        incoming = records.bring(accounts, file)
        values = {"device": device_id, "incoming": incoming, "token": token}
        try:
            return ask_bridge(config_file, "update", report, **values)
        finally:
            records.take_away(accounts, incoming)

    rows = ask_bridge(config_file, "devices") if device == ALL else ()
    if device == ALL and not any(row["id"] == ALL for row in rows):
        _offer_all([row["id"] for row in rows if row["board"] == board], board, offer)
        return
    shown = _Shown(device, quiet=as_json)
    try:
        answer = offer(device, shown.report)
    except KeyboardInterrupt:
        shown.end()
        print(f"The offer stands. See how it goes: voxcard update {device}", file=sys.stderr)
        print(f"Take it back: voxcard update {device} --cancel", file=sys.stderr)
        raise typer.Exit(130) from None
    shown.end()
    if as_json:
        print_json(answer)
    if answer["state"] in progress.ENDED and answer["state"] != "confirmed":
        raise VoxcardError(_sentence(answer))
    if not as_json:
        print(_sentence(answer))


def _offer_all(
    devices: list[str],
    board: str,
    offer: Callable[[str, Callable[[Mapping[str, Json]], None]], Json],
) -> None:
    """Offer it to each and leave: `voxcard devices` shows how they go on."""
    if not devices:
        remedy = "See: voxcard devices"
        raise VoxcardError(f"No device of the board {board} has been here.", remedy)
    refused = []
    for device in devices:
        try:
            offer(device, _leave)
        except _Left:
            print(f"{device} is offered it.")
        except VoxcardError as error:
            refused.append(str(error))
    print("See how they go: voxcard devices")
    if refused:
        raise VoxcardError(" ".join(refused))


class _Left(Exception):  # noqa: N818 - no failure
    """The offer stands; nobody waits for what comes of it."""


def _leave(report: Mapping[str, Json]) -> None:
    raise _Left


class _Shown:
    """The sentences and the bar of an update, on stderr; without a terminal no bar."""

    def __init__(self, device: str, *, quiet: bool) -> None:
        self._device, self._quiet = device, quiet
        self._is_terminal = sys.stderr.isatty()
        self._state = ""
        self._has_bar = False

    def report(self, values: Mapping[str, Json]) -> None:
        """Show how far it is."""
        if self._quiet:
            return
        now = Progress(**values)
        if now.state == "fetch" and now.is_online and self._is_terminal:
            self._bar(now)
            return
        state = f"{now.state} {now.is_online} {now.is_silent}"
        if state != self._state and not now.has_ended:
            self.end()
            print(safe_line(progress.sentence(now)), file=sys.stderr, flush=True)
        self._state = state

    def end(self) -> None:
        """What comes next is on a line of its own."""
        if self._has_bar:
            print(file=sys.stderr)
        self._has_bar = False

    def _bar(self, now: Progress) -> None:
        percent = progress.percent(now)
        full = _BAR_WIDTH * percent // 100
        bar = "█" * full + "░" * (_BAR_WIDTH - full)
        text = f"\r{self._device} {bar} {percent:3} % of {now.total_bytes:,} bytes"
        print(text, end="", file=sys.stderr, flush=True)
        self._has_bar, self._state = True, "bar"


def _sentence(values: Mapping[str, Json]) -> str:
    return safe_line(progress.sentence(Progress(**values)))
