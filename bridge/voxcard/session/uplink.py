"""Microphone of one turn: wire frames in, a pcm16 stream out."""

import asyncio
from collections import deque

from voxwire import audio as wire

from voxcard.audio import to_pcm

# What the assistant may fall behind by: 10 s of 40 ms frames, then the oldest go.
QUEUE_FRAMES = 250
# A jump of more than this is not loss but another turn's frames.
JUMP_MAX = 100
# Put in for lost frames, so that time passes in the recording too: the frame before once more,
# as silence inside a word is heard as its end, then silence.
FILL_MAX = 25


class Microphone:
    """An async iterator of pcm16 at 16 kHz that ends after `close`. `realtime`: it stays open
    while the device speaks (full duplex boards). `keep`: it stays for `recording`.
    `heard`: pcm16 from before `base`, of the same sound."""

    def __init__(
        self,
        base: int,
        now_s: float,
        *,
        realtime: bool = False,
        keep: bool = False,
        heard: bytes = b"",
    ) -> None:
        self.realtime = realtime
        self._kept: list[bytes] | None = [] if keep else None
        self._next = base & 0xFFFF
        self._before = b""  # the frame before, as pcm16
        self._pieces: deque[bytes] = deque(maxlen=QUEUE_FRAMES)
        self._waiter: asyncio.Future[None] | None = None
        self.closed = False
        self.last_s = now_s  # when the last frame came, on the loop's clock
        self.received = 0
        self.lost = 0
        self.dropped = 0  # repeated, late, of another turn, or over the queue
        if heard:
            self._put(heard)

    def add(self, frame: bytes, now_s: float) -> None:
        """Take one frame; WireError (and nothing else) when it is none. ValueError: its codec."""
        wire.check(frame)
        ahead = wire.distance(wire.seq_of(frame), self._next)
        if self.closed or not 0 <= ahead <= JUMP_MAX:
            self.dropped += 1
            return
        pcm = to_pcm(frame[1], memoryview(frame)[wire.HEADER_BYTES :])
        self.last_s = now_s
        self.received += 1
        self._next = (self._next + ahead + 1) & 0xFFFF
        if ahead:
            self.lost += ahead
            size = len(pcm) * min(ahead, FILL_MAX)
            self._put(self._before[: len(pcm)].ljust(size, b"\0"))
        self._before = pcm
        self._put(pcm)

    @property
    def next_seq(self) -> int:
        """The frame that would come next."""
        return self._next

    def drain(self) -> bytes:
        """What is queued, which is not heard again."""
        pcm = b"".join(self._pieces)
        self._pieces.clear()
        return pcm

    def missing(self, next_seq: int) -> int:
        """How many frames before `next_seq` have not come, as far as it is near."""
        ahead = wire.distance(next_seq, self._next)
        return ahead if 0 <= ahead <= JUMP_MAX else 0

    def close(self) -> None:
        """No more audio; what is queued is still heard. Safe to call twice."""
        self.closed = True
        self._wake()

    def recording(self) -> bytes:
        """What was heard since the last call, as pcm16 at 16 kHz; empty unless it is kept."""
        kept = b"".join(self._kept or ())
        if self._kept is not None:
            self._kept.clear()
        return kept

    def _put(self, pcm: bytes) -> None:
        self.dropped += len(self._pieces) == QUEUE_FRAMES
        self._pieces.append(pcm)
        if self._kept is not None:
            self._kept.append(pcm)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __aiter__(self) -> "Microphone":
        return self

    async def __anext__(self) -> bytes:
        while not self._pieces:
            if self.closed:
                raise StopAsyncIteration
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._pieces.popleft()
