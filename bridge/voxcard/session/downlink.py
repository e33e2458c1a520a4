"""Speech to the device: resampled, cut into frames, paced to its playback."""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from voxwire import audio as wire_audio
from voxwire.capability import Sound
from voxwire.message import TEXT_MAX

from voxcard.assistants import HeardReply
from voxcard.audio import FORMATS, FrameWriter, Resampler
from voxcard.link.wire import Wire
from voxcard.session.pacing import Cutter, Mark, Pace, heard_text

QUEUE_MS = 20_000  # speech made ahead of its sending; more waits in the assistant


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerFormat:
    """How a device wants to hear."""

    format: str
    rate_hz: int
    frame_ms: int
    buffer_ms: int

    def audio_params(self) -> dict[str, str | int]:
        """As a hello says it, in xiaozhi's words."""
        return {
            "format": self.format,
            "sample_rate": self.rate_hz,
            "channels": 1,
            "frame_duration": self.frame_ms,
        }


def speaker_format(sound: Sound) -> SpeakerFormat | None:
    """The best of what a hello's sound offers; None when there is nothing in common."""
    format_name = next((name for name in sound.formats if name in FORMATS), None)
    if format_name is None:
        return None
    return SpeakerFormat(
        format=format_name,
        rate_hz=max(sound.down_rates_hz),
        frame_ms=sound.frame_ms,
        buffer_ms=sound.buffer_ms,
    )


class Downlink:
    """Speech goes in by `sentence` and `speech`; `run` sends it; `end` ends it.

    `on_start()` is called before `tts start` leaves, `on_first_frame()` after the first frame.
    """

    def __init__(
        self,
        wire: Wire,
        speaker: SpeakerFormat,
        *,
        on_start: Callable[[], None],
        on_first_frame: Callable[[], None],
    ) -> None:
        self.started = False
        self.base = secrets.randbelow(0x10000)
        self._wire = wire
        self._on_start = on_start
        self._on_first_frame = on_first_frame
        self._frame_ms = speaker.frame_ms
        self._resampler = Resampler(speaker.rate_hz)
        frame_samples = speaker.rate_hz * speaker.frame_ms // 1000
        self._cutter = Cutter(frame_samples * 2)
        self._writer = FrameWriter(speaker.format, base=self.base, frame_ms=speaker.frame_ms)
        self._pace = Pace(frame_ms=speaker.frame_ms, buffer_ms=speaker.buffer_ms)
        self._queue: deque[str | bytes] = deque()
        self._queue_max = QUEUE_MS // speaker.frame_ms
        self._changed = asyncio.Event()
        self._ending = False
        self._marks: list[Mark] = []

    @property
    def sent(self) -> int:
        """Frames that left."""
        return self._writer.count

    @property
    def last_seq(self) -> int | None:
        """Of the last frame that left."""
        return (self.base + self.sent - 1) & 0xFFFF if self.sent else None

    def start(self) -> None:
        """Tell the device that speech comes; as early as possible, because the frames go another
        way (their own topic) and must not arrive before it."""
        if not self.started:
            self.started = True
            self._on_start()
            self._wire.send("tts", state="start", seq=self.base)

    def sentence(self, text: str) -> None:
        """The text of the speech that follows."""
        self.start()
        self._flush()
        self._queue.append(text)
        self._changed.set()

    async def speech(self, pcm: bytes, rate_hz: int) -> None:
        """Take pcm16 of any length; waits while more than QUEUE_MS are unsent."""
        self.start()
        self._queue.extend(self._cutter.cut(self._resampler.put(pcm, rate_hz)))
        # What may leave now leaves without waking the sender.
        self._send_due()
        if self._queue:
            self._changed.set()
        while len(self._queue) > self._queue_max:
            self._changed.clear()
            await self._changed.wait()

    async def run(self) -> None:
        """Send until `end`: what the device has no room for yet, when it has."""
        while self._queue or not self._ending:
            wait_ms = self._send_due()
            if self._queue:
                await asyncio.sleep(wait_ms / 1000)
            elif not self._ending:
                self._changed.clear()
                await self._changed.wait()

    def _send_due(self) -> float:
        """Send what may leave now; ms until the next frame may."""
        now_ms = asyncio.get_running_loop().time() * 1000
        while self._queue:
            item = self._queue[0]
            if isinstance(item, str):
                self._marks.append(Mark(text=item, first=self.sent))
                self._wire.send("tts", state="sentence_start", text=item[:TEXT_MAX])
            else:
                wait_ms = self._pace.wait_ms(now_ms)
                if wait_ms > 0:
                    return wait_ms
                self._wire.frame(self._writer.write(item))
                self._pace = self._pace.sent(now_ms)
                if self.sent == 1:
                    self._on_first_frame()
            self._queue.popleft()
            if len(self._queue) == self._queue_max:
                self._changed.set()
        return 0.0

    def end(self) -> None:
        """Nothing more will be said: `run` ends when the queue is empty."""
        self._flush()
        self._ending = True
        self._changed.set()

    def stop(self, listen: bool) -> None:
        """Tell the device which frame was the last, and whether to listen after it."""
        self._wire.send("tts", state="stop", listen=listen, last_seq=self.last_seq)

    def heard(self, seq: int | None) -> HeardReply:
        """What was heard when frame `seq` was the last one played (None: nothing)."""
        if seq is None:
            return HeardReply(text="", played_ms=0)
        frames = wire_audio.distance(seq, self.base) + 1
        text = heard_text(tuple(self._marks), self.sent + self._unsent(), frames)
        return HeardReply(text=text, played_ms=frames * self._frame_ms)

    def _unsent(self) -> int:
        """Frames of the sentence that is being sent which wait in the queue."""
        count = 0
        for item in self._queue:
            if isinstance(item, str):
                break
            count += 1
        return count

    def _flush(self) -> None:
        self._queue.extend(self._cutter.cut(self._resampler.end()))
        rest = self._cutter.last()
        if rest:
            self._queue.append(rest)
