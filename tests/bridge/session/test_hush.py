"""Speech that the assistant silences: what the device is told, what the assistant learns."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, LogLines, run_virtual
from voxcard.assistants import Done, HeardReply, Hush, Sentence, Speech, Transcript
from voxcard.errors import VoxcardError

FRAME = bytes(1280)  # 40 ms
TOLD = ["tts start", "tts sentence_start One two three four.", "tts stop"]


class Hushes:
    """An assistant that talks, is silent after `after_s`, and goes on with `then`."""

    def __init__(self, *then, after_s=0.41):
        self.then, self.after_s = then, after_s
        self.heard = []

    async def turn(self, heard):
        yield Sentence(text="One two three four.")
        yield Speech(pcm=FRAME * 20, rate_hz=16000)
        yield Sentence(text="Never heard.")
        yield Speech(pcm=FRAME * 20, rate_hz=16000)
        await asyncio.sleep(self.after_s)
        self.heard.append((yield Hush()))
        for part in self.then:
            reply = yield part
            if isinstance(part, Hush):
                self.heard.append(reply)


def typed(assistant, *, heard_of_cut=None, answers=True, ended=None):
    """The device after one typed turn of `assistant`, and its record."""

    async def conversation():
        device = FakeDevice(FakeAssistant(assistant.turn), answers=answers)
        if heard_of_cut is not None:
            device.heard_of_cut = heard_of_cut
        device.greet()
        task = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        if ended is not None:
            await ended(device)
        record = await device.done()
        await asyncio.gather(task, return_exceptions=True)
        assert device.relay.state == "idle"
        return device, record

    return run_virtual(conversation())


def test_nothing_queued_is_sent_any_more_and_the_assistant_learns_what_was_played():
    assistant = Hushes()
    device, record = typed(assistant, heard_of_cut=lambda last: (last - 4) & 0xFFFF)
    # 400 ms: 4 frames ahead and one each 40 ms; ten were played.
    assert len(device.frames) == 14
    assert assistant.heard == [HeardReply(text="One two", played_ms=400)]
    assert device.told()[2:] == [*TOLD, f"turn {record.turn} done"]
    stop = device.heard[-2]
    assert stop["cut"] is True and stop["last_seq"] == record.last_seq_sent
    assert record.last_seq_played == (record.last_seq_sent - 4) & 0xFFFF
    assert (record.interrupted, record.error) == (True, "")


def test_what_is_said_afterwards_plays_in_the_same_turn_with_frames_numbered_on():
    assistant = Hushes(Sentence(text="Yes?"), Speech(pcm=FRAME * 3, rate_hz=16000), Done())
    device, record = typed(assistant)
    assert device.told()[2:] == [*TOLD, "tts start", "tts sentence_start Yes?", "tts stop",
                                 f"turn {record.turn} done"]  # fmt: skip
    first, second = (told for told in device.heard if told.get("state") == "start")
    assert second["seq"] == (first["seq"] + 14) & 0xFFFF
    assert len(device.frames) == 14 + 3
    assert record.last_seq_played == record.last_seq_sent == (second["seq"] + 2) & 0xFFFF
    assert record.reply == "One two three four. Never heard. Yes?"


def test_of_a_speech_of_which_no_frame_was_played_nothing_was_heard():
    assistant = Hushes(after_s=0)
    typed(assistant, heard_of_cut=lambda last: None)
    assert assistant.heard == [HeardReply(text="", played_ms=0)]


def test_a_second_hush_hears_of_nothing_and_tells_the_device_nothing():
    assistant = Hushes(Hush(), Hush())
    device, _ = typed(assistant)
    assert assistant.heard[1:] == [HeardReply(text="", played_ms=0)] * 2
    assert [told.get("cut") for told in device.heard if told.get("state") == "stop"] == [True]


def test_a_hush_before_any_speech_is_answered_at_once():
    heard = []

    async def silent(_):
        heard.append((yield Hush()))
        yield Transcript(text="hello")

    async def conversation():
        device = FakeDevice(FakeAssistant(silent))
        device.greet()
        await device.relay.turns.ask(text="go", watch=lambda *_: None)
        assert heard == [HeardReply(text="", played_ms=0)]
        assert not [told for told in device.heard if told["type"] == "tts"]

    run_virtual(conversation())


def test_a_device_that_does_not_say_what_it_played_is_taken_to_have_played_what_was_due():
    assistant = Hushes(Sentence(text="Yes?"), Speech(pcm=FRAME, rate_hz=16000))

    async def ended(device):
        last_seq = (await device.until("tts stop", 2))["last_seq"]
        device.say_played((last_seq - 9) & 0xFFFF)  # of the speech before: too late
        assert device.relay.state == "speaking"
        device.say_played(last_seq)

    async def run():
        with LogLines("voxcard") as lines:
            device = FakeDevice(FakeAssistant(assistant.turn), answers=False)
            device.greet()
            task = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
            await ended(device)
            await task
            return [lines.lines.get_nowait() for _ in range(lines.lines.qsize())]

    lines = run_virtual(run())
    assert assistant.heard == [HeardReply(text="One two", played_ms=400)]
    (warning,) = [text for level, text in lines if level == "WARNING"]
    assert "did not report what it played of the speech that was cut" in warning


@pytest.mark.parametrize("event", ["abort", "gone", "hello"])
def test_a_turn_that_ends_while_it_waits_for_the_report_lets_go(event):
    assistant = Hushes()

    async def ended(device):
        await device.until("tts stop")
        if event == "abort":
            device.say("abort", id="a1", seq=device.heard[-1]["last_seq"])
        elif event == "hello":
            device.greet()
        else:
            device.relay.gone("It is lost.")

    async def conversation():
        fake = FakeAssistant(assistant.turn)
        device = FakeDevice(fake, answers=False)
        device.greet()
        task = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        await ended(device)
        await device.done()
        await asyncio.gather(task, return_exceptions=True)
        assert assistant.heard == [] and len(fake.cut_off) == 1
        assert device.relay.state == ("offline" if event == "gone" else "idle")
        left = [each.get_name() for each in asyncio.all_tasks()]
        assert not [name for name in left if "speech" in name or "clock" in name]

    run_virtual(conversation())


def test_an_announcement_that_is_ended_is_cut():
    async def conversation():
        device = FakeDevice(FakeAssistant(), answers=False)
        device.greet()
        task = asyncio.create_task(device.relay.turns.say("Dinner is ready."))
        await device.until("tts stop")
        task.cancel()
        await device.done()
        assert [each["cut"] for each in device.heard if each.get("state") == "stop"] == [
            False,
            True,
        ]
        assert device.relay.state == "idle"
        with pytest.raises(asyncio.CancelledError):
            await task

    run_virtual(conversation())


def test_the_words_are_asked_for_before_a_device_is_there():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        with pytest.raises(VoxcardError, match="is not online"):
            await device.relay.turns.say("Dinner is ready.")

    run_virtual(conversation())
