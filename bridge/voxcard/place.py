"""Where a turn happens: one device, and what the turn may use there."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from voxcard.assistants import Part, Speech
from voxcard.devices import Device, DeviceLog
from voxcard.downlink import SpeakerFormat
from voxcard.outgoing import Wire
from voxcard.showing import Showing
from voxcard.toolhub.model import Json, ToolOutcome, ToolSpec

TEXT_MAX = 1000  # characters of a text on the wire

Parts = AsyncGenerator[Part, ToolOutcome | None]
# kind (transcript, tool, card, sentence, failed), text, detail
Watch = Callable[[str, str, Mapping[str, Json]], None]


class Tools(Protocol):
    """The part of the tool hub that a turn needs."""

    async def call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str = "ai",
        on_progress: Callable[[str], None] | None = None,
    ) -> ToolOutcome:
        """Call a tool; never raises for the tool's failure."""


class Hub(Tools, Protocol):
    """The tool hub as a device's relay needs it."""

    def attach(self, device_id: str, send: Callable[[Mapping[str, Json]], None]) -> None: ...
    def detach(self, device_id: str) -> None: ...
    def receive(self, device_id: str, payload: Mapping[str, Json]) -> None: ...
    async def refresh(self, device_id: str) -> None: ...
    def specs(self, device_id: str, scope: str = "ai") -> list[ToolSpec]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The device a turn happens on, and what it may use there.

    `move(event)` applies a session event; `say(text)` speaks one, in the device's language.
    """

    device: Device
    wire: Wire
    speaker: SpeakerFormat
    tools: Tools
    showing: Showing
    log: DeviceLog
    move: Callable[[str], bool]
    state: Callable[[], str]
    say: Callable[[str], AsyncIterator[Speech]]
    interrupted: Callable[[str], None]
