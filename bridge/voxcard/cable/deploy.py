"""Puts the firmware, the board's file and the settings on a board, by its raw REPL.

Order: the idle slot is filled and compared; then the files of the root are written beside the old
ones; then each takes the old one's place, the slot's name after the files it needs. So a cut
leaves the old firmware or the new one.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from voxcard.cable import board_parts, build, running, slots
from voxcard.cable.boards import Board
from voxcard.cable.progress import Report
from voxcard.cable.repl import BoardFullError, Repl
from voxcard.cable.running import Running
from voxcard.errors import VoxcardError
from voxcard.json_value import JsonObject

BOARD_PATH, CA_PATH = "/board.json", "/ca.pem"
CRASH_PATH = "/crash.txt"  # of firmware/supervisor.py
_TRIAL, _UPDATE = "/trial", "/update.json"  # of firmware/update/journal.py
_SETTINGS = "/settings.json"
# In this order a cut after any of them leaves a board that starts.
_ROOT_ORDER = (BOARD_PATH, CA_PATH, _SETTINGS, "/boot.py", "/slot", "/main.py")
# What firmware/store.py writes beside the settings, too.
_OWN = (_SETTINGS, f"{_SETTINGS}.new", f"{_SETTINGS}.bad", CA_PATH, CRASH_PATH, _UPDATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """What goes on a board. `settings` are laid over those that it has; `wifi` None keeps its own.

    `ca` is the file of the broker's authority, None without one.
    """

    board: Board
    firmware: Path
    settings: JsonObject
    wifi: JsonObject | None = None
    ca: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The files that went over the cable, and how many the board copied from its other slot.

    `note` is what more there is to do, "" for nothing.
    """

    sent: tuple[str, ...]
    copied: int
    note: str = ""


def deploy(repl: Repl, deployment: Deployment, folder: Path, report: Report) -> Outcome:
    """Bring the board up to date; the firmware is compiled into `folder`. Does not restart it.

    VoxcardError when it does not belong there, does not fit, or arrives damaged.
    """
    [values] = repl.call("running")
    there = running.read(values)
    running.check(there, deployment.board)
    if deployment.board.is_frozen and there.is_chip:
        outcome = _Work(repl, report).run({}, deployment)
        digest = build.digest(deployment.firmware)
        return replace(outcome, note=running.other_firmware(there, deployment.board, digest))
    files = compiled(deployment.firmware, deployment.board, folder, there, report)
    return _Work(repl, report).run(files, deployment)


def board_id(repl: Repl) -> str:
    """The board whose file was put there; VoxcardError without one."""
    return str(board_file(repl)["id"])


def board_file(repl: Repl) -> JsonObject:
    """The board's file that was put there; VoxcardError without one, or with a damaged one."""
    data = repl.read(BOARD_PATH)
    if data is None:
        remedy = "Name the board: --board, such as --board diy-s3-oled."
        raise VoxcardError("The board on the cable has no Voxcard yet.", remedy)
    try:
        file: JsonObject = json.loads(data)
        str(file["id"])
    except (ValueError, KeyError, TypeError) as error:
        remedy = "Put it there again: voxcard device deploy --board, such as --board diy-s3-oled."
        raise VoxcardError("The board's file on it is damaged.", remedy) from error
    return file


def setup_network(repl: Repl, board: Board) -> tuple[str, str] | None:
    """(name, password) of the Wi-Fi of a board's own; None where its screen shows them."""
    if json.loads(board.file).get("display"):
        return None
    [[name, password]] = repl.call("setup_network", f"/{slot_that_runs(repl)}")
    return str(name), str(password)


def slot_that_runs(repl: Repl) -> str:
    """The slot of the firmware that the board starts; "" where it is in the image."""
    data = repl.read("/slot")
    return _slot_name(data) if data is not None else ""


def forget(repl: Repl) -> None:
    """Remove what makes a device this one; its firmware stays."""
    for path in _OWN:
        repl.call("remove", path)
    repl.call("forget_wifi")


def compiled(
    firmware: Path, board: Board, folder: Path, there: Running, report: Report
) -> dict[str, bytes]:
    """The files of a slot, by their path in it: those that this board has a use for."""
    report("compile", 0, 1)
    build.build(firmware, folder, there.architecture)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    files.pop("boot.py")  # MicroPython runs the root's
    absent = board_parts.left_out(json.loads(board.file), firmware)
    if not there.is_chip:
        absent -= set(board_parts.SIMULATED)
    for name in absent:
        files.pop(f"{name.removesuffix('.py')}.mpy" if name.endswith(".py") else name, None)
    report("compile", 1, 1)
    return files


class _Work:
    def __init__(self, repl: Repl, report: Report) -> None:
        self._repl, self._report = repl, report
        self._sent: list[str] = []
        self._copied = 0
        self._bytes = self._total = 0

    def run(self, files: Mapping[str, bytes], deployment: Deployment) -> Outcome:
        # Before a byte of the slot that an update has on trial: what is confirmed starts now.
        self._repl.call("remove", _TRIAL)
        slot = self._fill_slot(files) if files else ""
        self._write_root(_root_files(self._repl, deployment, slot))
        if deployment.wifi is not None:
            self._repl.call("save_wifi", json.dumps(dict(deployment.wifi)).encode())
        return Outcome(sent=tuple(self._sent), copied=self._copied)

    def _fill_slot(self, files: Mapping[str, bytes]) -> str:
        """The slot that holds `files` at the end."""
        wanted = {path: _hash(data) for path, data in files.items()}
        active = _slot_name(self._repl.read("/slot"))
        here, idle = self._hashes(active), slots.other(active)
        if here == wanted:
            return active
        plan = slots.plan(wanted, here, self._hashes(idle))
        self._begin(sum(len(files[path]) for path in (*plan.copy, *plan.send)))
        for path in plan.remove:
            self._repl.call("remove", f"/{idle}/{path}")
        self._make_room([files[path] for path in (*plan.copy, *plan.send)])
        for path in plan.copy:
            self._repl.call("copy", f"/{active}/{path}", f"/{idle}/{path}")
            self._count(len(files[path]))
        for path in plan.send:
            self._repl.send(f"/{idle}/{path}", files[path], self._count)
        if self._hashes(idle) != wanted:
            raise VoxcardError("The firmware arrived damaged.", "Use another cable; run it again.")
        self._sent += plan.send
        self._copied = len(plan.copy)
        return idle

    def _write_root(self, files: Mapping[str, bytes]) -> None:
        changed = [
            path
            for path in _ROOT_ORDER
            if path in files and self._repl.call("hash_of", path) != [_hash(files[path])]
        ]
        for path in changed:
            self._repl.send(f"{path}.new", files[path], lambda size: None)
            if self._repl.call("hash_of", f"{path}.new") != [_hash(files[path])]:
                raise VoxcardError(f"{path} arrived damaged.", "Use another cable; run it again.")
        self._repl.call("put_in_place", changed)
        self._sent += changed

    def _hashes(self, slot: str) -> dict[str, str]:
        return dict(self._repl.call("hashes", f"/{slot}"))

    def _make_room(self, files: list[bytes]) -> None:
        """BoardFullError unless `files` fit, before any of them is written."""
        [[free, piece]] = self._repl.call("free_bytes")
        if sum(-(-len(data) // piece) * piece for data in files) > free:
            raise BoardFullError

    def _begin(self, total: int) -> None:
        self._bytes, self._total = 0, total
        self._report("copy", 0, total)

    def _count(self, size: int) -> None:
        self._bytes += size
        self._report("copy", self._bytes, self._total)


def _root_files(repl: Repl, deployment: Deployment, slot: str) -> dict[str, bytes]:
    """What stands beside the slots."""
    firmware = deployment.firmware
    files = {BOARD_PATH: json.dumps(json.loads(deployment.board.file)).encode()}
    settings = dict(deployment.settings)
    if deployment.ca is not None:
        files[CA_PATH] = deployment.ca
        settings["ca"] = CA_PATH
    if settings:
        files[_SETTINGS] = json.dumps({**_stored(repl), **settings}).encode()
    if slot:
        files["/slot"] = slot.encode()
        files["/boot.py"] = (firmware / "boot.py").read_bytes()
        files["/main.py"] = (firmware / build.LAUNCHER).read_bytes()
    return files


def _stored(repl: Repl) -> JsonObject:
    """The settings of the board; none where they cannot be read."""
    try:
        values = json.loads(repl.read(_SETTINGS) or b"{}")
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def _slot_name(data: bytes | None) -> str:
    """As firmware/launcher.py chooses it."""
    name = (data or b"").decode(errors="replace")
    return name if name in slots.SLOTS else slots.SLOTS[0]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
