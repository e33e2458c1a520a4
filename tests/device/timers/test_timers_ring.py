"""The sound that is made on the device: what it is like, and when it is none."""

import asyncio
from array import array

from timers.ring import PATTERNS, Ring, wave


class Speaker:
    """Takes a DMA step at a time; keeps what it played."""

    def __init__(self, step=512):
        self.pcm, self.step = bytearray(), step
        self.events = []

    def start(self, rate_hz):
        self.events.append(rate_hz)

    def stop(self):
        self.events.append("stop")

    async def write(self, buffer):
        taken = min(len(buffer), self.step)
        self.pcm += buffer[:taken]
        return taken


def ring(speaker, volume=100, is_free=lambda: True, rate_hz=16000):
    return Ring(speaker, lambda: rate_hz, lambda: volume, is_free)


def loudest(pcm):
    return max([abs(each) for each in array("h", bytes(pcm))])


def test_a_chunk_is_whole_waves_half_of_full_scale():
    pcm = bytearray(640)
    wave(pcm, 320, 18)
    samples = array("h", bytes(pcm))
    rises = [at for at in range(1, 320) if samples[at - 1] < 0 <= samples[at]]
    assert len(rises) == 17 and samples[0] == 0
    assert 16000 < max(samples) <= 16384 and -16384 <= min(samples) < -16000
    wave(pcm, 320, 0)
    assert not any(pcm)


async def test_each_kind_sounds_its_own_way_and_ends_in_silence():
    heard = set()
    for kind in PATTERNS:
        for rate_hz in (16000, 24000):
            speaker = Speaker()
            await ring(speaker, rate_hz=rate_hz).round(kind, 60)
            assert speaker.events == [rate_hz, "stop"]
            chunks = sum([chunks for _, chunks in PATTERNS[kind]])
            assert len(speaker.pcm) == chunks * rate_hz * 20 // 1000 * 2
            assert not any(speaker.pcm[-rate_hz // 2 * 2 * 2 // 5 :])
        heard.add(bytes(speaker.pcm))
    assert len(heard) == len(PATTERNS)


async def test_a_beep_dies_away_and_does_not_click():
    speaker = Speaker()
    await ring(speaker).round("timer", 60)
    samples = array("h", bytes(speaker.pcm))
    steps = [abs(samples[at] - samples[at - 1]) for at in range(1, len(samples))]
    assert max(steps) < 7500, "no more than the wave's own"


async def test_it_grows_louder_and_is_as_loud_as_the_setting():
    peaks = []
    for volume, rung_s in ((100, 0), (100, 5), (100, 15), (100, 900), (50, 900), (10, 900)):
        speaker = Speaker()
        await ring(speaker, volume).round("alarm", rung_s)
        peaks.append(loudest(speaker.pcm))
    assert peaks[0] < peaks[1] < peaks[2] == peaks[3]
    assert 3.5 < peaks[3] / peaks[4] < 4.5 and peaks[5] > 100


async def test_it_is_silent_in_a_turn_and_makes_way_at_once():
    speaker = Speaker()
    await ring(speaker, is_free=lambda: False).round("timer", 0)
    assert speaker.events == [] and not speaker.pcm
    looks = [True] * 6
    await ring(speaker, is_free=lambda: bool(looks and looks.pop())).round("timer", 0)
    assert speaker.events == [16000, "stop"] and len(speaker.pcm) <= 6 * 512


async def test_it_is_hushed_once_and_leaves_the_speaker_to_whoever_did():
    speaker = Speaker()
    sound = ring(speaker)

    def hushes():
        if len(speaker.pcm) > 4000:
            sound.hush()
            speaker.events.append("speech")
        return True

    sound._is_free = hushes
    await sound.round("timer", 0)
    assert speaker.events == [16000, "stop", "speech"]
    sound.hush()
    assert speaker.events[-1] == "speech"


async def test_a_speaker_that_was_stopped_ends_the_round():
    speaker = Speaker(step=0)
    await asyncio.wait_for_ms(ring(speaker).round("timer", 0), 1000)
    assert speaker.events == [16000, "stop"]
