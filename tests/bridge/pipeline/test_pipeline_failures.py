"""Whatever is wrong with a server is one sentence with what to do, and another may answer."""

import asyncio

import pytest
from fakes.pipeline_home import Home, texts
from fakes.pipeline_servers import (
    HttpServer,
    WyomingServer,
    answer,
    chats,
    chunk,
    event,
    replies,
    silence,
    streams,
)
from voxcard.assistants import Failed

# What a server that says nothing is waited for, and one that does: a busy computer takes its time.
SHORT_S, PATIENT_S = 1.0, 30.0
SILENT = f"said nothing for {SHORT_S:g} s"
KEY = "sk-secret-0123456789"


def run(conversation):
    async def limited():
        async with asyncio.timeout(2 * PATIENT_S):
            return await conversation()

    return asyncio.run(limited())


def patience_s(problem):
    return SHORT_S if problem == SILENT else PATIENT_S


def chat_failure(script, limit_s=PATIENT_S):
    """The Failed of a turn whose chat server answers by `script`."""

    async def conversation():
        async with (
            HttpServer(script) as server,
            WyomingServer() as speech,
            Home(server.url, speech.url, speech.url, key=KEY, limit_s=limit_s) as home,
        ):
            failed = (await home.ask("hello"))[-1]
            assert isinstance(failed, Failed) and failed.retryable
            assert KEY not in failed.message
            assert home.assistant.health() == failed.message
            return failed.message.replace(server.url, "URL")

    return run(conversation)


def said(problem):
    """An error as chat servers send it."""
    return {"error": {"message": problem, "type": "x", "param": None, "code": None}}


REFUSALS = [
    (401, said(f"Incorrect API key provided: {KEY}"), "refuses the key (401). Check the key_env"),
    (403, said("no"), "refuses the key (403). Check the key_env or key_file beside chat_url"),
    (404, said("x"), "has no model 'm', or no such interface (404). Check model and address in"),
    (429, said("x"), "is asked too often, or its quota is used. Wait a little"),
    (500, b"<html>", "has a fault (500). See its log."),
    (503, said("loading"), "has a fault (503). See its log."),
    (
        400,
        said(f"context of {KEY} is\n too long"),
        "does not take the request (400): context of *** is too long Check chat_url",
    ),
    (422, b"\xff\x00 no JSON", "does not take the request (422): "),
    (302, b"", "does not take the request (302): it does not say why"),
]


@pytest.mark.parametrize(("status", "body", "problem"), REFUSALS)
def test_a_refusal_of_the_chat_server_is_a_sentence_without_the_key(status, body, problem):
    message = chat_failure(replies(status, body))
    assert message.startswith("The chat server URL ") and problem in message


BAD_STREAMS = [
    ((b"data: {nonsense\n\n",), "sent something that is no JSON."),
    ((b"data: []\n\n",), "sent something that is no answer of a chat."),
    ((b'data: {"choices": 7}\n\n',), "sent something that is no answer of a chat."),
    ((b'data: {"choices": [{"delta": "text"}]}\n\n',), "sent something that is no answer"),
    ((event(said("the model crashed")),), "failed: the model crashed."),
    ((event({"error": "out of memory"}),), "failed: out of memory."),
    ((b"data: [DONE]\n\n",), "answered nothing."),
    ((), "answered nothing."),
    ((event(chunk({"content": " \n"})), b"data: [DONE]\n\n"), "answered nothing."),
    ((event(chunk({"content": "<think>Hm.</think> 🎉"}, "stop")),), "answered nothing."),
    # A server that dies closes the connection as one that is done does.
    ((event(chunk({"content": "It is half past"})),), "broke off in the middle."),
    ((event(chunk({"content": "Yes. "})), event(chunk({"content": "It"}))), "broke off in the"),
    ((event(chunk({"tool_calls": [{"id": "c1"}]})),), "broke off in the middle."),
    ((event(chunk({}, "length")),), "its limit of tokens was reached first."),
    ((b"data: " + b"x" * 1_100_000,), "sent an event without an end."),
    ((event(chunk({"tool_calls": [{"id": f"c{at}"} for at in range(17)]})),), "more than 16 tool"),
]


@pytest.mark.parametrize(("pieces", "problem"), BAD_STREAMS)
def test_a_stream_that_is_none_is_said(pieces, problem):
    assert problem in chat_failure(streams(*pieces))


def test_an_answer_that_is_text_and_no_stream_is_none():
    assert "sent something that is no JSON" in chat_failure(replies(200, b"<html>"))
    assert "answered nothing" in chat_failure(replies(200, b"<html>", "text/html"))


def test_a_server_that_says_nothing_is_waited_for_as_long_as_was_set():
    message = chat_failure(silence, SHORT_S)
    assert f"{SILENT}. It may be loading its model" in message


def test_signs_of_life_alone_are_no_answer():
    async def only_comments(request):
        yield answer(200, "text/event-stream")
        while True:
            yield b": ping\n\n"
            await asyncio.sleep(0.02)

    assert f"{SILENT}." in chat_failure(only_comments, SHORT_S)


def test_a_server_that_breaks_off_is_said():
    async def breaks_off(request):
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 999\r\n\r\n"
        yield b"data:"

    assert "broke off in the middle." in chat_failure(breaks_off)


def test_a_server_that_is_not_there_is_said():
    async def conversation():
        nowhere = "http://127.0.0.1:1/v1"
        async with WyomingServer() as speech, Home(nowhere, speech.url, speech.url) as home:
            return (await home.ask("hello"))[-1]

    assert run(conversation) == Failed(
        message="The chat server http://127.0.0.1:1/v1 cannot be reached. "
        "Start it, or correct its address in chat_url of [assistants.mine].",
        retryable=True,
    )


def test_a_whole_answer_of_a_server_that_does_not_stream_is_taken():
    async def conversation():
        whole = {"choices": [{"message": {"role": "assistant", "content": "It is on."}}]}
        async with (
            HttpServer(replies(200, whole)) as server,
            WyomingServer() as speech,
            Home(server.url, speech.url, speech.url) as home,
        ):
            return texts(await home.ask("hello"))

    assert run(conversation) == ["It is on."]


def test_what_worked_again_is_well():
    async def conversation():
        async with (
            HttpServer(replies(500, b""), chats("Yes.")) as server,
            WyomingServer() as speech,
            Home(server.url, speech.url, speech.url) as home,
        ):
            await home.ask("hello")
            assert "has a fault (500)" in home.assistant.health()
            await home.ask("hello")
            assert home.assistant.health() == ""

    run(conversation)


def speech_failure(*, stt=None, tts=None, limit_s=PATIENT_S):
    """The Failed of a spoken turn where one of the speech servers is `stt` or `tts`."""

    async def conversation():
        async with HttpServer(chats("Yes.")) as chat, WyomingServer("hello") as good:
            bad = stt or tts
            async with bad:
                urls = (bad.url, good.url) if stt else (good.url, bad.url)
                async with Home(chat.url, *urls, key=KEY, limit_s=limit_s) as home:
                    failed = (await home.ask(audio=True))[-1]
                    assert isinstance(failed, Failed) and failed.retryable
                    assert KEY not in failed.message
                    return failed.message.replace(bad.url, "URL")

    return run(conversation)


async def _deaf(server, kind, write, writer):
    """Takes everything and answers nothing."""


async def _hangs_up(server, kind, write, writer):
    writer.close()


async def _fails(server, kind, write, writer):
    write("error", {"text": "no model", "code": "x"})


async def _babbles(server, kind, write, writer):
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def _lists(server, kind, write, writer):
    writer.write(b"[1, 2]\n")


async def _stereo(server, kind, write, writer):
    if kind == "describe":
        write("info", {"tts": "nonsense"})
    else:
        write("audio-chunk", {"rate": 22050, "width": 2, "channels": 2}, b"1234")


async def _says_nothing(server, kind, write, writer):
    write("info" if kind == "describe" else "audio-stop", {})


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (_deaf, SILENT),
        (_hangs_up, "closed the connection"),
        (_fails, "failed: no model"),
        (_babbles, "closed the connection or sent what is not Wyoming"),
        (_lists, "sent something that is not Wyoming"),
    ],
)
def test_what_a_wyoming_server_does_wrong_is_said(script, problem):
    for part, message in (
        (
            "speech-to-text",
            speech_failure(stt=WyomingServer(script=script), limit_s=patience_s(problem)),
        ),
        (
            "text-to-speech",
            speech_failure(tts=WyomingServer(script=script), limit_s=patience_s(problem)),
        ),
    ):
        assert message.startswith(f"The {part} server URL ") and problem in message


def test_sound_that_nobody_could_play_is_refused():
    message = speech_failure(tts=WyomingServer(script=_stereo))
    assert "sends sound that is not 16 bit, mono" in message
    message = speech_failure(tts=WyomingServer(script=_says_nothing))
    assert "sent no samples" in message


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (replies(401, said(KEY)), "refuses the key (401)"),
        (replies(200, b"no JSON"), "is no transcript"),
        (replies(200, {"text": 7}), "is no transcript"),
        (replies(200, []), "is no transcript"),
        (silence, SILENT),
    ],
)
def test_what_a_transcription_server_does_wrong_is_said(script, problem):
    assert problem in speech_failure(stt=HttpServer(script), limit_s=patience_s(problem))


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (replies(404, said("x")), "has no such interface (404)"),
        (replies(200, b"", "audio/pcm"), "sent no samples"),
        (replies(200, b"ID3", "audio/mpeg"), "sent audio/mpeg instead of samples"),
        (replies(200, {"x": 1}), "sent application/json instead of samples"),
        (silence, SILENT),
    ],
)
def test_what_a_speech_server_does_wrong_is_said(script, problem):
    assert problem in speech_failure(tts=HttpServer(script), limit_s=patience_s(problem))
