"""One speech to a device: resampled, cut into frames, numbered, paced; what was heard of it."""

from dataclasses import dataclass

from voxwire import audio as wire_audio

from voxcard.assistants import HeardReply, Resampling
from voxcard.audio import FrameWriter, Resampler
from voxcard.session.pacing import Cutter, Mark, Pace, heard_text


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


class SpeechStream:
    """From `tts start` to `tts stop`; its frames are numbered from `base` on."""

    def __init__(self, speaker: SpeakerFormat, base: int) -> None:
        self.base = base
        self.started = False
        self._frame_ms = speaker.frame_ms
        self._resampler = Resampler(speaker.rate_hz)
        frame_samples = speaker.rate_hz * speaker.frame_ms // 1000
        self._cutter = Cutter(frame_samples * 2)
        self._writer = FrameWriter(speaker.format, base=base, frame_ms=speaker.frame_ms)
        self._pace = Pace(frame_ms=speaker.frame_ms, buffer_ms=speaker.buffer_ms)
        self._marks: list[Mark] = []

    @property
    def sent(self) -> int:
        """Frames that left."""
        return self._writer.count

    @property
    def next_seq(self) -> int:
        """Of the frame after the last one that left."""
        return (self.base + self.sent) & 0xFFFF

    @property
    def last_seq(self) -> int | None:
        """Of the last frame that left."""
        return (self.next_seq - 1) & 0xFFFF if self.sent else None

    def cut(self, pcm: bytes, rate_hz: int, resampling: Resampling) -> list[bytes]:
        """The whole frames there are with this piece."""
        return list(self._cutter.cut(self._resampler.put(pcm, rate_hz, resampling)))

    def rest(self) -> list[bytes]:
        """The frames of what is left at the end of a sentence."""
        frames = list(self._cutter.cut(self._resampler.end()))
        last = self._cutter.last()
        return [*frames, last] if last else frames

    def mark(self, text: str) -> None:
        """The next frame is the first one of this sentence."""
        self._marks.append(Mark(text=text, first=self.sent))

    def wait_ms(self, now_ms: float) -> float:
        """Until the next frame may leave; 0: it may now."""
        return self._pace.wait_ms(now_ms)

    def write(self, frame: bytes, now_ms: float) -> bytes:
        """The bytes of a frame that leaves now."""
        self._pace = self._pace.sent(now_ms)
        return self._writer.write(frame)

    def playing_seq(self, now_ms: float) -> int | None:
        """The last frame that can have been played whole by now; None: none."""
        began_ms = self._pace.began_ms
        if began_ms is None:
            return None
        # What was sent before the device ran dry, and what is due of what came since.
        dry = self.sent * self._frame_ms - self._pace.sent_ms
        frames = int(dry + min(self._pace.sent_ms, now_ms - began_ms)) // self._frame_ms
        return (self.base + frames - 1) & 0xFFFF if frames else None

    def heard(self, seq: int | None, unsent: int) -> HeardReply:
        """What was heard when frame `seq` was the last one played (None: nothing), where
        `unsent` frames of the sentence being sent have not left."""
        if seq is None:
            return HeardReply(text="", played_ms=0)
        frames = min(wire_audio.distance(seq, self.base) + 1, self.sent)
        if frames <= 0:
            return HeardReply(text="", played_ms=0)
        text = heard_text(tuple(self._marks), self.sent + unsent, frames)
        return HeardReply(text=text, played_ms=frames * self._frame_ms)
