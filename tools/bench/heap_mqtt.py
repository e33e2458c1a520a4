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


class Count:
    """Messages that came back."""

    def __init__(self):
        self.value = 0

    def add(self, payload):
        self.value += 1


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
    count, control = Count(), bytes(200)
    frame = bytearray(FRAME_BYTES)
    client = Client(host, port, "heap")
    client.subscribe(OWN, 0, count.add)
    tasks = [asyncio.create_task(client.run()), asyncio.create_task(client.keep_alive())]
    while not client.connected:
        await asyncio.sleep_ms(5)

    async def frames():
        for _ in range(FRAMES):
            client.send(TOPIC, frame, FRAME_BYTES)
            await asyncio.sleep_ms(1)

    async def controls():
        for _ in range(INFLIGHT):
            await client.publish(CONTROL, control, 1)

    async def echoes():
        wanted = count.value + FRAMES
        for _ in range(FRAMES):
            client.send(OWN, frame, FRAME_BYTES)
            await asyncio.sleep_ms(1)
        while count.value < wanted:
            await asyncio.sleep_ms(1)

    async def idle():
        await asyncio.sleep_ms(IDLE_MS)

    await echoes()  # first uses grow tables once
    published = await counted(frames) // FRAMES
    figures = {
        "publish_bytes": published,
        "publish_qos1_bytes": await counted(controls) // INFLIGHT,
        "receive_bytes": await counted(echoes) // FRAMES - published,
        "idle_bytes": await counted(idle),
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
