"""Night mode by the hours: devices are told when their quiet hours begin and end."""

from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime
from typing import Any

from voxcard.announce.quiet_hours import QuietHours

TRIES_MAX = 20  # to switch a device, whose tools may not be listed yet; looks are a second apart


class NightMode:
    """`look()` from time to time. `switch(device_id, on)` is whether the device did it.

    Each change of the hours is told once, so that what a person says in between holds. A device
    of which nothing is known yet is told what the hours say.
    """

    def __init__(
        self,
        *,
        hours: Callable[[str], QuietHours | None],
        now: Callable[[], datetime],
        devices: Callable[[], Iterable[str]],
        switch: Callable[[str, bool], Coroutine[Any, Any, bool]],
        spawn: Callable[[Coroutine[Any, Any, None], str], object],
    ) -> None:
        self._hours = hours
        self._now = now
        self._devices = devices
        self._switch = switch
        self._spawn = spawn
        self._told: dict[str, bool] = {}
        self._tries: dict[str, int] = {}
        self._busy: set[str] = set()

    def look(self) -> None:
        """Tell every device that is there and knows something else."""
        for device_id in self._devices():
            hours = self._hours(device_id)
            if hours is None or device_id in self._busy:
                continue
            night = hours.contains(self._now())
            if self._told.get(device_id) is not night:
                self._busy.add(device_id)
                self._spawn(self._tell(device_id, night), f"night mode {device_id}")

    async def _tell(self, device_id: str, night: bool) -> None:
        try:
            done = await self._switch(device_id, night)
        finally:
            self._busy.discard(device_id)
        self._tries[device_id] = self._tries.get(device_id, 0) + 1
        if done or self._tries[device_id] >= TRIES_MAX:
            self._told[device_id] = night
            del self._tries[device_id]
