"""What the relays of all devices share."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from voxcard.assistants import Assistant, Media, Speech
from voxcard.errors import VoxcardError
from voxcard.link.wire import Wire
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.device_cards import KeepCard
from voxcard.session.turn.context import ReadMedia
from voxcard.toolhub.protocol import DeviceHub
from voxcard.wake.ear import Ear
from voxcard.wake.listening import WakeListening


async def no_media(media: Media) -> AsyncGenerator[Speech, None]:
    """The reader of a bridge that plays no files."""
    raise VoxcardError("Sound files are not played here.")
    yield Speech(pcm=b"", rate_hz=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """`spawn(coroutine, name)` runs tasks in the bridge's task group, `keep_card(device_id, card)`
    puts a card into the history; with `keep_audio` recordings are kept too. `read_media(media)`
    gives the sound of a file or URL. `by_word`: who answers when a wake word calls the device."""

    hub: DeviceHub
    assistant: Assistant
    card_maker: CardMaker
    keep_card: KeepCard
    spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]
    keep_audio: bool = False
    read_media: ReadMedia = no_media
    by_word: Mapping[str, Assistant] = field(default_factory=dict)
    wake: WakeListening | None = None

    def ear(self, device_id: str, wire: Wire) -> Ear | None:
        """What listens to a device for the words of `by_word`; None without any."""
        if self.wake is None:
            return None

        def call(stream_id: str, word: str) -> None:
            wire.send("wake", id=stream_id, text=word)

        return self.wake.ear(device_id, self.by_word, call=call, spawn=self.spawn)
