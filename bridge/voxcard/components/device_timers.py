"""What devices keep of timers: their copies, what is told and spoken of them, their clocks."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from voxcard.components.happenings import Happenings
from voxcard.errors import VoxcardError
from voxcard.session.relays import Relays
from voxcard.timers.copies import Copies
from voxcard.timers.copy import Timer

log = logging.getLogger(__name__)

CLOCK_S = 60.0  # how often it is looked whether the clocks were changed


class DeviceTimers:
    """`copies` lie in `folder`, written by `put`; `spawn(work, name)` runs a task."""

    def __init__(
        self,
        folder: Path,
        relays: Relays,
        happenings: Happenings,
        *,
        put: Callable[[Callable[[], None]], None],
        spawn: Callable[[Coroutine[Any, Any, None], str], object],
    ) -> None:
        self.copies = Copies(folder, put=put, on_change=self._happens, clock=time.time)
        self._relays = relays
        self._happenings = happenings
        self._spawn = spawn
        self._looked_s = time.monotonic()

    async def start(self) -> None:
        """Read what was kept."""
        await asyncio.to_thread(self.copies.load)

    def sweep(self) -> None:
        """Look from time to time whether devices must know of another offset of local time."""
        if time.monotonic() - self._looked_s < CLOCK_S:
            return
        self._looked_s = time.monotonic()
        for relay in self._relays:
            relay.look_at_clock()

    def _happens(self, device_id: str, timer: Timer, what: str) -> None:
        self._happenings.timer(device_id, timer, what)
        if what == "rings" and timer.kind == "reminder":
            self._spawn(self._speak(device_id, timer.label), "reminder")

    async def _speak(self, device_id: str, text: str) -> None:
        try:
            await self._relays.relay(device_id).turns.say(text)
        except VoxcardError as error:
            log.info("%s: its reminder is not spoken: %s", device_id, error)
