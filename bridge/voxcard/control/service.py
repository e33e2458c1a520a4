"""Interface between the control server and the bridge."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from voxcard.announce.announcement import Announcement, Report
from voxcard.json_value import Json
from voxcard.releases.progress import Progress
from voxcard.toolhub.model import ToolOutcome, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRow:
    """A device as `voxcard devices` lists it."""

    id: str
    name: str
    online: bool
    state: str = ""  # of its session
    board: str = ""
    access: str = ""  # how it was let in: password, paired, waits; "" where nobody had to
    firmware: str = ""  # version+digest
    update: str = ""  # the update that is under way, in words
    timers: tuple[str, ...] = ()  # timers, alarms and reminders it keeps, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPart:
    """Something that happened while a question was answered.

    `kind` is transcript, tool, card, sentence or failed; `text` is it in words.
    """

    kind: str
    text: str
    detail: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that happened on a device while the bridge runs.

    `kind` is one of AskPart's, `turn` (a finished turn; `detail` is its TurnRecord as JSON),
    `update` (an update goes on or ends; `detail` is its Progress), `timer` (one rings or was
    missed; `detail` is its timers.copy.Timer), or `tools` (some list of tools
    changed; no device).
    """

    device: str
    kind: str
    text: str
    detail: Mapping[str, Json] = field(default_factory=dict)


class Service(Protocol):
    """What a bridge does for the command line. Each method may raise VoxcardError."""

    def devices(self) -> Sequence[DeviceRow]:
        """Every device the bridge knows."""

    def problems(self) -> Sequence[str]:
        """What is wrong in the home, each with its remedy."""

    async def say(self, device_id: str, text: str, *, urgent: bool) -> None:
        """Speak `text` on a device; returns when it was played."""

    def announce(
        self, announcement: Announcement, device_ids: Sequence[str]
    ) -> AsyncIterator[Report]:
        """What becomes of it on these devices, or on all for none; a `wait_s` below 0 is the
        configured one, 0 waits for devices in a turn alone. Closing it withdraws the rest."""

    def ask(
        self, device_id: str, *, text: str = "", wav: bytes | None = None
    ) -> AsyncIterator[AskPart]:
        """Run a turn from `text` or from the bytes of a WAV file."""

    def tool_list(self, device_id: str, scope: str) -> Sequence[ToolSpec]:
        """The tools that `scope` reaches."""

    async def tool_call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str,
        on_progress: Callable[[str], None],
    ) -> ToolOutcome:
        """Call a tool; its own failure is an outcome, not an error."""

    async def card_show(self, device_id: str, source: Mapping[str, Json]) -> str:
        """Show the card in `source` (any dialect); returns its id."""

    def pair(self, code: str) -> str:
        """Let the device in that shows `code`; its id."""

    def access_changed(self, removed: str) -> None:
        """Devices were added, or `removed` was (its id, else "")."""

    def update(self, device_id: str, incoming: str) -> AsyncIterator[Progress]:
        """Offer the release that records.bring called `incoming`; how it goes on, to its end.

        Of a device that is offline the offer alone.
        """

    def update_state(self, device_id: str) -> Progress:
        """The last update of a device."""

    async def update_cancel(self, device_id: str) -> Progress:
        """Take an offer back."""

    def watch(self) -> AsyncIterator[Happening]:
        """Everything that happens from now on, on any device; endless."""
