"""A clock moved by hand, a microphone given its samples, a speaker that keeps what it played."""

import asyncio

PERIOD = 1 << 30  # of a board's ticks
HALF = 1 << 29


class HandClock:
    """Time passes in `advance` only; 10 ms at a time, and every task gets its turn.

    `now_ms` counts from 0; the ticks begin 2 s before they wrap, unless a test says otherwise.
    """

    def __init__(self, first_ms=PERIOD - 2000):
        self.now_ms = 0
        self.first_ms = first_ms

    def ticks_ms(self):
        # The period is no small integer on 32 bit, and some tests count this heap too.
        past_half_ms = self.first_ms - HALF + self.now_ms % HALF + (self.now_ms // HALF % 2) * HALF
        if past_half_ms >= HALF:
            past_half_ms = past_half_ms - HALF - HALF
        return past_half_ms + HALF

    def ticks_us(self):
        return (self.first_ms + self.now_ms) * 1000 % PERIOD

    async def sleep_ms(self, ms):
        until_ms = self.now_ms + ms
        while self.now_ms < until_ms:
            await asyncio.sleep_ms(0)

    async def advance(self, ms):
        await settle()
        for _ in range(ms // 10):
            self.now_ms += 10
            await settle()


async def settle():
    """Let every task run until it waits for time or data."""
    for _ in range(6):
        await asyncio.sleep_ms(0)


class FakeMicrophone:
    """hal.board.Microphone that hears what `give` is given, in pieces of at most 512 bytes."""

    rate_hz = 16000

    def __init__(self):
        self.running = False
        self.starts = 0
        self._heard = b""

    def give(self, pcm):
        self._heard += pcm

    def start(self):
        self.running = True
        self.starts += 1
        self._heard = b""

    def stop(self):
        self.running = False

    async def readinto(self, buffer):
        while self.running and not self._heard:
            await asyncio.sleep_ms(0)
        if not self.running:
            return 0
        count = min(512, len(buffer), len(self._heard))
        buffer[:count] = self._heard[:count]
        self._heard = self._heard[count:]
        return count


class FakeSpeaker:
    """hal.board.Speaker with 4096 bytes of DMA; `heard` is all it played, zeros when dry."""

    rates_hz = (16000, 24000)
    dma_bytes = 4096

    def __init__(self, clock):
        self._clock = clock
        self.heard = bytearray()
        self.events = []
        self.running = False
        self._held = b""

    def start(self, rate_hz):
        self.running, self._rate_hz = True, rate_hz
        self._played_ms = self._clock.now_ms
        self.events.append(("start", rate_hz, self._clock.now_ms))

    def stop(self):
        self._play()
        self.running, self._held = False, b""
        self.events.append(("stop", self._clock.now_ms))

    async def write(self, buffer):
        while self.running:
            self._play()
            count = min(len(buffer), self.dma_bytes - len(self._held))
            if count:
                self._held += bytes(buffer[:count])
                return count
            await self._clock.sleep_ms(10)
        return 0

    def buffered_ms(self):
        self._play()
        return (len(self._held) * 500 + self._rate_hz - 1) // self._rate_hz if self.running else 0

    def _play(self):
        if not self.running:
            return
        due = (self._clock.now_ms - self._played_ms) * self._rate_hz // 1000 * 2
        self._played_ms = self._clock.now_ms
        self.heard.extend(self._held[:due])
        self.heard.extend(bytes(max(0, due - len(self._held))))
        self._held = self._held[due:]
