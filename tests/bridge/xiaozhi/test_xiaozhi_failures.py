"""Whatever is wrong with a xiaozhi server is one sentence with what to do; another may answer."""

import asyncio
import json
import logging

import pytest
from fakes import speech
from fakes.bridge import FakeAssistant
from fakes.xiaozhi_home import QUESTION, Home, parts_of, talking, texts, until
from fakes.xiaozhi_server import XiaozhiServer, answer, opus
from voxcard.assistants import Done, Failed, Heard, Sentence, Speech, Transcript
from voxcard.assistants.ranked import Ranked
from voxcard.errors import MissingExtra, VoxcardError

TOKEN = "secret-token-0123456789"


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


def failure(script=None, *, server_options=None, pcm=QUESTION, **more):
    """The Failed of a spoken turn, and what health says then."""

    async def conversation():
        scripts = (script,) if script else ()
        async with (
            XiaozhiServer(*scripts, **(server_options or {})) as server,
            Home(server.url, limit_s=0.3, **more) as home,
        ):
            failed = (await home.ask(pcm=pcm))[-1]
            assert isinstance(failed, Failed) and failed.retryable
            assert home.assistant.health() == failed.message
            return failed.message.replace(server.url, "URL")

    return run(conversation)


async def silent(session, text):
    await session.closed.wait()


async def closes(session, text):
    await session.socket.close()


async def closes_in_the_middle(session, text):
    await session.stt(text)
    await session.tts("start")
    await session.sentence("Once upon")
    await session.socket.close()


async def stops_in_the_middle(session, text):
    await session.stt(text)
    await session.tts("start")
    await session.closed.wait()


async def huge_text(session, text):
    await session.socket.send(json.dumps({"type": "stt", "text": "x" * 1_000_000}))
    await session.closed.wait()


async def huge_frame(session, text):
    await session.socket.send(bytes(1_000_000))
    await session.closed.wait()


async def says_goodbye(session, text):
    await session.stt(text)
    await session.tts("start")
    await session.send("goodbye")
    await session.closed.wait()


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (silent, "answered nothing to what was said for 0.3 s. See its log;"),
        (closes, "closed the connection. Ask again"),
        (closes_in_the_middle, "closed the connection. Ask again"),
        (stops_in_the_middle, "said nothing for 0.3 s. See its log;"),
        (huge_text, "closed the connection."),
        (huge_frame, "closed the connection."),
        (says_goodbye, "closed the connection."),
    ],
)
def test_a_turn_that_the_server_spoils_fails_in_a_sentence(script, problem):
    assert failure(script).startswith(f"The xiaozhi server URL {problem}")


async def no_hello(session):
    pass


async def leaves(session):
    await session.socket.send("认证失败")
    await session.socket.close()


async def pcm_hello(session):
    await session.greet({"format": "pcm", "sample_rate": 16000})


async def other_transport(session):
    await session.socket.send(json.dumps({"type": "hello", "transport": "udp"}))
    await session.socket.send(b"\x00\x01")
    await session.socket.close()


@pytest.mark.parametrize(
    ("hello", "problem"),
    [
        (no_hello, "sent no hello for 0.2 s."),
        (leaves, "closed the connection before its hello. Check its log, and the token"),
        (pcm_hello, "speaks an audio format other than opus."),
        (other_transport, "closed the connection before its hello."),
    ],
)
def test_a_hello_that_is_none_fails_in_a_sentence(hello, problem, monkeypatch):
    monkeypatch.setattr("voxcard.assistants.xiaozhi.wire.connection.HELLO_S", 0.2)
    assert problem in failure(server_options={"on_hello": hello})


def test_a_refused_token_is_said_and_never_shown(caplog):
    caplog.set_level(logging.DEBUG)
    message = failure(server_options={"token": "right"}, key=TOKEN)
    assert message == (
        "The xiaozhi server URL refuses the token (401). "
        "Check key_env or key_file of [assistants.mine]."
    )
    # The stand-in's own side of that library logs what it was sent: that is not the bridge.
    ours = [each for each in caplog.records if each.name != "websockets.server"]
    assert TOKEN not in message + "".join(each.getMessage() for each in ours)


def test_the_token_goes_as_a_bearer():
    async def conversation():
        async with XiaozhiServer(token=TOKEN) as server, Home(server.url, key=TOKEN) as home:
            assert texts(await home.ask("hi")) == ["You said hi."]

    run(conversation)


def test_a_server_that_is_away_is_asked_again_when_it_is_back():
    async def conversation():
        async with XiaozhiServer() as server:
            port = server.port
        async with Home(server.url) as home:
            (transcript, failed) = await home.ask("hi")
            assert transcript == Transcript(text="hi")
            assert "cannot be reached. Start it, or correct its address in server of" in (
                failed.message
            )
            async with XiaozhiServer(port=port):
                assert texts(await home.ask("hi")) == ["You said hi."]
                assert home.assistant.health() == ""

    run(conversation)


def test_a_server_that_restarts_between_turns_costs_no_turn():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            assert texts(await home.ask("one")) == ["You said one."]
            (session,) = server.sessions
            await session.socket.close()
            await until(lambda: home.conversation._link.connection is None)
            assert texts(await home.ask("two")) == ["You said two."]
            assert len(server.sessions) == 2

    run(conversation)


async def spare(heard):
    size = 0
    async for piece in heard.audio:
        size += len(piece)
    yield Transcript(text=f"{size} bytes")
    yield Sentence(text="I answer instead.")
    yield Done()


def test_a_server_that_takes_connections_and_answers_nothing_is_not_well():
    async def conversation():
        async with XiaozhiServer(silent) as server, Home(server.url, limit_s=0.3) as home:
            failed = (await home.ask("hi"))[-1]
            home.conversation.prepare()
            await server.session(2)
            await home.conversation._link.connected()
            assert home.assistant.health() == failed.message
            server.scripts = [answer]
            assert texts(await home.ask("hi")) == ["You said hi."]
            assert home.assistant.health() == ""

    run(conversation)


@pytest.mark.parametrize("script", [silent, closes])
def test_the_next_assistant_hears_the_whole_question_when_nothing_came_of_the_turn(script):
    async def conversation():
        async with XiaozhiServer(script) as server, Home(server.url, limit_s=0.3) as home:
            ranked = Ranked([("mine", home.assistant), ("spare", FakeAssistant(spare))])
            talk = ranked.conversation(home.place, lambda: ())
            parts = await parts_of(talk.turn(Heard(audio=speech.microphone(QUESTION))))
            assert texts(parts) == ["I answer instead."]
            assert Transcript(text=f"{len(QUESTION)} bytes") in parts
            await talk.close()

    run(conversation)


def test_another_assistant_speaks_announcements():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            with pytest.raises(VoxcardError, match="speaks only its own answers"):
                [part async for part in home.assistant.say("Dinner!", "en")]
            voice = FakeAssistant()
            ranked = Ranked([("mine", home.assistant), ("voice", voice)])
            assert len([part async for part in ranked.say("Dinner!", "en")]) == 1
            assert voice.said == ["Dinner!"]
            assert home.assistant.health() == ""

    run(conversation)


GARBAGE = [
    b"",
    b"\xff" * 50,
    bytes(70_000),
    '{"type":"tts"}',
    '{"type":"tts","state":7}',
    '{"type":"stt","text":5}',
    '{"type":"llm","emotion":null}',
    '{"type":"mcp","payload":"x"}',
    '{"type":"mcp","payload":{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}}',
    '{"type":"mcp","payload":{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":3}}}',
    '{"type":"mcp","payload":{"jsonrpc":"2.0","id":9,"method":"no/such"}}',
    '{"type":"mcp","payload":{"jsonrpc":"1.0","id":9,"method":"ping"}}',
    '{"type":"mcp","payload":{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}}',
    '{"type":"alert","status":"x"}',
    '{"type":"system"}',
    '{"type":"goodbye","session_id":["x"],"more":1}'.replace('["x"]', '"other"'),
    '{"type":"hello","transport":"websocket"}',
    '{"type":"stt","text":"\\ud800"}'.replace("stt", "nothing"),
    "null",
    "[[[[",
]


def test_garbage_is_passed_over_and_the_turn_goes_on():
    async def garbage(session, text):
        for each in GARBAGE:
            await session.socket.send(each)
        await session.stt(text)
        for each in GARBAGE:
            await session.socket.send(each)
        await session.say("Still here.")

    async def conversation():
        async with XiaozhiServer(garbage, answer) as server, Home(server.url) as home:
            parts = await home.ask(pcm=QUESTION)
            assert texts(parts) == ["Still here."]
            said = b"".join(part.pcm for part in parts if isinstance(part, Speech))
            assert len(said) >= 48 * 300 * 2
            assert texts(await home.ask("more")) == ["You said more."]

    run(conversation)


def test_an_endless_stream_waits_for_who_plays_it():
    sent = []

    async def endless(session, text):
        await session.stt(text)
        await session.tts("start")
        packets = opus(60)
        while True:
            await session.audio(packets)
            sent.append(1)

    async def conversation():
        async with XiaozhiServer(endless) as server, Home(server.url) as home:
            turn = home.turn("hi")
            while not isinstance(await anext(turn), Speech):
                pass
            size = -1
            while size != len(sent):  # until the stand-in is kept waiting
                size = len(sent)
                await asyncio.sleep(0.2)
            assert len(home.conversation._link._inbox) <= 256
            await turn.aclose()

    run(conversation)


def test_a_turn_that_is_cancelled_at_any_await_leaves_no_task():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            await home.ask("warm up")
            quiet = len(asyncio.all_tasks())
            for steps in range(0, 60, 3):
                pcm = speech.audio((speech.LOUD, 320))
                task = asyncio.ensure_future(parts_of(home.turn(audio=talking(pcm))))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await home.conversation.close()
            await until(lambda: len(asyncio.all_tasks()) <= quiet - 1)
            assert texts(await home.ask("hi")) == ["You said hi."]

    run(conversation)


def test_a_server_that_takes_nothing_holds_up_no_turns_end():
    async def talks(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.closed.wait()

    async def never(data):
        await asyncio.get_running_loop().create_future()

    async def conversation():
        async with XiaozhiServer(talks, answer) as server, Home(server.url) as home:
            turn = home.turn(pcm=QUESTION)
            await anext(turn)
            home.conversation._link.connection._socket.send = never
            async with asyncio.timeout(2.5):
                await turn.aclose()
            assert texts(await home.ask("hi")) == ["You said hi."]
            assert len(server.sessions) == 2

    run(conversation)


def test_closing_a_conversation_closes_its_connection():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            home.conversation.prepare()
            session = await server.session()
            await home.conversation.close()
            await session.closed.wait()

    run(conversation)


def test_what_is_missing_is_said_before_anything_starts(monkeypatch):
    from dataclasses import replace

    home = Home("ws://a/")
    home.assistant._settings = replace(
        home.assistant._settings, server=replace(home.assistant._settings.server, key_missing=True)
    )
    with pytest.raises(VoxcardError, match="key_env names a variable that is not set"):
        home.assistant.check()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="media"):
        Home("ws://a/").assistant.check()


def test_an_assistant_that_does_not_run_says_so():
    async def conversation():
        home = Home("ws://127.0.0.1:1/")
        assert home.assistant.health() == "It is not running."
        conversation = home.assistant.conversation(home.place, lambda: ())
        failed = (await parts_of(conversation.turn(Heard(text="hi"))))[-1]
        assert failed.message == "The assistant mine is not running. Start the bridge again."
        await home.assistant.stop()

    run(conversation)
