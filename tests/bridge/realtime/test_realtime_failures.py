"""Whatever is wrong with a Realtime server is one sentence with what to do; others may answer."""

import asyncio
import json

import pytest
from fakes.bridge import FakeAssistant, LogLines
from fakes.realtime_home import QUESTION, Home, microphone, parts, place, texts
from fakes.realtime_server import Answer, Raw, RealtimeServer
from voxcard.assistants import (
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    Sentence,
    Speech,
    Stage,
    Transcript,
)
from voxcard.assistants.ranked import Ranked
from voxcard.assistants.realtime.wire import connection as wire_connection
from voxcard.errors import VoxcardError

KEY = "sk-secret-0123456789"
LIMIT_S = 0.3


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


def failure(*replies, text="hello", **server):
    """The Failed of a turn whose server does as it is told."""

    async def conversation():
        async with RealtimeServer(*replies, **server) as fake:
            with LogLines("") as log:
                async with Home(fake.url, key=KEY, limit_s=LIMIT_S) as home:
                    *_, failed = await home.ask(text)
                    assert isinstance(failed, Failed) and failed.retryable
                    assert home.assistant.health() == failed.message
                    assert KEY not in failed.message + str(log.lines)
                    # It loses nothing else: the next turn works where the server does.
                    if not server:
                        assert texts(await home.ask("again")) == ["Well."]
                    return failed.message.replace(fake.url, "URL")

    return run(conversation)


def said(problem):
    return json.dumps({"error": {"message": problem, "type": "x", "param": None}}).encode()


REFUSALS = [
    (401, said(f"Incorrect API key provided: {KEY}"), "refuses the key (401). Check the key_env"),
    (403, b"", "refuses the key (403). Check the key_env or key_file beside url"),
    (404, b"", "has no model 'gpt-realtime-2', or no such interface (404)."),
    (429, said("x"), "is asked too often, or its quota is used. Wait a little"),
    (500, b"<html>", "has a fault (500). See its log."),
    (400, said(f"bad {KEY}"), "does not take the request (400): bad ***"),
]


@pytest.mark.parametrize(("status", "body", "problem"), REFUSALS)
def test_a_refused_connection_is_a_sentence_without_the_key(status, body, problem):
    message = failure(refuse=(status, body))
    assert message.startswith("The Realtime server URL ") and problem in message


def error(code, kind="invalid_request_error", message="x", event_id=None):
    values = {"type": kind, "code": code, "message": message, "event_id": event_id, "param": None}
    return json.dumps({"type": "error", "event_id": "e1", "error": values})


ERRORS = [
    (error("invalid_api_key", message=f"key {KEY}"), "refuses the key (401)."),
    (error("model_not_found"), "has no model 'gpt-realtime-2'"),
    (error("rate_limit_exceeded"), "is asked too often, or its quota is used."),
    (error("insufficient_quota"), "is asked too often, or its quota is used."),
    (error("session_expired"), "ended the session, which was too old."),
    (error(None, "server_error"), "has a fault (500)."),
    (error("unknown_parameter", message=f"no 'x' of {KEY}."), "refuses: no 'x' of ***."),
    (error(None, message=""), "refuses: it does not say why."),
]


@pytest.mark.parametrize(("event", "problem"), ERRORS)
def test_an_error_event_is_a_sentence(event, problem):
    assert problem in failure(Raw(frames=(event,)))


@pytest.mark.parametrize(("event", "problem"), ERRORS[:3])
def test_an_error_instead_of_a_session_is_a_sentence(event, problem):
    assert problem in failure(first=(event,))


FAILED_RESPONSES = [
    (
        Answer(status="failed", error={"type": "tokens", "code": "rate_limit_exceeded"}),
        "is asked too often, or its quota is used.",
    ),
    (Answer(status="failed", error={"type": "server_error", "code": "x"}), "has a fault (500)."),
    (Answer(status="failed"), "refuses: it does not say why."),
    (Answer(status="incomplete", reason="content_filter"), "because of its content filter."),
    (Answer(status="incomplete", reason="max_output_tokens"), "limit of tokens was reached first"),
    (Answer(status="cancelled", reason="client_cancelled"), "cancelled its answer."),
    (Answer(), "answered nothing."),
]


@pytest.mark.parametrize(("reply", "problem"), FAILED_RESPONSES)
def test_a_response_that_comes_to_nothing_is_a_sentence(reply, problem):
    assert problem in failure(reply)


def test_an_answer_that_breaks_off_was_heard_and_is_said_to_be_broken():
    async def conversation():
        broken = Answer(text="It is", status="failed", error={"type": "server_error"})
        cut = Answer(text="It is long.", status="incomplete", reason="max_output_tokens")
        async with RealtimeServer(broken, cut) as server, Home(server.url) as home:
            seen = await home.ask("go")
            assert texts(seen) == ["It is."] and isinstance(seen[-1], Failed)
            seen = await home.ask("go")
            assert texts(seen) == ["It is long."] and seen[-1] == Done()

    run(conversation)


GARBAGE = [
    ("nonsense", "sent something that is no JSON."),
    ("[" * 100_000, "sent something that is no JSON."),
    ("[]", "sent something that is no event of the Realtime API."),
    ('{"type": 7}', "sent something that is no event of the Realtime API."),
    (b"\x00\xff", "sent something binary, where only JSON is due."),
    ('{"type": "response.created"}', "'response.created' that is not of its form."),
    ('{"type": "response.created", "response": []}', "'response.created' that is not of"),
    ('{"type": "response.created", "response": {"id": 7}}', "'response.created' that is not"),
    ('{"type": "response.done", "response": {"id": "r", "status": 1}}', "that is not of its form"),
    ('{"type": "response.output_audio.delta", "delta": 5}', "that is not of its form."),
    (
        '{"type": "response.output_audio.delta", "response_id": "r", "item_id": "i", '
        '"content_index": 0, "delta": "?"}',
        "that is not of its form.",
    ),
    ('{"type": "input_audio_buffer.speech_started", "item_id": "i"}', "that is not of its form."),
    ('{"type": "error", "error": "no"}', "that is not of its form."),
    ('{"type": "response.output_item.done", "response_id": "r", "item": 1}', "not of its form."),
    ('{"type": "x", "y": "' + "z" * (5 << 20) + '"}', "sent a message that is too long."),
]


@pytest.mark.parametrize(("frame", "problem"), GARBAGE)
def test_garbage_is_a_sentence_and_the_next_turn_works(frame, problem):
    # Twice: the first time the turn goes on in another session, for nothing came of it.
    message = failure(Raw(frames=(frame,)), Raw(frames=(frame,)))
    assert message.startswith("The Realtime server URL ") and problem in message
    assert len(message) < 500


def test_a_large_event_that_nobody_knows_is_passed_over():
    large = json.dumps({"type": "x.y", "z": "z" * (1 << 20)})
    assert "said nothing for 0.3 s." in failure(Raw(frames=(large,)))


def test_an_answer_without_an_end_is_left(monkeypatch):
    monkeypatch.setattr(wire_connection, "_PENDING_MAX", 100_000)

    async def conversation():
        endless = Answer(text="And so on", ms=8000)
        async with RealtimeServer(endless) as server, Home(server.url) as home:
            return await home.ask("go on")

    *_, failed = run(conversation)
    assert isinstance(failed, Failed) and "answers without an end." in failed.message


CLOSINGS = [
    (Raw(close=1000), "closed the connection."),
    (Raw(close=1008, reason=f"quota of {KEY} used"), "closed the connection: quota of *** used."),
    (Raw(close=1011, reason="internal error"), "closed the connection: internal error."),
    (Raw(close=1006), "broke off in the middle."),
]


@pytest.mark.parametrize(("reply", "problem"), CLOSINGS)
def test_a_server_that_closes_twice_is_said_to(reply, problem):
    # The first time the turn goes on in another session: nothing had come of it.
    assert problem in failure(reply, reply)


def test_a_server_that_says_nothing_is_waited_for_as_long_as_was_set():
    message = failure(Answer(silent=True))
    assert "said nothing for 0.3 s. It may be loading its model" in message


def test_a_server_that_is_not_there_is_said():
    async def conversation():
        async with Home("ws://127.0.0.1:1/v1") as home:
            return await home.ask("hello")

    assert run(conversation)[-1] == Failed(
        message="The Realtime server ws://127.0.0.1:1/v1 cannot be reached. "
        "Start it, or correct its address in url of [assistants.mine].",
        retryable=True,
    )


def test_a_server_of_something_else_is_said():
    async def conversation():
        async def answer(reader, writer):
            await reader.readline()
            writer.write(b"220 mail.example ESMTP\r\n")
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, Home(f"ws://127.0.0.1:{port}/v1") as home:
            return (await home.ask("hello"))[-1].message

    assert "does not speak WebSocket." in run(conversation)


@pytest.mark.parametrize("kind", ["clear", "cancel", "cancelled", "truncate", "time"])
def test_an_error_of_what_is_over_already_ends_no_turn(kind):
    async def conversation():
        frames = (error("invalid_value", event_id=f"{kind}-7"),)
        async with RealtimeServer(Raw(frames=frames)) as server, Home(server.url) as home:
            turn = asyncio.create_task(home.ask("go"))
            while not server.peers or not server.peers[0]._active:
                await asyncio.wait([turn], timeout=0.01)
            server.peers[0]._active = ""
            server.peers[0].answer()
            assert texts(await turn) == ["Well."]

    run(conversation)


def test_a_server_that_refuses_what_it_does_not_know_still_answers():
    async def conversation():
        gate = asyncio.Event()
        answer = Answer(text="Well.", gate=gate)
        async with RealtimeServer(answer) as server, Home(server.url) as home:
            seen = []
            async for part in home.conversation.turn(Heard(text="go")):
                seen.append(part)
                if isinstance(part, Stage):
                    await server.peers[0].error("unknown_event", "what is that?")
                    gate.set()
            assert texts(seen) == ["Well."] and seen[-1] == Done()

    run(conversation)


def test_an_announcement_that_cannot_be_read_is_an_error():
    async def conversation():
        async with Home("ws://127.0.0.1:1/v1") as home:
            with pytest.raises(VoxcardError, match="cannot be reached"):
                [part async for part in home.assistant.say("x", "en")]
            assert "cannot be reached" in home.assistant.health()
        async with RealtimeServer(refuse=(500, b"")) as server, Home(server.url) as home:
            with pytest.raises(VoxcardError, match="has a fault"):
                [part async for part in home.assistant.say("x", "en")]

    run(conversation)


async def spare(heard):
    size = 0
    async for piece in heard.audio:
        size += len(piece)
    yield EndOfSpeech()
    yield Transcript(text=f"{size} bytes")
    yield Sentence(text="I answer instead.")
    yield Speech(pcm=bytes(2560), rate_hz=16000)
    yield Done()


@pytest.mark.parametrize("reply", [Raw(close=1011), Raw(frames=("x",)), Answer(status="failed")])
def test_the_next_assistant_answers_from_the_beginning_while_nothing_came_of_a_turn(reply):
    async def conversation():
        async with RealtimeServer(reply) as server, Home(server.url) as home:
            ranked = Ranked([("mine", home.assistant), ("spare", FakeAssistant(spare, spare))])
            talk = ranked.conversation(place, list)
            heard = Heard(audio=microphone(QUESTION))
            seen = [part async for part in parts(talk.turn(heard))]
            assert texts(seen) == ["I answer instead."]
            assert Transcript(text=f"{len(QUESTION) * 1280} bytes") in seen
            # It is asked last while it is unwell, and again when somebody asks it alone.
            assert home.assistant.health()
            seen = [part async for part in parts(talk.turn(Heard(audio=microphone(QUESTION))))]
            assert texts(seen) == ["I answer instead."] and server.replies == []
            assert texts(await home.ask("hello")) == ["Well."]
            assert home.assistant.health() == ""
            await talk.close()

    run(conversation)


def test_a_server_that_failed_is_not_connected_to_before_it_is_time():
    async def conversation():
        async with Home("ws://127.0.0.1:1/v1") as home:
            home.conversation.prepare()
            assert home.conversation._opening is not None
            assert isinstance((await home.ask("hello"))[-1], Failed)
            home.conversation.prepare()
            assert home.conversation._opening is None

    run(conversation)
