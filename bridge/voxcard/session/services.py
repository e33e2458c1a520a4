"""What the relays of all devices share."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from voxcard.assistants import Assistant
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.device_cards import KeepCard
from voxcard.toolhub.protocol import DeviceHub


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """`spawn(coroutine, name)` runs tasks in the bridge's task group, `keep_card(device_id, card)`
    puts a card into the history; with `keep_audio` recordings are kept too."""

    hub: DeviceHub
    assistant: Assistant
    card_maker: CardMaker
    keep_card: KeepCard
    spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]
    keep_audio: bool = False
