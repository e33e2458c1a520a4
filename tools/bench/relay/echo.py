"""A bare paho echo on the asyncio loop: what MQTT itself costs, for comparison with the relay.

python -m tools.bench.relay.echo PORT   sends every microphone frame back, and reports its use
(tools.bench.relay.measured).
"""

import asyncio
import socket
import sys

import paho.mqtt.client as paho
from paho.mqtt.client import SocketLike
from paho.mqtt.enums import CallbackAPIVersion
from voxwire import topics
from voxwire.bridge_only import channels

from tools.bench.relay import measured


async def echo(port: int) -> None:
    loop = asyncio.get_running_loop()
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id="echo")
    count = 0

    def opened(_client: object, _data: object, sock: SocketLike) -> None:
        assert isinstance(sock, socket.socket)  # not TLS, not a WebSocket
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop.add_reader(sock, client.loop_read)

    def closed(_client: object, _data: object, sock: SocketLike) -> None:
        loop.remove_reader(sock)

    def wants_to_write(_client: object, _data: object, sock: SocketLike) -> None:
        loop.add_writer(sock, client.loop_write)

    def has_written(_client: object, _data: object, sock: SocketLike) -> None:
        loop.remove_writer(sock)

    def connected(*_: object) -> None:
        client.subscribe(channels.subscription(topics.ROOT, "mic"))

    def received(_client: object, _data: object, message: paho.MQTTMessage) -> None:
        nonlocal count
        count += 1
        client.publish(message.topic[: -len("mic")] + "spk", message.payload)

    client.on_socket_open = opened
    client.on_socket_close = closed
    client.on_socket_register_write = wants_to_write
    client.on_socket_unregister_write = has_written
    client.on_connect = connected
    client.on_message = received
    client.connect("127.0.0.1", port)
    await measured.report(lambda: count)
    client.disconnect()


if __name__ == "__main__":
    asyncio.run(echo(int(sys.argv[1])))
