"""What came of an answer, against what was heard of it: captions and truncation; pure."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from voxcard.assistants.pipeline.speech.sentence_stream import SentenceStream
from voxcard.assistants.realtime.wire.client_events import RATE_HZ

_SAMPLE_BYTES = 2
# The transcript comes ahead of the sound, and nothing says which word is where. Speech has about
# 15 characters a second, so a sentence begins in the first pause after somewhat less than that.
_MS_PER_CHARACTER = 45
_PAUSE_MS = 100
_QUIET = 400  # of 32768
_WINDOW_MS = 20
_WINDOW_BYTES = RATE_HZ * _SAMPLE_BYTES * _WINDOW_MS // 1000
_HOLD_MS = 300  # of sound, until its first sentence is known; it comes faster than it is played


def milliseconds(size: int) -> int:
    """How long `size` bytes of the server's audio sound, rounded down."""
    return size * 1000 // (RATE_HZ * _SAMPLE_BYTES)


class Captions:
    """Puts the sentences of one answer where their sound begins: between two words.

    `words` and `sound` are what came; `sound` and `end` give texts and pcm16 in their order.
    """

    def __init__(self) -> None:
        self.text = ""
        self._stream = SentenceStream()
        self._waiting: deque[tuple[int, str]] = deque()  # from which ms on
        self._characters = 0
        self._begun = False
        self._held = b""
        self._ms = 0  # of sound that was given out
        self._quiet_ms = 0  # at the end of it

    def words(self, text: str) -> None:
        """Further words of the answer came."""
        self.text += text
        self._wait(self._stream.push(text))

    def sound(self, pcm: bytes) -> Iterator[str | bytes]:
        """What may be played now that `pcm` came."""
        self._held += pcm
        if not self._begun:
            if not self._waiting and milliseconds(len(self._held)) < _HOLD_MS:
                return
            if not self._waiting:  # the words so far
                self._wait(self._stream.end())
                self._stream = SentenceStream()
            self._begun = True
            yield from self._due(0)
        yield from self._placed()

    def end(self) -> Iterator[str | bytes]:
        """The rest."""
        self._wait(self._stream.end())
        if not self._begun and self._waiting:
            yield self._waiting.popleft()[1]
        yield from self._placed()
        if self._held:
            yield self._held
        yield from (text for _, text in self._waiting)
        self._waiting.clear()
        self._held = b""

    def _placed(self) -> Iterator[str | bytes]:
        """The whole windows of the sound that is held, with what begins in their pauses."""
        begin = 0
        for end in range(_WINDOW_BYTES, len(self._held) + 1, _WINDOW_BYTES):
            window = np.frombuffer(self._held[end - _WINDOW_BYTES : end], "<i2")
            self._ms += _WINDOW_MS
            is_quiet = int(window.max()) < _QUIET and int(window.min()) > -_QUIET
            self._quiet_ms = self._quiet_ms + _WINDOW_MS if is_quiet else 0
            if self._quiet_ms < _PAUSE_MS or not self._waiting:
                continue
            for sentence in self._due(self._ms):
                yield self._held[begin:end]
                yield sentence
                begin, self._quiet_ms = end, 0
        whole = len(self._held) // _WINDOW_BYTES * _WINDOW_BYTES
        if whole > begin:
            yield self._held[begin:whole]
        self._held = self._held[whole:]

    def _due(self, now_ms: int) -> Iterator[str]:
        if self._waiting and self._waiting[0][0] <= now_ms:
            yield self._waiting.popleft()[1]

    def _wait(self, sentences: list[str]) -> None:
        for sentence in sentences:
            self._waiting.append((self._characters * _MS_PER_CHARACTER, sentence))
            self._characters += len(sentence)


@dataclass(slots=True)
class _Piece:
    item_id: str
    content_index: int
    size: int


class Received:
    """The audio that came since the speaker was last silenced, by the items it belongs to."""

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add(self, item_id: str, content_index: int, size: int) -> None:
        last = self._pieces[-1] if self._pieces else None
        if last is None or (last.item_id, last.content_index) != (item_id, content_index):
            self._pieces.append(_Piece(item_id, content_index, 0))
        self._pieces[-1].size += size

    def forget_items(self) -> None:
        """A new session does not know them; that they were played still counts."""
        for piece in self._pieces:
            piece.item_id = ""

    def unheard(self, played_ms: int) -> Iterator[tuple[str, int, int]]:
        """The items of which not all was heard: (item_id, content_index, ms that were)."""
        left_ms = max(0, played_ms)
        for piece in self._pieces:
            length_ms = milliseconds(piece.size)
            if left_ms < length_ms:
                yield piece.item_id, piece.content_index, left_ms
            left_ms = max(0, left_ms - length_ms)

    def clear(self) -> None:
        self._pieces.clear()
