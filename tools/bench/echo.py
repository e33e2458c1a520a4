"""A bare paho echo on the asyncio loop: what MQTT itself costs, for comparison with the relay.

python -m tools.bench.echo PORT   sends every microphone frame back, and reports its use
(tools.bench.measured).
"""

import asyncio
import socket
import sys

import paho.mqtt.client as paho
from voxwire import topics

from tools.bench import measured


async def echo(port: int) -> None:
    loop = asyncio.get_running_loop()
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="echo")
    count = 0

    def opened(_client, _data, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop.add_reader(sock, client.loop_read)

    def received(_client, _data, told):
        nonlocal count
        count += 1
        client.publish(told.topic[: -len("mic")] + "spk", told.payload)

    client.on_socket_open = opened
    client.on_socket_close = lambda _c, _d, sock: loop.remove_reader(sock)
    client.on_socket_register_write = lambda _c, _d, sock: loop.add_writer(sock, client.loop_write)
    client.on_socket_unregister_write = lambda _c, _d, sock: loop.remove_writer(sock)
    client.on_connect = lambda *_: client.subscribe(topics.subscription(topics.ROOT, "mic"))
    client.on_message = received
    client.connect("127.0.0.1", port)
    await measured.report(lambda: count)
    client.disconnect()


if __name__ == "__main__":
    asyncio.run(echo(int(sys.argv[1])))
