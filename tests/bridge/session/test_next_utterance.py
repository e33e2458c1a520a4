"""Several answers in one turn: the microphone stays open, and each has a record of its own."""

import asyncio
import contextlib

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, LogLines, run_virtual
from voxcard.assistants import (
    Done,
    EndOfSpeech,
    Failed,
    HeardReply,
    Hush,
    NextUtterance,
    Sentence,
    Speech,
    Stage,
    Transcript,
)

FRAME = bytes(1280)  # 40 ms
FULL = {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 200, "duplex": "full"}


def answer(words, reply, frames=5):
    """One sentence and its answer."""
    return (
        EndOfSpeech(),
        Transcript(text=words),
        Sentence(text=reply),
        Speech(pcm=FRAME * frames, rate_hz=16000),
    )


class Talk:
    """An assistant that yields `parts`; a float among them hears so many seconds first."""

    def __init__(self, *parts):
        self.parts = parts
        self.replies = []
        self.heard = None

    async def turn(self, heard):
        self.heard = heard
        for part in self.parts:
            if isinstance(part, float):
                for _ in range(round(part / 0.04)):
                    if await anext(heard.audio, None) is None:
                        return
            else:
                reply = yield part
                if reply is not None:
                    self.replies.append(reply)


async def stream(device):
    """A microphone that hears, for ever."""
    seq = 100
    while True:
        device.speak(seq & 0xFFFF)
        seq += 1
        await asyncio.sleep(0.04)


def realtime(talk, *, sound=FULL, mode="realtime", during=None, answers=True):
    """The device after one turn of `talk`; `during(device)` runs beside it."""

    async def conversation():
        device = FakeDevice(FakeAssistant(talk.turn), answers=answers)
        device.greet(sound=sound)
        device.say("listen", id="t1", state="start", seq=100, mode=mode)
        microphone = asyncio.create_task(stream(device))
        beside = asyncio.create_task(during(device)) if during else None
        await device.over()
        assert device.relay.state == "idle"
        for task in (microphone, beside):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        return device

    return run_virtual(conversation())


def test_two_sentences_are_answered_in_one_turn_and_each_has_its_record():
    talk = Talk(
        0.4, *answer("one", "First."), NextUtterance(), 0.8, *answer("two", "Second.", 3), Done()
    )
    device = realtime(talk)
    assert talk.heard.open
    assert device.told()[1:] == [
        "turn t1 accepted",
        "turn t1 thinking",
        "stt one",
        "tts start",
        "tts sentence_start First.",
        "tts stop",
        "turn t1 listening",
        "turn t1 thinking",
        "stt two",
        "tts start",
        "tts sentence_start Second.",
        "tts stop",
        "turn t1 done",
    ]
    first, second = device.records
    assert (first.turn, first.transcript, first.reply) == ("t1", "one", "First.")
    assert (second.turn, second.transcript, second.reply) == ("t1.2", "two", "Second.")
    assert (first.frames_down, second.frames_down) == (5, 3)
    assert first.last_seq_played == first.last_seq_sent
    assert second.last_seq_sent == (first.last_seq_sent + 3) & 0xFFFF
    assert second.last_seq_played == second.last_seq_sent
    assert second.at_s >= first.at_s
    assert 9 <= first.frames_up <= 14 and 18 <= second.frames_up <= 26


def test_each_sentence_has_its_own_stage_times():
    talk = Talk(0.4, *answer("one", "First."), NextUtterance(), 0.8, *answer("two", "Second."))
    first, second = realtime(talk).records
    for record in (first, second):
        assert record.stages_ms["first_audio_to_played"] == 40
        assert record.stages_ms["stt_to_first_part"] == 0
    # The assistant heard 0.8 s from the end of the first sentence on, 40 ms of them meanwhile.
    assert 680 <= second.stages_ms["whole_turn"] <= 840
    assert second.stages_ms["wake_to_listening"] == 0


def test_the_limits_begin_anew_with_each_sentence():
    # 25 s of listening each: more than the limit together.
    talk = Talk(25.0, *answer("one", "First."), NextUtterance(), 25.0, *answer("two", "Second."))
    device = realtime(talk)
    assert [record.error for record in device.records] == ["", ""]
    assert "turn t1 done" in device.told()


def test_a_conversation_in_which_nothing_more_is_said_ends_with_the_limit_of_listening():
    talk = Talk(0.4, *answer("one", "First."), NextUtterance(), 100.0)
    device = realtime(talk)
    # The microphone was closed after 30 s: the assistant's audio ended, and so did its turn.
    assert [record.transcript for record in device.records] == ["one"]


def test_a_person_who_speaks_into_the_answer_is_heard_at_once():
    talk = Talk(
        0.4,
        *answer("one", "One two three four.", 50),
        NextUtterance(),
        0.5,
        Transcript(text="st", partial=True),
        Hush(),
        *answer("stop", "Fine."),
    )
    device = realtime(talk)
    (heard,) = talk.replies
    assert heard.text == "One" and 600 <= heard.played_ms <= 700
    order = [each for each in device.told() if not each.startswith("tts")]
    assert order[-5:] == [
        "stt st",
        "turn t1 listening",
        "turn t1 thinking",
        "stt stop",
        "turn t1 done",
    ]
    first, second = device.records
    assert (first.interrupted, second.interrupted) == (True, False)
    assert first.last_seq_played == first.last_seq_sent and first.frames_down < 20
    assert (second.transcript, second.reply) == ("stop", "Fine.")


def test_an_answer_may_be_hushed_before_it_is_over_and_followed_by_the_next_sentence():
    talk = Talk(
        0.4,
        *answer("one", "One two three four.", 50),
        0.4,
        Hush(),
        NextUtterance(),
        *answer("two", "Second."),
    )
    device = realtime(talk)
    assert [(each.transcript, each.interrupted) for each in device.records] == [
        ("one", True),
        ("two", False),
    ]
    assert talk.replies[0].played_ms > 0


def test_what_follows_waits_until_the_answer_before_was_played():
    talk = Talk(0.4, *answer("one", "First.", 25), NextUtterance(), *answer("two", "Second."))
    device = realtime(talk)
    told = device.told()
    assert told.index("tts stop") < told.index("turn t1 listening") < told.index("stt two")


def test_all_of_a_long_answer_is_taken_where_a_person_may_speak_into_it():
    talk = Talk(
        0.4, *answer("one", "Long.", 60 * 25), NextUtterance(), 1.0, Hush(), *answer("two", "Yes.")
    )
    device = realtime(talk)
    assert talk.replies[0].played_ms < 2000
    assert device.records[0].frames_down < 50


def test_the_audio_is_one_stream_over_all_sentences():
    talk = Talk(0.4, NextUtterance(), *answer("one", "First."), NextUtterance(), 0.4)
    device = realtime(talk)
    # Before anything was said there is nothing to end.
    assert device.told().count("turn t1 listening") == 1


def test_a_failure_in_the_second_answer_is_said_and_the_first_one_stays():
    talk = Talk(0.4, *answer("one", "First."), NextUtterance(), Failed(message="I am lost."))
    device = realtime(talk)
    assert [(each.transcript, each.error) for each in device.records] == [
        ("one", ""),
        ("", "I am lost."),
    ]
    assert device.heard[-1]["text"] == "I am lost."


def test_a_reply_that_is_not_reported_does_not_end_the_conversation():
    talk = Talk(0.4, *answer("one", "First."), NextUtterance(), 0.4, *answer("two", "Second."))
    device = realtime(talk, answers=False)
    assert [each.transcript for each in device.records] == ["one", "two"]
    assert all("did not report" in each.error for each in device.records)


@pytest.mark.parametrize("mode", ["auto", "manual"])
def test_without_an_open_microphone_the_turn_is_over(mode):
    talk = Talk(*answer("one", "First."), NextUtterance(), *answer("two", "Second."))
    with LogLines("voxcard"):
        device = realtime(talk, mode=mode)
    assert not talk.heard.open
    assert [each.transcript for each in device.records] == ["one"]
    assert (device.records[0].error, device.told()[-1]) == ("", "turn t1 done")


def test_after_listen_stop_the_turn_ends_with_its_answer():
    async def stop(device):
        await device.until("tts start")
        device.say("listen", id="t1", state="stop")

    talk = Talk(0.4, *answer("one", "First.", 20), NextUtterance(), 5.0, *answer("two", "Second."))
    device = realtime(talk, during=stop)
    assert [each.transcript for each in device.records] == ["one"]


def test_a_stage_of_the_assistants_own_belongs_to_the_sentence_it_follows():
    talk = Talk(
        0.4,
        *answer("one", "First."),
        Stage(name="first_token"),
        NextUtterance(),
        Stage(name="second_token"),
        *answer("two", "Second."),
    )
    first, second = realtime(talk).records
    assert "to_first_token" in first.stages_ms and "to_second_token" not in first.stages_ms
    assert "to_first_token" not in second.stages_ms


def test_an_abort_in_the_second_answer_tells_the_assistant_what_was_heard_of_that_one():
    async def abort(device):
        base = [await device.until("tts start", count) for count in (1, 2)][1]["seq"]
        await asyncio.sleep(0.3)
        device.say("abort", id="t1", seq=(base + 2) & 0xFFFF)

    talk = Talk(
        0.4, *answer("one", "First."), NextUtterance(), 0.4, *answer("two", "One two.", 50), 9.0
    )

    async def conversation():
        assistant = FakeAssistant(talk.turn)
        device = FakeDevice(assistant)
        device.greet(sound=FULL)
        device.say("listen", id="t1", state="start", seq=100, mode="realtime")
        microphone = asyncio.create_task(stream(device))
        await abort(device)
        await device.done(2)
        microphone.cancel()
        assert assistant.cut_off == [HeardReply(text="", played_ms=120)]
        assert [each.interrupted for each in device.records] == [False, True]
        assert device.relay.state == "idle"

    run_virtual(conversation())
