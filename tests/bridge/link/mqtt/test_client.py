"""The bridge's MQTT connection against a real broker, and against none."""

import asyncio
import logging
import socket
import ssl

import iotcore
import pytest
from fakes.bridge import LogLines
from voxcard.link.embedded_broker import EmbeddedBroker, free_port, settings
from voxcard.link.mqtt import Address, MqttClient
from voxcard.link.mqtt.backlog import Backlog
from voxcard.link.mqtt.backoff import backoff_s
from voxcard.link.mqtt.outbox import FRAMES_MAX
from voxcard.link.mqtt.packet_limit import MESSAGE_MAX

LIMIT_S = 60


class Peer:
    """A client that keeps what it got, and lets a test wait for it."""

    def __init__(self, port, *filters, **address):
        self.got = asyncio.Queue()
        self.links = asyncio.Queue()
        self.client = MqttClient(
            Address(host="127.0.0.1", port=port, **address),
            subscriptions=[(topic, 1) for topic in filters],
            on_message=lambda *message: self.got.put_nowait(message),
            on_link=self.links.put_nowait,
        )

    async def __aenter__(self):
        self.task = asyncio.create_task(self.client.run())
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


def test_messages_and_frames_arrive_whole_and_in_order():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        async with Peer(broker.port, "v/+/up", "v/+/mic") as one, Peer(broker.port, "x") as two:
            assert await one.links.get() and await two.links.get()
            assert two.client.publish("v/kitchen/up", b"\0\xff", qos=1)
            assert await one.got.get() == ("v/kitchen/up", b"\0\xff", False)
            for index in range(100):
                assert two.client.frame("v/kitchen/mic", bytes((index,)) * 332)
            for index in range(100):
                assert await one.got.get() == ("v/kitchen/mic", bytes((index,)) * 332, False)
        await broker.stop()

    run(conversation)


def test_delay_is_never_bought_with_nagles_algorithm():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        async with Peer(broker.port, "x") as peer:
            await peer.links.get()
            opened = peer.client._transport._socket.inner
            assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        await broker.stop()

    run(conversation)


def test_a_broker_that_comes_late_or_again_is_found(monkeypatch, caplog):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.05)

    async def conversation():
        port = free_port("127.0.0.1")
        async with Peer(port, "v/+/up") as peer:
            for _ in range(2):
                broker = EmbeddedBroker(port=port)
                await broker.start()
                assert await peer.links.get() is True
                assert peer.client.publish("v/a/up", b"hello")
                assert await peer.got.get() == ("v/a/up", b"hello", False)
                await broker.stop()
                assert await peer.links.get() is False
                assert not peer.client.publish("v/a/up", b"lost")
                assert not peer.client.frame("v/a/spk", b"lost")

    with caplog.at_level(logging.INFO, "voxcard.link.mqtt"):
        run(conversation)
    lines = [record.getMessage() for record in caplog.records]
    assert sum("connected" in line for line in lines) == 2


def test_a_handler_that_fails_costs_one_log_line_and_not_the_connection():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        with LogLines("voxcard.link.mqtt", logging.ERROR) as log:
            async with Peer(broker.port, "v/+/up") as peer:
                await peer.links.get()
                keep = peer.client._inbox._on_message
                peer.client._inbox._on_message = lambda *_: 1 / 0
                peer.client.publish("v/a/up", b"bad")
                text = "the message on v/a/up could not be handled"
                assert await log.lines.get() == ("ERROR", text)
                peer.client._inbox._on_message = keep
                peer.client.publish("v/a/up", b"good")
                assert await peer.got.get() == ("v/a/up", b"good", False)
        await broker.stop()

    run(conversation)


def test_behind_a_slow_broker_the_oldest_frames_of_each_topic_go():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        async with Peer(broker.port, "v/+/spk") as peer:
            await peer.links.get()
            client = peer.client
            client._transport.blocked = True  # as after a write the socket took only in part
            sent = [client.frame("v/a/spk", bytes((n,))) for n in range(FRAMES_MAX + 2)]
            assert sent == [True] * FRAMES_MAX + [False, False]
            assert client.frames_dropped == 2
            client._transport.flush()
            assert (await peer.got.get())[1] == b"\2"
        await broker.stop()

    run(conversation)


def test_an_absent_broker_is_said_once(monkeypatch):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.01)

    async def conversation():
        with LogLines("voxcard.link.mqtt") as log:
            async with Peer(free_port("127.0.0.1"), "x"):
                said = [await log.lines.get() for _ in range(3)]
        assert [level for level, _ in said] == ["WARNING", "DEBUG", "DEBUG"]
        assert said[0][1].endswith("Connection refused; trying again")

    run(conversation)


def test_a_missing_certificate_file_is_named():
    async def conversation():
        with LogLines("voxcard.link.mqtt") as log:
            async with Peer(1, "x", tls=True, ca_file="no-such.pem"):
                text = "mqtt.ca_file no-such.pem cannot be used (No such file or directory)"
                assert text in (await log.lines.get())[1]

    run(conversation)


def test_waiting_grows_to_half_a_minute_and_is_spread():
    assert [backoff_s(attempt, 1.0) for attempt in (1, 2, 3, 9, 99)] == [1, 2, 4, 30, 30]
    assert backoff_s(1, 0.0) == 0.5


def test_the_password_is_not_in_the_address_as_printed():
    assert "secret" not in repr(Address(host="h", user="u", password="secret"))


def started(text, file):
    file.write_text(text)
    broker = iotcore.Broker(config_path=str(file))
    broker.start()
    return broker


def test_mqtt_5_is_spoken_and_more_than_its_receive_maximum_gets_through(tmp_path):
    port = free_port("127.0.0.1")
    broker = started(settings("127.0.0.1", port).replace("v4.1", "v5.1"), tmp_path / "v5.toml")

    async def conversation():
        async with Peer(port, "v/+/up", version=5) as peer:
            assert await peer.links.get()
            for number in range(60):
                peer.client.publish("v/a/up", bytes((number,)))
            assert [(await peer.got.get())[1] for _ in range(60)] == [
                bytes((number,)) for number in range(60)
            ]

    run(conversation)
    broker.stop()


def test_only_the_right_password_gets_in(tmp_path):
    port = free_port("127.0.0.1")
    users = '\n[v4.1.connections.auth]\nbridge = "right"\n'
    broker = started(settings("127.0.0.1", port) + users, tmp_path / "users.toml")

    async def conversation():
        async with Peer(port, "x", user="bridge", password="right") as peer:
            assert await peer.links.get()
        with LogLines("voxcard.link.mqtt", logging.WARNING) as log:
            async with Peer(port, "x", user="bridge", password="wrong") as peer:
                level, text = await log.lines.get()
                assert level == "WARNING" and "wrong" not in text.replace("password", "")
                assert not peer.client.connected

    run(conversation)
    broker.stop()


HOSTS = (
    "broker..lan",
    "x" * 70,
    "x" * 70 + ".lan",
    "-",
    "a b",
    "bröker..lan",
    "\ud800",
    "mqtt://h",
)


@pytest.mark.parametrize("host", HOSTS, ids=range(len(HOSTS)))
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_host_that_cannot_be_is_one_line_and_tried_again(monkeypatch, host, tls):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.01)

    async def conversation():
        with LogLines("voxcard.link.mqtt") as log:
            client = MqttClient(
                Address(host=host, tls=tls),
                subscriptions=[],
                on_message=lambda *_: None,
                on_link=lambda up: None,
            )
            task = asyncio.create_task(client.run())
            lines = [await log.lines.get() for _ in range(3)]
            assert not task.done()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert [level for level, _ in lines] == ["WARNING", "DEBUG", "DEBUG"]
        assert "\n" not in lines[0][1] and lines[0][1].endswith("; trying again")

    run(conversation)


def test_a_host_name_with_an_empty_part_says_what_to_check():
    async def conversation():
        with LogLines("voxcard.link.mqtt") as log:
            client = MqttClient(
                Address(host="broker..lan"),
                subscriptions=[],
                on_message=lambda *_: None,
                on_link=lambda up: None,
            )
            task = asyncio.create_task(client.run())
            assert (await log.lines.get())[1] == (
                "broker broker..lan:1883: that is no name a host can have; check host in [mqtt];"
                " trying again"
            )
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    run(conversation)


def test_whatever_connecting_raises_is_one_line_and_tried_again(monkeypatch):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.01)

    async def conversation():
        for error in (ssl.SSLError("bad"), KeyError("x"), RuntimeError("odd"), MemoryError()):
            with LogLines("voxcard.link.mqtt") as log:
                peer = Peer(1, "x")
                monkeypatch.setattr(peer.client._client, "open", lambda error=error: raises(error))
                async with peer:
                    lines = [await log.lines.get() for _ in range(2)]
                    assert not peer.task.done()
                assert [level for level, _ in lines] == ["WARNING", "DEBUG"]

    run(conversation)


def raises(error):
    raise error


def test_a_message_over_the_limit_is_a_line_and_the_link_lives_on(tmp_path):
    port = free_port("127.0.0.1")
    text = settings("127.0.0.1", port).replace("65536", "10000000")
    text = text.replace("max_segment_size = 262144", "max_segment_size = 20000000")
    broker = started(text, tmp_path / "large.toml")

    async def conversation():
        with LogLines("voxcard.link.mqtt", logging.WARNING) as log:
            async with Peer(port, "v/+/up") as peer, Peer(port, "x") as sender:
                await peer.links.get()
                await sender.links.get()
                assert sender.client.publish("v/a/up", bytes(MESSAGE_MAX + 1))
                assert sender.client.publish("v/a/up", bytes(5_000_000))
                assert sender.client.publish("v/a/up", bytes(MESSAGE_MAX))
                assert sender.client.publish("v/a/up", b"small")
                assert (await peer.got.get())[1] == bytes(MESSAGE_MAX)
                assert (await peer.got.get())[1] == b"small"
                line = "a message on v/a/up is dropped: it has more than 65536 bytes"
                assert [await log.lines.get() for _ in range(2)] == [("WARNING", line)] * 2

    run(conversation)
    broker.stop()


def test_messages_that_find_no_room_are_refused_and_counted_in_a_line():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        with LogLines("voxcard.link.mqtt", logging.WARNING) as log:
            async with Peer(broker.port, "v/+/up") as peer:
                await peer.links.get()
                peer.client._outbox._backlog = Backlog(count_max=3)
                sent = [peer.client.publish("v/a/up", bytes((n,))) for n in range(5)]
                assert sent == [True, True, True, False, False]
                level, line = await log.lines.get()
                assert level == "WARNING"
                assert line.endswith("is too slow: 3 messages wait, 2 more were refused")
                assert [(await peer.got.get())[1] for _ in range(3)] == [b"\0", b"\1", b"\2"]
                assert peer.client.publish("v/a/up", b"again")
        await broker.stop()

    run(conversation)
