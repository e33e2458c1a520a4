"""The embedded broker: a child process that comes up, is refused clearly, is kept, and goes."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tomllib

import pytest
from fakes.bridge import LogLines
from voxcard import installation
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import EmbeddedBroker, settings


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_it_takes_connections_when_started_and_none_when_stopped():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        up = accepts(broker.port)
        await broker.stop()
        await broker.stop()
        return up, accepts(broker.port)

    assert asyncio.run(conversation()) == (True, False)


def test_a_taken_port_is_one_sentence_with_a_remedy():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(VoxcardError) as caught:
            asyncio.run(EmbeddedBroker(port=port).start())
    assert f"cannot listen on 127.0.0.1:{port}" in caught.value.problem
    assert "mqtt.listen_port" in caught.value.remedy


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "iotcore", None)
    with pytest.raises(VoxcardError) as caught:
        asyncio.run(EmbeddedBroker(port=0).start())
    assert str(caught.value) == (
        f"The embedded broker is not installed. {installation.remedy('broker')}"
    )


def test_its_log_is_capped_and_it_listens_where_it_is_told():
    text = settings("127.0.0.1", 1884)
    for line in (
        'listen = "127.0.0.1:1884"',
        "max_segment_size = 262144",
        "max_segment_count = 3",
        "max_payload_size = 65536",
    ):
        assert line in text.splitlines()


def test_with_users_only_they_get_in_whatever_their_names_hold():
    text = settings("127.0.0.1", 1884, {"kitchen": "secret", 'odd " \\ \n': "é"})
    auth = tomllib.loads(text)["v4"]["1"]["connections"]["auth"]
    assert auth == {"kitchen": "secret", 'odd " \\ \n': "é"}
    assert "auth" not in settings("127.0.0.1", 1884)


@contextlib.asynccontextmanager
async def kept(broker):
    """`broker`, started and watched."""
    await broker.start()
    watching = asyncio.create_task(broker.run())
    try:
        async with asyncio.timeout(60):
            yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await broker.stop()


def kill(broker):
    """End the child as the system does when memory is short."""
    os.kill(broker._broker._process.pid, signal.SIGKILL)


async def line(log, text):
    """The next line of `log` that holds `text`."""
    while text not in (found := (await log.lines.get())[1]):
        pass
    return found


def test_a_child_that_is_killed_is_started_again_after_pauses_that_grow(monkeypatch):
    monkeypatch.setattr("voxcard.link.embedded_broker.WATCH_S", 0.01)
    monkeypatch.setattr("voxcard.link.embedded_broker.PAUSE_MIN_S", 0.01)

    async def conversation():
        broker = EmbeddedBroker(port=0)
        with LogLines("voxcard.link.embedded_broker") as log:
            async with kept(broker):
                await line(log, "listening")
                for pause in ("0.01", "0.02", "0.04"):
                    kill(broker)
                    assert (await line(log, "ended")).endswith(f"it starts again in {pause} s")
                    await line(log, "listening")
                    assert accepts(broker.port)

    asyncio.run(conversation())


def test_a_port_that_was_taken_meanwhile_is_a_line_and_tried_again(monkeypatch):
    monkeypatch.setattr("voxcard.link.embedded_broker.WATCH_S", 0.01)
    monkeypatch.setattr("voxcard.link.embedded_broker.PAUSE_MIN_S", 0.01)
    monkeypatch.setattr("voxcard.link.embedded_broker.PAUSE_MAX_S", 0.05)

    async def conversation():
        broker = EmbeddedBroker(port=0)
        with (
            socket.create_server(("127.0.0.1", broker.port)) as other,
            LogLines("voxcard.link.embedded_broker") as log,
        ):
            watching = asyncio.create_task(broker.run())
            async with asyncio.timeout(60):
                for _ in range(2):
                    assert f"127.0.0.1:{broker.port}" in await line(log, "cannot listen")
                other.close()
                await line(log, "listening")
            assert accepts(broker.port)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await broker.stop()

    asyncio.run(conversation())


def test_it_is_started_anew_at_once_for_other_users(monkeypatch):
    monkeypatch.setattr("voxcard.link.embedded_broker.WATCH_S", 0.01)
    users = [{"bridge": "one"}, {"bridge": "one", "kitchen": "two"}]

    async def conversation():
        broker = EmbeddedBroker(port=0, users=lambda: users.pop(0))
        with LogLines("voxcard.link.embedded_broker") as log:
            async with kept(broker):
                first = broker._broker._process.pid
                broker.restart()
                await line(log, "stopped")
                await line(log, "listening")
                assert users == [] and broker._broker._process.pid != first

    asyncio.run(conversation())
