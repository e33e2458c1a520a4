"""A bare paho echo on the asyncio loop: what MQTT itself costs, for comparison with the relay.

python -m tools.echo PORT   sends every microphone frame back; ends with its standard input, then
prints its CPU seconds and the frames it echoed as one JSON line.
"""

import asyncio
import json
import socket
import sys
import time

import paho.mqtt.client as paho
from voxwire import topics


async def echo(port: int) -> dict[str, float]:
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
    print("ready", flush=True)
    started = time.process_time()
    await loop.run_in_executor(None, sys.stdin.read)
    used = time.process_time() - started
    client.disconnect()
    return {"cpu_s": round(used, 3), "frames": count}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(echo(int(sys.argv[1])))))
