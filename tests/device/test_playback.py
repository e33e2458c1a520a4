"""From frames to sound on a speaker with a hand-driven clock: start, gaps, end, stop, cost."""

import asyncio
import gc
from array import array

from audio import adpcm
from audio.playback import Playback
from fakes.device import log_lines
from fakes.device.audio_device import FakeSpeaker, HandClock
from voxwire import audio


class Scene:
    """A playback, its speaker, and what it reported as (at_ms, report)."""

    def __init__(self, form="pcm16", rate_hz=16000, frame_ms=40):
        self.clock = HandClock()
        self.speaker = FakeSpeaker(self.clock)
        self.playback = Playback(
            self.speaker, ticks_ms=self.clock.ticks_ms, sleep_ms=self.clock.sleep_ms
        )
        self.playback.configure(form, rate_hz, frame_ms)
        self.samples = rate_hz * frame_ms // 1000
        self.reports = []
        self.playback.on_played = lambda report: self.reports.append((self.clock.now_ms, report))
        self.task = asyncio.create_task(self.playback.run())

    def frame(self, seq, value=None):
        """A pcm16 frame whose samples are all `value` (else 100 times its number)."""
        pcm = array("h", [100 * (seq + 1) if value is None else value] * self.samples)
        return audio.encode(audio.AudioFrame(audio.PCM16, seq & 0xFFFF, 0, bytes(pcm)))

    def give(self, *seqs):
        for seq in seqs:
            self.playback.accept(self.frame(seq))

    def heard(self):
        """Every sample that left the speaker."""
        return array("h", bytes(self.speaker.heard))

    def levels(self):
        """The first sample of each frame that was heard."""
        heard = self.heard()
        return [heard[at] for at in range(0, len(heard), self.samples)]


async def test_a_stream_is_heard_whole_and_reported_when_its_last_sample_is_out():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0, 1, 2, 3)
    scene.playback.finish(3)
    await scene.clock.advance(150)
    assert scene.reports == [] and scene.playback.active
    await scene.clock.advance(100)
    assert scene.reports == [(160, (3, 0, 0, 0, 0))]
    assert scene.levels() == [100, 200, 300, 400]
    assert scene.speaker.events == [("start", 16000, 0), ("stop", 160)]
    assert not scene.playback.active
    scene.task.cancel()


async def test_nothing_is_heard_before_three_frames_are_here():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0, 1)
    await scene.clock.advance(100)
    assert scene.speaker.events == []
    scene.give(2)
    await scene.clock.advance(20)
    assert scene.speaker.events[0][0] == "start"
    scene.task.cancel()


async def test_frames_count_from_begin_on():
    scene = Scene()
    scene.give(0, 1, 2)
    scene.playback.begin(3)
    scene.give(3, 4, 5)
    scene.playback.finish(5)
    await scene.clock.advance(200)
    assert scene.levels() == [400, 500, 600]
    scene.task.cancel()


async def test_a_lost_frame_is_the_one_before_dying_away_then_silence():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0, 1, 4, 5)
    scene.playback.finish(5)
    await scene.clock.advance(400)
    heard = scene.heard()
    assert scene.levels()[:6] == [100, 200, 199, 0, 500, 600]
    assert heard[2 * 640 + 320] == 99 and heard[3 * 640 - 1] == 0
    assert scene.reports[0][1] == (5, 2, 0, 0, 0)
    scene.task.cancel()


async def test_reordered_frames_are_heard_in_order_and_duplicates_once():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(1, 1, 0, 3, 2, 2)
    scene.playback.finish(3)
    await scene.clock.advance(300)
    assert scene.levels() == [100, 200, 300, 400]
    assert scene.reports[0][1] == (3, 0, 0, 2, 0)
    scene.task.cancel()


async def test_when_the_last_frames_never_come_it_reports_all_the_same():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0, 1)
    scene.playback.finish(4)
    await scene.clock.advance(900)
    assert scene.reports == []
    await scene.clock.advance(300)
    assert scene.reports == [(1000, (4, 3, 0, 0, 0))]
    scene.task.cancel()


async def test_a_stream_without_frames_is_over_at_once():
    scene = Scene()
    scene.playback.begin(9)
    scene.playback.finish(None)
    await scene.clock.advance(20)
    assert scene.reports[0][1] == (8, 0, 0, 0, 0)
    assert scene.speaker.events == []
    scene.task.cancel()


async def test_stop_is_silent_at_once_and_returns_the_last_frame_heard():
    scene = Scene()
    scene.playback.begin(65534)
    for number in range(8):
        scene.playback.accept(scene.frame((65534 + number) & 0xFFFF, 1000))
    await scene.clock.advance(130)
    assert scene.playback.stop() == 0  # 65534, 65535 and 0: three frames are 120 ms
    assert scene.speaker.events[-1] == ("stop", 130)
    await scene.clock.advance(500)
    assert len(scene.heard()) == 130 * 16 and scene.reports == []
    assert scene.playback.stop() is None
    scene.task.cancel()


async def test_stop_before_a_frame_was_heard_whole_names_none():
    scene = Scene()
    scene.playback.begin(0)
    assert scene.playback.stop() is None
    scene.playback.begin(0)
    scene.give(0, 1, 2)
    await scene.clock.advance(30)
    assert scene.playback.stop() is None
    scene.task.cancel()


async def test_a_new_stream_right_after_a_stop_is_heard_from_its_start():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(*range(10))
    await scene.clock.advance(50)
    scene.playback.stop()
    scene.playback.begin(100)
    scene.give(100, 101, 102)
    scene.playback.finish(102)
    await scene.clock.advance(300)
    heard = scene.heard()
    assert [heard[at] for at in (800, 1440, 2080)] == [10100, 10200, 10300]
    assert [report[1].seq for report in scene.reports] == [102]
    scene.task.cancel()


async def test_after_a_stall_it_goes_on():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0, 1, 2)
    await scene.clock.advance(600)
    scene.give(3, 4, 5)
    scene.playback.finish(5)
    await scene.clock.advance(300)
    loud = [value for value in scene.levels() if value]
    assert loud == [100, 200, 300, 400, 500, 600]
    assert scene.reports[0][1] == (5, 0, 0, 0, 0)
    scene.task.cancel()


async def test_volume_is_applied_and_zero_is_silent():
    scene = Scene()
    scene.playback.set_volume(50)
    scene.playback.begin(0)
    scene.give(0)
    scene.playback.finish(0)
    await scene.clock.advance(60)
    scene.playback.set_volume(0)
    scene.playback.begin(7)
    scene.give(7)
    scene.playback.finish(7)
    await scene.clock.advance(60)
    assert scene.playback.volume_percent == 0
    assert scene.levels()[0] == 25 and max(scene.heard()[640:]) == 0
    scene.task.cancel()


async def test_adpcm_at_24_khz_is_decoded():
    scene = Scene("ima-adpcm", 24000, 20)
    pcm = array("h", [n * 50 % 4000 for n in range(480)])
    packet, expected = bytearray(244), array("h", [0] * 480)
    adpcm.encode(pcm, 480, packet, adpcm.new_state())
    adpcm.decode(packet, 244, expected)
    scene.playback.begin(0)
    scene.playback.accept(audio.encode(audio.AudioFrame(audio.IMA_ADPCM, 0, 0, packet)))
    scene.playback.finish(0)
    await scene.clock.advance(100)
    assert scene.speaker.events[0] == ("start", 24000, 0)
    assert list(scene.heard()[:480]) == list(expected)
    scene.task.cancel()


async def test_a_short_last_frame_has_silence_after_it():
    scene = Scene()
    scene.playback.begin(0)
    scene.give(0)
    short = bytes(array("h", [9] * 100))
    scene.playback.accept(audio.encode(audio.AudioFrame(audio.PCM16, 1, 0, short)))
    scene.playback.finish(1)
    await scene.clock.advance(100)
    assert list(scene.heard()[640:1280]) == [9] * 100 + [0] * 540
    scene.task.cancel()


async def test_frames_that_are_none_are_refused_and_counted():
    scene = Scene()
    scene.playback.begin(0)
    for data in (b"", b"\x01\x00\x00", b"\x02" + bytes(20), b"\x01\x07" + bytes(20)):
        scene.playback.accept(data)
    scene.playback.accept(audio.encode(audio.AudioFrame(audio.IMA_ADPCM, 0, 0, bytes(20))))
    scene.playback.accept(audio.encode(audio.AudioFrame(audio.PCM16, 0, 0, bytes(1282))))
    assert scene.playback.refused == 6
    lines = [line for line in log_lines.lines() if line.startswith("warning playback: ")]
    assert len(lines) == 1 and lines[0].endswith("one: audio: is 0 bytes, a header has 8")
    scene.task.cancel()


async def test_no_speaker_frame_of_any_bytes_raises():
    scene = Scene("ima-adpcm")
    scene.playback.begin(0)
    state = 1
    for size in list(range(40)) + [324, 332, 333, 2888, 2889]:
        data = bytearray(size)
        for at in range(size):
            state = (state * 1103515245 + 12345) & 0x3FFFFFFF
            data[at] = state >> 16 & 255
        for version, codec in ((None, None), (1, None), (1, 0), (1, 1), (1, 2)):
            if size > 1 and version is not None:
                data[0] = version
            if size > 1 and codec is not None:
                data[1] = codec
            scene.playback.accept(data)
    scene.playback.finish(0)
    await scene.clock.advance(3000)
    assert len(scene.reports) == 1 and not scene.playback.active
    scene.task.cancel()


class BrokenSpeaker(FakeSpeaker):
    async def write(self, buffer):
        raise OSError(5)


async def test_a_failing_speaker_ends_the_stream_and_the_task():
    clock = HandClock()
    playback = Playback(BrokenSpeaker(clock), ticks_ms=clock.ticks_ms, sleep_ms=clock.sleep_ms)
    reports = []
    playback.on_played = reports.append
    playback.begin(0)
    playback.accept(audio.encode(audio.AudioFrame(audio.IMA_ADPCM, 0, 0, bytes(324))))
    playback.finish(0)
    try:
        await playback.run()
    except OSError:
        assert len(reports) == 1 and not playback.active
    else:
        raise AssertionError("the failure was swallowed")


class HungrySpeaker:
    """Takes 512 bytes at every write, counts them and makes no objects."""

    taken = 0

    def start(self, rate_hz):
        pass

    def stop(self):
        pass

    def buffered_ms(self):
        return 100

    async def write(self, buffer):
        await asyncio.sleep_ms(0)
        count = min(512, len(buffer))
        self.taken += count
        return count


async def test_a_frame_costs_no_heap_beyond_the_writes_coroutines():
    speaker = HungrySpeaker()
    playback = Playback(speaker, sleep_ms=lambda ms: asyncio.sleep_ms(0))
    task = asyncio.create_task(playback.run())
    playback.begin(0)
    data = bytearray(audio.encode(audio.AudioFrame(audio.IMA_ADPCM, 0, 0, bytes(324))))

    async def play(first, last):
        seq = first
        while speaker.taken < last * 1280:
            # Never further ahead than the ring: every frame is played.
            if seq < last and seq * 1280 - speaker.taken < 4 * 1280:
                data[2], data[3] = seq >> 8, seq & 255
                playback.accept(data)
                seq += 1
            await asyncio.sleep_ms(0)

    await play(0, 10)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    await play(10, 60)
    grown = gc.mem_alloc() - before
    gc.enable()
    task.cancel()
    assert speaker.taken == 60 * 1280
    # A frame is three writes and the loop around them: four coroutines of 128 bytes on 64 bits.
    assert grown // 50 <= 4 * 128 + 64, grown // 50
