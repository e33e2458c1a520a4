"""A bare paho echo on the asyncio loop: what MQTT itself costs, for comparison with the relay.

python -m tools.bench.relay.echo PORT   sends every microphone frame back, and reports its use
(tools.bench.relay.measured).
"""

import asyncio
import socket
import sys
from typing import TYPE_CHECKING

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from voxwire import topics
from voxwire.bridge_only import channels

from tools.bench.relay import measured

if TYPE_CHECKING:
    from paho.mqtt.client import SocketLike


class Echo:
    """The client on this thread's loop, and how many frames it sent back."""

    def __init__(self) -> None:
        self.frames = 0
        self._loop = asyncio.get_running_loop()
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2, client_id="echo")
        client.on_socket_open = self._opened
        client.on_socket_close = self._closed
        client.on_socket_register_write = self._wants_to_write
        client.on_socket_unregister_write = self._has_written
        client.on_connect = self._connected
        client.on_message = self._received

    async def run(self, port: int) -> None:
        self._client.connect("127.0.0.1", port)
        await measured.report(lambda: self.frames)
        self._client.disconnect()

    def _opened(self, _client: object, _data: object, sock: "SocketLike") -> None:
        assert isinstance(sock, socket.socket)  # not TLS, not a WebSocket
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._loop.add_reader(sock, self._client.loop_read)

    def _closed(self, _client: object, _data: object, sock: "SocketLike") -> None:
        self._loop.remove_reader(sock)

    def _wants_to_write(self, _client: object, _data: object, sock: "SocketLike") -> None:
        self._loop.add_writer(sock, self._client.loop_write)

    def _has_written(self, _client: object, _data: object, sock: "SocketLike") -> None:
        self._loop.remove_writer(sock)

    def _connected(self, *_: object) -> None:
        self._client.subscribe(channels.subscription(topics.ROOT, "mic"))

    def _received(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        self.frames += 1
        self._client.publish(message.topic[: -len("mic")] + "spk", message.payload)


async def echo(port: int) -> None:
    await Echo().run(port)


if __name__ == "__main__":
    asyncio.run(echo(int(sys.argv[1])))
