"""Turns with a Home Assistant: aloud, held, typed; what is said, shown, remembered, asked back."""

import asyncio

import pytest
from fakes import speech
from fakes.home_assistant.run import answers
from fakes.home_assistant.server import HomeServer
from fakes.home_assistant.talk import QUESTION, Talk, open_microphone, place, texts
from voxcard.assistants import Ask, Done, EndOfSpeech, Media, Sentence, Speech, Stage, Transcript

LIMIT_S = 20
LONG = "It is going to rain in the morning, and in the afternoon the sun will come out."


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


def talk(*scripts, **more):
    """Run a test of (server, talk) against a stand-in that plays `scripts`."""

    def with_test(test):
        async def conversation():
            async with HomeServer(*scripts) as server, Talk(server, **more) as talk:
                await test(server, talk)

        run(conversation)

    return with_test


def test_a_question_aloud_is_one_run_of_the_pipeline():
    @talk(answers("It is on now."))
    async def test(server, talk):
        parts = [part async for part in talk.turn(audio=open_microphone())]
        (run,) = server.runs
        url = f"{server.url}{run.url}"
        assert parts == [
            EndOfSpeech(speech_ms=1660 - 700 - 620),
            Transcript(text="switch the light on"),
            Sentence(text="It is on now."),
            Media(url=url),
            Done(),
        ]
        assert {key: run.request[key] for key in ("start_stage", "end_stage", "input")} == {
            "start_stage": "stt",
            "end_stage": "tts",
            "input": {"sample_rate": 16000},
        }
        # From the first sample on, and no further than it listened.
        assert bytes(run.audio[: 32 * 960]) == QUESTION[: 32 * 960]


def test_the_button_alone_ends_what_is_said_while_it_is_held():
    @talk(answers("Yes.", heard="is it on"))
    async def test(server, talk):
        parts = await talk.ask_aloud(held=True)
        (run,) = server.runs
        assert run.request["input"] == {"sample_rate": 16000, "no_vad": True}
        assert bytes(run.audio) == QUESTION and run.audio_ended
        assert parts[:2] == [EndOfSpeech(), Transcript(text="is it on")]


def test_a_typed_question_begins_at_the_agent_and_is_answered_aloud():
    @talk(answers("It is on."))
    async def test(server, talk):
        parts = await talk.ask("is it on")
        (run,) = server.runs
        assert run.request["start_stage"] == "intent" and run.request["end_stage"] == "tts"
        assert run.request["input"] == {"text": "is it on"}
        assert parts == [
            Transcript(text="is it on"),
            Sentence(text="It is on."),
            Media(url=f"{server.url}{run.url}"),
            Done(),
        ]


def streamed(*deltas, last, url_known=True):
    async def script(run):
        await run.start(url_known=url_known)
        await run.intend(last, *deltas, stream=True)
        await run.speak(last)

    return script


def test_a_streamed_answer_is_opened_while_it_is_still_written():
    """core#177464: a satellite that waits for the whole stream is late by all of it."""
    opened = asyncio.Event()

    async def script(run):
        await run.start()
        await run.event("intent-start")
        for delta in ({"role": "assistant"}, {"content": LONG[:40]}, {"content": LONG[40:70]}):
            await run.event("intent-progress", {"chat_log_delta": delta})
        await run.event("intent-progress", {"tts_start_streaming": True})
        await opened.wait()  # the rest is written when the sound plays already
        await run.event("intent-progress", {"chat_log_delta": {"content": LONG[70:]}})
        await run.event("intent-end", {"intent_output": {"response": {}}})
        await run.speak(LONG)

    @talk(script)
    async def test(server, talk):
        parts = []
        async for part in talk.turn("weather"):
            parts.append(part)
            if isinstance(part, Media):
                opened.set()
        assert parts == [
            Transcript(text="weather"),
            Stage(name="first_token"),
            Sentence(text=LONG[:70].strip()),
            Media(url=f"{server.url}{server.runs[0].url}"),
            Sentence(text=LONG[70:]),
            Done(),
        ]


def test_the_text_of_a_streamed_answer_is_all_of_its_messages():
    """core#179576: tts-start and intent-end name only the last message; all of them are spoken."""
    deltas = (
        {"role": "assistant"},
        "I'll look for that title and see what there is of it, one moment.",
        {"tool_calls": [{"id": "1", "tool_name": "search", "tool_args": {}}]},
        {"role": "tool_result", "tool_call_id": "1", "tool_result": {"content": "hidden"}},
        {"role": "assistant", "content": "It is a series."},
        " Shall I add it?",
    )

    @talk(streamed(*deltas, last="It is a series. Shall I add it?"))
    async def test(server, talk):
        parts = await talk.ask("get that series")
        assert " ".join(texts(parts)) == (
            "I'll look for that title and see what there is of it, one moment. "
            "It is a series. Shall I add it?"
        )


def test_a_sound_that_plays_already_is_not_played_again_at_its_end():
    @talk(streamed({"role": "assistant"}, LONG, last=LONG))
    async def test(server, talk):
        parts = await talk.ask("weather")
        assert sum(isinstance(part, Media) for part in parts) == 1
        assert " ".join(texts(parts)) == LONG


def test_an_older_version_says_the_sounds_address_at_the_end():
    @talk(streamed({"role": "assistant"}, LONG, last=LONG, url_known=False))
    async def test(server, talk):
        parts = await talk.ask("weather")
        assert [part for part in parts if isinstance(part, Media)] == [
            Media(url=f"{server.url}{server.runs[0].url}")
        ]


def test_messages_that_are_not_spoken_are_not_the_answer():
    """Without streaming only the last message has a sound."""
    deltas = ({"role": "assistant"}, "Let me look.", {"role": "assistant"}, "It is on.")

    @talk(answers("It is on."))
    async def test(server, talk):
        server.scripts = [streamed(*deltas, last="It is on.")]
        assert texts(await talk.ask("is it on")) == ["It is on."]


@pytest.mark.parametrize("gone", ["politely", "silently"])
def test_the_first_answer_after_a_long_silence_is_heard(gone, monkeypatch):
    """core#175414. A connection that died meanwhile is found out before the question is sent."""
    monkeypatch.setattr("voxcard.assistants.home_assistant.link.STALE_S", 0.0)
    monkeypatch.setattr("voxcard.assistants.home_assistant.link.STALE_PONG_S", 1.0)

    @talk(answers("Yes."))
    async def test(server, talk):
        await talk.ask("is it on")
        (client,) = server.clients
        if gone == "politely":
            await client.socket.close()
        else:
            client.command = _swallow  # a router forgot the connection: nothing comes back
        parts = await talk.ask_aloud()
        assert any(isinstance(part, Media) for part in parts) and parts[-1] == Done()
        assert len(server.runs) == 2 and server.logins == [True, True]


async def _swallow(data):
    """Takes a command and never answers."""


def test_an_agent_that_asks_back_is_listened_to_in_the_same_talk():
    @talk(answers("Which room?", continues=True), answers("Done."))
    async def test(server, talk):
        assert Ask() in await talk.ask("switch the light on")
        parts = await talk.ask("the kitchen")
        assert Ask() not in parts
        first, second = server.runs
        assert "conversation_id" not in first.request
        assert second.request["conversation_id"] == first.conversation_id


@pytest.mark.parametrize(
    ("facts", "devices", "device_id"),
    [
        (place(), {}, "d1"),  # by the id in its MQTT discovery
        (place("c5", "hall"), {}, "d2"),  # by its name, as the person changed it there
        (place("c5", "Attic"), {}, None),
        (place("c5", "Kitchen"), {}, None),  # that one is switched off there
        (place(), {"kitchen": "d9"}, "d9"),  # written in voxcard.toml
    ],
)
def test_the_device_there_says_in_which_room_the_talk_is(facts, devices, device_id):
    @talk(answers("Yes."), facts=facts, devices=devices)
    async def test(server, talk):
        await talk.ask("is it on")
        assert server.runs[0].request.get("device_id") == device_id


@pytest.mark.parametrize(
    ("wanted", "pipeline"),
    [("", "01whisper"), ("house", "01whisper"), ("02mute", "02mute"), ("No voice", "02mute")],
)
def test_the_pipeline_is_chosen_by_name_or_id(wanted, pipeline):
    @talk(answers("Yes."), pipeline=wanted)
    async def test(server, talk):
        await talk.ask("is it on")
        assert server.runs[0].request["pipeline"] == pipeline


def test_a_pipeline_without_a_voice_answers_on_the_screen():
    @talk(answers("Yes."), pipeline="No voice")
    async def test(server, talk):
        assert await talk.ask("is it on") == [
            Transcript(text="is it on"),
            Sentence(text="Yes."),
            Done(),
        ]
        assert server.runs[0].request["end_stage"] == "intent"


@pytest.mark.parametrize(
    ("error", "excuse"),
    [("no_intent_match", True), ("no_valid_targets", True), ("failed_to_handle", False)],
)
def test_what_the_agent_did_not_understand_is_an_excuse(error, excuse):
    @talk(answers("Sorry, I couldn't understand that", error=error))
    async def test(server, talk):
        (sentence,) = [part for part in await talk.ask("blorp") if isinstance(part, Sentence)]
        assert sentence.excuse is excuse


def test_a_sound_instead_of_words_is_played_and_the_words_are_shown():
    async def script(run):
        await run.start()
        await run.intend("Turned on the light")
        await run.event("tts-start", {"tts_input": "…", "acknowledge_override": True})
        await run.event("tts-end", {"tts_output": {"url": run.url}})

    @talk(script)
    async def test(server, talk):
        parts = await talk.ask("light on")
        assert texts(parts) == ["Turned on the light"] and isinstance(parts[-2], Media)


def test_an_agent_that_says_nothing_is_no_fault():
    @talk(answers(""))
    async def test(server, talk):
        assert await talk.ask("hush") == [Transcript(text="hush"), Done()]


def test_silence_is_asked_to_nobody():
    """Recognisers write words for silence; it is not given to them where that can be known."""

    async def script(run):
        await run.start()
        await run.listen("You")

    @talk(script)
    async def test(server, talk):
        server.scripts = [_waits_for_speech]
        silence = speech.microphone(bytes(32 * 12_000))
        parts = [part async for part in talk.turn(audio=silence)]
        await server.runs[0].cancelled.wait()
        assert len(server.runs[0].audio) == 32 * 8000
        assert parts[:3] == [
            EndOfSpeech(),
            Transcript(text=""),
            Sentence(text="I did not hear anything.", excuse=True),
        ]
        assert isinstance(parts[3], Speech) and parts[-1] == Done()


async def _waits_for_speech(run):
    await run.start()
    await run.event("stt-start", {})
    await run.heard()


def test_an_end_of_speech_without_a_beginning_is_silence():
    async def script(run):
        await run.start()
        await run.event("stt-start", {})
        await run.event("stt-vad-end", {"timestamp": 15000})
        await run.cancelled.wait()

    @talk(script)
    async def test(server, talk):
        parts = [part async for part in talk.turn(audio=open_microphone())]
        assert texts(parts) == ["I did not hear anything."]


def test_a_recogniser_that_ends_sentences_itself_is_believed():
    async def script(run):
        await run.start()
        await run.event("stt-start", {"audio_processing": {"requires_external_vad": False}})
        await run.heard(32 * 9000)  # silence, as far as anybody else can tell
        await run.event("stt-end", {"stt_output": {"text": "hm"}})
        await run.intend("Yes.")
        await run.speak("Yes.")

    @talk(script)
    async def test(server, talk):
        parts = [part async for part in talk.turn(audio=open_microphone())]
        assert parts[:2] == [EndOfSpeech(), Transcript(text="hm")] and texts(parts) == ["Yes."]


def test_words_that_were_not_recognised_are_an_excuse_in_its_own_voice():
    async def script(run):
        await run.start()
        await run.event("stt-start", {})
        await run.heard()
        await run.fail("stt-no-text-recognized", "No text recognized")

    @talk(script)
    async def test(server, talk):
        parts = await talk.ask_aloud()
        spoken = b"".join(part.pcm for part in parts if isinstance(part, Speech))
        assert parts[:3] == [
            EndOfSpeech(),
            Transcript(text=""),
            Sentence(text="Sorry, I did not understand.", excuse=True),
        ]
        assert spoken.decode()[:28] == "Sorry, I did not understand."
        assert talk.assistant.health() == ""


def test_announcements_are_asked_as_samples_in_the_pipelines_voice():
    @talk(answers("Yes."))
    async def test(server, talk):
        pieces = [each async for each in talk.assistant.say("Dinner is ready.", "en")]
        assert b"".join(each.pcm for each in pieces) == b"Dinner is ready." * 2
        assert {each.rate_hz for each in pieces} == {16000}
        (wish,) = server.wishes
        assert wish == {
            "engine_id": "tts.piper",
            "message": "Dinner is ready.",
            "language": "en_US",
            "options": {
                "voice": "en_US-joe",
                "preferred_format": "wav",
                "preferred_sample_rate": 16000,
                "preferred_sample_channels": 1,
                "preferred_sample_bytes": 2,
            },
        }


def test_the_wake_words_own_events_change_nothing():
    async def script(run):
        await run.start()
        await run.event("wake_word-start", {"entity_id": "wake_word.x", "timeout": 3})
        await run.event("wake_word-end", {"wake_word_output": {}})
        await run.event("something-of-2030", {"x": []})
        await run.intend("Yes.")
        await run.speak("Yes.")

    @talk(script)
    async def test(server, talk):
        assert texts(await talk.ask("hello")) == ["Yes."]
