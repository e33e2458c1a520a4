"""The bridge's MQTT connection against a real broker, and against none."""

import asyncio
import logging
import socket

import iotcore
from fakes.bridge import LogLines
from voxcard.link.embedded_broker import EmbeddedBroker, free_port, settings
from voxcard.link.mqtt import FRAMES_MAX, Address, MqttClient, backoff_s

LIMIT_S = 10


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
            opened = peer.client._socket.inner
            assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        await broker.stop()

    run(conversation)


def test_a_broker_that_comes_late_or_again_is_found(monkeypatch, caplog):
    monkeypatch.setattr("voxcard.link.mqtt.BACKOFF_MIN_S", 0.05)

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
                keep = peer.client._on_message
                peer.client._on_message = lambda *_: 1 / 0
                peer.client.publish("v/a/up", b"bad")
                text = "the message on v/a/up could not be handled"
                assert await log.lines.get() == ("ERROR", text)
                peer.client._on_message = keep
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
            client._blocked = True  # as after a write the socket took only in part
            sent = [client.frame("v/a/spk", bytes((n,))) for n in range(FRAMES_MAX + 2)]
            assert sent == [True] * FRAMES_MAX + [False, False]
            assert client.frames_dropped == 2
            client._flush()
            assert (await peer.got.get())[1] == b"\2"
        await broker.stop()

    run(conversation)


def test_an_absent_broker_is_said_once(monkeypatch):
    monkeypatch.setattr("voxcard.link.mqtt.BACKOFF_MIN_S", 0.01)

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
