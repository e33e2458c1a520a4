"""Context of a turn: its device and what it may use there."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from voxcard.assistants import (
    HeardReply,
    Part,
    Reply,
    Speech,
)
from voxcard.json_value import Json
from voxcard.link.devices import Device, DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.device_cards import DeviceCards
from voxcard.session.downlink import SpeakerFormat
from voxcard.toolhub.protocol import Tools

Parts = AsyncGenerator[Part, Reply]
# kind (transcript, tool, card, sentence, failed), text, detail
Watch = Callable[[str, str, Mapping[str, Json]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """The device a turn happens on, and what it may use there.

    `say(text)` speaks in the device's language; `interrupted(heard)` tells the assistant what was
    heard of its answer.
    """

    device: Device
    wire: Wire
    speaker: SpeakerFormat
    tools: Tools
    device_cards: DeviceCards
    log: DeviceLog
    say: Callable[[str], AsyncIterator[Speech]]
    interrupted: Callable[[HeardReply], None]
