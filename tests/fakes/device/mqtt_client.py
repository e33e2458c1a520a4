"""An MQTT client without a broker: keeps what was published, and lets a test be the bridge."""

import asyncio
import json


class FakeClient:
    """Every QoS 1 message is acknowledged at once, unless `holding`."""

    def __init__(self):
        self.connected = False
        self.problem = ""
        self.handlers = {}
        self.published = []
        self.frames = []
        self.takes_frames = True
        self.holding = False
        self.stopped = False
        self.on_up = self.on_down = None

    def subscribe(self, topic, qos, handler, retained=False):
        self.handlers[topic.decode()] = handler

    def send(self, topic, payload, length):
        if self.takes_frames:
            self.frames.append((topic, bytes(payload[:length])))
        return self.takes_frames

    async def publish(self, topic, payload, qos=0, retain=False):
        self.published.append((topic.decode(), bytes(payload), qos, retain))
        return len(self.published)

    async def acknowledged(self, packet_id):
        await asyncio.sleep_ms(0)
        while self.holding:
            await asyncio.sleep_ms(0)

    async def run(self):
        pass

    async def keep_alive(self):
        pass

    async def stop(self, limit_ms=1000):
        self.stopped = True

    def rise(self):
        self.connected = True
        self.on_up()

    def fall(self):
        self.connected = False
        self.on_down("gone")

    def say(self, **values):
        """A control message from the bridge."""
        self.handlers["voxcard/cam/down"](memoryview(json.dumps(values).encode()))

    def spoken(self, channel):
        """Payloads published on one channel since the last call, parsed."""
        name = "voxcard/cam/" + channel
        payloads = [json.loads(each[1]) for each in self.published if each[0] == name]
        self.published = [each for each in self.published if each[0] != name]
        return payloads
