"""Pairing codes: shown by a device, typed by a person at the bridge's computer."""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

CODE_S = 600.0  # how long a code holds
WAITING_MAX = 16  # devices with a code; the one that waits longest makes room


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    code: str
    until_s: float


def new_code() -> str:
    """Six random digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


class Pairing:
    """The devices that wait to be let in. `now_s` is a monotonic clock."""

    def __init__(self, now_s: Callable[[], float], new_code: Callable[[], str] = new_code) -> None:
        self._now_s = now_s
        self._new_code = new_code
        self._waiting: dict[str, _Waiting] = {}

    def waiting(self) -> Iterable[str]:
        """Their ids, the longest waiting first."""
        self._expire()
        return tuple(self._waiting)

    def code(self, device_id: str) -> str:
        """The code a device is to show: its own, as long as it holds."""
        self._expire()
        waiting = self._waiting.get(device_id)
        if waiting is None:
            taken = {each.code for each in self._waiting.values()}
            code = next(code for code in iter(self._new_code, None) if code not in taken)
            waiting = _Waiting(code=code, until_s=self._now_s() + CODE_S)
            self._waiting[device_id] = waiting
            if len(self._waiting) > WAITING_MAX:
                del self._waiting[next(iter(self._waiting))]
        return waiting.code

    def take(self, code: str) -> str | None:
        """The device that shows `code`, which waits no longer; None when none does."""
        self._expire()
        for device_id, waiting in self._waiting.items():
            if waiting.code == code:
                del self._waiting[device_id]
                return device_id
        return None

    def drop(self, device_id: str) -> None:
        """A device waits no longer."""
        self._waiting.pop(device_id, None)

    def _expire(self) -> None:
        now_s = self._now_s()
        expired = [key for key, waiting in self._waiting.items() if waiting.until_s <= now_s]
        for device_id in expired:
            del self._waiting[device_id]
