"""Whole turns of the pipeline against stand-in servers: heard, asked, called, spoken."""

import asyncio
import base64
import json

import pytest
from fakes.pipeline_home import TOOLS, Home, texts
from fakes.pipeline_servers import (
    HttpServer,
    WyomingServer,
    called,
    chats,
    replies,
)
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    EndOfSpeech,
    HeardReply,
    NextReply,
    Sentence,
    Speech,
    Stage,
    ToolReply,
    Transcript,
)
from voxcard.toolhub.model import Picture


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


def test_a_spoken_question_is_transcribed_answered_and_spoken_by_wyoming_and_http():
    async def conversation():
        chat = chats("It is", " sunny. ", "Take a ", "hat.")
        async with WyomingServer("what is the weather") as speech, HttpServer(chat) as server:
            async with Home(server.url, speech.url, speech.url) as home:
                parts = await home.ask(audio=True)
            assert [part for part in parts if not isinstance(part, Speech)] == [
                EndOfSpeech(speech_ms=640, end_ms=960, hears_on=True),
                Transcript(text="what is the weather"),
                Stage(name="first_token"),
                Stage(name="first_sentence"),
                Sentence(text="It is sunny."),
                Sentence(text="Take a hat."),
                Done(),
            ]
            spoken = b"".join(part.pcm for part in parts if isinstance(part, Speech))
            assert spoken[::20].decode() == "Itissunny.Takeahat."
            assert {part.rate_hz for part in parts if isinstance(part, Speech)} == {22050}
            # All of the speech with 256 ms before it; the server heard it while it was spoken.
            assert 20480 + 8192 <= len(speech.audio) <= 20480 + 8192 + 32 * 700
            assert speech.events[0] == ("transcribe", {"language": "en"})

    run(conversation)


def test_the_request_holds_the_prompt_with_the_facts_of_the_place_the_question_and_the_tools():
    async def conversation():
        async with HttpServer(chats("Yes.")) as server, WyomingServer() as speech:
            async with Home(server.url, speech.url, speech.url, key="k-1") as home:
                await home.ask("is it on?")
            (request,) = server.requests
            assert request.headers["authorization"] == "Bearer k-1"
            data = request.json
            assert (data["model"], data["stream"]) == ("m", True)
            system, question = data["messages"]
            assert question == {"role": "user", "content": "is it on?"}
            assert system["role"] == "system" and "voice assistant" in system["content"]
            for fact in ('"Kitchen"', "Locale: en", "128x64 px, black and white", "Tuesday"):
                assert fact in system["content"]
            light, photo = (each["function"] for each in data["tools"])
            assert (light["name"], photo["name"]) == ("home_light", "self_camera_take_photo")
            assert light["parameters"] == TOOLS[0].input_schema

    run(conversation)


def test_calls_in_fragments_run_beside_each_other_and_their_results_go_back_by_id():
    async def conversation():
        first = chats(
            "One moment. ",
            *called("home_light", '{"on": true}', 0, "a"),
            *called("home_light", '{"on": false}', 1, "b"),
            finish="tool_calls",
        )
        async with HttpServer(first, chats("Both are done.")) as server:
            async with WyomingServer() as speech, Home(server.url, speech.url, speech.url) as home:
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
            asked = server.requests[1].json["messages"][2:]
            assert [each["role"] for each in asked] == ["assistant", "tool", "tool"]
            assert asked[0]["content"] == "One moment. "
            assert [each["id"] for each in asked[0]["tool_calls"]] == ["a", "b"]
            assert [(each["tool_call_id"], each["content"]) for each in asked[1:]] == [
                ("a", "on now"),
                ("b", "off now"),
            ]

    run(conversation)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (called("no_such", "{}"), "There is no tool 'no_such'."),
        (called("home_light", "{on}"), "The arguments must be one JSON object."),
        (called("home_light", "[1]"), "The arguments must be one JSON object."),
    ],
)
def test_a_call_that_cannot_be_made_is_told_to_the_model(call, problem):
    async def conversation():
        async with HttpServer(chats(*call), chats("I cannot.")) as server:
            async with WyomingServer() as speech, Home(server.url, speech.url, speech.url) as home:
                parts = await home.ask("do it", replies=[])
            assert not [part for part in parts if isinstance(part, CallTool)]
            assert server.requests[1].json["messages"][-1]["content"] == problem
            assert texts(parts) == ["I cannot."]

    run(conversation)


def test_a_model_that_calls_for_ever_must_answer_without_tools():
    async def conversation():
        call = chats(*called("home_light", "{}"))
        async with HttpServer(*[call] * 6, chats("Enough.")) as server:
            async with WyomingServer() as speech, Home(server.url, speech.url, speech.url) as home:
                parts = await home.ask("go", replies=[ToolReply(text="ok", id="c1")] * 6)
            assert texts(parts) == ["Enough."]
            assert ["tools" in request.json for request in server.requests] == [True] * 6 + [False]

    run(conversation)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (ToolReply(text="ok", id="c1"), "Done."),
        (ToolReply(text="no", id="c1", is_error=True), "That did not work."),
    ],
)
def test_a_model_that_says_nothing_after_its_call_leaves_nobody_without_a_word(reply, word):
    async def conversation():
        async with (
            HttpServer(chats(*called("home_light", "{}")), chats()) as server,
            WyomingServer() as speech,
            Home(server.url, speech.url, speech.url) as home,
        ):
            assert texts(await home.ask("go", replies=[reply])) == [word]

    run(conversation)


@pytest.mark.parametrize("sees", [True, False])
def test_a_photo_goes_to_a_model_that_sees_and_is_told_to_one_that_does_not(sees):
    async def conversation():
        photo = ToolReply(
            text="Taken.", id="c1", pictures=(Picture(data=b"jpeg", mime_type="image/jpeg"),)
        )
        scripts = chats(*called("self_camera_take_photo", "{}")), chats("A cat.")
        async with HttpServer(*scripts) as server, WyomingServer() as speech:
            async with Home(server.url, speech.url, speech.url, sees=sees) as home:
                await home.ask("what do you see", replies=[photo])
                await home.ask("and now")
            messages = server.requests[1].json["messages"]
            url = f"data:image/jpeg;base64,{base64.b64encode(b'jpeg').decode()}"
            assert (url in json.dumps(messages)) is sees
            result = next(each for each in messages if each["role"] == "tool")
            assert ("picture" in result["content"]) is not sees
            # Once it was answered, the picture is not sent again.
            assert url not in json.dumps(server.requests[2].json)

    run(conversation)


def test_only_what_was_heard_of_an_answer_is_remembered():
    async def conversation():
        async with HttpServer(chats("First this. Then that.")) as server:
            async with WyomingServer() as speech, Home(server.url, speech.url, speech.url) as home:
                await home.ask("tell me")
                home.conversation.interrupted(HeardReply(text="First this.", played_ms=700))
                await home.ask("go on")
            assert server.requests[1].json["messages"][1:] == [
                {"role": "user", "content": "tell me"},
                {"role": "assistant", "content": "First this. …"},
                {"role": "user", "content": "go on"},
            ]

    run(conversation)


@pytest.mark.parametrize(
    ("answer", "asks"), [("It is. Shall I switch it off?", True), ("Why? Because.", False)]
)
def test_an_answer_that_ends_in_a_question_listens_again(answer, asks):
    async def conversation():
        async with (
            HttpServer(chats(answer)) as server,
            WyomingServer() as speech,
            Home(server.url, speech.url, speech.url) as home,
        ):
            assert (Ask() in await home.ask("is it on")) is asks

    run(conversation)


@pytest.mark.parametrize("heard", ["", "[Music]", " (coughs) . ", "...", "♪♪"])
def test_sounds_that_are_no_words_are_asked_to_nobody(heard):
    async def conversation():
        async with HttpServer(chats("Never.")) as server, WyomingServer(heard) as speech:
            async with Home(server.url, speech.url, speech.url) as home:
                parts = await home.ask(audio=True)
            assert Transcript(text="") in parts and server.requests == []
            assert Sentence(text="Sorry, I did not understand.", excuse=True) in parts

    run(conversation)


def test_silence_asks_nobody():
    async def conversation():
        async with HttpServer(chats("Never.")) as server, WyomingServer("x") as speech:
            async with Home(server.url, speech.url, speech.url) as home:
                parts = await home.ask(audio=True, silent=True)
            assert texts(parts) == ["I did not hear anything."]
            assert server.requests == [] and not speech.audio

    run(conversation)


def test_speech_over_http_is_a_wav_file_out_and_samples_in():
    async def conversation():
        pcm = bytes(range(256)) * 20
        async with (
            HttpServer(chats("Yes.")) as chat,
            HttpServer(replies(200, {"text": " is it\n on "})) as stt,
            HttpServer(replies(200, pcm, "audio/pcm")) as tts,
            Home(chat.url, stt.url, tts.url) as home,
        ):
            parts = await home.ask(audio=True)
            assert Transcript(text="is it on") in parts
            spoken = [part for part in parts if isinstance(part, Speech)]
            assert b"".join(part.pcm for part in spoken) == pcm
            assert {part.rate_hz for part in spoken} == {24000}
            body = stt.requests[0].body
            assert b'name="model"\r\n\r\nwhisper-1' in body and b"RIFF" in body
            assert b'name="language"\r\n\r\nen' in body
            assert tts.requests[0].json == {
                "model": "tts-1",
                "voice": "alloy",
                "input": "Yes.",
                "response_format": "pcm",
            }

    run(conversation)


def test_leaving_a_turn_closes_its_request():
    async def conversation():
        async def slowly(request):
            async for piece in chats("A sentence. And ")(request):
                if b"[DONE]" not in piece and b'"stop"' not in piece:
                    yield piece
            while True:
                yield b": still here\n\n"
                await asyncio.sleep(0.01)

        async with HttpServer(slowly) as server, WyomingServer() as speech:
            async with Home(server.url, speech.url, speech.url) as home:
                turn = home.turn("tell me")
                while not isinstance(await anext(turn), Speech):
                    pass
                await turn.aclose()
                await server.closed_early.wait()
                home.conversation.interrupted(HeardReply(text="A sen", played_ms=100))
                server.scripts = [chats("Yes.")]
                await home.ask("again")
            assert server.requests[1].json["messages"][2]["content"] == "A sen …"

    run(conversation)
