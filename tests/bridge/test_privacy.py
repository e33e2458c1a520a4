"""What docs/privacy.md says of assistants behind servers: nobody but those servers is called."""

import asyncio
import sys

import pytest
from fakes.pipeline_home import Home
from fakes.pipeline_servers import HttpServer, WyomingServer, chats

LIMIT_S = 30
_calls: "list[tuple[str, int]] | None" = None


def _hook(event, arguments):
    """An audit hook stays for good; it writes down calls only while somebody wants them."""
    if _calls is not None and event == "socket.connect" and isinstance(arguments[1], tuple):
        _calls.append(arguments[1][:2])


sys.addaudithook(_hook)


@pytest.fixture
def calls():
    """Every address that a socket of this process is connected to from now on."""
    global _calls
    _calls = []
    yield _calls
    _calls = None


def address(url):
    host, _, port = url.partition("://")[2].partition("/")[0].partition(":")
    return host, int(port)


def test_the_pipeline_calls_the_servers_of_its_file_and_no_proxy(calls, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    async def conversation():
        async with (
            HttpServer(chats("It is on.")) as chat,
            WyomingServer("is it on") as stt,
            WyomingServer() as tts,
            Home(chat.url, stt.url, tts.url) as home,
        ):
            assert calls == []  # nothing before somebody speaks
            await home.ask(audio=True)
            assert set(calls) == {address(each.url) for each in (chat, stt, tts)}
            heard = stt.audio
            calls.clear()
            await home.ask(audio=True, silent=True)
            # Silence is no speech: no server hears of it but the voice of the excuse.
            assert set(calls) == {address(tts.url)} and stt.audio == heard

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def test_what_was_not_spoken_to_the_device_is_not_sent(calls):
    async def conversation():
        async with (
            HttpServer(chats("Yes.")) as chat,
            WyomingServer("is it on") as stt,
            Home(chat.url, stt.url, stt.url) as home,
        ):
            await home.ask("a typed question")
            assert not stt.audio
            asked = chat.requests[0]
            assert set(asked.headers) <= {
                "host", "accept", "accept-encoding", "connection", "user-agent",
                "content-length", "content-type",
            }  # fmt: skip
            assert set(asked.json) <= {
                "model", "messages", "stream", "tools", "stream_options",
            }  # fmt: skip

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))
