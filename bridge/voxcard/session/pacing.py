"""Pacing of speaker frames, and cutting of speech into frames; pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How far the frames sent are ahead of the device's playing.

    `began_ms` is when the device could have begun to play what it got; None before a frame.
    """

    frame_ms: int
    buffer_ms: int
    began_ms: float | None = None
    sent_ms: int = 0

    @property
    def room_ms(self) -> int:
        """How much may be ahead: the device's buffer but for one frame, which is left free for
        the time between our clock and its first sample."""
        return max(self.frame_ms, self.buffer_ms - self.frame_ms)

    def wait_ms(self, now_ms: float) -> float:
        """Milliseconds until the next frame may be sent; 0 when it may go now."""
        if self.began_ms is None:
            return 0.0
        ahead = self.sent_ms - (now_ms - self.began_ms)
        return max(0.0, ahead + self.frame_ms - self.room_ms)

    def sent(self, now_ms: float) -> "Pace":
        """The pace after one more frame left at `now_ms`."""
        if self.began_ms is None or now_ms - self.began_ms > self.sent_ms:
            # First frame, or the device ran dry: playing begins (again) with this frame.
            return replace(self, began_ms=now_ms, sent_ms=self.frame_ms)
        return replace(self, sent_ms=self.sent_ms + self.frame_ms)


class Cutter:
    """Cuts pcm of any length into frames of `frame_bytes`."""

    def __init__(self, frame_bytes: int) -> None:
        self._frame_bytes = frame_bytes
        self._rest = b""

    def cut(self, pcm: bytes) -> Iterator[bytes]:
        """The whole frames there are now; the rest waits for more."""
        data, size = self._rest + pcm, self._frame_bytes
        end = len(data) - len(data) % size
        self._rest = data[end:]
        return (data[at : at + size] for at in range(0, end, size))

    def last(self) -> bytes:
        """The rest as a frame filled up with silence; empty when nothing is left."""
        rest, self._rest = self._rest, b""
        return rest + bytes(-len(rest) % self._frame_bytes)


_DIGIT = 4  # letters of a digit that is spoken: "35" is said "thirty five"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A sentence and the first of its frames, counted from the start of the speech."""

    text: str
    first: int


def heard_text(marks: tuple[Mark, ...], frames_sent: int, frames_heard: int) -> str:
    """What of the sentences was heard after `frames_heard` frames.

    Of the sentence that was cut off these are the words that were heard whole, had each been as
    long as its letters are many.
    """
    sentences = []
    for index, mark in enumerate(marks):
        end = marks[index + 1].first if index + 1 < len(marks) else frames_sent
        if frames_heard >= end > mark.first:
            sentences.append(mark.text)
        elif frames_heard > mark.first:
            sentences.append(
                _share(mark.text, (frames_heard - mark.first) / max(1, end - mark.first))
            )
    return " ".join(part for part in sentences if part)


def _share(text: str, share: float) -> str:
    """The words of `text` that end within `share` (0..1) of its length."""
    words = text.split()
    lengths = [sum(_DIGIT if each.isdigit() else 1 for each in word) for word in words]
    left = share * sum(lengths)
    count = 0
    for length in lengths:
        left -= length
        if left < 0:
            break
        count += 1
    return " ".join(words[:count])
