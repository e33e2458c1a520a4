"""The announcements of one device: each is played when the device can take it, or ends otherwise.

Every entry that is taken gets exactly one of announcement.ENDS, unless its caller withdraws it.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from voxcard.announce.announcement import ENDS, Announcement, State
from voxcard.announce.waiting import WAITING_MAX, Entry, Waiting
from voxcard.errors import Interrupted, VoxcardError

log = logging.getLogger(__name__)

POLL_S = 1.0  # how often it is looked whether a device is back, or quiet hours are over
ATTEMPTS_MAX = 5  # turns that a device may end before the announcement in them has spoken
URGENT_FIRST = "Something urgent came first."
Outcome = Literal["played", "stopped", "again"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """Why a device takes no announcement now, in a sentence. `refuses`: it will not later either.
    `stops_clock`: the time of what waits does not run."""

    text: str
    refuses: bool = False
    stops_clock: bool = False


class Place(Protocol):
    """One device as its announcements need it."""

    @property
    def id(self) -> str:
        """Of the device."""

    def obstacle(self, announcement: Announcement) -> Obstacle | None:
        """What is in the way now, but for a turn that runs."""

    def is_busy(self) -> bool:
        """Whether a turn runs."""

    async def play(
        self, announcement: Announcement, *, wait_s: float, on_begin: Callable[[], None]
    ) -> Outcome:
        """Play it, after at most `wait_s` for a running turn; "stopped": a person cut it off,
        "again": it ended before it spoke. Interrupted: the device went away. VoxcardError: it
        failed."""


class DeviceLine:
    """Entries come in by `add`; `spawn(coroutine, name)` runs the task that plays them."""

    def __init__(
        self, place: Place, spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]
    ) -> None:
        self._place = place
        self._spawn = spawn
        self._waiting = Waiting()
        self._changed = asyncio.Event()
        self._playing: tuple[Entry, asyncio.Task[Outcome]] | None = None
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, entry: Entry) -> None:
        """Take an entry; one that is urgent goes before one that is not, also if that plays."""
        if self._waiting.is_full:
            entry.report("refused", f"{WAITING_MAX} announcements wait for it already.")
            return
        self._waiting.add(entry)
        if entry.announcement.urgent and self._playing is not None:
            playing, task = self._playing
            if not playing.announcement.urgent:
                task.cancel()
        self._changed.set()
        if self._task is None or self._task.done():
            self._task = self._spawn(self._run(), f"announcements {self._place.id}")

    def withdraw(self, entry: Entry) -> None:
        """Whoever asked for it is gone: it is not played, or not to its end."""
        self._waiting.remove(entry)
        if self._playing is not None and self._playing[0] is entry:
            self._playing[1].cancel()
        self._changed.set()

    async def _run(self) -> None:
        while len(self._waiting):
            self._changed.clear()
            ready = [entry for entry in self._waiting if self._is_ready(entry)]
            if ready:
                await self._play(ready[0])
            elif len(self._waiting):
                await self._pause()

    def _is_ready(self, entry: Entry) -> bool:
        """Whether it can be played now; ends it if it cannot be played at all."""
        obstacle = self._place.obstacle(entry.announcement)
        now_s = asyncio.get_running_loop().time()
        if obstacle is None:
            if now_s < entry.deadline_s:
                return True
            self._end(entry, "expired", "It was busy for too long.")
            return False
        if obstacle.stops_clock:
            entry.deadline_s = max(entry.deadline_s, now_s + entry.announcement.wait_s)
        if obstacle.refuses:
            self._end(entry, "refused", obstacle.text)
        elif not entry.announcement.holds and entry.loss:
            self._end(entry, "failed", entry.loss)
        elif not entry.announcement.holds:
            self._end(entry, "refused", obstacle.text)
        elif now_s >= entry.deadline_s:
            self._end(entry, "expired", obstacle.text)
        else:
            entry.report("waits", obstacle.text)
        return False

    async def _play(self, entry: Entry) -> None:
        begun = False

        def begin() -> None:
            nonlocal begun
            begun = True
            entry.report("begins")

        if self._place.is_busy() and not entry.announcement.urgent:
            entry.report("waits", "It is in a turn.")
        wait_s = max(0.0, entry.deadline_s - asyncio.get_running_loop().time())
        playing = self._place.play(entry.announcement, wait_s=wait_s, on_begin=begin)
        task = asyncio.ensure_future(playing)
        self._playing = entry, task
        try:
            await asyncio.wait((task,))
        finally:
            self._playing = None
            task.cancel()
        await self._over(entry, task, begun=begun)

    async def _over(self, entry: Entry, task: "asyncio.Task[Outcome]", *, begun: bool) -> None:
        if entry not in self._waiting:
            return  # withdrawn
        if task.cancelled():
            entry.report("waits", URGENT_FIRST)
            return
        error = task.exception()
        outcome: Outcome = "again" if error is not None else task.result()
        if isinstance(error, Interrupted):
            entry.loss = entry.loss or str(error)
        if outcome != "again":
            self._end(entry, outcome)
        elif error is None or isinstance(error, Interrupted):
            await self._again(entry)
        elif begun or not isinstance(error, VoxcardError):
            self._failed(entry, error)
        else:
            await self._again(entry)

    async def _again(self, entry: Entry) -> None:
        """It has not spoken: the device went away, was busy for too long, or a person came."""
        if self._place.obstacle(entry.announcement) is None:
            entry.attempts += 1
        if entry.attempts >= ATTEMPTS_MAX:
            self._end(entry, "failed", "Each time its turn ended before it spoke.")
        else:
            await self._pause()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(POLL_S):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _failed(self, entry: Entry, error: BaseException) -> None:
        text = str(error)
        if not isinstance(error, VoxcardError):
            log.error("%s: an announcement failed", self._place.id, exc_info=error)
            text = "Something went wrong here. See the bridge's log."
        self._end(entry, "failed", text)

    def _end(self, entry: Entry, state: State, text: str = "") -> None:
        assert state in ENDS
        self._waiting.remove(entry)
        entry.report(state, text)
