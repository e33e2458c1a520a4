"""A device's talk with the bridge, as the device sees it."""

import asyncio
import json
import logging

import pytest
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Failed,
    HeardReply,
    Sentence,
    ShowCard,
    Speech,
    Transcript,
)
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolOutcome

FRAME = bytes(1280)


async def whole_turn(heard):
    """Hears three frames, answers with five."""
    count = 0
    async for _ in heard.audio:
        count += 1
        if count == 3:
            break
    yield EndOfSpeech(speech_ms=120)
    yield Transcript(text="hello", partial=False)
    yield Sentence(text="Good day.")
    yield Speech(pcm=FRAME * 5, rate_hz=16000)
    yield Done()


async def until_closed(heard):
    size = 0
    async for piece in heard.audio:
        size += len(piece)
    yield Transcript(text=f"{size} bytes")
    yield Done()


async def long_speech(heard):
    yield Transcript(text="tell me a story")
    yield Sentence(text="One two three four.")
    yield Speech(pcm=FRAME * 100, rate_hz=16000)
    yield Sentence(text="Never heard.")
    yield Speech(pcm=FRAME * 100, rate_hz=16000)


async def never(heard):
    await asyncio.get_running_loop().create_future()
    yield Done()


def listen(device, turn_id="t1", seq=100, **more):
    device.say("listen", id=turn_id, state="start", seq=seq, **more)


def test_a_hello_is_answered_with_a_session_and_the_format_of_the_speech():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet(sound={"formats": ["ima-adpcm"], "down_rates_hz": [16000, 24000]})
        hello = device.heard[0]
        assert hello["session_id"] == "s1"
        assert hello["audio_params"] == {
            "format": "ima-adpcm",
            "sample_rate": 24000,
            "channels": 1,
            "frame_duration": 40,
        }
        assert device.relay.state == "idle" and device.hub.attached == ["kitchen"]

    run_virtual(conversation())


def test_a_whole_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn))
        device.greet()
        listen(device)
        device.speak(100, 3)
        record = await device.done()
        assert device.told()[1:] == [
            "turn t1 accepted",
            "turn t1 thinking",
            "stt hello",
            "tts start",
            "tts sentence_start Good day.",
            "tts stop",
            "turn t1 done",
        ]
        base = device.heard[4]["seq"]
        assert [frame[2] << 8 | frame[3] for frame in device.frames] == [
            (base + index) & 0xFFFF for index in range(5)
        ]
        assert device.heard[6]["last_seq"] == (base + 4) & 0xFFFF
        assert (record.frames_up, record.frames_down, record.frames_lost) == (3, 5, 0)
        assert (record.transcript, record.reply, record.error) == ("hello", "Good day.", "")
        assert record.last_seq_played == record.last_seq_sent == (base + 4) & 0xFFFF
        # 5 frames of 40 ms with 160 ms of room: four at once, one after 40 ms.
        assert device.at_ms == [0, 0, 0, 0, 40]
        assert record.stages_ms["first_audio_to_played"] == 40
        assert device.relay.state == "idle"

    run_virtual(conversation())


def test_frames_that_overtook_their_listen_message_are_heard():
    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn))
        device.greet()
        device.speak(90, 4)  # of an older turn
        device.speak(100, 2)
        listen(device)
        device.speak(102, 1)
        record = await device.done()
        assert record.transcript == "hello" and record.frames_up == 3

    run_virtual(conversation())


# What a stop that names frame 103 as the next one waits for: (frames before it, frames that come
# after so many ms, when listening ends in ms, frames heard)
STOPS = (
    ((100, 101, 102), (), 0, 3),
    ((100, 101), ((102, 0),), 0, 3),
    ((100, 101), ((102, 15),), 15, 3),
    ((), ((100, 5), (101, 5), (102, 10)), 10, 3),
    ((100, 102), (), 0, 3),  # 101 is lost: nothing is known to be on its way
    ((100, 101), ((102, 60),), 40, 2),
    ((100,), (), 40, 1),
)


@pytest.mark.parametrize(("before", "after", "end_ms", "heard"), STOPS)
def test_push_to_talk_ends_when_the_last_frame_is_there(before, after, end_ms, heard):
    async def conversation():
        device = FakeDevice(FakeAssistant(until_closed))
        device.greet()
        listen(device, mode="manual")
        for seq in before:
            device.speak(seq)
        loop = asyncio.get_running_loop()
        released_s = loop.time()
        device.say("listen", id="t1", state="stop", seq=103)
        for seq, at_ms in after:
            loop.call_later(at_ms / 1000, device.speak, seq)
        record = await device.done()
        assert round((loop.time() - released_s) * 1000) == end_ms
        assert record.transcript == f"{heard * 1280} bytes"
        assert device.told()[-3:] == [
            "turn t1 thinking", f"stt {heard * 1280} bytes", "turn t1 done",
        ]  # fmt: skip

    run_virtual(conversation())


def test_a_release_that_names_no_frame_waits_for_those_that_the_message_overtook():
    async def conversation():
        device = FakeDevice(FakeAssistant(until_closed))
        device.greet()
        listen(device, mode="manual")
        device.speak(100, 2)
        device.say("listen", id="t1", state="stop")
        device.speak(102, 1)
        assert (await device.done()).transcript == "3840 bytes"
        assert round(asyncio.get_running_loop().time() * 1000) == 40

    run_virtual(conversation())


def test_stages_count_from_the_last_sample_of_speech():
    async def patient(heard):
        """Hears the speech end at 200 ms and waits 160 ms to be sure."""
        count = 0
        async for _ in heard.audio:
            count += 1
            if count == 9:
                break
        yield EndOfSpeech(speech_ms=200, end_ms=200)
        await asyncio.sleep(0.1)
        yield Transcript(text="hello")
        yield Sentence(text="Good day.")
        await asyncio.sleep(0.05)
        yield Speech(pcm=FRAME, rate_hz=16000)

    async def conversation():
        device = FakeDevice(FakeAssistant(patient))
        device.greet()
        listen(device)
        for seq in range(100, 109):
            await asyncio.sleep(0.04)
            device.speak(seq)
        record = await device.done()
        assert record.stages_ms == {
            "wake_to_listening": 40,
            "listening_to_end_of_speech": 160,
            "end_of_speech_to_endpoint": 160,
            "end_of_speech_to_stt": 260,
            "stt_to_first_part": 0,
            "first_part_to_first_audio": 50,
            "end_of_speech_to_first_audio": 310,
            "first_audio_to_played": 0,
            "whole_turn": 510,
        }

    run_virtual(conversation())


def test_a_held_turns_end_of_speech_is_the_release_whenever_the_last_word_was():
    async def pushed(heard):
        async for _ in heard.audio:
            pass
        yield EndOfSpeech(end_ms=80)
        yield Transcript(text="hello")

    async def conversation():
        device = FakeDevice(FakeAssistant(pushed))
        device.greet()
        listen(device, mode="manual")
        for seq in range(100, 105):
            device.speak(seq)
            await asyncio.sleep(0.04)
        device.say("listen", id="t1", state="stop", seq=105)
        stages = (await device.done()).stages_ms
        assert stages["listening_to_end_of_speech"] == 200
        assert (stages["end_of_speech_to_endpoint"], stages["end_of_speech_to_stt"]) == (0, 0)

    run_virtual(conversation())


async def echo(heard):
    """Says back what it hears, for as long as the microphone is open."""
    async for piece in heard.audio:
        yield Speech(pcm=piece, rate_hz=16000)
    yield Done()


def test_in_realtime_the_microphone_is_heard_while_the_device_speaks():
    async def conversation():
        device = FakeDevice(FakeAssistant(echo))
        device.greet(sound={**HELLO["sound"], "duplex": "full"})
        listen(device, mode="realtime")
        device.speak(100)
        await device.frame_count(1)
        assert device.relay.state == "speaking"
        for seq in range(101, 151):
            device.speak(seq)
            await device.frame_count(seq - 99)
            await asyncio.sleep(0.04)
        device.say("listen", id="t1", state="stop")
        record = await device.done()
        assert (record.frames_up, record.frames_down, record.error) == (51, 51, "")
        assert device.told()[1:] == [
            "turn t1 accepted",
            "turn t1 thinking",
            "tts start",
            "turn t1 alive",
            "tts stop",
            "turn t1 done",
        ]
        assert device.relay.state == "idle"

    run_virtual(conversation())


def test_realtime_on_a_half_duplex_board_is_heard_in_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant(echo))
        device.greet()
        listen(device, mode="realtime")
        for seq in range(100, 110):
            device.speak(seq)
            await asyncio.sleep(0.04)
        record = await device.done()
        assert (record.frames_up, record.frames_down, record.error) == (1, 1, "")

    run_virtual(conversation())


def test_an_open_microphone_is_closed_when_nothing_comes_of_it_for_half_a_minute():
    async def conversation():
        device = FakeDevice(FakeAssistant(until_closed))
        device.greet(sound={**HELLO["sound"], "duplex": "full"})
        listen(device, mode="realtime")
        for index in range(40):
            device.speak(100 + index)
            await asyncio.sleep(1)
        record = await device.done()
        assert (record.frames_up, record.error) == (31, "")

    run_virtual(conversation())


def test_a_turn_without_speech_ends_with_done_alone():
    async def conversation():
        async def silent(heard):
            yield Emotion(name="happy")
            yield Done()

        device = FakeDevice(FakeAssistant(silent))
        device.greet()
        listen(device)
        await device.done()
        assert device.told()[1:] == ["turn t1 accepted", "llm", "turn t1 done"]
        assert device.relay.state == "idle"

    run_virtual(conversation())


def test_a_repeated_listen_starts_one_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn))
        device.greet()
        listen(device)
        listen(device)
        device.speak(100, 3)
        await device.done()
        assert device.told().count("turn t1 accepted") == 1

    run_virtual(conversation())


def test_a_message_of_another_session_is_dropped():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        device.say("listen", id="t1", state="start", session_id="old")
        assert len(device.heard) == 1 and device.relay.state == "idle"

    run_virtual(conversation())


def test_barge_in_tells_the_assistant_what_was_heard_and_the_next_turn_works():
    async def conversation():
        assistant = FakeAssistant(long_speech, whole_turn)
        device = FakeDevice(assistant)
        device.greet()
        listen(device)
        start = await device.until("tts start")
        await device.frame_count(60)
        device.say("abort", id="a1", reason="button", seq=(start["seq"] + 49) & 0xFFFF)
        listen(device, "t2", 7)
        sent = len(device.frames)
        device.speak(7, 3)
        record = await device.done(1)
        assert record.interrupted and record.last_seq_played == (start["seq"] + 49) & 0xFFFF
        assert assistant.cut_off == [HeardReply(text="One two", played_ms=50 * 40)]
        assert (await device.done(2)).transcript == "hello"
        assert len(device.frames) == sent + 5
        assert "turn t1 done" not in device.told() and device.told()[-1] == "turn t2 done"

    run_virtual(conversation())


def test_a_press_while_thinking_cancels_the_assistant():
    closed = []

    async def slow(heard):
        try:
            yield EndOfSpeech()
            await asyncio.get_running_loop().create_future()
        finally:
            closed.append(True)

    async def conversation():
        device = FakeDevice(FakeAssistant(slow))
        device.greet()
        listen(device)
        await device.until("turn t1 thinking")
        device.say("abort", id="a1")
        device.say("abort", id="a1")
        record = await device.done()
        assert closed == [True] and record.interrupted
        assert device.relay.state == "idle"

    run_virtual(conversation())


def test_the_turn_shows_that_it_is_alive_until_it_is_over():
    async def conversation():
        async def slow(heard):
            yield EndOfSpeech()
            await asyncio.sleep(7)
            yield Done()

        device = FakeDevice(FakeAssistant(slow))
        device.greet()
        listen(device)
        await device.done()
        assert device.told().count("turn t1 alive") == 3

    run_virtual(conversation())


@pytest.mark.parametrize("failing", ["failed", "raises", "voxcard"])
def test_every_failure_is_one_sentence_spoken_and_shown(failing):
    async def broken(heard):
        yield EndOfSpeech()
        if failing == "failed":
            yield Failed(message="I did not understand that.")
        elif failing == "voxcard":
            raise VoxcardError("The model is away.", "Start it.")
        else:
            raise RuntimeError("secret detail")

    text = {
        "failed": "I did not understand that.",
        "voxcard": "The model is away. Start it.",
        "raises": "Something went wrong here. Please try again.",
    }[failing]

    async def conversation():
        device = FakeDevice(FakeAssistant(broken))
        device.greet()
        listen(device)
        record = await device.done()
        assert device.told()[2:] == [
            "turn t1 thinking",
            "tts start",
            f"tts sentence_start {text}",
            "tts stop",
            f"turn t1 done {text}",
        ]
        assert record.error == text and device.relay.state == "idle"

    run_virtual(conversation())


def test_a_voice_that_fails_too_still_leaves_the_sentence_on_the_screen():
    async def conversation():
        async def broken(heard):
            yield Failed(message="No.")

        assistant = FakeAssistant(broken)
        assistant.say = lambda text, locale: 1 / 0
        device = FakeDevice(assistant)
        device.greet()
        listen(device)
        await device.done()
        assert device.told()[-1] == "turn t1 done No."
        assert device.relay.state == "idle"

    run_virtual(conversation())


def test_a_thinking_that_never_ends_is_ended():
    async def conversation():
        async def stuck(heard):
            yield EndOfSpeech()
            await asyncio.get_running_loop().create_future()

        device = FakeDevice(FakeAssistant(stuck))
        device.greet()
        listen(device)
        record = await device.done()
        assert record.error == "That took too long. Please try again."
        assert 60 <= asyncio.get_running_loop().time() < 62

    run_virtual(conversation())


def test_a_lost_microphone_is_said():
    async def conversation():
        device = FakeDevice(FakeAssistant(never))
        device.greet()
        listen(device)
        device.speak(100, 3)
        record = await device.done()
        assert record.error == "I cannot hear the microphone. Please try again."
        assert 2 <= asyncio.get_running_loop().time() < 3

    run_virtual(conversation())


def test_half_a_minute_of_sound_closes_the_microphone():
    async def conversation():
        device = FakeDevice(FakeAssistant(until_closed))
        device.greet()
        listen(device)
        for index in range(40):
            device.speak(100 + index)
            await asyncio.sleep(1)
        record = await device.done()
        # One frame a second from 0 s to 30 s; the nine after the limit are not heard.
        assert (record.frames_up, record.transcript) == (31, "39680 bytes")
        assert record.error == "" and "turn t1 thinking" in device.told()

    run_virtual(conversation())


def test_a_device_that_does_not_report_its_playing_is_idle_again():
    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn), answers=False)
        device.greet()
        listen(device)
        device.speak(100, 3)
        record = await device.done()
        assert record.error == "the device did not report that it played the reply"
        assert device.signs[-1] == "doubt"
        assert device.relay.state == "idle" and device.told()[-1].startswith("turn t1 done")

    run_virtual(conversation())


def test_a_question_is_followed_by_listening():
    async def conversation():
        async def asks(heard):
            yield Sentence(text="Which one?")
            yield Speech(pcm=FRAME, rate_hz=16000)
            yield Ask()

        device = FakeDevice(FakeAssistant(asks))
        device.greet()
        listen(device)
        stop = await device.until("tts stop")
        assert stop["listen"] is True
        await device.done()

    run_virtual(conversation())


def test_a_tool_is_called_its_card_shown_and_the_assistant_told():
    told = []

    async def calls(heard):
        yield Transcript(text="where is my order")
        told.append((yield CallTool(name="orders.status", arguments={"number": 1042})))
        yield Done()

    async def status(arguments, on_progress):
        on_progress("asking the shop")
        return ToolOutcome(text="On its way.", result={"card": "Order 1042"})

    async def conversation():
        device = FakeDevice(FakeAssistant(calls), FakeHub(**{"orders.status": status}))
        device.greet()
        listen(device)
        record = await device.done()
        assert told[0].card_shown and told[0].text == "On its way."
        assert "turn t1 alive asking the shop" in device.told()
        shown = next(each for each in device.heard if each["type"] == "card")
        assert shown["card"]["pages"] == [{"t": "Order 1042", "k": "t"}]
        assert record.cards == ("t1.1",) and device.cards.kept == [("kitchen", "t1.1")]
        (call,) = record.tools
        assert (call.name, call.arguments, call.text) == (
            "orders.status",
            {"number": 1042},
            "On its way.",
        )

    run_virtual(conversation())


def test_a_tool_that_failed_shows_no_card():
    told = []

    async def calls(heard):
        told.append((yield CallTool(name="t", arguments={})))

    async def fails(arguments, on_progress):
        return ToolOutcome(text="Too loud.", is_error=True, result={"card": "x"})

    async def conversation():
        device = FakeDevice(FakeAssistant(calls), FakeHub(t=fails))
        device.greet()
        listen(device)
        record = await device.done()
        assert not told[0].card_shown and record.cards == () and record.tools[0].is_error

    run_virtual(conversation())


def test_a_cards_message_becomes_the_next_thing_said_once():
    async def conversation():
        async def shows(heard):
            yield ShowCard(source={"content": [], "card": "Tea"})

        async def answers(heard):
            yield Transcript(text=heard.text)
            yield Done()

        device = FakeDevice(FakeAssistant(shows, answers))
        device.greet()
        listen(device)
        (card_id,) = (await device.done()).cards
        for _ in range(2):
            device.say("card", event_id="e1", event="action", id=card_id, action="more")
        record = await device.done(2)
        assert (record.kind, record.transcript) == ("text", "tell me more")
        turn = record.turn
        assert device.told()[-3:] == [
            f"turn {turn} thinking",
            "stt tell me more",
            f"turn {turn} done",
        ]

    run_virtual(conversation())


def test_an_announcement_is_spoken_on_an_idle_device_and_needs_no_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        await device.relay.turns.say("Dinner is ready.")
        assert device.told()[1:] == [
            "tts start",
            "tts sentence_start Dinner is ready.",
            "tts stop",
        ]
        assert device.records[0].kind == "say" and device.relay.state == "idle"

    run_virtual(conversation())


def test_an_announcement_waits_for_the_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn))
        device.greet()
        listen(device)
        device.speak(100, 3)
        await device.relay.turns.say("Dinner is ready.")
        assert device.told().index("turn t1 done") < device.told().index(
            "tts sentence_start Dinner is ready."
        )

    run_virtual(conversation())


def test_a_question_from_the_command_line_is_watched():
    async def conversation():
        seen = []

        async def answers(heard):
            yield Transcript(text=heard.text)
            yield Sentence(text="Sixty.")
            yield Speech(pcm=FRAME, rate_hz=16000)

        device = FakeDevice(FakeAssistant(answers))
        device.greet()
        await device.relay.turns.ask(text="how loud", watch=lambda *part: seen.append(part[:2]))
        assert seen == [("transcript", "how loud"), ("sentence", "Sixty.")]
        with pytest.raises(VoxcardError, match="Something went wrong"):
            await device.relay.turns.ask(text="again", watch=lambda *_: None)

    run_virtual(conversation())


def test_a_device_that_is_away_or_busy_for_too_long_is_not_asked():
    async def talks_for_ever(heard):
        while True:
            yield Sentence(text="And on.")
            yield Speech(pcm=FRAME * 100, rate_hz=16000)

    async def conversation():
        device = FakeDevice(FakeAssistant(talks_for_ever))
        with pytest.raises(VoxcardError, match="kitchen is not online"):
            await device.relay.turns.say("x")
        device.greet()
        listen(device)
        began_s = asyncio.get_running_loop().time()
        with pytest.raises(VoxcardError, match="kitchen is in a turn"):
            await device.relay.turns.ask(text="x", watch=lambda *_: None)
        assert asyncio.get_running_loop().time() - began_s == 60
        device.relay.gone("test over")
        await device.done()

    run_virtual(conversation())


def test_what_the_bridge_starts_on_a_busy_device_keeps_its_order_and_none_is_lost():
    async def answers(heard):
        yield Transcript(text=heard.text)

    async def conversation():
        device = FakeDevice(FakeAssistant(whole_turn, answers, answers))
        device.greet()
        listen(device)
        turns = device.relay.turns
        for text in ("one", "two"):
            waiting = asyncio.create_task(turns.say(text))
            await asyncio.sleep(0)
        asked = asyncio.create_task(turns.ask(text="three", watch=lambda *_: None))
        await asyncio.sleep(0)
        turns.answer("four")
        await asyncio.sleep(0)
        device.speak(100, 3)
        await device.done(5)
        await asyncio.gather(waiting, asked)
        assert [(record.kind, record.transcript or record.reply) for record in device.records] == [
            ("voice", "hello"),
            ("say", "one"),
            ("say", "two"),
            ("text", "three"),
            ("text", "four"),
        ]

    run_virtual(conversation())


@pytest.mark.parametrize("text", ["", " ", "...", "🎉🎉", "\n"])
def test_a_text_without_words_is_refused(text):
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        for start in (device.relay.turns.say(text), device.relay.turns.ask(text=text, watch=None)):
            with pytest.raises(VoxcardError, match="There are no words in that text"):
                await start
        assert device.records == []

    run_virtual(conversation())


def test_a_text_longer_than_anybody_listens_to_is_refused():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        with pytest.raises(VoxcardError, match="The text has 4001 characters, and 4000 are"):
            await device.relay.turns.say("a" * 4001)
        assert device.records == []

    run_virtual(conversation())


def test_a_device_that_goes_in_mid_turn_ends_it():
    async def conversation():
        device = FakeDevice(FakeAssistant(never))
        device.greet()
        listen(device)
        await asyncio.sleep(0)
        device.relay.gone("it is offline")
        record = await device.done()
        assert record.error == "it is offline"
        assert device.relay.state == "offline" and device.hub.attached == []
        assert device.told()[-1] == "turn t1 accepted"

    run_virtual(conversation())


def test_a_hello_in_mid_turn_ends_it_and_opens_a_new_session():
    async def conversation():
        device = FakeDevice(FakeAssistant(never, whole_turn))
        device.greet()
        listen(device)
        await asyncio.sleep(0)
        device.greet()
        assert (await device.done()).error == "The device started anew."
        assert device.heard[-1]["session_id"] == "s2" and device.relay.state == "idle"
        listen(device)
        device.speak(100, 3)
        assert (await device.done(2)).transcript == "hello"

    run_virtual(conversation())


def test_garbage_costs_one_log_line_that_names_device_and_field(caplog):
    async def conversation():
        device = FakeDevice(FakeAssistant(never))
        device.greet()
        listen(device)
        await asyncio.sleep(0)
        caplog.clear()
        device.relay.control(b"\xff\xfe")
        device.relay.control(b'{"type":"listen","session_id":"s1","id":"x","state":"maybe"}')
        device.relay.control(b"x" * 9000)
        device.relay.control(b'{"type":"novelty"}')
        device.relay.mic(b"\x09")
        device.relay.mic(bytes(5000))
        device.relay.blob(b"blob")
        assert [record.getMessage() for record in caplog.records] == [
            "kitchen/s1: message: is not JSON",
            "kitchen/s1: listen.state: must be one of start, stop, detect",
            "kitchen/s1: message: is 9000 bytes, the limit is 8192",
            "kitchen/s1: mic: audio: is 1 bytes, a header has 8",
            "kitchen/s1: blob: is 4 bytes",
        ]
        assert device.relay.state == "listening"
        device.relay.gone("test over")
        await device.done()

    with caplog.at_level(logging.INFO, "voxcard.session.relay"):
        run_virtual(conversation())


def test_a_device_without_a_known_audio_format_is_told():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet(sound={"formats": ["opus"]})
        assert device.told() == [
            "alert This bridge does not speak the device's audio format. Update one of them."
        ]

    run_virtual(conversation())


def test_tools_answers_pass_to_the_hub_and_its_calls_to_the_device():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        device.hub.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert device.heard[-1] == {
            "type": "mcp",
            "session_id": "s1",
            "payload": {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        }
        device.say("mcp", payload={"jsonrpc": "2.0", "id": 1, "result": {}})
        assert device.hub.received == [{"jsonrpc": "2.0", "id": 1, "result": {}}]

    run_virtual(conversation())


def test_a_device_that_speaks_without_a_session_is_lost_and_one_that_speaks_in_it_is_heard():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.say("event", name="button")
        device.speak(1)
        device.greet()
        device.say("event", name="button")
        device.say("event", name="button", session_id="s0")
        device.speak(2)
        assert device.signs == ["lost", "lost", "heard"]
        device.relay.gone("The device went away.")
        device.say("event", name="button")
        device.speak(3)
        assert device.signs == ["lost", "lost", "heard", "lost", "lost"]

    run_virtual(conversation())


def test_what_acts_without_a_session_or_in_another_one_changes_nothing(caplog):
    async def conversation():
        device = FakeDevice(FakeAssistant(never))
        device.greet()
        for session in (None, "s0"):
            for message in (
                {"type": "goodbye", "reason": "bye"},
                {"type": "listen", "id": "t1", "state": "start"},
                {"type": "mcp", "payload": {"jsonrpc": "2.0", "id": 1, "result": {}}},
                {"type": "card", "event_id": "e", "event": "dismissed", "id": "c"},
            ):
                device.relay.control(json.dumps({**message, "session_id": session}).encode())
        assert (device.relay.state, device.hub.received, device.signs) == ("idle", [], [])

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    assert [record.getMessage() for record in caplog.records] == [
        f"kitchen/s1: {name}.session_id: is missing"
        for name in ("goodbye", "listen", "mcp", "card")
    ]


def test_a_late_release_of_the_button_does_not_end_the_next_turn():
    async def conversation():
        device = FakeDevice(FakeAssistant(never, until_closed))
        device.greet()
        listen(device, mode="manual")
        await asyncio.sleep(0)
        device.say("listen", id="t1", state="stop")
        device.say("abort", id="a1")
        listen(device, "t2", 7, mode="manual")
        await asyncio.sleep(0.1)
        device.speak(7, 2)
        assert device.relay.state == "listening"
        device.say("listen", id="t2", state="stop")
        assert (await device.done(2)).transcript == "2560 bytes"

    run_virtual(conversation())
