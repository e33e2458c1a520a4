"""From speaker frames to sound: the ring of packets, the decoder, and when the last sample is out.

Frames are copied into a ring that is kept; a packet is decoded when its turn comes, so the ring
costs what the codec costs and not what pcm16 would. A lost frame is the one before it dying away,
further ones are silence. A frame shorter than the others is played with silence after it.
"""

import asyncio
import time
from array import array
from collections import namedtuple

import log
from audio import adpcm, level
from audio.buffers import Frames, copy
from audio.jitter import END, GAP, WAIT, Jitter
from voxwire import audio
from voxwire.errors import WireError

POLL_MS = 10
START_MS = 120  # sound in the ring before playing starts
DRAIN_MS = 1000  # no speaker's DMA is longer; a driver that never says 0 must not hold a turn
_SPARE_FRAMES = 4  # for what is on its way beyond what the bridge counts as buffered

# What became of one stream. `seq` is its last frame (None where that is not known); the others
# count frames.
Report = namedtuple("Report", ("seq", "lost", "late", "duplicate", "stray"))


class Playback:
    """Plays one stream at a time: `begin`, `accept` frames, `finish`; then `on_played(Report)`.

    `on_played` is called when the last sample has left the speaker, never after `stop`. `run` is
    the task that plays. Frames that are none, or of another codec, are counted in `refused`.
    """

    def __init__(self, speaker, *, frames=None, buffer_ms=400, ticks_ms=time.ticks_ms,
                 sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._speaker = speaker
        self._buffers = frames or Frames()
        self._buffer_ms = buffer_ms
        self._ticks_ms = ticks_ms
        self._sleep_ms = sleep_ms
        self._begun = asyncio.Event()
        self._stream = 0  # counts ends, so that a wait knows that its stream is over
        self._sounding = False
        self._format = None
        self.refused = 0
        self.heard_ms = 0  # when the last frame came
        self.on_played = None
        self.on_begin = None  # called first: what else sounds makes way
        self.set_volume(100)
        self.configure("ima-adpcm", 16000, 40)

    def configure(self, form: str, rate_hz: int, frame_ms: int) -> None:
        """Expect frames of this format from now on; stops what is playing."""
        self.stop()
        if self._format == (form, rate_hz, frame_ms):
            return
        # Freed before the new ring is allocated: two do not fit.
        self._slots = self._pcm = self._tails = None
        self._format = (form, rate_hz, frame_ms)
        self._codec, self._rate_hz = audio.FORMATS[form], rate_hz
        self._samples = rate_hz * frame_ms // 1000
        self._packet = adpcm.HEADER_BYTES + self._samples // 2
        if self._codec == audio.PCM16:
            self._packet = self._samples * 2
        count = _power_of_two(self._buffer_ms // frame_ms + _SPARE_FRAMES)
        self._slots = self._buffers.take(count, self._packet)
        self._sizes = array("H", [0] * count)
        self._tails = self._buffers.samples(self._samples * 2)
        self._pcm = self._tails.buffer
        self._jitter = Jitter(
            count, start_frames=START_MS // frame_ms, start_ms=START_MS + frame_ms
        )

    def set_volume(self, percent: int) -> None:
        """0 (silent) to 100; heard when the DMA has played what it holds."""
        self.volume_percent = percent
        self._gain = level.volume_gain(percent)

    @property
    def rate_hz(self) -> int:
        """The speaker's, of the streams that are expected."""
        return self._rate_hz

    @property
    def active(self) -> bool:
        """Whether a stream has begun and is not over."""
        return self._begun.is_set()

    def begin(self, base) -> None:
        """Accept frames from seq `base` on (None: from the first that comes)."""
        self.stop()
        if self.on_begin is not None:
            self.on_begin()
        self._frames = self._unwritten = self._gaps = 0
        self._grumbled = False
        self.heard_ms = self._ticks_ms()
        self._jitter.begin(base, self.heard_ms)
        self._begun.set()

    def accept(self, data) -> None:
        """Take one speaker frame (bytes, or a view that lives until this returns)."""
        if not self._begun.is_set():
            return
        try:
            audio.check(data)
        except WireError as error:
            self._refuse(str(error))
            return
        size = len(data) - audio.HEADER_BYTES
        if data[1] != self._codec or size > self._packet:
            self._refuse("audio: codec %d with %d bytes" % (data[1], size))
            return
        self.heard_ms = self._ticks_ms()
        slot = self._jitter.put(audio.seq_of(data), self.heard_ms)
        if slot >= 0:
            copy(data, audio.HEADER_BYTES, size, self._slots[slot])
            self._sizes[slot] = size

    def finish(self, last_seq) -> None:
        """The stream ends with frame `last_seq` (None: with what has come)."""
        if self._begun.is_set():
            self._jitter.finish(last_seq, self._ticks_ms())

    def stop(self):
        """Silent at once; returns the last frame that was heard whole, None without one."""
        if not self._begun.is_set():
            return None
        heard = self._heard_seq()
        self._close()
        return heard

    async def run(self) -> None:
        """Play every stream; never ends. Raises OSError when the speaker's driver fails."""
        while True:
            while not self._begun.is_set():
                await self._begun.wait()
            stream = self._stream
            try:
                await self._play(stream)
                await self._drain(stream)
            finally:
                if stream == self._stream:
                    self._report()

    async def _play(self, stream):
        while stream == self._stream:
            buffered_ms = self._speaker.buffered_ms() if self._sounding else 0
            slot = self._jitter.take(self._ticks_ms(), buffered_ms)
            if slot == END:
                return
            if slot == WAIT:
                await self._sleep_ms(POLL_MS)
                continue
            if slot == GAP:
                self._fill_gap()
            else:
                self._decode(slot)
            if not self._sounding:
                self._speaker.start(self._rate_hz)
                self._sounding = True
            self._frames += 1
            await self._write(stream)

    async def _write(self, stream):
        size = self._unwritten = len(self._pcm)
        while self._unwritten:
            taken = await self._speaker.write(self._tails.at(size - self._unwritten))
            if stream != self._stream or not taken:
                return
            self._unwritten -= taken

    async def _drain(self, stream):
        waited_ms = 0
        while stream == self._stream and self._sounding and waited_ms < DRAIN_MS:
            if self._speaker.buffered_ms() == 0:
                return
            await self._sleep_ms(POLL_MS)
            waited_ms += POLL_MS

    def _decode(self, slot):
        packet, size, pcm = self._slots[slot], self._sizes[slot], self._pcm
        if self._codec == audio.PCM16:
            copy(packet, 0, size, pcm)
            samples = size >> 1
        else:
            samples = adpcm.decode(packet, size, pcm)
        level.amplify(pcm, samples, self._gain)
        level.clear(pcm, samples, self._samples)
        self._gaps = 0

    def _fill_gap(self):
        # The frame before it is still in the buffer, at its volume.
        if self._gaps == 0 and self._frames:
            level.fade_out(self._pcm, self._samples)
        else:
            level.clear(self._pcm, 0, self._samples)
        self._gaps += 1

    def _refuse(self, why):
        self.refused += 1
        if not self._grumbled:  # one line a stream: more of it would be heard
            self._grumbled = True
            log.warning("playback", "frames are refused, the first one: %s" % why)

    def _heard_seq(self):
        if not self._sounding:
            return None
        unheard = self._unwritten // 2 + self._speaker.buffered_ms() * self._rate_hz // 1000
        frames = -(-unheard // self._samples)
        if frames >= self._frames:
            return None
        return (self._jitter.next_seq - 1 - frames) & 0xFFFF

    def _report(self):
        jitter = self._jitter
        report = Report(jitter.last_seq, jitter.lost, jitter.late, jitter.duplicate, jitter.stray)
        self._close()
        if self.on_played is not None:
            self.on_played(report)

    def _close(self):
        self._begun.clear()
        self._stream += 1
        if self._sounding:
            self._sounding = False
            self._speaker.stop()


def _power_of_two(least):
    count = 4
    while count < least:
        count *= 2
    return count
