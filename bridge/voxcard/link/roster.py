"""Bounded set of known devices; the one needed least is forgotten first."""

from collections.abc import Callable
from enum import Enum

DEVICES_MAX = 4096
ABSENT_S = 7 * 86_400.0  # an unknown device that is away is forgotten then
QUIET_S = 3600.0  # an unknown device that said nothing for so long may be forgotten for another


class Presence(Enum):
    """How much a device is needed; the least needed is forgotten first."""

    ABSENT = 0  # no session
    SILENT = 1  # a session in which it has said nothing, or nothing for long
    NEEDED = 2  # it talks, or it is of the home: it stays


class Roster:
    """The ids the bridge knows, at most `limit`.

    `is_known(id)` names those of the home, which are never forgotten; `talks(id)` says of a device
    in a session whether it said anything in the last QUIET_S.
    """

    def __init__(
        self,
        *,
        is_known: Callable[[str], bool],
        talks: Callable[[str], bool],
        limit: int = DEVICES_MAX,
    ) -> None:
        self._is_known = is_known
        self._talks = talks
        self._limit = limit
        # Each in the order in which its devices became it.
        self._ids: dict[Presence, dict[str, None]] = {each: {} for each in Presence}

    def __len__(self) -> int:
        return sum(len(ids) for ids in self._ids.values())

    def __contains__(self, device_id: str) -> bool:
        return any(device_id in ids for ids in self._ids.values())

    def put(self, device_id: str, presence: Presence) -> None:
        """Remember a device, or what it is now."""
        self.remove(device_id)
        self._ids[presence][device_id] = None

    def remove(self, device_id: str) -> None:
        """Forget a device."""
        for ids in self._ids.values():
            ids.pop(device_id, None)

    def has_room(self) -> bool:
        """Whether one more can be remembered without forgetting another."""
        return len(self) < self._limit

    def leaver(self) -> str | None:
        """Who is needed least: the longest away, then the longest silent; None: nobody."""
        for presence in (Presence.ABSENT, Presence.SILENT):
            ids = self._ids[presence]
            while ids:
                device_id = next(iter(ids))
                if not self._stays(device_id, presence):
                    return device_id
                self.put(device_id, Presence.NEEDED)
        return None

    def review(self) -> None:
        """Devices that fell silent may be forgotten from now on."""
        needed = self._ids[Presence.NEEDED]
        for device_id in [key for key in needed if not self._stays(key, Presence.NEEDED)]:
            self.put(device_id, Presence.SILENT)

    def _stays(self, device_id: str, presence: Presence) -> bool:
        talks = presence is not Presence.ABSENT and self._talks(device_id)
        return talks or self._is_known(device_id)
