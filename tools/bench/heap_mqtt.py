"""MicroPython: heap that the MQTT client takes per publish, per receive and when idle; as JSON.

micropython [-X heapsize=150k] tools/bench/heap_mqtt.py HOST PORT    with firmware on MICROPYPATH.
Needs a broker. The collector is off while it counts, so a count is what was allocated. One frame
is 640 bytes; a QoS 1 publish is counted without its PUBACK.
"""

import asyncio
import gc
import json
import sys

from mqtt.client import INFLIGHT, Client

FRAMES = 100
FRAME_BYTES = 640
IDLE_MS = 3000
TOPIC = b"voxcard/heap/mic"
CONTROL = b"voxcard/heap/up"
OWN = b"voxcard/heap/spk"


class Traffic:
    """What is counted: frames out, control messages out, frames out and in, nothing."""

    def __init__(self, client):
        self._client = client
        self._frame, self._control = bytearray(FRAME_BYTES), bytes(200)
        self._returned = 0
        client.subscribe(OWN, 0, self._add)

    def _add(self, payload):
        self._returned += 1

    async def frames(self):
        await self._send(TOPIC)

    async def controls(self):
        for _ in range(INFLIGHT):
            await self._client.publish(CONTROL, self._control, 1)

    async def echoes(self):
        wanted = self._returned + FRAMES
        await self._send(OWN)
        while self._returned < wanted:
            await asyncio.sleep_ms(1)

    async def idle(self):
        await asyncio.sleep_ms(IDLE_MS)

    async def _send(self, topic):
        for _ in range(FRAMES):
            self._client.send(topic, self._frame, FRAME_BYTES)
            await asyncio.sleep_ms(1)


async def counted(work):
    """Bytes that `await work()` allocates; the coroutine itself is taken off."""

    async def nothing():
        await asyncio.sleep_ms(0)

    return await _allocated(work) - await _allocated(nothing)


async def _allocated(work):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    await work()
    after = gc.mem_alloc()
    gc.enable()
    return after - before


async def measure(host, port):
    client = Client(host, port, "heap")
    traffic = Traffic(client)
    tasks = [asyncio.create_task(client.run()), asyncio.create_task(client.keep_alive())]
    while not client.connected:
        await asyncio.sleep_ms(5)
    await traffic.echoes()  # first uses grow tables once
    published = await counted(traffic.frames) // FRAMES
    figures = {
        "publish_bytes": published,
        "publish_qos1_bytes": await counted(traffic.controls) // INFLIGHT,
        "receive_bytes": await counted(traffic.echoes) // FRAMES - published,
        "idle_bytes": await counted(traffic.idle),
        "idle_ms": IDLE_MS,
        "frame_bytes": FRAME_BYTES,
        "frames_dropped": client.frames_dropped,
    }
    await client.stop()
    for task in tasks:
        await task
    return figures


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2])))))
