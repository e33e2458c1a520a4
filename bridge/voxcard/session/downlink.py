"""Speech to the device: queued, sent at the pace of its playback, cut off where it must be."""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable

from voxwire.capability import Sound
from voxwire.message import TEXT_MAX

from voxcard.assistants import HeardReply, Resampling
from voxcard.audio import FORMATS
from voxcard.link.wire import Wire
from voxcard.session.speech_stream import SpeakerFormat, SpeechStream

QUEUE_MS = 20_000  # speech made ahead of its sending; more waits in the assistant


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
    """Speech goes in by `sentence` and `speech`; `run` sends it; `drained` waits for that.

    `on_start()` is called before `tts start` leaves, `on_first_frame()` after the first frame of a
    speech. At most `queue_ms` wait to be sent.
    """

    def __init__(
        self,
        wire: Wire,
        speaker: SpeakerFormat,
        *,
        on_start: Callable[[], None],
        on_first_frame: Callable[[], None],
        queue_ms: int = QUEUE_MS,
    ) -> None:
        self._wire = wire
        self._speaker = speaker
        self._on_start = on_start
        self._on_first_frame = on_first_frame
        self._stream = SpeechStream(speaker, secrets.randbelow(0x10000))
        self._sent_before = 0  # frames of the speeches before
        self._queue: deque[str | bytes] = deque()
        self._queue_max = queue_ms // speaker.frame_ms
        self._changed = asyncio.Event()
        self._drained = asyncio.Event()
        self._cut: asyncio.Future[HeardReply] | None = None
        self._unsent_at_cut = 0
        self._cut_ms = 0.0

    @property
    def started(self) -> bool:
        """Whether the device knows of a speech that is not over."""
        return self._stream.started

    @property
    def base(self) -> int:
        """The number of the first frame of the speech that is sent."""
        return self._stream.base

    @property
    def sent(self) -> int:
        """Frames that left, of every speech."""
        return self._sent_before + self._stream.sent

    @property
    def last_seq(self) -> int | None:
        """Of the last frame of the speech that left."""
        return self._stream.last_seq

    def start(self) -> None:
        """Tell the device that speech comes; as early as possible, because the frames go another
        way (their own topic) and must not arrive before it."""
        if not self._stream.started:
            self._stream.started = True
            self._on_start()
            self._wire.send("tts", state="start", seq=self.base)

    def sentence(self, text: str) -> None:
        """The text of the speech that follows."""
        self.start()
        self._flush()
        self._queue.append(text)
        self._changed.set()

    async def speech(self, pcm: bytes, rate_hz: int, resampling: Resampling = "high") -> None:
        """Take pcm16 of any length; waits while more than `queue_ms` are unsent."""
        self.start()
        self._queue.extend(self._stream.cut(pcm, rate_hz, resampling))
        # What may leave now leaves without waking the sender.
        self._send_due()
        if self._queue:
            self._changed.set()
        while len(self._queue) > self._queue_max:
            self._changed.clear()
            await self._changed.wait()

    async def run(self) -> None:
        """Send what the device has no room for yet, when it has; never ends."""
        while True:
            wait_ms = self._send_due()
            if self._queue:
                await asyncio.sleep(wait_ms / 1000)
            else:
                self._drained.set()
                self._changed.clear()
                await self._changed.wait()

    def _send_due(self) -> float:
        """Send what may leave now; ms until the next frame may."""
        now_ms = asyncio.get_running_loop().time() * 1000
        stream = self._stream
        while self._queue:
            item = self._queue[0]
            if isinstance(item, str):
                stream.mark(item)
                self._wire.send("tts", state="sentence_start", text=item[:TEXT_MAX])
            else:
                wait_ms = stream.wait_ms(now_ms)
                if wait_ms > 0:
                    return wait_ms
                self._wire.frame(stream.write(item, now_ms))
                if stream.sent == 1:
                    self._on_first_frame()
            self._queue.popleft()
            if len(self._queue) == self._queue_max:
                self._changed.set()
        return 0.0

    async def drained(self) -> None:
        """Nothing more will be said in this speech: wait until all of it left, or until it is
        known what was heard of it if it was cut. `run` must run."""
        self._flush()
        self._drained.clear()
        self._changed.set()
        await self._drained.wait()
        if self._cut is not None:
            await asyncio.wait((self._cut,))

    def stop(self, *, listen: bool, cut: bool = False) -> None:
        """Tell the device which frame was the last, whether to listen after it, and whether to be
        silent at once."""
        first, last = self.base, self.last_seq
        self._wire.send("tts", state="stop", seq=first, listen=listen, cut=cut, last_seq=last)

    def drop(self) -> "asyncio.Future[HeardReply]":
        """Nothing more of this speech leaves; gives what `cut_heard` will say was heard of it."""
        self._unsent_at_cut = self._unsent()
        self._cut_ms = asyncio.get_running_loop().time() * 1000
        self._queue.clear()
        self._stream.rest()
        self._drained.set()
        self._cut = asyncio.get_running_loop().create_future()
        return self._cut

    def cut_heard(self, seq: int | None, *, reported: bool) -> None:
        """Frame `seq` was the last one heard of the speech that was dropped; where that was not
        `reported`, what can have been played until then was."""
        if not reported:
            seq = self._stream.playing_seq(self._cut_ms)
        heard = self._stream.heard(seq, self._unsent_at_cut)
        self.renew()
        if self._cut is not None and not self._cut.done():
            self._cut.set_result(heard)

    def renew(self) -> None:
        """What is said from now on is another speech, its frames numbered on.

        No two speeches begin with the same number: it is how a device knows which one a `tts stop`
        is for, which may come twice.
        """
        self._sent_before += self._stream.sent
        base = self._stream.next_seq if self._stream.sent else (self._stream.base + 1) & 0xFFFF
        self._stream = SpeechStream(self._speaker, base)

    def heard(self, seq: int | None) -> HeardReply:
        """What was heard when frame `seq` was the last one played (None: nothing)."""
        return self._stream.heard(seq, self._unsent())

    def _unsent(self) -> int:
        """Frames of the sentence that is being sent which wait in the queue."""
        count = 0
        for item in self._queue:
            if isinstance(item, str):
                break
            count += 1
        return count

    def _flush(self) -> None:
        self._queue.extend(self._stream.rest())
