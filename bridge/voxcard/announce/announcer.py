"""Takes announcements for devices and reports what becomes of each."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence

from voxcard.announce.announcement import Announcement, Report, State
from voxcard.announce.device_line import DeviceLine
from voxcard.announce.waiting import Entry

log = logging.getLogger(__name__)


class Announcer:
    """`line(device_id)` makes the line of a device, which lives while something is in it.

    Nothing is on disk: a bridge that stops ends the commands that wait, which say so.
    """

    def __init__(self, line: Callable[[str], DeviceLine]) -> None:
        self._make_line = line
        self._lines: dict[str, DeviceLine] = {}

    async def announce(
        self, announcement: Announcement, device_ids: Sequence[str]
    ) -> AsyncGenerator[Report, None]:
        """What becomes of it, on every device to its end. Closing it withdraws the rest."""
        reports: asyncio.Queue[Report] = asyncio.Queue()
        deadline_s = asyncio.get_running_loop().time() + announcement.wait_s
        entries = {
            device_id: Entry(announcement, deadline_s, _teller(device_id, reports))
            for device_id in device_ids
        }
        left = set(entries)
        for device_id, entry in entries.items():
            self._line(device_id).add(entry)
        try:
            while left:
                report = await reports.get()
                log.info("%s: announcement %s %s", report.device, report.state, report.text)
                if report.is_end:
                    left.discard(report.device)
                yield report
        finally:
            for device_id in left:
                self._line(device_id).withdraw(entries[device_id])
            self._lines = {key: line for key, line in self._lines.items() if len(line)}

    def leave(self) -> None:
        """The bridge stops: say what is lost."""
        for device_id, line in self._lines.items():
            if len(line):
                log.warning(
                    "%s: %d announcements are lost, the bridge stops", device_id, len(line)
                )

    def _line(self, device_id: str) -> DeviceLine:
        if device_id not in self._lines:
            self._lines[device_id] = self._make_line(device_id)
        return self._lines[device_id]


def _teller(device_id: str, reports: "asyncio.Queue[Report]") -> Callable[[State, str], None]:
    def tell(state: State, text: str) -> None:
        reports.put_nowait(Report(device=device_id, state=state, text=text))

    return tell
