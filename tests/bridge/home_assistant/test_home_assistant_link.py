"""The connection: kept, watched, made again; the token is told to nobody else and in no log."""

import asyncio
import logging
import socket

import pytest
from fakes.bridge import FakeAssistant, run_virtual
from fakes.home_assistant.run import answers
from fakes.home_assistant.server import TOKEN, HomeServer
from fakes.home_assistant.talk import Talk, settings, texts
from voxcard import config
from voxcard.assistants import Done, Failed, Sentence, Speech
from voxcard.assistants.home_assistant import link
from voxcard.assistants.home_assistant.assistant import HomeAssistant
from voxcard.assistants.home_assistant.link import Link
from voxcard.assistants.home_assistant.problems import HomeSubject, TokenRefused
from voxcard.assistants.ranked import Ranked
from voxcard.errors import VoxcardError


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


def test_one_connection_carries_the_talks_of_all_devices():
    both = asyncio.Barrier(2)

    async def script(run):
        await both.wait()  # neither is answered before both have asked
        await answers(f"To {run.request['input']['text']}.")(run)

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            other = talk.assistant.conversation(lambda: talk.facts, lambda: ())
            first, second = talk.ask("a"), _all(other, "b")
            said = await asyncio.gather(first, second)
            assert [texts(parts) for parts in said] == [["To a."], ["To b."]]
            assert server.logins == [True]
            ids = [each["id"] for each in server.commands]
            assert ids == sorted(set(ids))

    run(conversation)


async def _all(conversation, text):
    from voxcard.assistants import Heard

    return [part async for part in conversation.turn(Heard(text=text))]


def test_what_was_gone_and_came_back_answers_again():
    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            assert texts(await talk.ask("hello")) == ["Yes."]
            await server.down()
            (failed,) = await talk.ask("hello")
            assert isinstance(failed, Failed) and failed.retryable
            assert talk.assistant.health() == failed.message
            await server.up()
            assert texts(await talk.ask("hello")) == ["Yes."]
            assert talk.assistant.health() == ""

    run(conversation)


def test_it_comes_back_without_being_asked(monkeypatch):
    monkeypatch.setattr(link, "BACK_OFF_S", (0.01,))

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            await talk.ask("hello")
            await server.down()
            await server.up()
            while talk.assistant.health():  # noqa: ASYNC110 - its own task does it
                await asyncio.sleep(0.01)
            assert len(server.logins) == 2

    run(conversation)


def test_a_wake_word_connects_and_learns_the_lists_before_the_question():
    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            talk.conversation.prepare()
            talk.conversation.prepare()
            await talk.conversation._task
            kinds = [each["type"] for each in server.commands]
            assert kinds == ["assist_pipeline/pipeline/list", "config/device_registry/list"]
            await talk.ask("hello")
            assert server.commands[2]["type"] == "assist_pipeline/run"

    run(conversation)


def test_preparing_for_a_server_that_is_away_is_quiet():
    async def conversation():
        async with Talk("http://127.0.0.1:1") as talk:
            talk.conversation.prepare()
            await talk.conversation._task
            assert "cannot be reached" in talk.assistant.health()

    run(conversation)


def test_a_silent_connection_is_asked_for_a_sign(monkeypatch):
    monkeypatch.setattr(link, "PING_S", 0.02)

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            await talk.ask("hello")
            while sum(each["type"] == "ping" for each in server.commands) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert server.logins == [True]

    run(conversation)


def test_a_connection_that_gives_no_sign_is_made_again(monkeypatch):
    monkeypatch.setattr(link, "PING_S", 0.02)
    monkeypatch.setattr(link, "PONG_S", 0.02)
    monkeypatch.setattr(link, "BACK_OFF_S", (0.01,))

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server):
            server.pongs = False
            while len(server.logins) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    run(conversation)


class _Attempts(Link):
    """Counts the attempts of a link to nowhere, by the loop's clock."""

    def __init__(self, problem):
        server = config.Server(url="http://h", key=config.Secret(value=TOKEN))
        super().__init__(HomeSubject("house", server), server.url, server.key)
        self.at_s = []
        self._problem = problem

    async def _open(self):
        self.at_s.append(asyncio.get_running_loop().time())
        raise self._problem


SUBJECT = HomeSubject("house", config.Server(url="http://h"))


def test_a_server_that_stays_away_is_asked_less_and_less_often(monkeypatch):
    monkeypatch.setattr(link.random, "uniform", lambda low, high: 1.0)

    async def conversation():
        attempts = _Attempts(SUBJECT.away())
        await attempts.start()
        await asyncio.sleep(121)
        await attempts.stop()
        return [round(b - a, 1) for a, b in zip(attempts.at_s, attempts.at_s[1:], strict=False)]

    assert run_virtual(conversation()) == [0.5, 1, 2, 4, 8, 15, 30, 30, 30]


def test_a_turn_does_not_wait_for_the_next_attempts_time():
    async def conversation():
        attempts = _Attempts(SUBJECT.away())
        await attempts.start()
        await asyncio.sleep(100)
        count, now_s = len(attempts.at_s), asyncio.get_running_loop().time()
        with pytest.raises(VoxcardError, match="cannot be reached"):
            await attempts.connection()
        assert asyncio.get_running_loop().time() - now_s < 0.1
        assert len(attempts.at_s) == count + 1
        await attempts.stop()

    run_virtual(conversation())


def test_a_refused_token_is_not_tried_again_by_every_question():
    """Home Assistant may ban an address after some wrong ones (http.ip_ban_enabled)."""

    async def conversation():
        attempts = _Attempts(SUBJECT.token_refused())
        await attempts.start()
        await asyncio.sleep(1)
        for _ in range(50):
            attempts.wake()
            with pytest.raises(TokenRefused):
                await attempts.connection()
        await asyncio.sleep(1000)
        await attempts.stop()
        return len(attempts.at_s)

    assert run_virtual(conversation()) <= 6


def test_a_server_that_closes_at_once_is_not_asked_in_a_circle():
    async def closes(client):
        await client.close()

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server):
            server.greeting = closes
            await asyncio.sleep(0)
        assert len(server.logins) <= 1

    run(conversation)


def test_stopping_ends_whoever_waits():
    async def conversation():
        with socket.create_server(("127.0.0.1", 0)) as deaf:  # takes connections, says nothing
            assistant = HomeAssistant("house", settings(f"http://127.0.0.1:{_port(deaf)}"))
            await assistant.start()
            talk = assistant.conversation(lambda: None, lambda: ())
            task = asyncio.create_task(_all(talk, "hello"))
            while not assistant._home.link._waiting:  # noqa: ASYNC110
                await asyncio.sleep(0)
            await assistant.stop()
            (failed,) = await task
            assert "closed the connection" in failed.message
            assert assistant.health() == "It is not running."
            await assistant.stop()

    run(conversation)


def _port(server):
    return server.getsockname()[1]


def test_a_redirect_is_not_followed_with_the_token():
    told = []

    async def thief(reader, writer):
        told.append(await reader.read(1000))
        writer.close()

    async def conversation():
        elsewhere = await asyncio.start_server(thief, "127.0.0.1", 0)
        to = f"http://127.0.0.1:{elsewhere.sockets[0].getsockname()[1]}/api/websocket"

        async def redirect(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 302 Found\r\nLocation: {to}\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(redirect, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with elsewhere, server, Talk(url) as talk:
            (failed,) = await talk.ask("hello")
        assert "(302)" in failed.message and told == []

    run(conversation)


def test_the_token_is_in_no_log_and_no_repr(caplog):
    caplog.set_level(logging.DEBUG)

    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            await talk.ask_aloud()
            [part async for part in talk.assistant.say("Hello.", "en")]
            assert TOKEN not in repr(talk.assistant._home.settings)
            await server.down()
            await talk.ask("hello")

    # The stand-in's own side of that library logs what it was sent: that is not the bridge.
    logging.getLogger("websockets.server").setLevel(logging.INFO)
    run(conversation)
    assert "connected to Home Assistant 2026.11.0" in caplog.text
    assert TOKEN not in caplog.text


async def _offline(heard):
    yield Sentence(text="I answer instead.")
    yield Speech(pcm=bytes(1280), rate_hz=16000)
    yield Done()


def test_the_next_assistant_answers_while_it_is_away_and_it_again_when_it_is_back():
    async def conversation():
        async with HomeServer(answers("Yes.")) as server, Talk(server) as talk:
            spare = FakeAssistant(_offline, _offline)
            ranked = Ranked([("house", talk.assistant), ("spare", spare)])
            both = ranked.conversation(lambda: talk.facts, lambda: ())
            assert texts(await _all(both, "hello")) == ["Yes."]
            await server.down()
            assert texts(await _all(both, "hello")) == ["I answer instead."]
            assert texts(await _all(both, "hello")) == ["I answer instead."]
            await server.up()
            await talk.assistant._home.link.connection()
            talk.assistant._home.health.worked()
            assert texts(await _all(both, "hello")) == ["Yes."]

    run(conversation)
