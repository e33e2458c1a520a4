"""A load of talking devices: each one MQTT connection that sends microphone frames and times what
comes back. Runs in a process of its own; prints `counting` when the warm-up is over, and one JSON
line of latencies at the end, with the late frames and when this process itself could not run.

python -m tools.bench.relay.talkers PORT DEVICES SECONDS [--echo]

Every device says hello, opens a turn and sends 25 pcm16 frames a second. A frame carries its own
sending time in its first samples, so an assistant that echoes audio sends the time back. --echo
sends to a bare echo instead (no hello, no turn), for comparison.
"""

import argparse
import asyncio
import json
import math
import random
import socket
import struct
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from voxwire import audio, capability, message, topics

from tools.bench.relay import measured, sleeper
from tools.bench.relay.stalls import LateFrame, Stall

FRAME_MS = 40
SAMPLES = 16 * FRAME_MS
LATE_MS = 60.0  # a frame later than this misses a 60 ms jitter buffer
WARM_UP_S = 1.0
AFTER_S = 0.5  # for what is still on its way; later is lost
KEEPALIVE_S = 60
MARK = b"vox!"


def packet(kind: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while True:
        byte, size = size & 127, size >> 7
        length.append(byte | 128 if size else byte)
        if not size:
            return bytes((kind,)) + bytes(length) + body


def publish(topic: str, payload: bytes, qos: int = 0) -> bytes:
    name = topic.encode()
    packet_id = b"\x00\x01" if qos else b""
    return packet(0x30 | qos << 1, struct.pack(">H", len(name)) + name + packet_id + payload)


def body_of(buffer: bytearray, at: int) -> tuple[int, int] | None:
    """Where the body of the packet at `at` begins and ends; None when it is not there yet."""
    size = shift = 0
    for index in range(at + 1, len(buffer)):
        size |= (buffer[index] & 127) << shift
        shift += 7
        if buffer[index] < 128:
            end = index + 1 + size
            return (index + 1, end) if end <= len(buffer) else None
    return None


class Device(asyncio.Protocol):
    """One talker. `latencies` holds ms of the frames that came back after the warm-up."""

    def __init__(self, name: str, echo: bool) -> None:
        self.name = name
        self.echo = echo
        self.buffer = bytearray()
        self.latencies: list[float] = []
        self.late: list[LateFrame] = []
        self.sent = 0
        self.counting_from = math.inf
        self.session_id = ""
        self.greeted = asyncio.Event()

    def topic(self, channel: str) -> str:
        return topics.topic(topics.ROOT, self.name, channel)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.socket = transport.get_extra_info("socket")
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = self.name.encode()
        # rumqttd takes no keep-alive of 0.
        opening = b"\x00\x04MQTT\x04\x02" + struct.pack(">HH", KEEPALIVE_S, len(client))
        transport.write(packet(0x10, opening + client))
        for index, channel in enumerate(("down", "spk")):
            name = self.topic(channel).encode()
            body = struct.pack(">HH", index + 1, len(name)) + name + b"\x00"
            transport.write(packet(0x82, body))
        if self.echo:
            self.greeted.set()
        else:
            self._greet(transport)

    def _greet(self, transport: asyncio.Transport) -> None:
        sound = capability.Sound(("pcm16",), 16000, FRAME_MS, (16000,), 400, "full")
        hello = capability.Capability(
            *(self.name, "", "load", "load", sound, None, (), False),
            *(("realtime",), "en", "off", 1, None, None),
        )
        transport.write(publish(self.topic("status"), b'{"online":true}', 1))
        transport.write(publish(self.topic("hello"), capability.encode(hello), 1))

    def data_received(self, data: bytes) -> None:
        # rumqttd leaves Nagle's algorithm on: with a delayed acknowledgement a frame would wait
        # in the broker for the next one. Linux forgets this option with every read.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        buffer = self.buffer
        buffer += data
        at = 0
        while (place := body_of(buffer, at)) is not None:
            body, end = place
            if buffer[at] & 0xF0 == 0x30:
                self.received(buffer[at] >> 1 & 3, bytes(buffer[body:end]))
            at = end
        del buffer[:at]

    def received(self, qos: int, body: bytes) -> None:
        length = body[0] << 8 | body[1]
        payload = body[2 + length :]
        if qos:
            self.transport.write(packet(0x40, payload[:2]))
            payload = payload[2:]
        if body[2 : 2 + length].endswith(b"/spk"):
            mark = payload.find(MARK, audio.HEADER_BYTES)
            if mark >= 0:
                sent = struct.unpack_from(">d", payload, mark + 4)[0]
                if sent >= self.counting_from:
                    self._came(sent, time.monotonic())
            return
        match message.decode(message.FROM_BRIDGE, payload):
            case "hello", hello:
                self.session_id = hello.session_id
                self.greeted.set()

    def _came(self, sent: float, now: float) -> None:
        self.latencies.append((now - sent) * 1000)
        if self.latencies[-1] > LATE_MS:
            self.late.append((sent, now))

    def talk(self, at: float, until: float) -> None:
        """Begin to talk at loop time `at`, until `until`."""
        asyncio.get_running_loop().call_at(at, self._listen, at, until)

    def _listen(self, at: float, until: float) -> None:
        if not self.echo:
            listen = message.make(
                message.FROM_DEVICE,
                "listen",
                session_id=self.session_id,
                id="load",
                state="start",
                mode="realtime",
            )
            encoded = message.encode(message.FROM_DEVICE, listen)
            self.transport.write(publish(self.topic("up"), encoded, 1))
        self._send(at, until, 0)

    def leave(self) -> None:
        """Go away as a device does that is switched off."""
        if not self.echo:
            self.transport.write(publish(self.topic("status"), b'{"online":false}', 1))
        self.transport.write(packet(0xE0, b""))
        self.transport.close()

    def _send(self, at: float, until: float, seq: int) -> None:
        frame = bytearray(audio.HEADER_BYTES + 2 * SAMPLES)
        audio.write_header(frame, audio.PCM16, seq, seq * FRAME_MS)
        now = time.monotonic()
        struct.pack_into(">4sd", frame, audio.HEADER_BYTES, MARK, now)
        self.transport.write(publish(self.topic("mic"), bytes(frame)))
        self.sent += now >= self.counting_from
        at += FRAME_MS / 1000
        if at < until:
            asyncio.get_running_loop().call_at(at, self._send, at, until, seq + 1)


async def load(port: int, count: int, seconds: float, echo: bool) -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    devices = await connected(port, count, echo)
    now = loop.time()
    for device in devices:
        device.talk(now + random.random() * FRAME_MS / 1000, now + WARM_UP_S + seconds)
    stalls: list[Stall] = []
    watching = asyncio.create_task(sleeper.watch(stalls), name="sleeper")
    await asyncio.sleep(WARM_UP_S)
    print("counting", flush=True)
    for device in devices:
        device.counting_from = time.monotonic()
    used = time.process_time()
    await asyncio.sleep(seconds)
    used = time.process_time() - used
    await asyncio.sleep(AFTER_S)
    watching.cancel()
    for device in devices:
        device.leave()
    late = [frame for device in devices for frame in device.late]
    figures = counts(devices)
    return {**figures, "cpu_percent": round(100 * used / seconds), "late_frames": late,
            "stalls": stalls}  # fmt: skip


async def connected(port: int, count: int, echo: bool) -> list[Device]:
    """Devices that have their session; with `echo` those that need none."""
    loop = asyncio.get_running_loop()
    devices = []
    for index in range(count):
        make = partial(Device, f"load-{index}", echo)
        _, device = await loop.create_connection(make, "127.0.0.1", port)
        devices.append(device)
    await asyncio.wait_for(asyncio.gather(*(each.greeted.wait() for each in devices)), 30)
    return devices


def counts(devices: Sequence[Device]) -> dict[str, float]:
    """What was sent and came back, and how long that took."""
    latencies = sorted(each for device in devices for each in device.latencies)
    sent = sum(device.sent for device in devices)
    return {
        "devices": len(devices),
        "sent": sent,
        "lost": max(0, sent - len(latencies)),
        "returned": len(latencies),
        "p50_ms": round(measured.quantile(latencies, 0.5), 2),
        "p99_ms": round(measured.quantile(latencies, 0.99), 2),
        "max_ms": round(latencies[-1], 1) if latencies else 0.0,
        "late": sum(each > LATE_MS for each in latencies) + max(0, sent - len(latencies)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("devices", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--echo", action="store_true")
    options = parser.parse_args()
    figures = load(options.port, options.devices, options.seconds, options.echo)
    print(json.dumps(asyncio.run(figures)))


if __name__ == "__main__":
    main()
