"""MicroPython program: the firmware's MQTT client sends back what it hears; events on stdout.

micropython echo_device.py JSON    {"host", "port", "ca"?, "user"?, "password"?}
On echo/down (QoS 1) it answers on echo/up, on echo/spk (QoS 0) on echo/mic; "stop" ends it.
"""

import asyncio
import gc
import json
import sys

from mqtt import packet
from mqtt.client import Client
from mqtt.stream import tls_context


def tell(**values):
    print(json.dumps(values))


def trusted(options):
    if "ca" not in options:
        return None
    with open(options["ca"], "rb") as file:
        return tls_context(file.read())


async def main(options):
    waiting, stop = [], asyncio.Event()
    client = Client(
        options["host"],
        options["port"],
        "echo",
        options.get("user"),
        options.get("password"),
        trusted(options),
        packet.Will(b"echo/status", b"gone", 1, True),
    )

    def down(payload):
        if payload == b"stop":
            stop.set()
        elif payload == b"heap":
            gc.collect()
            waiting.append(b"%d" % gc.mem_alloc())
        else:
            waiting.append(bytes(payload))

    client.subscribe(b"echo/down", 1, down)
    client.subscribe(
        b"echo/spk", 0, lambda payload: client.send(b"echo/mic", payload, len(payload))
    )
    client.on_up = lambda: tell(event="up")
    client.on_down = lambda why: tell(event="down", why=why)
    tasks = [asyncio.create_task(client.run()), asyncio.create_task(client.keep_alive())]
    while not stop.is_set():
        if waiting:
            await client.publish(b"echo/up", waiting.pop(0), 1)
        else:
            await asyncio.sleep_ms(2)
    await client.stop()
    for task in tasks:
        await task
    tell(event="stopped", dropped=client.frames_dropped)


asyncio.run(main(json.loads(sys.argv[1])))
