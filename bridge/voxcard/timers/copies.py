"""The copies of all devices' timers, kept on disk: a device that is away is still known."""

import json
import logging
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.private_files import write_private
from voxcard.timers.copy import Timer, timers_of

log = logging.getLogger(__name__)

FILE = "timers.json"
DEVICES_MAX = 1000


class Copies:
    """By device; `folder` holds the file, `put(work)` runs `work` in its thread, in order.

    `on_change(device_id, timer, what)`: a timer `rings`, or was `missed`, since the report before.
    """

    def __init__(
        self,
        folder: Path,
        *,
        put: Callable[[Callable[[], None]], None],
        on_change: Callable[[str, Timer, str], None],
        clock: Callable[[], float],
    ) -> None:
        self._file = folder / FILE
        self._put = put
        self._on_change = on_change
        self._clock = clock
        self._timers: dict[str, tuple[Timer, ...]] = {}

    def load(self) -> None:
        """What was kept before; a file that cannot be read is a line in the log. Blocks."""
        try:
            stored = json.loads(self._file.read_text(encoding="utf-8"))
            devices = {
                device: tuple(Timer(**entry) for entry in entries)
                for device, entries in stored.items()
            }
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            log.warning("%s cannot be read (%s): devices will say it again", self._file, error)
            return
        self._timers = devices

    def report(self, device_id: str, entries: list[Json]) -> None:
        """The device keeps these now."""
        timers, unread = timers_of(entries, int(self._clock()))
        if unread:
            log.warning("%s: %d of its timers cannot be read", device_id, unread)
        before = {timer.id: timer.state for timer in self._timers.get(device_id, ())}
        self._timers.pop(device_id, None)
        if timers and len(self._timers) < DEVICES_MAX:
            self._timers[device_id] = timers
        self._save()
        for timer in timers:
            if timer.state in ("ringing", "missed") and before.get(timer.id) != timer.state:
                what = "rings" if timer.state == "ringing" else "missed"
                self._on_change(device_id, timer, what)

    def of(self, device_id: str) -> tuple[Timer, ...]:
        """What it keeps, as it last said."""
        return self._timers.get(device_id, ())

    def words(self, device_id: str) -> tuple[str, ...]:
        """A line for each."""
        return tuple(timer.words(self._clock()) for timer in self.of(device_id))

    def forget(self, device_id: str) -> None:
        """The device belongs to the home no longer."""
        if self._timers.pop(device_id, None) is not None:
            self._save()

    def _save(self) -> None:
        text = json.dumps(
            {
                device: [asdict(timer) for timer in timers]
                for device, timers in self._timers.items()
            }
        )

        def write() -> None:
            try:
                write_private(self._file, text)
            except OSError as error:
                raise VoxcardError(
                    f"{self._file} cannot be written ({error.strerror})."
                ) from error

        self._put(write)
