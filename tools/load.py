"""A load of talking devices: each one MQTT connection that sends microphone frames and times what
comes back. Runs in a process of its own; prints one JSON line of latencies.

python -m tools.load PORT DEVICES SECONDS [--echo]

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

from voxwire import audio, capability, message, topics

FRAME_MS = 40
SAMPLES = 16 * FRAME_MS
LATE_MS = 60.0  # a frame later than this misses a 60 ms jitter buffer
WARM_UP_S = 1.0
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


class Device(asyncio.Protocol):
    """One talker. `latencies` holds ms of the frames that came back after the warm-up."""

    def __init__(self, name: str, echo: bool) -> None:
        self.name = name
        self.echo = echo
        self.buffer = bytearray()
        self.latencies: list[float] = []
        self.sent = 0
        self.counting = False
        self.talking = asyncio.Event()

    def topic(self, channel: str) -> str:
        return topics.topic(topics.ROOT, self.name, channel)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = self.name.encode()
        transport.write(
            packet(0x10, b"\x00\x04MQTT\x04\x02\x00\x00" + struct.pack(">H", len(client)) + client)
        )
        for index, channel in enumerate(("down", "spk")):
            name = self.topic(channel).encode()
            body = struct.pack(">HH", index + 1, len(name)) + name + b"\x00"
            transport.write(packet(0x82, body))
        if self.echo:
            self.talking.set()
        else:
            sound = capability.Sound(("pcm16",), 16000, FRAME_MS, (16000,), 400, "full")
            hello = capability.Capability(
                self.name, "", "load", "load", sound, None, (), False, ("auto",), "en", "off", 1
            )
            transport.write(publish(self.topic("status"), b'{"online":true}', 1))
            transport.write(publish(self.topic("hello"), capability.encode(hello), 1))

    def data_received(self, data: bytes) -> None:
        buffer = self.buffer
        buffer += data
        at = 0
        while len(buffer) - at >= 2:
            size, shift, body = 0, 0, at + 1
            while body < len(buffer):
                byte = buffer[body]
                body += 1
                size |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            else:
                break
            if len(buffer) - body < size:
                break
            if buffer[at] & 0xF0 == 0x30:
                self.received(buffer[at] >> 1 & 3, bytes(buffer[body : body + size]))
            at = body + size
        del buffer[:at]

    def received(self, qos: int, body: bytes) -> None:
        length = body[0] << 8 | body[1]
        payload = body[2 + length :]
        if qos:
            self.transport.write(packet(0x40, payload[:2]))
            payload = payload[2:]
        if body[2 : 2 + length].endswith(b"/spk"):
            mark = payload.find(MARK, audio.HEADER_BYTES)
            if self.counting and mark >= 0:
                sent = struct.unpack_from(">d", payload, mark + 4)[0]
                self.latencies.append((time.monotonic() - sent) * 1000)
            return
        told = message.decode(message.FROM_BRIDGE, payload)
        if isinstance(told, message.FROM_BRIDGE["hello"].make) and not self.talking.is_set():
            listen = message.make(
                message.FROM_DEVICE,
                "listen",
                session_id=told.session_id,
                id="load",
                state="start",
                mode="realtime",
                seq=0,
            )
            encoded = message.encode(message.FROM_DEVICE, listen)
            self.transport.write(publish(self.topic("up"), encoded, 1))
            self.talking.set()

    async def talk(self, until: float) -> None:
        await self.talking.wait()
        topic = self.topic("mic")
        frame = bytearray(audio.HEADER_BYTES + 2 * SAMPLES)
        seq = 0
        at = time.monotonic() + random.random() * FRAME_MS / 1000
        while at < until:
            await asyncio.sleep(at - time.monotonic())
            audio.write_header(frame, audio.PCM16, seq, seq * FRAME_MS)
            struct.pack_into(">4sd", frame, audio.HEADER_BYTES, MARK, time.monotonic())
            self.transport.write(publish(topic, bytes(frame)))
            self.sent += self.counting
            seq += 1
            at += FRAME_MS / 1000


def quantile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)] if values else math.nan


async def load(port: int, count: int, seconds: float, echo: bool) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    devices = [Device(f"load-{index}", echo) for index in range(count)]
    for device in devices:
        await loop.create_connection(lambda d=device: d, "127.0.0.1", port)
    await asyncio.wait_for(asyncio.gather(*(d.talking.wait() for d in devices)), 30)
    until = time.monotonic() + WARM_UP_S + seconds
    talkers = [asyncio.create_task(device.talk(until)) for device in devices]
    await asyncio.sleep(WARM_UP_S)
    for device in devices:
        device.counting = True
    await asyncio.gather(*talkers)
    await asyncio.sleep(0.5)
    latencies = sorted(each for device in devices for each in device.latencies)
    sent = sum(device.sent for device in devices)
    return {
        "devices": count,
        "sent": sent,
        "returned": len(latencies),
        "p50_ms": round(quantile(latencies, 0.5), 2),
        "p99_ms": round(quantile(latencies, 0.99), 2),
        "max_ms": round(latencies[-1], 1) if latencies else math.nan,
        "late": sum(each > LATE_MS for each in latencies) + max(0, sent - len(latencies)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("devices", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--echo", action="store_true")
    given = parser.parse_args()
    print(json.dumps(asyncio.run(load(given.port, given.devices, given.seconds, given.echo))))


if __name__ == "__main__":
    main()
