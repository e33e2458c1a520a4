"""125 samples of a slow clock become 128, and sound as they did."""

import gc
import math

from hal.sound.stretch import FRAMES, WIRE_HZ, Stretched


class Microphone:
    """Gives what `wave(sample)` says, in pieces of at most `step` samples; then it is stopped."""

    def __init__(self, wave, samples, step=FRAMES):
        self._wave, self._samples, self._step = wave, samples, step
        self.log = []

    def start(self):
        self._at = 0
        self.log.append("start")

    def stop(self):
        self._at = self._samples
        self.log.append("stop")

    async def readinto(self, buffer):
        count = min(len(buffer) // 2, self._step, self._samples - self._at)
        for at in range(count):
            value = self._wave(self._at + at) & 0xFFFF
            buffer[2 * at], buffer[2 * at + 1] = value & 255, value >> 8
        self._at += count
        return count * 2


def sine(hz, amplitude=8000):
    return lambda at: round(amplitude * math.sin(2 * math.pi * hz * at / WIRE_HZ))


async def heard(wave, samples=6250, size=640, step=FRAMES):
    """All samples that come at 16000 Hz, read by pieces of `size` bytes."""
    microphone = Stretched(Microphone(wave, samples, step))
    microphone.start()
    data, buffer = bytearray(), memoryview(bytearray(size))
    while True:
        count = await microphone.readinto(buffer)
        if not count:
            break
        data.extend(buffer[:count])
    words = [data[at] | data[at + 1] << 8 for at in range(0, len(data), 2)]
    return [word - 65536 if word & 0x8000 else word for word in words]


def noise_db(pcm, hz):
    """How far below a sine of `hz` at 16000 Hz lies all that is not it."""
    pcm = pcm[64:]
    w = 2 * math.pi * hz / 16000
    s = sum(value * math.sin(w * at) for at, value in enumerate(pcm)) * 2 / len(pcm)
    c = sum(value * math.cos(w * at) for at, value in enumerate(pcm)) * 2 / len(pcm)
    rest = [value - s * math.sin(w * at) - c * math.cos(w * at) for at, value in enumerate(pcm)]
    power = sum(value * value for value in rest) / len(rest)
    return 10 * math.log10((s * s + c * c) / 2 / power), math.sqrt(s * s + c * c)


async def test_128_samples_come_of_125():
    assert len(await heard(sine(1000), 6250)) == 6400
    assert len(await heard(sine(1000), 125)) == 128
    assert await heard(sine(1000), 0) == []


async def test_a_tone_keeps_its_pitch_and_its_loudness():
    for hz, least_db, least in (
        (300, 55, 7900), (1000, 55, 7900), (3400, 45, 7900), (5000, 33, 7700), (6000, 15, 7000),
    ):  # fmt: skip
        db, amplitude = noise_db(await heard(sine(hz)), hz)
        assert db >= least_db and least <= amplitude <= 8100, (hz, db, amplitude)


async def test_however_it_is_read_and_comes_it_is_the_same():
    whole = await heard(sine(700), 2000)
    for size, step in ((2, FRAMES), (640, 1), (14, 37), (1280, FRAMES)):
        assert await heard(sine(700), 2000, size, step) == whole, (size, step)


async def test_full_scale_is_clamped_and_silence_stays_silence():
    loud = await heard(lambda at: 32767 if at // 16 % 2 else -32768, 1000)
    assert max(loud) == 32767 and min(loud) == -32768
    assert not any(await heard(lambda at: 0, 1000))
    assert set((await heard(lambda at: 1000, 1000))[16:]) == {1000}


async def test_a_new_start_knows_nothing_of_the_one_before():
    inner = Microphone(sine(700, 30000), 1000)
    microphone = Stretched(inner)
    microphone.start()
    buffer = memoryview(bytearray(100))
    await microphone.readinto(buffer)
    first = bytes(buffer)
    microphone.stop()
    assert await microphone.readinto(buffer) == 0
    microphone.start()
    await microphone.readinto(buffer)
    assert bytes(buffer) == first and inner.log == ["start", "stop", "start"]


async def test_the_samples_themselves_cost_no_heap():
    class Silence:
        def start(self):
            pass

        async def readinto(self, buffer):
            return len(buffer)

    microphone = Stretched(Silence())
    microphone.start()
    buffer = memoryview(bytearray(640))
    await microphone.readinto(buffer)
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(100):
        await microphone.readinto(buffer)
    grown = gc.mem_alloc() - before
    assert grown <= 100 * 400, "%d bytes a read" % (grown // 100)  # of two coroutines each
