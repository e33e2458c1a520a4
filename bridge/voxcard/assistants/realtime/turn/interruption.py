"""What of the answers was not heard: forgotten by the server and by our memory; pure."""

from collections.abc import Callable

from voxcard.assistants import HeardReply
from voxcard.assistants.pipeline.chat_server.memory import Exchange, Memory
from voxcard.assistants.realtime.turn.playback import Received
from voxcard.assistants.realtime.wire import client_events
from voxcard.json_value import JsonObject


class Interruption:
    """The answers since the turn began or the speaker was last silenced."""

    def __init__(self, memory: Memory) -> None:
        self.received = Received()
        self._memory = memory
        self._kept: Exchange | None = None
        self._said: list[str] = []  # by answer, the last one last

    def keep(self, exchange: Exchange, said: str) -> None:
        """An answer is over, which said `said`: remember its exchange."""
        if exchange is not self._kept:
            self._memory.keep(exchange)
            self._kept = exchange
            self._said.append("")
        self._said[-1:] = [f"{self._said[-1] if self._said else ''} {said}".strip()]

    def heard(self, reply: HeardReply, send: Callable[[JsonObject], None]) -> None:
        """Only `reply` was heard: tell the server item by item, and remember no more."""
        unheard = list(self.received.unheard(reply.played_ms))
        for item_id, content_index, played_ms in unheard:
            if item_id:
                send(client_events.truncate(item_id, content_index, played_ms))
        if unheard and self._said:
            text = reply.text
            for said in self._said[:-1]:
                text = text.removeprefix(said).strip()
            self._memory.interrupted(text)
        self.received.clear()
        self._said.clear()
