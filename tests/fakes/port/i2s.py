"""machine.I2S by ports/esp32/machine_i2s.c and extmod/machine_i2s.c of 1.26 to 1.28.

- A unit has one direction; opening it again ends what it did. C3: one unit, others: two.
- There is no `mck`. Receiving is 32-bit stereo on the wire: steps of 256 frames, 2048 bytes.
- `readinto` and `write` wait for the whole buffer until the first poll, then never: they give what
  there is, nothing too. What is not read in time is lost, what is not written in time is silence.
- Sending, the DMA is a ring that always runs: what is written goes behind what was written, or
  where the ring is next.
"""

import io

from fakes.port import clock
from fakes.port.pins import Pin, journal

FRAMES = 256
UNITS = {"esp32": 2, "esp32s3": 2, "esp32c3": 1}
_CLOSED = -258  # ESP_ERR_INVALID_ARG: the channel is gone


class I2S(io.IOBase):
    RX, TX = 1, 0
    MONO, STEREO = 0, 1
    units = {}  # unit: the I2S that runs on it
    source = None  # callable(frame since the start) -> (left, right), 32 bits each
    played = bytearray()  # everything that left a speaker, zeros where nothing was written

    def __init__(self, unit, *, sck, ws, sd, mode, bits, format, rate, ibuf):
        if not 0 <= unit < UNITS[Pin.chip]:
            raise ValueError("invalid id")
        if unit in I2S.units:
            I2S.units[unit].deinit()
        if bits not in (16, 32):
            raise ValueError("invalid bits")
        pins = (sck.gpio, ws.gpio, sd.gpio)
        for other in I2S.units.values():
            assert not set(pins) & set(other.pins), "two masters on one pin"
        self.unit, self.pins, self.mode, self.bits = unit, pins, mode, bits
        self.stereo, self.rate = format == I2S.STEREO, rate
        self._frame_bytes = bits // 8 * (2 if self.stereo else 1)
        step_bytes = FRAMES * (8 if mode == I2S.RX else self._frame_bytes)
        self._steps = max(2, ibuf // step_bytes)
        self._since_us = clock.now_us()
        self._polled = False
        self._done = 0  # frames taken, or steps played
        self._place = self._steps * FRAMES  # frame of the ring that is written next
        self._ring = {}  # step: its bytes
        self.lost = 0  # frames nobody read in time
        I2S.units[unit] = self
        journal.append(("i2s", unit, "rx" if mode == I2S.RX else "tx", bits, rate))

    def deinit(self):
        if I2S.units.get(self.unit) is self:
            if self.mode == I2S.TX:
                self._play()
            del I2S.units[self.unit]
            journal.append(("i2s", self.unit, "off"))

    def ioctl(self, request, flags):
        if request != 3:
            return -1
        self._polled = True  # before 1.28 any request did this
        if I2S.units.get(self.unit) is not self:
            return 0
        ready = self._available() if self.mode == I2S.RX else self._room()
        return flags if ready else 0

    def _passed(self):
        """Steps of the DMA since it began."""
        if I2S.units.get(self.unit) is not self:
            raise OSError(_CLOSED)
        # In two parts: the product would be large.
        us = clock.now_us() - self._since_us
        return us * self.rate // (FRAMES * 1000000)

    def _wait(self):
        """Blocked until the next step, as it is before the first poll."""
        step_us = FRAMES * 1000000 // self.rate
        clock.block(step_us - (clock.now_us() - self._since_us) % step_us + 1)

    # Receiving.

    def _available(self):
        filled = self._passed() * FRAMES
        oldest = filled - self._steps * FRAMES
        if self._done < oldest:
            self.lost += oldest - self._done
            self._done = oldest
        return filled - self._done

    def readinto(self, buffer):
        assert self.mode == I2S.RX and len(buffer) % self._frame_bytes == 0
        wanted = len(buffer) // self._frame_bytes
        while not self._polled and self._available() < wanted:
            self._wait()
        frames = min(wanted, self._available())
        for at in range(frames):
            self._put(buffer, at * self._frame_bytes, self._done + at)
        self._done += frames
        return frames * self._frame_bytes

    def _put(self, buffer, at, frame):
        slots = (0, 0) if I2S.source is None else I2S.source(frame)
        for slot in slots if self.stereo else slots[:1]:
            size = self.bits // 8
            word = (slot & 0xFFFFFFFF) >> (32 - self.bits)
            buffer[at : at + size] = word.to_bytes(size, "little")
            at += size

    # Sending.

    def _play(self):
        played = self._passed()
        size = FRAMES * self._frame_bytes
        while self._done < played:
            data = self._ring.pop(self._done, b"")
            I2S.played.extend(data)
            I2S.played.extend(bytes(size - len(data)))
            self._done += 1
        # Where nothing was written in time, what comes now is heard in the next step.
        self._place = max(self._place, (played + 1) * FRAMES)
        return played

    def _room(self):
        """Bytes that can be written now: of the steps that were played and not yet written."""
        return ((self._play() + self._steps) * FRAMES - self._place) * self._frame_bytes

    def write(self, buffer):
        assert self.mode == I2S.TX and len(buffer) % self._frame_bytes == 0
        taken = self._take(buffer)
        while not self._polled and taken < len(buffer):
            self._wait()
            taken += self._take(buffer[taken:])
        return taken

    def _take(self, buffer):
        count = min(self._room(), len(buffer))
        for at in range(0, count, self._frame_bytes):
            step = self._ring.setdefault(self._place // FRAMES, bytearray())
            step.extend(buffer[at : at + self._frame_bytes])
            self._place += 1
        return count
