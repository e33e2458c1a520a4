"""Which of several devices answers that have heard the same call: the loudest."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

WINDOW_S = 0.25  # networks and models differ by less in when they give the same word
LATE_S = 1.5  # after a decision the same word is still the same call


@dataclass(slots=True, kw_only=True)
class Round:
    """The devices that have heard one call of a word, with how loud it was there, in dB."""

    began_s: float
    levels: dict[str, float] = field(default_factory=dict)
    decided_s: float | None = None

    def takes(self, now_s: float) -> bool:
        """Whether a word heard now is this call."""
        since_s = self.began_s if self.decided_s is None else self.decided_s
        return now_s - since_s < LATE_S

    def add(self, device: str, level_db: float) -> None:
        """A device has heard it; after the decision that is too late."""
        if self.decided_s is None:
            self.levels.setdefault(device, level_db)

    def winner(self) -> str:
        """The loudest; of equals the first."""
        return max(self.levels, key=lambda device: self.levels[device])


class Arbitration:
    """Decides for all devices at a broker; `now_s` and `sleep` are the loop's."""

    def __init__(
        self,
        now_s: Callable[[], float] | None = None,
        sleep: Callable[[float], "asyncio.Future[None]"] | None = None,
    ) -> None:
        self._now_s = now_s or (lambda: asyncio.get_running_loop().time())
        self._sleep = sleep or asyncio.sleep
        self._rounds: dict[str, Round] = {}

    async def wins(self, device: str, word: str, level_db: float, *, alone: bool) -> bool:
        """Whether `device` answers this call of `word`; waits WINDOW_S for louder ones.

        `alone`: no other device lets sound out now, so that none can be louder.
        """
        now_s = self._now_s()
        call = self._rounds.get(word)
        if call is not None and call.takes(now_s) and device in call.levels and call.decided_s:
            call = None  # the same device hears it again: the person calls once more
        if call is None or not call.takes(now_s):
            call = self._rounds[word] = Round(began_s=now_s)
        call.add(device, level_db)
        if not alone and call.decided_s is None:
            await self._sleep(max(0.0, call.began_s + WINDOW_S - now_s))
        if call.decided_s is None:
            call.decided_s = self._now_s()
        return device in call.levels and call.winner() == device
