"""The microphone's way to the link: every sample, in frames, without heap."""

import asyncio
import gc
from array import array

from audio import adpcm
from audio.capture import Capture
from fakes.device.audio_device import FakeMicrophone, HandClock, settle
from voxwire import audio

FRAME = 1280  # bytes of 40 ms pcm16


class FakeLink:
    def __init__(self):
        self.sent = []
        self.full = False

    def send_frame(self, buffer, size):
        if self.full:
            return False
        self.sent.append(audio.decode(bytes(buffer[:size])))
        return True


def samples(count, start=1):
    return bytes(array("h", [(start + n) % 20000 for n in range(count)]))


def scene(**options):
    microphone, link, clock = FakeMicrophone(), FakeLink(), HandClock()
    capture = Capture(
        microphone, link.send_frame, ticks_ms=clock.ticks_ms, sleep_ms=clock.sleep_ms, **options
    )
    return capture, microphone, link, clock


async def during(capture, steps):
    task = asyncio.create_task(capture.run())
    await settle()
    await steps
    task.cancel()


async def hear(microphone, pcm):
    microphone.give(pcm)
    for _ in range(len(pcm) // 512 + 2):
        await settle()


async def test_the_first_frame_holds_the_very_first_sample():
    capture, microphone, link, _ = scene()
    capture.configure("pcm16", 40)

    async def steps():
        capture.start(65535)
        capture.open()
        await hear(microphone, samples(1280))

    await during(capture, steps())
    assert [(frame.codec, frame.seq, frame.timestamp_ms) for frame in link.sent] == [
        (audio.PCM16, 65535, 0),
        (audio.PCM16, 0, 40),
    ]
    assert link.sent[0].payload + link.sent[1].payload == samples(1280)


async def test_the_level_is_that_of_the_last_frame_and_0_while_stopped():
    capture, microphone, _, _ = scene()

    async def steps():
        capture.start(0)
        await hear(microphone, bytes(array("h", [500] * 640)))
        assert capture.level == 500
        capture.stop()
        assert capture.level == 0

    await during(capture, steps())


async def test_adpcm_frames_decode_alone_and_in_order():
    capture, microphone, link, _ = scene()

    async def steps():
        capture.start(7)
        capture.open()
        await hear(microphone, samples(1920))

    await during(capture, steps())
    assert [frame.seq for frame in link.sent] == [7, 8, 9]
    state, packet = adpcm.new_state(), bytearray(324)
    for number, frame in enumerate(link.sent):
        adpcm.encode(samples(1920)[number * FRAME : (number + 1) * FRAME], 640, packet, state)
        assert frame.codec == audio.IMA_ADPCM and frame.payload == packet


async def test_what_is_heard_before_the_turn_is_open_is_sent_when_it_opens():
    capture, microphone, link, _ = scene()
    capture.configure("pcm16", 40)

    async def steps():
        capture.start(0)
        await hear(microphone, samples(640 * 8))
        assert link.sent == []
        capture.open()
        assert [frame.seq for frame in link.sent] == list(range(8))
        await hear(microphone, samples(640))

    await during(capture, steps())
    assert b"".join(frame.payload for frame in link.sent) == samples(640 * 8) + samples(640)
    assert (capture.frames_sent, capture.frames_dropped) == (9, 0)


async def test_finish_sends_the_begun_frame_with_silence_after_it():
    capture, microphone, link, _ = scene()
    capture.configure("pcm16", 40)

    async def steps():
        capture.start(0)
        capture.open()
        await hear(microphone, samples(640) + samples(100))
        assert capture.finish() == 2

    await during(capture, steps())
    assert link.sent[1].payload == samples(100) + bytes(1080)
    assert not microphone.running and not capture.active


async def test_finish_names_the_frame_that_would_come_after_the_last_one_that_was_sent():
    capture, microphone, link, _ = scene()
    capture.configure("pcm16", 40)

    async def steps():
        capture.start(65534)
        capture.open()
        await hear(microphone, samples(640) * 2)
        link.full = True
        await hear(microphone, samples(640))
        assert capture.finish() == 0
        assert capture.finish() is None

    await during(capture, steps())
    assert [frame.seq for frame in link.sent] == [65534, 65535]


async def test_stop_sends_nothing_more_and_switches_the_microphone_off():
    capture, microphone, link, _ = scene()

    async def steps():
        capture.start(0)
        capture.open()
        await hear(microphone, samples(640))
        capture.stop()
        assert not microphone.running
        await hear(microphone, samples(1280))

    await during(capture, steps())
    assert len(link.sent) == 1


async def test_gain_clamps():
    capture, microphone, link, _ = scene(gain=4096)
    capture.configure("pcm16", 20)

    async def steps():
        capture.start(0)
        capture.open()
        await hear(microphone, bytes(array("h", [100, -100, 20000, -20000] * 80)))

    await during(capture, steps())
    assert list(array("h", link.sent[0].payload))[:4] == [400, -400, 32767, -32768]


async def test_a_link_that_is_full_for_a_moment_loses_nothing():
    capture, microphone, link, _ = scene()

    async def steps():
        capture.start(0)
        capture.open()
        link.full = True
        await hear(microphone, samples(640 * 5))
        link.full = False
        await hear(microphone, samples(640 * 3))

    await during(capture, steps())
    assert [frame.seq for frame in link.sent] == list(range(8))
    assert (capture.frames_sent, capture.frames_dropped) == (8, 0)


async def test_a_link_that_stays_full_drops_the_oldest_frames_and_counts_them():
    capture, microphone, link, _ = scene()

    async def steps():
        capture.start(0)
        capture.open()
        link.full = True
        await hear(microphone, samples(640 * 25))
        link.full = False
        await hear(microphone, samples(640 * 8))

    await during(capture, steps())
    assert link.sent[0].seq == 10
    assert capture.frames_dropped == 10 and capture.frames_sent == 23


async def test_the_time_of_the_last_sample_is_kept():
    capture, microphone, _, clock = scene()

    async def steps():
        await clock.advance(500)
        capture.start(0)
        begun_ms = clock.ticks_ms()
        assert capture.heard_ms == begun_ms
        await clock.advance(300)
        assert capture.heard_ms == begun_ms
        await hear(microphone, samples(10))
        assert capture.heard_ms == clock.ticks_ms()

    await during(capture, steps())


async def test_a_second_turn_starts_afresh():
    capture, microphone, link, _ = scene()

    async def steps():
        for base in (10, 500):
            capture.start(base)
            capture.open()
            await hear(microphone, samples(640) + samples(99))
            capture.stop()

    await during(capture, steps())
    assert [(frame.seq, frame.timestamp_ms) for frame in link.sent] == [(10, 0), (500, 0)]
    assert link.sent[0].payload == link.sent[1].payload
    assert microphone.starts == 2


async def test_voice_is_counted():
    capture, microphone, _, _ = scene()

    async def steps():
        capture.start(0)
        capture.open()
        for loud in (10, 10, 3000, 3000, 10):
            await hear(microphone, bytes(array("h", [loud, -loud] * 320)))

    await during(capture, steps())
    assert capture.frames_voiced == 2


class StepMicrophone:
    """Gives 512 bytes at every read and makes no objects."""

    rate_hz = 16000

    def start(self):
        pass

    def stop(self):
        pass

    async def readinto(self, buffer):
        await asyncio.sleep_ms(0)
        return min(512, len(buffer))


async def test_a_frame_costs_no_heap_beyond_the_reads_coroutines():
    count = [0]

    def send_frame(buffer, size):
        count[0] += 1
        return True

    capture = Capture(StepMicrophone(), send_frame)
    task = asyncio.create_task(capture.run())
    capture.start(0)
    capture.open()
    while count[0] < 10:
        await asyncio.sleep_ms(0)
    gc.collect()
    gc.disable()
    frames, before = count[0], gc.mem_alloc()
    while count[0] < frames + 50:
        await asyncio.sleep_ms(0)
    grown = gc.mem_alloc() - before
    gc.enable()
    task.cancel()
    # Three reads a frame; a coroutine of readinto is 128 bytes or less on 64 bits.
    assert grown // 50 <= 3 * 128 + 64, grown // 50
