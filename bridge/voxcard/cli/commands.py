"""The command `voxcard`: parses, calls one function, prints."""

import asyncio
import base64
import contextlib
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from voxcard import __version__, config
from voxcard.cli import arguments, card_commands
from voxcard.cli.announce import announce_commands
from voxcard.cli.cable_commands import device as cable
from voxcard.cli.console import (
    AsJson,
    ConfigFile,
    ask_bridge,
    device_ids,
    finish_output,
    group,
    json_text,
    print_json,
    quiet,
    said_text,
    until_signalled,
)
from voxcard.cli.device_commands import devices
from voxcard.cli.log_lines import log_to_stderr
from voxcard.cli.releases.release_commands import release
from voxcard.cli.releases.update_command import update
from voxcard.cli.sim_command import sim
from voxcard.cli.start_lines import start_lines
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line, safe_text
from voxcard.toolhub.schema import reader as schemas

NOT_UNDERSTOOD = 3  # exit code of `ask`
_log = logging.getLogger(__name__)

app = group("Voice devices with cards on small screens.", top=True)
tool = group("List and call the tools of a device.")
card = group("Cards on a device's screen.")
app.add_typer(devices, name="devices")
app.add_typer(cable, name="device")
app.add_typer(tool, name="tool")
app.add_typer(card, name="card")
app.add_typer(release, name="release")
app.command()(announce_commands.say)
app.command()(announce_commands.announce)
app.command()(update)
app.command()(sim)
card.command("parse")(card_commands.parse)
card.command("preview")(card_commands.preview)

DeviceId = Annotated[
    str,
    typer.Argument(metavar="ID", help="See: voxcard devices", autocompletion=device_ids),
]
Scope = Annotated[str, typer.Option(metavar="user|admin", help="What you may call.")]


def main() -> None:
    """Run the command line; an error is one line on stderr and exit code 1 (usage: 2)."""
    out = sys.stdout
    try:
        _app()
    finally:
        finish_output(out)


def _app() -> None:
    try:
        app()
    except VoxcardError as error:
        print(f"voxcard: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    except ExceptionGroup as group:  # of the bridge's tasks
        ours, other = group.split(VoxcardError)
        if ours is None or other is not None:
            raise
        print(f"voxcard: {_first(ours)}", file=sys.stderr)
        raise SystemExit(1) from None


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"voxcard {__version__}")
        raise typer.Exit


@app.command()
def run(config_file: ConfigFile = None) -> None:
    """Run the bridge until it is stopped."""
    # The other commands start faster without speech, broker and tools.
    from voxcard.app import App

    settings = config.load(config_file)
    log_to_stderr(settings.log_level)
    for line in start_lines(settings):
        _log.info("%s", line)
    asyncio.run(until_signalled(App(settings).run()))


@app.command()
def ask(
    device: DeviceId,
    text: Annotated[str, typer.Argument()] = "",
    wav: Annotated[Path | None, typer.Option(metavar="FILE", help="Ask by recording.")] = None,
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask the assistant as if TEXT had been spoken; exit code 3 when it did not understand."""
    if bool(text) == bool(wav):
        raise typer.BadParameter("Give either TEXT or --wav FILE.")
    recording = {"wav": base64.b64encode(_read(wav)).decode()} if wav else None
    values = recording or {"text": said_text(text)}
    report = quiet if as_json else _print_part
    parts = ask_bridge(config_file, "ask", report, device=device, **values)
    if as_json:
        print_json(parts)
    failed = [part["text"] for part in parts if part["kind"] == "failed"]
    if failed:
        raise VoxcardError(failed[-1])
    if any(part["detail"].get("excuse") for part in parts):
        raise typer.Exit(NOT_UNDERSTOOD)


@app.command()
def watch(config_file: ConfigFile = None, as_json: AsJson = False) -> None:
    """Print what happens on every device, until it is stopped."""
    with contextlib.suppress(KeyboardInterrupt):
        ask_bridge(config_file, "watch", _print_line if as_json else _print_happening)


@tool.command("list")
def tool_list(
    device: DeviceId,
    scope: Annotated[str, typer.Option(metavar="ai|user|admin", help="Who calls.")] = "user",
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """List the tools that may be called for a device."""
    specs = ask_bridge(config_file, "tool_list", device=device, scope=_one_of(scope, "ai"))
    if as_json:
        print_json(specs)
        return
    for spec in specs:
        print(f"{spec['name']}  [{spec['scope']}]")
        about = spec["description"].partition("\n")[0]
        takes = arguments.described(schemas.read(spec["input_schema"]))
        for line in filter(None, (about, *takes)):
            print(f"    {line}")


@tool.command("call")
def tool_call(
    device: DeviceId,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    values: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE")] = None,
    scope: Scope = "user",
    admin_token: Annotated[
        str, typer.Option(envvar="VOXCARD_ADMIN_TOKEN", help="Of [control] admin_token.")
    ] = "",
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Call a tool; values are read as the tool describes them."""
    _one_of(scope)
    specs = ask_bridge(config_file, "tool_list", device=device, scope="admin")
    takes = [schemas.read(spec["input_schema"]) for spec in specs if spec["name"] == name]
    try:
        parsed = arguments.parse(takes[0].arguments if takes else {}, values or ())
    except VoxcardError as error:
        raise typer.BadParameter(str(error)) from error
    request = {"device": device, "name": name, "arguments": parsed}
    outcome = ask_bridge(
        config_file, "tool_call", _print_progress, scope=scope, token=admin_token, **request
    )
    if as_json:
        print_json(outcome)
    if outcome["is_error"]:
        raise VoxcardError(outcome["text"])
    if not as_json:
        print(safe_text(outcome["text"]))


@card.command("show")
def card_show(
    device: DeviceId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON of any card dialect.")],
    config_file: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Show the card in FILE on a device."""
    source = card_commands.source(file)
    shown = ask_bridge(config_file, "card_show", device=device, source=source)
    if as_json:
        print_json(shown)
    else:
        print(f"Shown: {shown['id']}")


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _one_of(scope: str, *more: str) -> str:
    allowed = (*more, "user", "admin")
    if scope not in allowed:
        raise typer.BadParameter(f"--scope must be one of {', '.join(allowed)}, not {scope}.")
    return scope


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error


def _print_progress(report: Mapping[str, Json]) -> None:
    print(safe_line(report["progress"]), file=sys.stderr)


def _print_part(part: Mapping[str, Json]) -> None:
    if part["kind"] != "failed":  # told once, at the end
        print(f"{part['kind']}: {safe_text(part['text'])}", flush=True)


def _print_happening(happening: Mapping[str, Json]) -> None:
    if happening["kind"] == "turn":
        stages = " ".join(f"{k}={v}" for k, v in happening["detail"]["stages_ms"].items())
        print(f"{happening['device']}: turn over, {stages}", flush=True)
    elif happening["kind"] not in ("watching", "tools"):
        text = safe_text(happening["text"])
        print(f"{happening['device']}: {happening['kind']}: {text}", flush=True)


def _print_line(value: Json) -> None:
    print(json_text(value), flush=True)
