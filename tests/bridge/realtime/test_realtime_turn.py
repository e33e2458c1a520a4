"""Whole turns with a Realtime server that checks every event by the types of `openai`."""

import asyncio
import base64

import pytest
from fakes.realtime_home import (
    QUESTION,
    QUIET,
    Home,
    frames,
    microphone,
    sound_ms,
    texts,
    until,
)
from fakes.realtime_server import Answer, RealtimeServer
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    NextReply,
    Sentence,
    Speech,
    Stage,
    ToolReply,
    Transcript,
)
from voxcard.assistants.realtime.turn import turn
from voxcard.assistants.realtime.wire.server_events import Transcribed
from voxcard.toolhub.model import Picture

NOW = "Tuesday, 2026-12-01 09:30+00:00"


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


def phase(home):
    """That of the turn which runs, "" before there is one."""
    return home.conversation._flow.phase if home.conversation._flow else ""


def without_speech(parts):
    return [part for part in parts if not isinstance(part, Speech)]


def test_a_spoken_question_is_heard_written_down_and_answered():
    async def conversation():
        async with RealtimeServer(Answer(text="It is on now.", ms=800)) as server:
            async with Home(server.url) as home:
                parts = await home.ask()
                session = server.peers[0].session
            end, *rest = without_speech(parts)
            # Spoken from 320 to 960 ms; 20 ms are the resampler's.
            assert isinstance(end, EndOfSpeech)
            assert 640 <= end.speech_ms <= 720 and 960 <= end.end_ms <= 1020
            assert [part for part in rest if isinstance(part, Transcript)] == [
                Transcript(text="switch th", partial=True),
                Transcript(text="switch the light on", partial=True),
                Transcript(text="switch the light on"),
            ]
            assert [part for part in rest if not isinstance(part, Transcript)] == [
                Stage(name="response_created"),
                Stage(name="first_sound"),
                Sentence(text="It is on now."),
                Done(),
            ]
            assert sound_ms(parts) == 800
            assert {part.rate_hz for part in parts if isinstance(part, Speech)} == {24000}
            assert server.models == ["gpt-realtime-2"]
            # 24 kHz went out; after the answer began the server listens to nothing.
            assert 1600 <= len(server.peers[0].audio) // 48 <= 1960
            assert session["audio"]["input"]["turn_detection"] is None

    run(conversation)


def test_the_session_is_told_the_prompt_the_tools_and_how_to_hear_once():
    async def conversation():
        async with RealtimeServer() as server:
            async with Home(server.url, key="k-1", voice="marin") as home:
                await home.ask()
                await home.ask()
            first, off, on, *_ = [event["session"] for event in server.sent("session.update")]
            assert server.keys == ["Bearer k-1"]
            assert '"Kitchen"' in first["instructions"] and NOW in first["instructions"]
            assert [tool["name"] for tool in first["tools"]] == [
                "home_light",
                "self_camera_take_photo",
            ]
            assert first["output_modalities"] == ["audio"]
            pcm = {"type": "audio/pcm", "rate": 24000}
            assert first["audio"]["output"] == {"format": pcm, "voice": "marin"}
            heard = {
                "format": pcm,
                "noise_reduction": {"type": "far_field"},
                "transcription": {"model": "gpt-realtime-whisper", "language": "en"},
                "turn_detection": {
                    "type": "server_vad",
                    "silence_duration_ms": 600,
                    "create_response": True,
                    "interrupt_response": False,
                },
            }
            assert first["audio"]["input"] == heard
            assert off == {"type": "realtime", "audio": {"input": {"turn_detection": None}}}
            assert on == {"type": "realtime", "audio": {"input": heard}}

    run(conversation)


def test_semantic_detection_no_noise_reduction_and_no_transcription_can_be_chosen():
    async def conversation():
        chosen = {
            "turn_detection": "semantic_vad",
            "eagerness": "high",
            "noise_reduction": "off",
            "transcription_model": "",
        }
        async with (
            RealtimeServer(Answer(text="Yes.")) as server,
            Home(server.url, **chosen) as home,
        ):
            parts = await home.ask()
            (first, *_) = server.sent("session.update")
            assert first["session"]["audio"]["input"] == {
                "format": {"type": "audio/pcm", "rate": 24000},
                "turn_detection": {
                    "type": "semantic_vad",
                    "eagerness": "high",
                    "create_response": True,
                    "interrupt_response": False,
                },
            }
            (end,) = [part for part in parts if isinstance(part, EndOfSpeech)]
            assert end.end_ms is None  # the server does not say how much silence it waited for
            assert texts(parts) == ["Yes."] and parts[-1] == Done()
            assert not [part for part in parts if isinstance(part, Transcript)]

    run(conversation)


def test_a_held_sentence_is_committed_when_the_button_is_let_go():
    async def conversation():
        async with RealtimeServer(Answer(text="Yes?")) as server, Home(server.url) as home:
            parts = await home.ask(heard=Heard(audio=microphone(QUESTION), held=True))
            assert server.kinds() == [
                "session.update",
                "input_audio_buffer.commit",
                "response.create",
            ]
            (first,) = server.sent("session.update")
            assert first["session"]["audio"]["input"]["turn_detection"] is None
            assert parts[0] == EndOfSpeech(speech_ms=1960)
            assert Transcript(text="switch the light on") in parts
            assert parts[-2:] == [Ask(), Done()]

    run(conversation)


@pytest.mark.parametrize("sound", [[], frames((QUIET, 80))])
def test_a_button_that_was_only_touched_is_no_question(sound):
    async def conversation():
        async with RealtimeServer() as server, Home(server.url) as home:
            parts = await home.ask(heard=Heard(audio=microphone(sound), held=True))
            said = Sentence(text="I did not hear anything.", excuse=True)
            assert said in parts and parts[-1] == Done() and sound_ms(parts) == 400
            assert "input_audio_buffer.commit" not in server.kinds()
            (create,) = server.sent("response.create")
            assert create["response"]["conversation"] == "none"

    run(conversation)


def test_a_microphone_that_closes_in_silence_and_one_in_a_sentence():
    async def conversation():
        async with RealtimeServer(Answer(text="Go on.")) as server, Home(server.url) as home:
            silence = Heard(audio=microphone(frames((QUIET, 2000))))
            parts = await home.ask(heard=silence)
            assert texts(parts) == ["I did not hear anything."]
            parts = await home.ask(heard=Heard(audio=microphone(QUESTION[:20])))
            assert texts(parts) == ["Go on."]
            assert Transcript(text="switch the light on") in parts
            assert "input_audio_buffer.commit" in server.kinds() and not server.peers[0].errors

    run(conversation)


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize(
    ("sound", "answer", "is_cut"),
    [
        (QUESTION, ["Go on."], False),  # the server ends the sentence itself
        (QUESTION[:20], ["Go on."], True),
        (frames((QUIET, 2000)), ["I did not hear anything."], False),
    ],
)
def test_a_server_that_is_slow_tells_of_speech_after_the_microphone_closed(
    monkeypatch, sound, answer, is_cut, is_open
):
    async def conversation():
        hears = asyncio.Event()
        replies = Answer(text="Go on."), Answer(text="Twice.")
        async with RealtimeServer(*replies, hears=hears) as server, Home(server.url) as home:
            heard = Heard(audio=microphone(sound), open=is_open)
            asked = asyncio.create_task(home.ask(heard=heard))
            await until(lambda: phase(home) not in ("", "listening"))
            assert phase(home) == "closing"
            hears.set()
            parts = await asked
            silence = is_open and answer != ["Go on."]  # an open talk ends without a word
            assert texts(parts) == ([] if silence else answer) and parts[-1] == Done()
            assert ("input_audio_buffer.commit" in server.kinds()) == is_cut
            assert len([part for part in parts if isinstance(part, EndOfSpeech)]) == (not silence)
            assert server.peers[0].errors == []

    monkeypatch.setitem(turn.PHASE_S, "closing", 0.3)
    run(conversation)


def test_word_of_speech_is_waited_for_as_long_as_a_phase_lasts(monkeypatch):
    async def conversation():
        async with RealtimeServer(hears=asyncio.Event()) as server, Home(server.url) as home:
            loop = asyncio.get_running_loop()
            asked = asyncio.create_task(home.ask(heard=Heard(audio=microphone(QUESTION))))
            await until(lambda: phase(home) == "closing")
            began_s = loop.time()
            connection = home.conversation._session.connection
            while phase(home) == "closing":
                # What comes meanwhile does not make it longer.
                connection.post(Transcribed(item_id="other", text="no", partial=True))
                await asyncio.sleep(0)
            assert 0.15 <= loop.time() - began_s < 2
            server.hears.set()
            assert texts(await asked) == ["I did not hear anything."]

    monkeypatch.setitem(turn.PHASE_S, "closing", 0.2)
    run(conversation)


def test_a_typed_question_needs_no_microphone():
    async def conversation():
        async with RealtimeServer(Answer(text="At nine.")) as server, Home(server.url) as home:
            parts = await home.ask("when?")
            assert parts[0] == Transcript(text="when?")
            assert texts(parts) == ["At nine."] and sound_ms(parts) == 400
            (item,) = server.sent("conversation.item.create")
            content = [{"type": "input_text", "text": "when?"}]
            assert item["item"] == {"type": "message", "role": "user", "content": content}

    run(conversation)


def test_several_calls_run_beside_each_other_and_their_outputs_go_back_by_id():
    async def conversation():
        calls = (("home_light", '{"on": true}', "a"), ("home_light", '{"on": false}', "b"))
        replies = Answer(text="One moment.", calls=calls), Answer(text="Both are done.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            parts = await home.ask(
                "switch them",
                replies=[ToolReply(text="off now", id="b"), ToolReply(text="on now", id="a")],
            )
            assert [part for part in parts if isinstance(part, CallTool | NextReply)] == [
                CallTool(name="home.light", arguments={"on": True}, id="a"),
                CallTool(name="home.light", arguments={"on": False}, id="b"),
                NextReply(),
                NextReply(),
                NextReply(),
            ]
            assert texts(parts) == ["One moment.", "Both are done."]
            created = [event["item"] for event in server.sent("conversation.item.create")][1:]
            assert created == [
                {"type": "function_call_output", "call_id": "b", "output": "off now"},
                {"type": "function_call_output", "call_id": "a", "output": "on now"},
            ]
            assert server.kinds()[-1] == "response.create"

    run(conversation)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (("no_such", "{}", "c"), "There is no tool 'no_such'."),
        (("home_light", "{on}", "c"), "The arguments must be one JSON object."),
        (("home_light", "[1]", "c"), "The arguments must be one JSON object."),
    ],
)
def test_a_call_that_cannot_be_made_is_told_to_the_model(call, problem):
    async def conversation():
        replies = Answer(calls=(call,)), Answer(text="I cannot.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            parts = await home.ask("do it")
            assert not [part for part in parts if isinstance(part, CallTool)]
            *_, item = server.sent("conversation.item.create")
            assert item["item"]["output"] == problem
            assert texts(parts) == ["I cannot."]

    run(conversation)


def test_a_tool_that_fails_is_told_as_an_error():
    async def conversation():
        replies = Answer(calls=(("home_light", "{}", "c"),)), Answer(text="It did not work.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            await home.ask("go", replies=[ToolReply(text="no lamp", id="c", is_error=True)])
            *_, item = server.sent("conversation.item.create")
            assert item["item"]["output"] == "Error: no lamp"

    run(conversation)


@pytest.mark.parametrize("sees", [True, False])
def test_a_photo_of_a_tool_is_seen_if_the_model_sees(sees):
    async def conversation():
        replies = Answer(calls=(("self_camera_take_photo", "{}", "c"),)), Answer(text="A cat.")
        photo = Picture(data=b"\xff\xd8jpeg", mime_type="image/jpeg")
        async with RealtimeServer(*replies) as server, Home(server.url, sees=sees) as home:
            reply = ToolReply(text="Taken.", id="c", pictures=(photo,))
            parts = await home.ask("what is it?", replies=[reply])
            assert texts(parts) == ["A cat."]
            items = [event["item"] for event in server.sent("conversation.item.create")]
            urls = [each["content"][0].get("image_url") for each in items if "content" in each]
            encoded = base64.b64encode(photo.data).decode()
            assert urls == [None, *([f"data:image/jpeg;base64,{encoded}"] if sees else [])]
            assert ("was shown to the person" in str(items[1]["output"])) is not sees

    run(conversation)


def test_a_model_that_calls_for_ever_must_answer_without_tools():
    async def conversation():
        calls = [Answer(calls=(("home_light", "{}", f"c{at}"),)) for at in range(6)]
        async with RealtimeServer(*calls, Answer(text="Enough.")) as server:
            async with Home(server.url) as home:
                outputs = [ToolReply(text="ok", id=f"c{at}") for at in range(6)]
                assert texts(await home.ask("go", replies=outputs)) == ["Enough."]
            asked = [event.get("response") for event in server.sent("response.create")]
            assert asked == [None] * 6 + [{"tool_choice": "none"}]

    run(conversation)


def test_a_model_that_says_nothing_after_its_call_is_asked_once_more_then_that_is_a_failure():
    async def conversation():
        call = Answer(calls=(("home_light", "{}", "c"),))
        outputs = [ToolReply(text="ok", id="c")]
        async with RealtimeServer(call, Answer(), Answer(text="It is on.")) as server:
            async with Home(server.url) as home:
                assert texts(await home.ask("go", replies=outputs)) == ["It is on."]
            *_, last = server.sent("response.create")
            assert last["response"]["tool_choice"] == "none"
            assert "one short sentence" in last["response"]["instructions"]
        async with RealtimeServer(Answer()) as server, Home(server.url) as home:
            *_, failed = await home.ask("go")
            assert isinstance(failed, Failed) and "answered nothing" in failed.message

    run(conversation)


@pytest.mark.parametrize("writes", ["failed", "never"])
def test_an_answer_does_not_depend_on_the_words_of_its_question(writes, monkeypatch):
    monkeypatch.setitem(turn.PHASE_S, "settling", 0.05)

    async def conversation():
        async with RealtimeServer(Answer(text="Yes."), writes=writes) as server:
            async with Home(server.url) as home:
                parts = await home.ask()
            assert texts(parts) == ["Yes."] and parts[-1] == Done()
            assert not [part for part in parts if isinstance(part, Transcript)]

    run(conversation)


def test_words_that_come_after_the_answer_are_waited_for():
    async def conversation():
        written = asyncio.Event()
        async with RealtimeServer(Answer(text="Yes."), written=written) as server:
            async with Home(server.url) as home:
                parts = []
                async for part in home.conversation.turn(Heard(audio=microphone(QUESTION))):
                    parts.append(part)
                    if part == Sentence(text="Yes."):
                        written.set()
            assert parts[-2:] == [Transcript(text="switch the light on"), Done()]

    run(conversation)


def test_the_names_of_the_beta_are_read():
    async def conversation():
        answer = Answer(text="It is on.", calls=(("home_light", "{}", "c"),))
        async with RealtimeServer(answer, Answer(text="Done."), beta=True) as server:
            async with Home(server.url) as home:
                parts = await home.ask(replies=[ToolReply(text="ok", id="c")])
            assert texts(parts) == ["It is on.", "Done."] and sound_ms(parts) == 800

    run(conversation)


def test_the_sentences_of_an_answer_stand_where_a_pause_is():
    async def conversation():
        text = "The light is on now, in the kitchen. Good night, then, and sleep well. Bye."
        async with RealtimeServer(Answer(text=text, ms=5000)) as server:
            async with Home(server.url) as home:
                parts = await home.ask("good night")
            places, ms = [], 0
            for part in parts:
                if isinstance(part, Speech):
                    ms += len(part.pcm) // 48
                    assert len(part.pcm) <= 9600  # the speaker can be silenced between two
                elif isinstance(part, Sentence):
                    places.append((part.text, ms))
            assert places[0] == ("The light is on now,", 0) and ms == 5000
            second, third = places[1][1], places[2][1]
            assert 700 <= second <= 1200 and 1400 <= third <= 2000

    run(conversation)
