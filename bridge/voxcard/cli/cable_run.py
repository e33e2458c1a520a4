"""What `voxcard device …` does with the board on the cable."""

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from voxcard import package_files
from voxcard.cable import boards, device_settings, flasher, image, ports, repl
from voxcard.cable import deploy as deployment
from voxcard.cable.deploy import Deployment
from voxcard.cable.serial_line import SerialLine
from voxcard.cable.start import Start, follow
from voxcard.cli.cable_progress import bars
from voxcard.errors import VoxcardError
from voxcard.json_value import JsonObject
from voxcard.text_safety import safe_line, safe_text

WIFI_PASSWORD = "VOXCARD_WIFI_PASSWORD"  # asked for without it; no option: others see those
START_S = 60.0  # for a start, the Wi-Fi and the bridge's answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the settings of a device come from. `file` "-" is the standard input."""

    file: str
    words: tuple[str, ...]
    wifi: str
    country: str
    ca: Path | None

    def deployment(self, board: boards.Board) -> Deployment:
        """All of them read, and asked for."""
        values = device_settings.from_text(_text(self.file), self.file) if self.file else {}
        return Deployment(
            board=board,
            firmware=package_files.firmware(),
            settings={**values, **device_settings.from_words(self.words)},
            wifi=self._wifi(),
            ca=_read(self.ca) if self.ca else None,
        )

    def _wifi(self) -> JsonObject | None:
        if not self.wifi:
            return None
        password = os.environ.get(WIFI_PASSWORD) or typer.prompt(
            f"Password of {self.wifi} (empty: an open network)",
            default="", hide_input=True, show_default=False, err=True,
        )  # fmt: skip
        return device_settings.wifi(self.wifi, password, self.country)


def flash(board: str, file: Path | None, port: str, baud: int) -> None:
    """Write the image `file` into the board at `port`."""
    folder = package_files.boards()
    chosen = boards.read(board, folder)
    if file is None:
        raise VoxcardError("No image is named.", chosen.where_to_get_it())
    data = _read(file)
    read = image.check(data, chosen, boards.builds(folder))
    with bars() as report, flasher.connected(ports.choose(port), report) as chip:
        chip.check(chosen, read)
        chip.write(chosen, data, baud)
    version = ".".join(map(str, read.version))
    print(f"{chosen.name}: MicroPython {version} is on it.", end=" ")
    print(f"Next: voxcard device deploy --board {board}")


def deploy(board: str, settings: Settings, port: str) -> None:
    """Put the firmware on the board at `port`, and say how it started."""
    port, folder = ports.choose(port), package_files.boards()
    chosen = boards.read(board, folder) if board else None
    asked = settings.deployment(chosen) if chosen else None
    with tempfile.TemporaryDirectory() as build, repl.opened(port) as there:
        if asked is None:
            asked = settings.deployment(boards.read(deployment.board_id(there), folder))
        with bars() as report:
            outcome = deployment.deploy(there, asked, Path(build) / "firmware", report)
        names = ", ".join(outcome.sent[:3]) + (", …" if outcome.sent[3:] else "")
        print(f"{len(outcome.sent)} files sent{f' ({names})' if names else ''}.")
        if outcome.note:
            print(outcome.note, file=sys.stderr)
        if own := deployment.setup_network(there, asked.board):
            print(f"A phone sets it up in the Wi-Fi {own[0]}, password {own[1]}: write it on it.")
        with there.restart() as line:
            _tell(follow(line.lines(START_S)))


def monitor(port: str) -> None:
    """Print the lines of a board until Ctrl-C."""
    try:
        with SerialLine(ports.choose(port)) as line:
            for text in line.lines(None):
                print(safe_line(text), flush=True)
    except KeyboardInterrupt:
        print(file=sys.stderr)


def logs(port: str) -> None:
    """Print what ended the board's program last, then its log from a new start."""
    with repl.opened(ports.choose(port)) as there:
        last = there.read(deployment.CRASH_PATH)
        print("Its program ended by itself:" if last else "Its program did not end by itself.")
        if last:
            print(safe_text(last.decode(errors="replace")))
        with there.restart() as line:
            _tell(follow(_shown(line)))


def factory_reset(port: str) -> None:
    """Take everything off the board that makes it this one."""
    with repl.opened(ports.choose(port)) as there:
        deployment.forget(there)
        there.restart().close()
    print("The board has forgotten its settings, passwords and Wi-Fi.")


def _shown(line: SerialLine) -> Iterator[str]:
    for text in line.lines(START_S):
        print(safe_line(text), flush=True)
        yield text


def _tell(start: Start) -> None:
    for note in start.notes:
        print(f"It says: {safe_line(note)}", file=sys.stderr)
    if not start.device_id:
        problem = start.ended or "it says nothing more"
        raise VoxcardError(f"The firmware did not start: {safe_line(problem)}.", _NO_START)
    name = safe_line(start.device_id)
    if start.code:
        print(f"{name} is ready and waits to be let in: voxcard devices pair {start.code}")
    elif start.in_session:
        print(f"{name} is ready and has found the bridge.")
    elif start.problem:
        print(f"{name} is ready. It says: {safe_line(start.problem)}")
        if start.problem.startswith(_NO_CONNECTION):
            print(_REACHABLE)
    else:
        print(f"{name} is ready. No bridge has answered yet: voxcard run")


_NO_START = "See: voxcard device logs"
_NO_CONNECTION = "No connection to the broker"  # firmware/mqtt/reason.py
_REACHABLE = (
    "The bridge's own broker takes devices of your network only where voxcard.toml says"
    ' [mqtt] listen = "0.0.0.0"; a firewall must let its port through.'
)


def _text(file: str) -> str:
    return sys.stdin.read() if file == "-" else _read(Path(file)).decode(errors="replace")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error
