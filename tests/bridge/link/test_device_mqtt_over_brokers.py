"""The firmware's MQTT client, under MicroPython, over a real broker: plain, with users, by TLS."""

import asyncio
import contextlib
import json
import os
import queue
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import iotcore
import paho.mqtt.client as paho
import pytest
from fakes.certificate import Certificate
from voxcard.link.embedded_broker import settings

from tools.build import interpreters

ROOT = Path(__file__).parents[3]
LIMIT_S = 60.0
USERS = '\n[v4.1.connections.auth]\nanna = "right"\npeer = "peer"\n'


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """iotcore with capped segments on one port, startable again."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.port = free_port()
        self._file = folder / "broker.toml"
        self._file.write_text(settings("127.0.0.1", self.port) + more, encoding="utf-8")
        self.start()

    def start(self) -> None:
        self._broker = iotcore.Broker(config_path=str(self._file))
        self._broker.start()

    def stop(self) -> None:
        self._broker.stop()


class Peer:
    """A client of another make (paho) on the same broker: what it heard is in `messages`."""

    def __init__(self, port: int) -> None:
        self.messages: queue.Queue[tuple[str, bytes]] = queue.Queue()
        ready = threading.Event()
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="peer")
        self._client.username_pw_set("peer", "peer")
        self._client.on_message = lambda c, u, m: (
            m.retain or self.messages.put((m.topic, m.payload))
        )
        self._client.on_connect = lambda c, *rest: c.subscribe(
            [("echo/up", 1), ("echo/mic", 0), ("echo/status", 1)]
        )
        self._client.on_subscribe = lambda *rest: ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert ready.wait(LIMIT_S)

    def say(self, topic: str, payload: bytes, qos: int = 1) -> None:
        self._client.publish(topic, payload, qos)

    def hear(self) -> tuple[str, bytes]:
        return self.messages.get(timeout=LIMIT_S)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Device:
    """The echo program under MicroPython, in a heap too small to keep what it receives."""

    def __init__(self, port: int, **options: Any) -> None:
        paths = (ROOT / "firmware", ROOT / "tests", ".frozen")
        program = str(ROOT / "tests" / "fakes" / "device" / "echo_device.py")
        command = [str(interpreters.host().path), "-X", "heapsize=200k", program]
        settings = {"host": "127.0.0.1", "port": port, **options}
        self.process = subprocess.Popen(
            [*command, json.dumps(settings)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "MICROPYPATH": ":".join(map(str, paths))},
        )
        self._log = ""
        self._events: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._events.put(line)

    def event(self) -> dict[str, Any]:
        return dict(json.loads(self._events.get(timeout=LIMIT_S)))

    def end(self) -> str:
        """Kill it if it lives; its log."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            if not stream.closed:
                self._log += stream.read()
                stream.close()
        return self._log


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = Broker(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.stop()


@contextlib.contextmanager
def talking(port: int, device_port: int = 0, **options: Any) -> Iterator[tuple[Device, Peer]]:
    peer = Peer(port)
    device = Device(device_port or port, **options)
    try:
        assert device.event() == {"event": "up"}
        yield device, peer
    finally:
        device.end()
        peer.stop()


def test_messages_of_every_size_come_back_as_they_were(broker: Broker) -> None:
    with talking(broker.port) as (device, peer):
        for size in (0, 1, 117, 118, 119, 127, 128, 2030, 2048, 4102, 8000):
            payload = bytes(index * 31 & 0xFF for index in range(size))
            peer.say("echo/down", payload)
            assert peer.hear() == ("echo/up", payload)
            if size <= 2030:
                peer.say("echo/spk", payload, 0)
                assert peer.hear() == ("echo/mic", payload)
        peer.say("echo/down", b"stop")
        assert device.event() == {"event": "stopped", "dropped": 0}


def test_a_message_over_the_buffer_is_skipped_and_the_next_one_arrives(broker: Broker) -> None:
    with talking(broker.port) as (device, peer):
        peer.say("echo/down", bytes(20000))
        peer.say("echo/down", b"next")
        assert peer.hear() == ("echo/up", b"next")
        log = device.end()
    assert "skipped 20017 bytes on echo/down: more than the" in log


def test_a_thousand_frames_are_neither_lost_nor_kept(broker: Broker) -> None:
    with talking(broker.port) as (_, peer):
        heap = []
        for _ in range(4):
            for number in range(250):
                peer.say("echo/spk", number.to_bytes(2, "big") + bytes(638), 0)
                assert peer.hear()[1][:2] == number.to_bytes(2, "big")
            peer.say("echo/down", b"heap")
            heap.append(int(peer.hear()[1]))
        assert max(heap) - min(heap) <= 512


def test_a_killed_device_is_said_to_be_gone(broker: Broker) -> None:
    with talking(broker.port) as (device, peer):
        device.process.kill()
        assert peer.hear() == ("echo/status", b"gone")


def test_the_device_comes_back_after_the_broker_and_is_subscribed_again(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    peer = device = None
    try:
        device = Device(broker.port)
        assert device.event() == {"event": "up"}
        broker.stop()
        down = device.event()
        assert down["event"] == "down"
        assert down["why"].startswith(f"No connection to the broker at 127.0.0.1:{broker.port}")
        broker.start()
        while (event := device.event())["event"] == "down":
            assert "ECONNREFUSED" in event["why"]
        assert event == {"event": "up"}
        peer = Peer(broker.port)
        peer.say("echo/down", b"again")
        assert peer.hear() == ("echo/up", b"again")
    finally:
        if device is not None:
            device.end()
        if peer is not None:
            peer.stop()
        broker.stop()


def test_a_user_with_a_wrong_password_is_told_and_a_right_one_talks(tmp_path: Path) -> None:
    broker = Broker(tmp_path, USERS)
    try:
        device = Device(broker.port, user="anna", password="wrong-secret")
        why = device.event()["why"]
        log = device.end()
        # rumqttd hangs up where others answer with a code.
        assert why == (
            f"The broker at 127.0.0.1:{broker.port} hung up on user 'anna': "
            "check the user name, the password and the port."
        )
        assert "wrong-secret" not in log
        with talking(broker.port, user="anna", password="right") as (_, peer):
            peer.say("echo/down", b"hello")
            assert peer.hear() == ("echo/up", b"hello")
    finally:
        broker.stop()


class TlsInFront:
    """Ends TLS in front of a plain broker, on a loop in a thread of its own."""

    def __init__(self, certificate: Certificate, broker_port: int) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate.file, certificate.key_file)
        self._broker_port = broker_port
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._ready.wait(LIMIT_S)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, ssl=self._context)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ended.wait()
        server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._broker_port)

        async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                while data := await source.read(4096):
                    target.write(data)
                    await target.drain()
            target.close()

        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return Certificate(tmp_path_factory.mktemp("tls"), "broker")


@pytest.fixture
def tls(broker: Broker, certificate: Certificate) -> Iterator[TlsInFront]:
    front = TlsInFront(certificate, broker.port)
    yield front
    front.stop()


def test_it_talks_by_tls_to_the_host_of_the_certificate(
    broker: Broker, certificate: Certificate, tls: TlsInFront
) -> None:
    options = {"host": "localhost", "ca": str(certificate.file)}
    with talking(broker.port, tls.port, **options) as (device, peer):
        for size in (0, 1, 2000, 4102, 8000):
            payload = bytes(index * 31 & 0xFF for index in range(size))
            peer.say("echo/down", payload)
            assert peer.hear() == ("echo/up", payload)
        for number in range(100):
            peer.say("echo/spk", number.to_bytes(2, "big") + bytes(638), 0)
            assert peer.hear()[1][:2] == number.to_bytes(2, "big")
        peer.say("echo/down", b"stop")
        assert device.event() == {"event": "stopped", "dropped": 0}


def test_a_certificate_of_somebody_else_is_refused(tmp_path: Path, tls: TlsInFront) -> None:
    other = Certificate(tmp_path, "other")
    device = Device(tls.port, host="localhost", ca=str(other.file))
    try:
        why = device.event()["why"]
    finally:
        device.end()
    assert why.startswith(f"TLS with localhost:{tls.port} failed (")
    assert why.endswith("): check the broker's certificate and this clock.")


def test_plain_text_to_a_tls_port_is_no_connection(tls: TlsInFront) -> None:
    device = Device(tls.port)
    try:
        why = device.event()["why"]
    finally:
        device.end()
    # The alert of a TLS server may arrive before its end.
    where = f"127.0.0.1:{tls.port}"
    assert why.startswith((f"The broker at {where} hung up on", f"What {where} sends is not MQTT"))
