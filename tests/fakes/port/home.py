"""Broker and bridge of one device, by script, over a fake stream: real packets, real messages."""

import asyncio
import hashlib
import json

from audio import adpcm
from fakes.device.mqtt_broker import CONNACK, Wire
from voxwire import audio, blob

_CONNECT, _PUBLISH, _SUBSCRIBE, _PING = 1, 3, 8, 12
LIMIT_MS = 20000


class Home:
    """What the device says, by channel, and what is said to it; `connect` is mqtt.stream's."""

    def __init__(self):
        self._wire = None
        self._data = b""
        self._queues = {}
        self._topics = {}
        self._packet_id = 0

    async def connect(self, host, port, tls):
        self._wire = Wire()
        self._data = b""
        return self._wire

    async def serve(self):
        """Take what comes; never ends."""
        while True:
            if self._wire is not None:
                self._data += self._wire.received()
                while self._take_one():
                    pass
            await asyncio.sleep_ms(5)

    def _take_one(self):
        """Take one packet off what came; False when none is whole."""
        size = shift = 0
        for at in range(1, min(len(self._data), 5)):
            size |= (self._data[at] & 127) << shift
            shift += 7
            if self._data[at] < 128:
                begin, end = at + 1, at + 1 + size
                if len(self._data) < end:
                    return False
                self._obey(self._data[0], self._data[begin:end])
                self._data = self._data[end:]
                return True
        return False

    def _obey(self, head, body):
        kind = head >> 4
        if kind == _CONNECT:
            self._wire.send(CONNACK)
        elif kind == _SUBSCRIBE:
            grants = 0
            at = 2
            while at < len(body):
                at += 3 + (body[at] << 8 | body[at + 1])
                grants += 1
            self._wire.send(bytes((0x90, 2 + grants)) + body[:2] + b"\x01" * grants)
        elif kind == _PING:
            self._wire.send(b"\xd0\x00")
        elif kind == _PUBLISH:
            self._published(head, body)

    def _published(self, head, body):
        end = 2 + (body[0] << 8 | body[1])
        topic = str(body[2:end], "ascii")
        if head >> 1 & 3:
            self._wire.send(b"\x40\x02" + body[end : end + 2])
            end += 2
        self._root, _, channel = topic.partition("/")
        self._root += "/" + channel.split("/")[0] + "/"
        channel = topic[len(self._root) :]
        self._queues.setdefault(channel, []).append(body[end:])
        if channel == "status":
            # A device hears its own status to know that it is connected both ways.
            self._publish("status", body[end:], 0)

    def _publish(self, channel, payload, qos):
        topic = (self._root + channel).encode()
        body = bytes((len(topic) >> 8, len(topic) & 255)) + topic
        if qos:
            self._packet_id += 1
            body += bytes((self._packet_id >> 8, self._packet_id & 255))
        body += payload
        size, length = len(body), b""
        while True:
            more = size > 127
            length += bytes((size & 127 | (128 if more else 0),))
            size >>= 7
            if not more:
                break
        self._wire.send(bytes((0x30 | qos << 1,)) + length + body)

    # What a test does.

    async def next(self, channel):
        """The next payload on a channel."""
        queue = self._queues.setdefault(channel, [])
        for _ in range(LIMIT_MS // 10):
            if queue:
                return queue.pop(0)
            await asyncio.sleep_ms(10)
        raise AssertionError("nothing came on %s; there is %s" % (channel, self._queues))

    async def heard(self, channel="up", **match):
        """The next message whose fields equal `match`."""
        while True:
            message = json.loads(await self.next(channel))
            if all(message.get(name) == value for name, value in match.items()):
                return message

    def say(self, kind, **values):
        values.update({"type": kind, "session_id": "s1"})
        self._publish("down", json.dumps(values).encode(), 1)

    async def greet(self):
        """Answer the hello; returns it."""
        hello = await self.heard("hello")
        self._form = "pcm16" if "pcm16" in hello["sound"]["formats"] else "ima-adpcm"
        sound = {"format": self._form, "sample_rate": 16000, "frame_duration": 40}
        self.say("hello", audio_params=sound, time=1796032800)
        return hello

    def speak(self, seq, level):
        """40 ms of one level, which both formats carry without loss."""
        header = bytearray(audio.HEADER_BYTES)
        audio.write_header(header, audio.FORMATS[self._form], seq, 0)
        payload = level.to_bytes(2, "little") * 640
        if self._form == "ima-adpcm":
            payload = level.to_bytes(2, "big") + bytes(2 + 320)
        self._publish("spk", bytes(header) + payload, 0)

    def samples(self, frame):
        """The samples of a microphone frame."""
        pcm = frame[audio.HEADER_BYTES :]
        if self._form == "ima-adpcm":
            packet, pcm = pcm, bytearray(1280)
            adpcm.decode(packet, len(packet), pcm)
        words = [int.from_bytes(pcm[at : at + 2], "little") for at in range(0, len(pcm), 2)]
        return [word - 65536 if word & 0x8000 else word for word in words]

    async def call(self, call_id, name, **arguments):
        """The result of a tool; the scope is the user's."""
        params = {"name": name, "arguments": arguments, "_meta": {"voxcard/scope": "user"}}
        request = {"jsonrpc": "2.0", "id": call_id, "method": "tools/call", "params": params}
        self.say("mcp", payload=request)
        return (await self.heard(type="mcp"))["payload"]["result"]

    async def picture(self):
        """The next blob, whole."""
        data = bytearray()
        receiver = blob.Receiver(lambda head: data.extend, hashlib.sha256(), 1 << 20)
        while True:
            chunk = blob.decode(await self.next("blob/up"))
            if receiver.add(chunk) is not None:
                self.say("blob", id=chunk.id, next=receiver.next)
                return bytes(data)
