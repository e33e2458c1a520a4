"""Whatever is wrong there is one sentence with what to do, and another may answer if it may."""

import asyncio
import json
import ssl

import pytest
from fakes import speech
from fakes.certificate import Certificate
from fakes.home_assistant.run import answers
from fakes.home_assistant.server import TOKEN, HomeServer
from fakes.home_assistant.sound import endless, wav
from fakes.home_assistant.talk import QUESTION, Talk, texts
from voxcard.assistants import Failed, Media
from voxcard.assistants.home_assistant import link, problems
from voxcard.assistants.home_assistant import run as pipeline_run
from voxcard.errors import VoxcardError

LIMIT_S = 15
HANGS_S = 1.0  # the limit where it says nothing at all


def run(conversation):
    async def limited():
        async with asyncio.timeout(60):
            return await conversation()

    return asyncio.run(limited())


def failure(script, *, aloud=True, prepare=None, **more):
    """The Failed of a turn against a server that plays `script`."""

    async def conversation():
        async with HomeServer(script) as server:
            server.tolerant = True
            if prepare is not None:
                prepare(server)
            async with Talk(server, **{"limit_s": LIMIT_S, **more}) as talk:
                parts = await (talk.ask_aloud() if aloud else talk.ask("hello"))
                failed = parts[-1]
                assert isinstance(failed, Failed), parts
                assert TOKEN not in failed.message
                assert talk.assistant.health() != ""
                return failed.message.replace(server.url, "URL"), failed.retryable

    return run(conversation)


def fails_at(stage, code, message="…"):
    """A run that gets as far as `stage` and fails there."""

    async def script(run):
        await run.start()
        if stage == "stt":
            await run.event("stt-start", {})
            await run.heard()
        elif stage == "intent":
            await run.event("intent-start", {})
        elif stage == "tts":
            await run.intend("It is on.")
        await run.fail(code, message)

    return script


# code, stage, sentence, may another assistant answer
CODES = [
    ("wake-engine-missing", "", "The pipeline of Home Assistant has no wake word engine.", True),
    ("wake-provider-missing", "", "The wake word engine of Home Assistant does not run.", True),
    (
        "wake-stream-failed",
        "",
        "The wake word engine of Home Assistant failed. See its log.",
        True,
    ),
    ("wake-word-timeout", "", "Home Assistant heard no wake word. Say it again.", True),
    ("wake_word_detection_aborted", "", "Home Assistant stopped listening, because its", True),
    ("duplicate_wake_up_detected", "", "Another device heard the same wake word and", False),
    ("stt-provider-missing", "stt", "The speech-to-text of Home Assistant's pipeline does", True),
    ("stt-provider-unsupported-metadata", "stt", "takes no 16 kHz mono, or not the", True),
    (
        "stt-stream-failed",
        "stt",
        "The speech-to-text of Home Assistant failed. See its log.",
        True,
    ),
    ("cloud-auth-failed", "stt", "Home Assistant cannot sign in to its cloud. Sign in", True),
    ("intent-not-supported", "intent", "The conversation agent of Home Assistant's", True),
    ("intent-agent-not-found", "intent", "The conversation agent that asked back is gone", True),
    ("intent-busy", "intent", "Home Assistant still works on what was asked before.", True),
    ("intent-unauthorized", "intent", "This talk belongs to another user of Home", True),
    ("intent-failed", "intent", "The conversation agent of Home Assistant failed.", False),
    ("tts-not-supported", "tts", "does not take the pipeline's language or voice.", True),
    ("tts-failed", "tts", "The text-to-speech of Home Assistant failed. See its log.", False),
    ("timeout", "intent", "The pipeline of Home Assistant took too long. See its log.", False),
    ("of-2030", "", "Home Assistant reports of-2030: the moon is full. See its log.", False),
]


@pytest.mark.parametrize(("code", "stage", "sentence", "retryable"), CODES)
def test_each_error_of_a_run_is_a_sentence(code, stage, sentence, retryable):
    message, may_retry = failure(fails_at(stage, code, f"the moon\n is full. {TOKEN}"[:18]))
    assert sentence in message and may_retry is retryable


def test_each_error_code_has_its_sentence():
    said = {code for code, *_ in CODES} | {code for code, _ in REFUSED}
    assert said - {"of-2030"} | {"stt-no-text-recognized"} == problems.CODES


REFUSED = [
    ("pipeline-not-found", "Home Assistant has no such pipeline any more. Correct the key"),
    ("validation-error", "The pipeline of Home Assistant cannot be used: it says so. Look at"),
    ("unknown_command", "Home Assistant does not know a command that is needed. Update it"),
    ("unauthorized", "The user of the token may not do this in Home Assistant. Use a token"),
    ("not_found", "Home Assistant did not find what was asked for: it says so."),
    ("not_allowed", "Home Assistant does not allow this: it says so."),
    ("not_supported", "Home Assistant does not support this: it says so."),
    ("invalid_format", "Home Assistant does not take the request: it says so. Update it."),
    ("id_reuse", "Home Assistant lost count of the requests. Ask again."),
    ("home_assistant_error", "Home Assistant failed: it says so. See its log."),
    ("service_validation_error", "Home Assistant refuses this: it says so. See its log."),
    ("template_error", "A template of Home Assistant is wrong: it says so. See its log."),
    ("unknown_error", "Home Assistant failed for an unknown reason. See its log."),
]


@pytest.mark.parametrize(("code", "sentence"), REFUSED)
@pytest.mark.parametrize("command", ["assist_pipeline/run", "assist_pipeline/pipeline/list"])
def test_a_command_that_is_refused_is_a_sentence(code, sentence, command):
    def refuse(server):
        server.refuse[command] = (code, f"it says so.\n{TOKEN}"[:11])

    message, _ = failure(answers("Yes."), prepare=refuse)
    assert message.startswith(sentence)


def test_a_device_list_that_is_refused_leaves_the_talk_without_its_room():
    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            server.refuse["config/device_registry/list"] = ("unauthorized", "no")
            assert texts(await talk.ask("hello")) == ["Yes."]
            assert "device_id" not in server.runs[0].request

    run(conversation)


def test_its_own_words_are_one_line_without_the_token():
    code = fails_at("intent", "of-2030", f"no {TOKEN}\n\x1b[31m" + "x" * 500)
    message, _ = failure(code)
    assert message.startswith("Home Assistant reports of-2030: no *** xxx") and len(message) < 270


@pytest.mark.parametrize(
    ("pipeline", "sentence"),
    [
        ("Cellar", "Home Assistant at URL has no pipeline 'Cellar'. There is: House, No voice,"),
        ("No ears", "The pipeline of Home Assistant has no speech-to-text. Look at Settings"),
    ],
)
def test_a_pipeline_that_cannot_be_used_is_said(pipeline, sentence):
    message, retryable = failure(answers("Yes."), pipeline=pipeline)
    assert message.startswith(sentence) and retryable


def test_a_talk_of_another_user_is_not_gone_on_with():
    async def conversation():
        scripts = answers("Yes."), fails_at("intent", "intent-unauthorized"), answers("Yes.")
        async with HomeServer(*scripts) as server, Talk(server) as talk:
            for _ in range(3):
                await talk.ask("hello")
            kept = ["conversation_id" in each.request for each in server.runs]
            assert kept == [False, True, False]

    run(conversation)


def sends(*frames):
    """Garbage, instead of the events of a run."""

    async def script(run):
        for frame in frames:
            await run._connection.socket.send(frame)
        await run.cancelled.wait()

    return script


def event(kind, data):
    """An event of the first run, whose command is the third."""
    return json.dumps({"id": 3, "type": "event", "event": {"type": kind, "data": data}})


GARBAGE = [
    ("{nonsense", "sent something that is no JSON"),
    ("[" * 100_000, "sent something that is no JSON"),
    ("7", "sent something that is no message of Home Assistant"),
    ('{"type": 7}', "sent something that is no message of Home Assistant"),
    ('{"type": "event", "id": "3"}', "sent a message without a number"),
    ('{"type": "event", "id": true}', "sent a message without a number"),
    ('{"type": "event", "id": 3, "event": []}', "sent a event that is no object"),
    ('{"type": "result", "id": 3, "error": 7}', "sent a error that is no object"),
    (b"\x01\x02", "sent bytes instead of text"),
    (event(7, {}), "sent a type that is no text"),
    (event("run-start", 7), "sent a data that is no object"),
    (event("run-start", {"runner_data": {"stt_binary_handler_id": 256}}), "that is none"),
    (event("run-start", {"runner_data": {"stt_binary_handler_id": None}}), "takes no audio"),
    (event("stt-vad-start", {"timestamp": "now"}), "sent a timestamp that is none"),
    (event("stt-vad-start", {"timestamp": -1}), "sent a timestamp that is none"),
    (event("stt-end", {"stt_output": {"text": 7}}), "sent a text that is no text"),
    (event("intent-end", {"intent_output": []}), "sent a intent_output that is no object"),
    (event("error", {"code": 7}), "sent a code that is no text"),
]


@pytest.mark.parametrize(("frame", "problem"), GARBAGE)
def test_what_is_not_home_assistant_is_said(frame, problem):
    message, _ = failure(sends(frame))
    assert problem in message


PLACES = ["file:///etc/passwd", "/api/states", "/api/tts_proxy/../states", "/api/tts_proxy/.."]
PLACES += ["/api/tts_proxy/a%2fb", "/api/tts_proxy/", "http:", "http://[", "x" * 100_000]


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_nothing_but_its_sound_is_fetched(place):
    message, _ = failure(sends(event("tts-end", {"tts_output": {"url": place}})))
    assert "names a place that is not for its sound" in message


@pytest.mark.parametrize(
    "filler", ['{"type": "event", "id": 99, "event": {}}', "[]", '{"type":"x"}']
)
def test_messages_that_are_nobodys_are_left_out(filler):
    async def script(run):
        await run._connection.socket.send(filler)
        await answers("Yes.")(run)

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            assert texts(await talk.ask("hello")) == ["Yes."]

    run(conversation)


def test_a_frame_of_a_megabyte_is_read_and_one_of_twenty_ends_the_connection():
    padding = {"chat_log_delta": {"role": "assistant", "thinking_content": "x" * 1_000_000}}
    message, _ = failure(sends(event("intent-progress", padding)), limit_s=HANGS_S)
    assert "said nothing for 1 s" in message
    message, _ = failure(sends("x" * (20 << 20)))
    assert "closed the connection" in message


def test_events_without_an_end_end_the_connection(monkeypatch):
    monkeypatch.setattr(pipeline_run, "EVENTS_MAX", 500)

    async def script(run):
        while not run.cancelled.is_set():
            await run._connection.socket.send(event("stt-start", {}))

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            turn = talk.turn("hello")
            await anext(turn)  # the Transcript; nobody pulls what comes after it
            (client,) = server.clients
            await client.socket.wait_closed()
            parts = [part async for part in turn]
            assert "sends without end" in parts[-1].message

    run(conversation)


def test_an_answer_without_end_is_cut():
    async def script(run):
        await run.start()
        await run.intend("x", {"role": "assistant"}, *["long " * 100] * 100, stream=True)
        await run.speak("x")

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            assert len("".join(texts(await talk.ask("hello")))) <= 20_000

    run(conversation)


def test_an_answer_without_its_sound_is_said():
    async def script(run):
        await run.start()
        await run.intend("It is on.")

    message, retryable = failure(script, aloud=False)
    assert "sent no sound of its answer" in message and not retryable


@pytest.mark.parametrize(
    ("stage", "retryable"), [("", True), ("stt", True), ("intent", False), ("tts", False)]
)
@pytest.mark.parametrize("how", ["closes", "hangs"])
def test_a_connection_that_ends_in_the_middle_is_said(stage, retryable, how):
    async def script(run):
        await run.start()
        if stage:
            await run.listen("hello")
        if stage in ("intent", "tts"):
            await run.event("intent-start", {})
        if stage == "tts":
            await run.event("intent-end", {"intent_output": {"response": {}}})
        if how == "closes":
            await run._connection.socket.close()
        await run.cancelled.wait()

    closes = how == "closes"
    message, may_retry = failure(script, limit_s=LIMIT_S if closes else HANGS_S)
    said = "closed the connection" if closes else "said nothing for 1 s"
    assert said in message and may_retry is retryable


async def _closes(socket):
    await socket.close()


async def _babbles(socket):
    await socket.send("SSH-2.0")


async def _greets_only(socket):
    await socket.send('{"type": "auth_required"}')
    await socket.wait_closed()


async def _says_ok_first(socket):
    await socket.send('{"type": "auth_ok"}')


async def _answers_wrong(socket):
    await socket.send('{"type": "auth_required"}')
    await socket.recv()
    await socket.send('{"type": "pong", "id": 1}')


@pytest.mark.parametrize(
    ("greeting", "problem"),
    [
        (_closes, "closed the connection"),
        (_babbles, "sent something that is no JSON"),
        (_greets_only, "said nothing for 0.3 s"),
        (_says_ok_first, "sent no auth_required"),
        (_answers_wrong, "sent no auth_ok"),
    ],
)
def test_what_goes_wrong_before_it_knows_who_asks_is_said(greeting, problem, monkeypatch):
    if greeting is _greets_only:
        monkeypatch.setattr(link, "CONNECT_S", 0.3)

    def prepare(server):
        server.greeting = greeting

    message, retryable = failure(answers("Yes."), prepare=prepare)
    assert problem in message and retryable


def test_a_token_it_does_not_know_is_said():
    message, retryable = failure(answers("Yes."), token="wrong")
    assert retryable and message == (
        "Home Assistant at URL refuses the token. "
        "Make a new one in your profile there, for the token of [assistants.house]."
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"HTTP/1.1 200 OK", "does not take the request (200)"),
        (b"HTTP/1.1 301 X\r\nLocation: http://127.0.0.1:1/", "does not take the request (301)"),
        (b"HTTP/1.1 403 Forbidden", "refuses the token"),
        (b"HTTP/1.1 404 Not Found", "has no such interface (404). Let its integrations"),
        (b"HTTP/1.1 502 Bad Gateway", "has a fault (502). See its log."),
        (b"RTSP/1.0 200 OK", "does not speak WebSocket"),
    ],
)
def test_another_server_at_its_address_is_said(line, problem):
    async def conversation():
        async def serve(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(line + b"\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            async with Talk(url) as talk:
                (failed,) = await talk.ask("hello")
                assert problem in failed.message

    run(conversation)


def test_a_certificate_that_is_not_trusted_is_said(tmp_path):
    async def conversation():
        certificate = Certificate(tmp_path, "house")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate.file, certificate.key_file)
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, Talk(url) as talk:
            (failed,) = await talk.ask("hello")
            assert "shows a certificate that is not trusted here. Write the name" in failed.message

    run(conversation)


def test_a_server_that_is_not_there_is_said():
    async def conversation():
        async with Talk("http://127.0.0.1:1") as talk:
            assert await talk.ask("hello") == [
                Failed(
                    message="Home Assistant at http://127.0.0.1:1 cannot be reached. "
                    "Start it, or correct its address in url of [assistants.house].",
                    retryable=True,
                )
            ]

    run(conversation)


def cannot_say(prepare, **more):
    """Why it cannot speak an announcement."""

    async def conversation():
        async with HomeServer(answers("Yes.")) as server:
            prepare(server)
            async with Talk(server, **{"limit_s": LIMIT_S, **more}) as talk:
                with pytest.raises(VoxcardError) as caught:
                    [part async for part in talk.assistant.say("Hello.", "en")]
                assert TOKEN not in str(caught.value)
                assert talk.assistant.health() == str(caught.value)
                return str(caught.value)

    return run(conversation)


async def _hangs():
    await asyncio.get_running_loop().create_future()
    yield b""


SOUNDS = [
    (b"ID3\x04 an MP3 that nobody asked for", "sends sound that is no WAV"),
    (b"", "sent no samples"),
    (wav(b"")[:30], "sent no samples"),
    (wav(bytes(64), channels=2), "sends sound that is not 16 bit, mono"),
    (wav(bytes(64), rate_hz=1), "sends sound that is not 16 bit, mono"),
    (b"RIFF\xff\xff\xff\xffWAVEdata\xff\xff\xff\xff1234", "sends a WAV without its format"),
    (lambda: endless(b"RIFF\xff\xff\xff\xffWAVE"), "sends a WAV without samples"),
    (_hangs, "said nothing for 1 s"),
]


@pytest.mark.parametrize(("sound", "problem"), SOUNDS)
def test_sound_that_nobody_could_play_is_said(sound, problem):
    def prepare(server):
        server.sounds["/api/tts_proxy/say0.wav"] = sound

    limit_s = HANGS_S if sound is _hangs else LIMIT_S
    assert problem in cannot_say(prepare, limit_s=limit_s)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ((401, {"message": TOKEN}), "refuses the token"),
        (
            (400, {"message": f"no engine {TOKEN}"}),
            "does not take the request (400): no engine ***",
        ),
        ((500, {}), "has a fault (500)"),
        ((200, {}), "names no sound"),
        ((200, []), "names no sound"),
        ((200, {"path": 7}), "names no sound"),
        ((200, {"path": "/local/other.wav"}), "names a place that is not for its sound"),
        ((200, {"path": "/api/tts_proxy/gone.wav"}), "has no such interface (404)"),
    ],
)
def test_an_announcement_that_it_does_not_speak_is_said(answer, problem):
    def prepare(server):
        server.tts_answer = answer

    assert problem in cannot_say(prepare)


def test_a_pipeline_without_a_voice_says_that_it_cannot_speak():
    assert "has no text-to-speech" in cannot_say(lambda server: None, pipeline="No voice")


def test_its_own_wrong_idea_of_its_address_does_no_harm():
    async def script(run):
        run.url = "http://supervisor.internal:8123" + run.url + "?x=1"
        await answers("Yes.")(run)

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            (media,) = [part for part in await talk.ask("hello") if isinstance(part, Media)]
            assert media.url == f"{server.url}/api/tts_proxy/{server.runs[0].request['id']}.mp3"

    run(conversation)


def test_a_microphone_that_fails_ends_the_turn():
    async def broken():
        yield QUESTION[:1280]
        raise RuntimeError("no such microphone")

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            with pytest.raises(RuntimeError, match="no such microphone"):
                [part async for part in talk.turn(audio=broken(), held=True)]
            await server.runs[0].cancelled.wait()
            assert texts(await talk.ask("hello")) == ["Yes."]

    run(conversation)


def test_audio_of_any_cut_arrives_as_it_was():
    async def uneven():
        yield b""
        yield QUESTION[:2]
        yield QUESTION[2:40_000]
        yield QUESTION[40_000:]

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            [part async for part in talk.turn(audio=uneven(), held=True)]
            assert bytes(server.runs[0].audio) == QUESTION

    run(conversation)


def test_a_person_who_goes_away_is_answered_by_what_was_heard():
    """The device is lost while it listens: the audio ends, and so does the sentence."""

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            short = speech.audio((speech.QUIET, 320), (speech.LOUD, 320))
            assert texts(await talk.ask_aloud(short)) == ["Yes."]
            assert server.runs[0].audio_ended

    run(conversation)
