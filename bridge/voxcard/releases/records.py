"""Updates that were offered, kept on disk: what was offered to whom, the file, how it ended.

One folder a device below `updates` of the accounts, their user's alone: `record.json` and, while
the offer stands, `offered.voxrelease`. A new release is put into `_incoming` first.
"""

import json
import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from voxcard.errors import VoxcardError
from voxcard.private_files import private_file, private_folder, write_private
from voxcard.releases.progress import ENDED, Progress

log = logging.getLogger(__name__)

FOLDER, INCOMING = "updates", "_incoming"  # no id of a device has an underscore
_FILE, _RECORD = "offered.voxrelease", "record.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The last update of a device: its `state` is `offered`, or one of ENDED.

    `serial` grows with every offer; `at_s` is the Unix time of the offer or of the end.
    `is_withdrawn`: the broker keeps no offer of it any more.
    """

    device: str
    serial: int
    firmware: str  # version+digest
    state: str
    reason: str = ""
    at_s: int = 0
    is_withdrawn: bool = False

    @property
    def stands(self) -> bool:
        """Whether the device may still take it."""
        return self.state not in ENDED

    def progress(self, *, is_online: bool) -> Progress:
        """How it ended, or that it is offered."""
        return Progress(
            device=self.device,
            serial=self.serial,
            firmware=self.firmware,
            state=self.state,
            reason=self.reason,
            at_s=self.at_s,
            is_online=is_online,
        )


class Records:
    """The folders of all devices; `accounts` is the folder they lie in. Its methods block."""

    def __init__(self, accounts: Path) -> None:
        self._folder = accounts / FOLDER

    def all(self) -> Iterator[Record]:
        """Every record that can be read; the others are a line of the log."""
        for file in sorted(self._folder.glob(f"*/{_RECORD}")):
            try:
                values = json.loads(file.read_text(encoding="utf-8"))
                yield Record(**{**values, "device": file.parent.name})
            except (OSError, ValueError, TypeError, RecursionError) as error:
                log.warning("%s cannot be read (%s): its device is offered nothing", file, error)

    def save(self, record: Record) -> None:
        """Keep what became of an update; the file goes when it has ended."""
        write_private(
            self._folder / record.device / _RECORD, json.dumps(asdict(record), indent=1) + "\n"
        )
        if not record.stands:
            self.file(record.device).unlink(missing_ok=True)

    def file(self, device_id: str) -> Path:
        """Where the release is that a device is offered."""
        return self._folder / device_id / _FILE

    def forget(self, device_id: str) -> None:
        """Remove all that is kept for a device."""
        shutil.rmtree(self._folder / device_id, ignore_errors=True)

    def incoming(self, name: str) -> Path:
        """Where `bring` put the file of this name; VoxcardError for what is no name of one."""
        if not name.isalnum():
            raise VoxcardError("That is no release of ours.", "Use the command line.")
        return self._folder / INCOMING / name

    def adopt(self, name: str, device_id: str) -> None:
        """Make an incoming file the one that a device is offered."""
        target = self.file(device_id)
        private_folder(target.parent)
        self.incoming(name).replace(target)

    def clear_incoming(self) -> None:
        """Remove what was brought and not offered."""
        shutil.rmtree(self._folder / INCOMING, ignore_errors=True)


def take_away(accounts: Path, name: str) -> None:
    """Remove what `bring` left there and no bridge has taken. Blocks."""
    (accounts / FOLDER / INCOMING / name).unlink(missing_ok=True)


def bring(accounts: Path, release: Path) -> str:
    """Copy a release to where a running bridge takes it from; its name there. Blocks."""
    name = os.urandom(8).hex()
    target = accounts / FOLDER / INCOMING / name
    try:
        private_folder(target.parent)
        private_file(target)
        shutil.copyfile(release, target)
    except OSError as error:
        problem = f"{release} cannot be copied to {target.parent}: {error.strerror}."
        raise VoxcardError(problem, "Run this as the user who runs the bridge.") from error
    return name
