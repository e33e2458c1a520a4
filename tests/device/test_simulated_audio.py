"""The simulator's microphone and speaker: real time by the clock, DMA steps, WAV in and out."""

import asyncio
import os
import struct
from array import array

from fakes.device.audio_device import HandClock, settle
from hal.simulated_audio import FADE_SAMPLES, SimulatedMicrophone, SimulatedSpeaker, open_wav

WAV = (os.getenv("TMPDIR") or "/tmp") + "/voxcard-test-%d.wav" % int.from_bytes(
    os.urandom(4), "big"
)


def write_wav(samples, rate_hz=16000, channels=1):
    pcm = bytes(array("h", samples))
    with open(WAV, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 44 + len(pcm)) + b"WAVE")
        file.write(b"LIST" + struct.pack("<I", 3) + b"abc\x00")
        file.write(b"fmt " + struct.pack("<IHHIIHH", 16, 1, channels, rate_hz, 32000, 2, 16))
        file.write(b"data" + struct.pack("<I", len(pcm)) + pcm)


def microphone():
    clock = HandClock()
    return SimulatedMicrophone(ticks_us=clock.ticks_us, sleep_ms=clock.sleep_ms), clock


async def read(mic, clock, ms, size=1280):
    """(bytes, sizes of the reads) in the next `ms`."""
    heard, sizes = bytearray(), []
    buffer = bytearray(size)

    async def reader():
        while True:
            count = await mic.readinto(memoryview(buffer))
            if not count:
                return
            sizes.append(count)
            heard.extend(buffer[:count])

    task = asyncio.create_task(reader())
    await clock.advance(ms)
    task.cancel()
    await settle()
    return array("h", bytes(heard)), sizes


async def test_silence_comes_in_steps_of_512_bytes_at_real_time():
    mic, clock = microphone()
    mic.start()
    heard, sizes = await read(mic, clock, 100)
    assert sizes == [512] * 6 and len(heard) == 6 * 256 and max(heard) == 0


async def test_a_smaller_buffer_gets_the_step_in_parts():
    mic, clock = microphone()
    mic.start()
    _, sizes = await read(mic, clock, 20, 300)
    assert sizes == [300, 212]


async def test_a_wav_is_heard_from_the_moment_it_starts():
    write_wav([n + 1 for n in range(1000)])
    mic, clock = microphone()
    mic.start()
    await read(mic, clock, 20)
    assert mic.hear(WAV) == 62
    heard, _ = await read(mic, clock, 100)
    # 20 ms are 320 samples; the first step of 256 was read before.
    assert list(heard[:64]) == [0] * 64
    assert list(heard[64:1064]) == [n + 1 for n in range(1000)]
    assert max(heard[1064:]) == 0
    os.remove(WAV)


async def test_what_sounds_before_the_microphone_is_on_is_not_heard():
    write_wav([n + 1 for n in range(2000)])
    mic, clock = microphone()
    mic.hear(WAV)
    await clock.advance(50)
    mic.start()
    heard, _ = await read(mic, clock, 20)
    assert heard[0] == 801 and heard[255] == 1056
    mic.stop()
    await clock.advance(20)
    mic.start()
    heard, _ = await read(mic, clock, 20)
    assert heard[0] == 801 + 640
    os.remove(WAV)


async def test_what_is_not_read_in_time_is_lost():
    write_wav([n + 1 for n in range(16000)])
    mic, clock = microphone()
    mic.start()
    mic.hear(WAV)
    await clock.advance(1000)
    heard, sizes = await read(mic, clock, 10)
    # Nine steps were kept, one came meanwhile.
    assert len(sizes) == 10 and heard[0] == 53 * 256 + 1
    os.remove(WAV)


async def test_a_stopped_microphone_ends_the_read():
    mic, clock = microphone()
    mic.start()
    task = asyncio.create_task(mic.readinto(memoryview(bytearray(512))))
    await settle()
    mic.stop()
    await clock.advance(10)
    assert await task == 0


def test_a_wav_of_another_kind_is_refused_with_what_it_must_be():
    for rate_hz, channels in ((8000, 1), (16000, 2)):
        write_wav([1], rate_hz, channels)
        try:
            open_wav(WAV, 16000)
        except ValueError as error:
            assert str(error) == WAV + " must be mono pcm16 at 16000 Hz"
        else:
            raise AssertionError((rate_hz, channels))
    with open(WAV, "wb") as file:
        file.write(b"GIF89a")
    try:
        open_wav(WAV, 16000)
    except ValueError as error:
        assert str(error) == WAV + " is not a WAV file"
    os.remove(WAV)


class SpeakerScene:
    def __init__(self):
        self.clock = HandClock()
        self.changes = []
        self.speaker = SimulatedSpeaker(
            WAV,
            on_change=lambda state, samples: self.changes.append((state, samples)),
            ticks_us=self.clock.ticks_us,
            sleep_ms=self.clock.sleep_ms,
        )

    async def write(self, pcm):
        view = memoryview(pcm)
        while len(view):
            view = view[await self.speaker.write(view) :]

    def file(self):
        wav, samples = open_wav(WAV, 16000)
        pcm = array("h", wav.read(2 * samples))
        wav.close()
        assert len(pcm) == samples
        return pcm


async def test_the_file_holds_what_was_heard_and_a_sample_index_is_a_time():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    await scene.clock.advance(32)
    await scene.write(bytes(array("h", [7] * 512)))
    assert scene.speaker.buffered_ms() == 32
    await scene.clock.advance(100)
    scene.speaker.stop()
    pcm = scene.file()
    assert list(pcm[:256]) == [0] * 256 and list(pcm[256:768]) == [7] * 512
    assert max(pcm[768:]) == 0 and len(pcm) == 8 * 256
    assert scene.changes == [("start", 0), ("stop", 2048)]
    os.remove(WAV)


async def test_stop_drops_what_the_dma_holds():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    await scene.write(bytes(array("h", [7] * 2048)))
    await scene.clock.advance(50)
    scene.speaker.stop()
    assert scene.speaker.buffered_ms() == 0 and len(scene.file()) == 768 + FADE_SAMPLES
    await scene.clock.advance(100)
    scene.speaker.start(16000)
    await scene.clock.advance(20)
    scene.speaker.stop()
    pcm = scene.file()
    assert list(pcm[:768]) == [7] * 768 and list(pcm[-256:]) == [0] * 256
    assert scene.speaker.samples == len(pcm) == 1024 + FADE_SAMPLES
    os.remove(WAV)


async def test_sound_that_is_stopped_dies_away_in_8_ms_without_a_click():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    await scene.write(bytes(array("h", [6000, -6000] * 1024)))
    await scene.clock.advance(50)
    scene.speaker.stop()
    pcm = scene.file()
    levels = [abs(sample) for sample in pcm]
    assert levels[:768] == [6000] * 768 and len(pcm) == 768 + FADE_SAMPLES
    steps = [levels[n] - levels[n + 1] for n in range(767, len(pcm) - 1)]
    assert max(steps) <= 6000 // FADE_SAMPLES + 2 and min(steps) >= -1
    assert levels[-1] <= 6000 // FADE_SAMPLES + 1
    os.remove(WAV)


async def test_write_waits_for_room_and_takes_what_fits():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    assert await scene.speaker.write(memoryview(bytes(5000))) == 4096
    task = asyncio.create_task(scene.speaker.write(memoryview(bytes(5000))))
    await scene.clock.advance(10)
    assert not task.done()
    await scene.clock.advance(10)
    assert await task == 512
    task = asyncio.create_task(scene.speaker.write(memoryview(bytes(5000))))
    await settle()
    scene.speaker.stop()
    await scene.clock.advance(10)
    assert await task == 0
    os.remove(WAV)


async def test_pieces_are_heard_in_order_over_the_end_of_the_ring():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    task = asyncio.create_task(scene.write(bytes(array("h", [n + 1 for n in range(8000)]))))
    await scene.clock.advance(520)
    assert task.done()
    scene.speaker.stop()
    assert list(scene.file()[:8000]) == [n + 1 for n in range(8000)]
    os.remove(WAV)


async def test_another_rate_than_the_files_is_refused():
    scene = SpeakerScene()
    scene.speaker.start(16000)
    scene.speaker.stop()
    try:
        scene.speaker.start(24000)
    except ValueError as error:
        assert str(error) == "the speaker's file cannot take 24000 Hz"
    else:
        raise AssertionError("24 kHz went into a 16 kHz file")
    os.remove(WAV)
