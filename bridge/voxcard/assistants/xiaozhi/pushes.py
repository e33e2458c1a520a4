"""What a server sends while nobody talks: speech, alerts and calls that begin a turn."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from voxcard.assistants import Begun, Done, Turn
from voxcard.assistants.xiaozhi.answer import alert
from voxcard.assistants.xiaozhi.events import Event
from voxcard.assistants.xiaozhi.tools.mcp_server import Call
from voxcard.assistants.xiaozhi.wire.connection import Audio
from voxcard.assistants.xiaozhi.wire.inbox import Inbox
from voxcard.assistants.xiaozhi.wire.messages import Alert, Tts

EARLY_MAX = 16  # sounds kept that came before their `tts start`
EARLY_S = 1.0
MUTE_S = 1.0  # for a server to stop an answer that was cut off
WAITING_MAX = 16  # turns that were not begun yet; more are dropped


class Pushes:
    """Makes turns of idle events, for whoever iterates `begun`.

    `attach(inbox)` gives the inbox what follows, `open_turn(inbox)` is the turn of what is in it.
    """

    def __init__(
        self, attach: Callable[[Inbox[Event]], None], open_turn: Callable[[Inbox[Event]], Turn]
    ) -> None:
        self._attach = attach
        self._open_turn = open_turn
        self._begins: asyncio.Queue[Begun] | None = None
        self._early: deque[tuple[float, Event]] = deque(maxlen=EARLY_MAX)
        self._muted_until_s = 0.0

    @property
    def heard(self) -> bool:
        """Somebody takes the turns."""
        return self._begins is not None

    async def begun(self) -> AsyncIterator[Begun]:
        begins = self._begins = asyncio.Queue(WAITING_MAX)
        try:
            while True:
                yield await begins.get()
        finally:
            self._begins = None

    def begin(self, open_turn: Callable[[], Turn], *, urgent: bool = False) -> bool:
        """A turn that waits to be begun; False where nobody takes it, or too many wait."""
        if self._begins is None or self._begins.full():
            return False
        self._begins.put_nowait(Begun(open=open_turn, urgent=urgent))
        return True

    def mute(self, now_s: float) -> None:
        """An answer was cut off: what still comes of it begins no turn."""
        self._muted_until_s = now_s + MUTE_S
        self._early.clear()

    async def take(self, event: Event, now_s: float) -> bool:
        """Whether the event was of use; a call that was not is to be refused."""
        if now_s < self._muted_until_s or not self.heard:
            return False
        match event:
            case Alert():
                return self.begin(lambda: _alerted(event), urgent=True)
            case Audio():
                self._early.append((now_s, event))
                return True
            case Call():
                return await self._begin([event])
            case Tts(state="start"):
                early = [each for at_s, each in self._early if now_s - at_s < EARLY_S]
                self._early.clear()
                return await self._begin([event, *early])
        return False

    async def _begin(self, events: list[Event]) -> bool:
        inbox: Inbox[Event] = Inbox(is_open=False)
        for event in events:
            await inbox.put(event)
        if not self.begin(lambda: self._open_turn(inbox)):
            return False
        self._attach(inbox)
        return True


async def _alerted(event: Alert) -> Turn:
    for part in alert(event):
        yield part
    yield Done()
