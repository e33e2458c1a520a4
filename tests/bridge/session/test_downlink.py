"""The speech of a turn: formats, order, back-pressure, what was heard."""

import asyncio

import pytest
from fakes.bridge import run_virtual
from voxcard.assistants import HeardReply
from voxcard.session.downlink import QUEUE_MS, Downlink, SpeakerFormat, speaker_format
from voxwire import audio as wire
from voxwire import capability

PCM16 = SpeakerFormat(format="pcm16", rate_hz=16000, frame_ms=40, buffer_ms=200)


class Line:
    """A wire that keeps what goes over it, in order."""

    def __init__(self):
        self.sent = []

    def send(self, type_name, **values):
        self.sent.append((type_name, values))
        return True

    def frame(self, data):
        self.sent.append(wire.decode(data))
        return True

    def chunk(self, data):
        return True

    def frames(self):
        return [each for each in self.sent if isinstance(each, wire.AudioFrame)]


def downlink(line, speaker=PCM16):
    return Downlink(line, speaker, on_start=lambda: None, on_first_frame=lambda: None)


async def all_sent(speech):
    sender = asyncio.create_task(speech.run())
    await speech.drained()
    sender.cancel()


def sound(**more):
    values = {"formats": ("pcm16",), "rate_hz": 16000, "frame_ms": 20, "down_rates_hz": (16000,)}
    return capability.Sound(**{**values, "buffer_ms": 400, "duplex": "half", **more})


def test_the_highest_rate_and_a_format_of_both_sides_are_chosen():
    chosen = speaker_format(sound(formats=("opus", "ima-adpcm"), down_rates_hz=(16000, 24000)))
    assert chosen == SpeakerFormat(format="ima-adpcm", rate_hz=24000, frame_ms=20, buffer_ms=400)
    assert speaker_format(sound(formats=("opus",))) is None


def test_speech_of_another_rate_arrives_at_the_devices_length():
    async def conversation():
        line = Line()
        speech = downlink(line, SpeakerFormat(
            format="pcm16", rate_hz=24000, frame_ms=20, buffer_ms=400))  # fmt: skip
        await speech.speech(bytes(22050 * 2), 22050)
        await all_sent(speech)
        assert sum(len(frame.payload) for frame in line.frames()) == 24000 * 2
        assert {len(frame.payload) for frame in line.frames()} == {960}

    run_virtual(conversation())


def test_each_sentence_is_announced_before_its_own_frames():
    async def conversation():
        line = Line()
        speech = downlink(line)
        speech.sentence("One.")
        await speech.speech(b"\1\0" * 700, 16000)
        speech.sentence("Two.")
        await speech.speech(b"\2\0" * 640, 16000)
        await all_sent(speech)
        speech.stop(listen=False)
        order = [each[1].get("text", each[1]["state"]) if isinstance(each[1], dict)
                 else each.payload[0] for each in line.sent]  # fmt: skip
        assert order == ["start", "One.", 1, 1, "Two.", 2, "stop"]
        assert line.frames()[1].payload == b"\1\0" * 60 + bytes(580 * 2)
        assert line.sent[-1][1]["last_seq"] == line.frames()[-1].seq

    run_virtual(conversation())


def test_an_assistant_that_is_too_fast_waits_for_the_device():
    async def conversation():
        line = Line()
        speech = downlink(line)
        sender = asyncio.create_task(speech.run())
        for _ in range(30):
            await speech.speech(bytes(16000 * 2), 16000)
        # 30 s are made, at most QUEUE_MS of them are waiting.
        assert asyncio.get_running_loop().time() >= 30 - QUEUE_MS / 1000 - 0.5
        await speech.drained()
        sender.cancel()
        assert speech.sent == 750
        assert 29.5 <= asyncio.get_running_loop().time() <= 30

    run_virtual(conversation())


def test_what_was_heard_counts_the_frames_still_to_come_of_its_sentence():
    async def conversation():
        line = Line()
        speech = downlink(line)
        sender = asyncio.create_task(speech.run())
        speech.sentence("one two three four")
        await speech.speech(bytes(1280 * 20), 16000)
        speech.sentence("never")
        await asyncio.sleep(0.3)
        assert speech.sent < 20
        assert speech.heard(speech.base + 9) == HeardReply(text="one two", played_ms=400)
        assert speech.heard(None) == HeardReply(text="", played_ms=0)
        sender.cancel()

    run_virtual(conversation())


@pytest.mark.parametrize("frames", [0, 1, 3])
def test_every_end_names_the_speech_that_it_ends(frames):
    async def conversation():
        line = Line()
        speech = downlink(line)
        for _ in range(3):
            speech.sentence("Hello.")
            if frames:
                await speech.speech(bytes(1280 * frames), 16000)
            await all_sent(speech)
            speech.stop(listen=False)
            speech.renew()
        told = [each[1] for each in line.sent if not isinstance(each, wire.AudioFrame)]
        starts = [each["seq"] for each in told if each["state"] == "start"]
        assert starts == [each["seq"] for each in told if each["state"] == "stop"]
        step = frames or 1
        assert starts == [(starts[0] + at * step) & 0xFFFF for at in range(3)]

    run_virtual(conversation())


def test_a_speech_without_frames_has_no_last_frame():
    async def conversation():
        line = Line()
        speech = downlink(line)
        speech.sentence("Nothing to hear.")
        await all_sent(speech)
        speech.stop(listen=True)
        assert line.sent[-1] == (
            "tts",
            {
                "state": "stop",
                "seq": speech.base,
                "listen": True,
                "cut": False,
                "last_seq": None,
            },
        )

    run_virtual(conversation())
