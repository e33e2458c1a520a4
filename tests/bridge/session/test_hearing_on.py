"""The microphone after the end of speech: who goes on before anything happened is heard again."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.assistants import (
    HEAR_ON_MS,
    CallTool,
    Done,
    EndOfSpeech,
    Resumed,
    Sentence,
    Speech,
    Transcript,
)
from voxcard.toolhub.model import ToolOutcome

FRAME = bytes(1280)  # 40 ms
BASE = 100
FULL = {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 200, "duplex": "full"}


class Talk:
    """Hears so many frames for each number among `parts`, and yields the others.

    `heard` are the numbers of frames that came, fewer where the audio ended.
    """

    def __init__(self, *parts):
        self.parts = parts
        self.heard = []

    async def turn(self, heard):
        for part in self.parts:
            if isinstance(part, int):
                self.heard.append(0)
                while self.heard[-1] < part and await anext(heard.audio, None) is not None:
                    self.heard[-1] += 1
            else:
                yield part


HALF = Transcript(text="turn off the light")
WHOLE = Transcript(text="turn off the light in the kitchen")
REPLY = Sentence(text="Done."), Speech(pcm=FRAME * 2, rate_hz=16000), Done()
END = EndOfSpeech(speech_ms=80, end_ms=80, hears_on=True)


def conversation(talk, during, *, mode="auto", sound=None, hub=None):
    """The device after a turn of `talk`, while `during(device)` was going on."""

    async def run():
        device = FakeDevice(FakeAssistant(talk.turn), hub)
        device.greet(**({"sound": sound} if sound else {}))
        device.say("listen", id="t1", state="start", seq=BASE, mode=mode)
        await during(device)
        await device.over()
        assert device.relay.state == "idle"
        return device

    return run_virtual(run())


async def stream(device, count, seq=BASE):
    for index in range(count):
        device.speak(seq + index)
        await asyncio.sleep(0.04)


@pytest.mark.parametrize("mode", ["auto", "realtime"])
def test_who_goes_on_is_heard_in_the_same_turn_and_what_was_understood_grows(mode):
    talk = Talk(3, END, HALF, 4, Resumed(), 3, END, WHOLE, *REPLY)
    device = conversation(
        talk, lambda device: stream(device, 14), mode=mode, sound=FULL if mode != "auto" else None
    )
    told = [each for each in device.told() if not each.startswith("tts")]
    assert told[1:] == [
        "turn t1 accepted",
        "turn t1 thinking",
        "stt turn off the light",
        "turn t1 listening",
        "turn t1 thinking",
        "stt turn off the light in the kitchen",
        *(["turn t1 thinking"] if mode == "auto" else []),  # it hears no more: it answers
        "turn t1 done",
    ]
    asked = [each.get("hear_ms") for each in device.heard if each.get("state") == "thinking"]
    assert asked == ([HEAR_ON_MS, HEAR_ON_MS, None] if mode == "auto" else [None, None])
    (record,) = device.records
    assert (record.transcript, record.reply) == (WHOLE.text, "Done.")
    assert talk.heard == [3, 4, 3]
    # The stages count from the end that was one.
    assert record.stages_ms["listening_to_end_of_speech"] == 40
    assert record.stages_ms["end_of_speech_to_endpoint"] == 320


@pytest.mark.parametrize("begins", [CallTool(name="light", arguments={}), REPLY[0], REPLY[1]])
def test_nothing_is_heard_any_more_when_something_is_done_or_said(begins):
    async def light(arguments, on_progress):
        await asyncio.sleep(0.4)
        return ToolOutcome(text="off")

    talk = Talk(3, END, HALF, begins, 20, Resumed(), Done())
    hub = FakeHub(light=light)
    device = conversation(talk, lambda device: stream(device, 20), hub=hub)
    assert "turn t1 listening" not in device.told()
    assert talk.heard == [3, 0]
    assert device.records[0].transcript == HALF.text


def test_the_microphone_is_closed_when_nobody_has_gone_on():
    talk = Talk(3, END, 100, HALF, *REPLY)
    conversation(talk, lambda device: stream(device, 60))
    assert talk.heard == [3, HEAR_ON_MS // 40 - 1]  # the next one comes when it closes


def test_a_device_that_closes_its_microphone_is_answered_without_a_wait():
    async def older(device):
        await stream(device, 3)
        await device.until("turn t1 thinking")

    talk = Talk(3, END, HALF, *REPLY)
    device = conversation(talk, older)
    assert device.records[0].transcript == HALF.text


def test_a_device_says_where_its_microphone_ended():
    async def stops(device):
        await stream(device, 6)
        device.say("listen", id="t1", state="stop", seq=BASE + 6)

    talk = Talk(3, END, 100, Resumed(), HALF, *REPLY)
    device = conversation(talk, stops)
    assert talk.heard == [3, 3]
    # It was too late to go on: what was heard is answered.
    assert "turn t1 listening" not in device.told() and device.records[0].reply == "Done."


def test_an_assistant_that_does_not_hear_on_closes_the_microphone():
    talk = Talk(3, EndOfSpeech(), 100, HALF, *REPLY)
    device = conversation(talk, lambda device: stream(device, 20))
    assert talk.heard == [3, 0]
    assert [each["hear_ms"] for each in device.heard if "hear_ms" in each] == []
