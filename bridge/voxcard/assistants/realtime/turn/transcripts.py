"""What the person said, written down by the server beside its answer; pure."""

from collections.abc import Iterator

from voxcard.assistants import Part, Transcript
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.realtime.wire.server_events import Transcribed, TranscriptionFailed


class Transcripts:
    """The user's items of one turn; `is_written`: the server writes down what it hears."""

    def __init__(self, *, is_written: bool) -> None:
        self._is_written = is_written
        self._exchanges: dict[str, Exchange] = {}
        self._unwritten: dict[str, str] = {}  # the words so far

    @property
    def are_due(self) -> bool:
        """Whether the words of an item are still on their way."""
        return bool(self._unwritten)

    def exchange(self, item_id: str) -> Exchange:
        """The exchange that the item begins, or began."""
        if item_id not in self._exchanges:
            self._exchanges[item_id] = Exchange("")
            if self._is_written:
                self._unwritten[item_id] = ""
        return self._exchanges[item_id]

    def take(self, event: Transcribed | TranscriptionFailed) -> Iterator[Part]:
        """Words of an item; those of another turn's are passed over."""
        if event.item_id not in self._unwritten:
            return
        if isinstance(event, Transcribed) and event.partial:
            self._unwritten[event.item_id] += event.text
            yield Transcript(text=self._unwritten[event.item_id], partial=True)
            return
        del self._unwritten[event.item_id]
        if isinstance(event, Transcribed):
            text = event.text.strip()
            self._exchanges[event.item_id].messages[0]["content"] = text
            yield Transcript(text=text)

    def give_up(self) -> None:
        """They do not come any more."""
        self._unwritten.clear()
