"""From the microphone to frames on the link: gain, codec, header, all in buffers that are kept.

Frames go through a short ring. It keeps the turn's beginning while it is not known yet how the
turn will end (press or hold), and carries a moment in which the link takes nothing.
"""

import asyncio
import time

from audio import adpcm, level
from audio.buffers import Frames, copy
from voxwire import audio

POLL_MS = 10
RING_MS = 640
SENDS_PER_FRAME = 3  # how fast a full ring empties beside the frames that come


class Capture:
    """`start`, then `open` when the turn is known to the bridge, then `finish` or `stop`.

    `send_frame(buffer, size) -> bool` is the link's; a frame it does not take is offered again
    with the next one, and is dropped when the ring is full. `run` is the task that listens.
    `frames_sent`, `frames_dropped` and `frames_voiced` count since `start`.
    """

    def __init__(self, microphone, send_frame, *, frames=None, gain=level.UNITY,
                 ticks_ms=time.ticks_ms, sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._microphone = microphone
        self._send_frame = send_frame
        self._buffers = frames or Frames()
        self._ticks_ms = ticks_ms
        self._sleep_ms = sleep_ms
        self._gain = gain
        self._gate = level.Gate()
        self._state = adpcm.new_state()
        self._begun = asyncio.Event()
        self._format = None
        self.frames_sent = self.frames_dropped = self.frames_voiced = 0
        self.on_frame = None  # callable(voiced), after each whole frame: session.wake
        self.level = 0  # mean of the last frame, of 32767; 0 while stopped
        self.heard_ms = 0  # when the microphone last gave something, or started
        self.configure("ima-adpcm", 40)

    def configure(self, form: str, frame_ms: int) -> None:
        """Send frames of this format from now on; stops what is running."""
        self.stop()
        if self._format == (form, frame_ms):
            return
        self._frames = self._payloads = self._pcm = self._tails = None
        self._format = (form, frame_ms)
        self._codec, self.frame_ms = audio.FORMATS[form], frame_ms
        self._samples = self._microphone.rate_hz * frame_ms // 1000
        payload = adpcm.HEADER_BYTES + self._samples // 2
        if self._codec == audio.PCM16:
            payload = self._samples * 2
        self._size = audio.HEADER_BYTES + payload
        self._frames = self._buffers.take(RING_MS // frame_ms, self._size)
        self._payloads = tuple([memoryview(each)[audio.HEADER_BYTES :] for each in self._frames])
        self._tails = self._buffers.samples(self._samples * 2)
        self._pcm = self._tails.buffer

    @property
    def active(self) -> bool:
        """Whether the microphone is on."""
        return self._begun.is_set()

    def start(self, base: int) -> None:
        """Listen from now on; the first frame is `base`. Frames wait for `open`."""
        self.stop()
        self._seq = base
        self._count = self._first = self._held = self._filled = 0
        self._open = False
        self._state[0] = self._state[1] = 0
        self._gate.reset()
        self.frames_sent = self.frames_dropped = self.frames_voiced = 0
        self.heard_ms = self._ticks_ms()
        self._microphone.start()
        self._begun.set()

    def open(self) -> None:
        """Send what has come and what will come."""
        self._open = True
        self._send(self._held)

    def hold(self) -> None:
        """Keep what comes in the ring, and send nothing until `open`."""
        self._open = False

    @property
    def next_seq(self) -> int:
        """The seq of the next frame to be sent."""
        return (self._seq + self._count - self._held) & 0xFFFF

    def finish(self) -> "int | None":
        """Stop; what was heard so far is sent, the begun frame with silence after it.

        Returns the seq after the last frame that was sent; None if the microphone was off.
        """
        if not self._begun.is_set():
            return None
        if self._filled:
            level.clear(self._pcm, self._filled // 2, self._samples)
            self._complete()
        self._send(self._held)
        next_seq = self.next_seq
        self.stop()
        return next_seq

    def stop(self) -> None:
        """Stop at once; what was not sent is dropped."""
        if not self._begun.is_set():
            return
        self._begun.clear()
        self._microphone.stop()
        self.level = 0
        self.frames_dropped += self._held
        self._held = 0

    async def run(self) -> None:
        """Listen whenever started; never ends. Raises OSError when the driver fails."""
        # One loop in one coroutine: a coroutine a read would cost as much heap as the read's own.
        while True:
            if not self._begun.is_set():
                await self._begun.wait()
            pcm, place = self._pcm, self._filled
            count = await self._microphone.readinto(self._tails.at(place))
            if not self._begun.is_set():
                continue
            if not count:
                # A driver that ends by itself must not starve the others; the session notices.
                await self._sleep_ms(POLL_MS)
                continue
            if self._filled != place or self._pcm is not pcm:
                # A turn ended and the next began meanwhile: these are its first samples.
                count = min(count, len(self._pcm))
                copy(pcm, place, count, self._pcm)
            self._take(count)

    def _take(self, count):
        """`count` bytes more are in the sample buffer."""
        self.heard_ms = self._ticks_ms()
        self._filled += count
        if self._filled == len(self._pcm):
            voiced = self._complete()
            self._send(SENDS_PER_FRAME)
            if self.on_frame is not None:
                self.on_frame(voiced)

    def _complete(self):
        """The full sample buffer becomes a frame in the ring; whether that holds voice."""
        pcm, samples = self._pcm, self._samples
        self._filled = 0
        if self._gain != level.UNITY:
            level.amplify(pcm, samples, self._gain)
        self.level = level.mean(pcm, samples)
        voiced = self._gate.update(self.level)
        self.frames_voiced += voiced
        if self._held == len(self._frames):
            self._drop()
        place = (self._first + self._held) % len(self._frames)
        audio.write_header(
            self._frames[place], self._codec, self._seq + self._count, self._count * self.frame_ms
        )
        if self._codec == audio.PCM16:
            copy(pcm, 0, len(pcm), self._payloads[place])
        else:
            adpcm.encode(pcm, samples, self._payloads[place], self._state)
        self._count += 1
        self._held += 1
        return voiced

    def _send(self, count):
        if not self._open:
            return
        while self._held and count and self._send_frame(self._frames[self._first], self._size):
            self.frames_sent += 1
            self._remove()
            count -= 1

    def _drop(self):
        self.frames_dropped += 1
        self._remove()

    def _remove(self):
        self._first = (self._first + 1) % len(self._frames)
        self._held -= 1
