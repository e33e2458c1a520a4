"""What happens on the bridge, as those who watch it are told."""

from collections.abc import Mapping
from dataclasses import asdict

from voxcard.control.service import Happening
from voxcard.control.watchers import Watchers
from voxcard.history.archive import as_json
from voxcard.json_value import Json
from voxcard.releases import progress as update_progress
from voxcard.releases.progress import Progress
from voxcard.session.turn.record import TurnRecord
from voxcard.timers.copy import Timer


class Happenings:
    """Tells `watchers`; never waits."""

    def __init__(self, watchers: Watchers) -> None:
        self._tell = watchers.tell

    def part(self, device_id: str, kind: str, text: str, detail: Mapping[str, Json]) -> None:
        """A part of a turn, as it comes."""
        self._tell(Happening(device=device_id, kind=kind, text=text, detail=detail))

    def turn(self, record: TurnRecord) -> None:
        """A finished turn."""
        detail = as_json(record)
        self._tell(Happening(device=record.device, kind="turn", text=record.reply, detail=detail))

    def update(self, progress: Progress) -> None:
        """Another state of an update."""
        text, detail = update_progress.sentence(progress), asdict(progress)
        self._tell(Happening(device=progress.device, kind="update", text=text, detail=detail))

    def timer(self, device_id: str, timer: Timer, what: str) -> None:
        """A timer `rings`, or was `missed`."""
        text, detail = f"{what}: {timer.label}", asdict(timer)
        self._tell(Happening(device=device_id, kind="timer", text=text, detail=detail))

    def tools(self) -> None:
        """The list of tools is another one."""
        self._tell(Happening(device="", kind="tools", text=""))
