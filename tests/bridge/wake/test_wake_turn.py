"""From the gate's stream to the turn: what the assistant of a word hears, and only that one."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, run_virtual
from voxcard.assistants import Transcript
from voxcard.wake.ear import BYTES_S
from voxcard.wake.listening import WakeListening
from voxcard.wake.words import WORDS
from voxwire import audio as wire

WORD = "okay_nabu"
FRAME = 1280  # bytes of 40 ms
LAG = WORDS[WORD].lag_ms * BYTES_S // 1000


class SureAfter:
    """A detector that is sure of a word after a second of sound."""

    def __init__(self, word):
        self.word, self.fed = word, 0

    def feed(self, pcm):
        before, self.fed = self.fed, self.fed + len(pcm)
        return (self.word, BYTES_S - before) if before < BYTES_S <= self.fed else None

    def reset(self):
        self.fed = 0


def loud(index):
    """Frame `index` of a sound without a pause, unlike every other frame."""
    return b"".join((8000 + index * 640 + at).to_bytes(2, "little") for at in range(FRAME // 2))


async def listens(heard):
    """A turn that hears its microphone to the end, and keeps that."""
    heard.audio.heard_pcm = b"".join([piece async for piece in heard.audio])
    yield Transcript(text="heard")


async def until(condition):
    """Give the models' thread its time: the clock of these tests is not the thread's."""
    for _ in range(20_000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came")


class Scene:
    """A device that waits for words; two assistants."""

    def __init__(self, word=WORD, **more):
        self.usual, self.called = FakeAssistant(listens), FakeAssistant(listens)
        by_word = {WORD: self.called, "hey_jarvis": self.usual}
        self.listening = WakeListening(by_word, lambda words: SureAfter(word))
        self.device = FakeDevice(self.usual, by_word=by_word, wake=self.listening, **more)
        self.device.greet()

    def speak(self, seq, first, count):
        for index in range(first, first + count):
            frame = wire.AudioFrame(0, seq + index, 0, loud(index))
            self.device.relay.mic(wire.encode(frame))

    def told(self, type_name):
        return [told for told in self.device.heard if told["type"] == type_name]


async def called(scene, seq=700, frames=30):
    scene.device.say("listen", id="b-w1", state="start", mode="wake", seq=seq)
    scene.speak(seq, 0, frames)
    await until(lambda: scene.told("wake"))


def test_the_turn_begins_with_the_first_sample_after_the_word():
    async def run():
        scene = Scene()
        await called(scene)
        assert scene.told("wake")[0]["id"] == "b-w1" and scene.told("wake")[0]["text"] == WORD
        scene.speak(700, 30, 5)  # on its way meanwhile
        said = {"id": "b-w1", "state": "start", "mode": "auto", "seq": 735, "text": WORD}
        scene.device.say("listen", **said)
        scene.speak(700, 35, 5)
        scene.device.say("listen", id="b-w1", state="stop", mode="auto", seq=740)
        await until(lambda: scene.told("stt"))
        whole = b"".join(loud(index) for index in range(40))
        (heard,) = scene.called.heard
        assert heard.audio.heard_pcm == whole[BYTES_S - LAG :]
        assert scene.usual.heard == []
        await scene.listening.stop()

    run_virtual(run())


def test_frames_that_overtake_their_message_are_heard_too():
    async def run():
        scene = Scene()
        scene.speak(700, 0, 16)
        scene.device.say("listen", id="b-w1", state="start", mode="wake", seq=700)
        scene.speak(700, 16, 14)
        await until(lambda: scene.told("wake"))
        await scene.listening.stop()

    run_virtual(run())


@pytest.mark.parametrize(
    ("word", "answers"), [(WORD, "called"), ("hey_jarvis", "usual")], ids=["one", "the other"]
)
def test_each_word_has_its_assistant(word, answers):
    async def run():
        scene = Scene(word)
        await called(scene)
        scene.device.say("listen", id="b-w1", state="start", mode="auto", seq=730, text=word)
        await until(lambda: scene.usual.heard or scene.called.heard)
        assert len(getattr(scene, answers).heard) == 1
        await scene.listening.stop()

    run_virtual(run())


def test_a_press_in_the_stream_is_a_turn_of_its_own():
    async def run():
        scene = Scene()
        await called(scene)
        scene.device.say("listen", id="t-1", state="start", mode="auto", seq=9000)
        frame = wire.AudioFrame(0, 9000, 0, loud(0))
        scene.device.relay.mic(wire.encode(frame))
        scene.device.say("listen", id="t-1", state="stop", mode="auto", seq=9001)
        await until(lambda: scene.told("stt"))
        (heard,) = scene.usual.heard
        assert heard.audio.heard_pcm == loud(0) and scene.called.heard == []
        await scene.listening.stop()

    run_virtual(run())


def test_a_closed_gate_leaves_nothing_behind():
    async def run():
        scene = Scene()
        scene.device.say("listen", id="b-w1", state="start", mode="wake", seq=700)
        scene.speak(700, 0, 20)
        scene.device.say("listen", id="b-w1", state="stop", mode="wake", seq=720)
        scene.speak(700, 20, 20)  # late ones
        for _ in range(1000):
            await asyncio.sleep(0)
        assert scene.told("wake") == [] and scene.usual.heard == scene.called.heard == []
        await scene.listening.stop()

    run_virtual(run())


def test_the_hello_says_whether_a_word_is_waited_for():
    async def run():
        assert Scene().told("hello")[0]["wake"] is True
        without = FakeDevice(FakeAssistant())
        without.greet()
        assert "wake" not in without.heard[0]
        # One that streams nevertheless is not listened to.
        without.say("listen", id="b-w1", state="start", mode="wake", seq=1)
        without.speak(1, 40)
        assert without.told()[1:] == []

    run_virtual(run())
