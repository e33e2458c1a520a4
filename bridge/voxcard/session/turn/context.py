"""Context of a turn: its device and what it may use there."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from voxcard.assistants import (
    HeardReply,
    Media,
    Part,
    Reply,
    Speech,
)
from voxcard.json_value import Json
from voxcard.link.devices import Device, DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.device_cards import DeviceCards
from voxcard.session.speech_stream import SpeakerFormat
from voxcard.toolhub.protocol import Tools

Parts = AsyncGenerator[Part, Reply]
# The sound of a file as it comes; VoxcardError says why there is no more of it.
ReadMedia = Callable[[Media], AsyncGenerator[Speech, None]]
# kind (transcript, tool, card, sentence, failed), text, detail
Watch = Callable[[str, str, Mapping[str, Json]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """The device a turn happens on, and what it may use there.

    `say(text)` speaks in the device's language, `read_media(media)` gives the sound of a file or a
    URL; `interrupted(heard)` tells the assistant what was
    heard of its answer.
    """

    device: Device
    wire: Wire
    speaker: SpeakerFormat
    tools: Tools
    device_cards: DeviceCards
    log: DeviceLog
    say: Callable[[str], AsyncIterator[Speech]]
    read_media: ReadMedia
    interrupted: Callable[[HeardReply], None]
