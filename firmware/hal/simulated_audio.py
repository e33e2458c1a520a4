"""A microphone that hears WAV files and a speaker that writes one, in real time like the boards'.

Both go by the clock, not by their callers: samples pass whether they are read or not, and the
speaker plays zeros when nothing was written. Sound moves in DMA steps of 256 samples and waits
are polled every 10 ms, as on an ESP32.
"""

import asyncio
import struct
import time
from array import array

from voxwire.ticks import elapsed_ms

STEP_SAMPLES = 256
STEP_BYTES = STEP_SAMPLES * 2
POLL_MS = 10
MICROPHONE_STEPS = 9  # 144 ms at 16 kHz
SPEAKER_STEPS = 8  # 128 ms at 16 kHz
FADE_SAMPLES = 128  # 8 ms at 16 kHz
_WAV_BYTES = 44


def open_wav(path: str, rate_hz: int):
    """The file at its first sample, and the number of samples; ValueError when it does not fit.

    Mono pcm16 of `rate_hz`; chunks other than fmt and data are passed over.
    """
    file = open(path, "rb")
    try:
        return file, _find_samples(file, path, rate_hz)
    except ValueError:
        file.close()
        raise


def _find_samples(file, path: str, rate_hz: int) -> int:
    if file.read(4) != b"RIFF" or file.read(8)[4:] != b"WAVE":
        raise ValueError("%s is not a WAV file" % path)
    form = None
    while True:
        head = file.read(8)
        if len(head) < 8:
            raise ValueError("%s has no samples" % path)
        kind, size = head[:4], struct.unpack("<I", head[4:])[0]
        if kind == b"data":
            break
        body = file.read(size + (size & 1))
        if kind == b"fmt ":
            form = struct.unpack("<HHIIHH", body[:16])
    if form is None or (form[0], form[1], form[2], form[5]) != (1, 1, rate_hz, 16):
        raise ValueError("%s must be mono pcm16 at %d Hz" % (path, rate_hz))
    return size // 2


class _Clock:
    """Samples since a moment; small ticks differences are added up, so wrapping does no harm."""

    def __init__(self, ticks_us):
        self._ticks_us = ticks_us
        self.restart(16000)

    def restart(self, rate_hz):
        self._rate_hz = rate_hz
        self._last_us = self._ticks_us()
        self._passed_us = 0

    def samples(self):
        now_us = self._ticks_us()
        self._passed_us += elapsed_ms(now_us, self._last_us)  # of microseconds
        self._last_us = now_us
        return self._passed_us * self._rate_hz // 1000000


class SimulatedMicrophone:
    """hal.board.Microphone; hears silence, and a WAV file from the moment `hear` was called."""

    rate_hz = 16000

    def __init__(self, *, ticks_us=time.ticks_us, sleep_ms=asyncio.sleep_ms):
        self._sleep_ms = sleep_ms
        self._clock = _Clock(ticks_us)
        self._world = _Clock(ticks_us)  # runs from hear() on, whether the microphone does or not
        self._running = False
        self._file = None
        self._step = bytearray(STEP_BYTES)
        self._left = memoryview(b"")

    def hear(self, path: str) -> int:
        """Let the WAV file sound from now on, instead of any other; returns its length in ms."""
        file, samples = open_wav(path, self.rate_hz)
        self.hush()
        self._file, self._samples, self._data = file, samples, file.tell()
        self._world.restart(self.rate_hz)
        self._offset = self._clock.samples() if self._running else None
        return samples * 1000 // self.rate_hz

    def hush(self):
        """Silence from now on."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def start(self):
        self._clock.restart(self.rate_hz)
        self._taken = 0  # steps
        self._left = memoryview(b"")
        self._running = True
        # Where sample 0 of the microphone lies in the file.
        self._offset = -self._world.samples() if self._file is not None else None

    def stop(self):
        self._running = False

    async def readinto(self, buffer) -> int:
        while self._running:
            if len(self._left) or self._next_step():
                count = min(len(buffer), len(self._left))
                buffer[:count] = self._left[:count]
                self._left = self._left[count:]
                return count
            await self._sleep_ms(POLL_MS)
        return 0

    def _next_step(self):
        """Take one step off the DMA; False when none is complete."""
        complete = self._clock.samples() // STEP_SAMPLES
        if complete <= self._taken:
            return False
        # The oldest steps of a full DMA were overwritten.
        self._taken = max(self._taken, complete - MICROPHONE_STEPS)
        self._fill(self._taken * STEP_SAMPLES)
        self._taken += 1
        self._left = memoryview(self._step)
        return True

    def _fill(self, first):
        """The world's sound from the microphone's sample `first` on, into the step."""
        view = memoryview(self._step)
        view[:] = bytes(STEP_BYTES)
        if self._file is None:
            return
        start = first - self._offset
        skipped = min(max(0, -start), STEP_SAMPLES)
        left = self._samples - max(start, 0)
        count = min(STEP_SAMPLES - skipped, left)
        if count > 0:
            self._file.seek(self._data + max(start, 0) * 2)
            self._file.readinto(view[skipped * 2 : (skipped + count) * 2])
        elif left <= 0:
            self.hush()


class SimulatedSpeaker:
    """hal.board.Speaker that writes what is heard while it is started into one WAV file.

    A sample's place in the file is a time: zeros where nothing was written in time. `on_change`
    gets ("start" or "stop", samples in the file). Without a path the sound is only counted. What
    the DMA holds lies in the file already, after what was heard: a board's DMA costs no heap.
    """

    rates_hz = (16000, 24000)

    def __init__(
        self, path=None, *, on_change=None, ticks_us=time.ticks_us, sleep_ms=asyncio.sleep_ms
    ):
        self._path = path
        self._sleep_ms = sleep_ms
        self._on_change = on_change or (lambda state, samples: None)
        self._clock = _Clock(ticks_us)
        self._file = None
        self._rate_hz = None
        self._running = False
        self._samples = 0

    @property
    def samples(self) -> int:
        """Samples heard so far, over every start."""
        self._play()
        return self._samples

    def start(self, rate_hz: int):
        if rate_hz not in self.rates_hz or self._rate_hz not in (None, rate_hz):
            raise ValueError("the speaker's file cannot take %d Hz" % rate_hz)
        self.stop()
        if self._file is None and self._path is not None:
            self._file = open(self._path, "w+b")
            self._file.write(bytes(_WAV_BYTES))
        self._rate_hz = rate_hz
        self._clock.restart(rate_hz)
        self._held = 0  # bytes in the DMA
        self._steps = 0  # played since the start
        self._running = True
        self._on_change("start", self._samples)

    def stop(self):
        if not self._running:
            return
        self._play()
        self._running = False
        self._fade()
        self._held = 0
        self._write_header()
        self._on_change("stop", self._samples)

    async def write(self, buffer) -> int:
        while self._running:
            self._play()
            room = SPEAKER_STEPS * STEP_BYTES - self._held
            if room:
                return self._accept(buffer, min(room, len(buffer)))
            await self._sleep_ms(POLL_MS)
        return 0

    def buffered_ms(self) -> int:
        if not self._running:
            return 0
        self._play()
        return (self._held * 500 + self._rate_hz - 1) // self._rate_hz

    def _accept(self, buffer, count):
        if self._file is not None:
            self._file.seek(_WAV_BYTES + 2 * self._samples + self._held)
            self._file.write(buffer[:count])
        self._held += count
        return count

    def _play(self):
        """Let the DMA play the steps that are due by now."""
        if not self._running:
            return
        due = self._clock.samples() // STEP_SAMPLES
        while self._steps < due:
            self._steps += 1
            count = min(STEP_BYTES, self._held)
            if count < STEP_BYTES and self._file is not None:
                self._file.seek(_WAV_BYTES + 2 * self._samples + count)
                self._file.write(bytes(STEP_BYTES - count))
            self._samples += STEP_SAMPLES
            self._held -= count

    def _fade(self):
        """Let what the DMA holds die away: a hard cut is heard as a click."""
        count = min(FADE_SAMPLES, self._held // 2)
        if self._file is None or not count:
            return
        place = _WAV_BYTES + 2 * self._samples
        self._file.seek(place)
        pcm = array("h", self._file.read(2 * count))
        for at in range(count):
            pcm[at] = pcm[at] * (count - at) // count
        self._file.seek(place)
        self._file.write(pcm)
        self._samples += count

    def _write_header(self):
        """Make the file a whole WAV, so that it can be read at any time after."""
        if self._file is None:
            return
        size = self._samples * 2
        self._file.seek(0)
        self._file.write(
            b"RIFF"
            + struct.pack("<I", size + 36)
            + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, 1, 1, self._rate_hz, self._rate_hz * 2, 2, 16)
            + b"data"
            + struct.pack("<I", size)
        )
        self._file.flush()
