"""A whole board for an App: no screen, no sound, and a network that never comes."""

import asyncio
import os
import time
from collections import namedtuple

Sound = namedtuple("Sound", ("rate_hz", "rates_hz", "start", "stop", "buffered_ms"))


class Away:
    """A network that never comes."""

    lost = False

    async def connect(self):
        await asyncio.Event().wait()

    def status(self):
        return {"type": "wifi"}


class SilentBoard:
    id = name = "test-board"
    device_id = "kitchen"
    observe = battery = camera = display = run = set_time = unix = memory = update = None
    line = access_point = None
    duplex = "half"
    formats = ("ima-adpcm", "pcm16")
    buttons = ()

    def __init__(self):
        folder = os.getenv("TMPDIR") or "/tmp"
        self.root = f"{folder}/voxcard-board-{time.ticks_us()}"
        os.mkdir(self.root)
        self.settings = {"host": "127.0.0.1"}
        self.network = Away()
        idle = lambda *_: 0  # noqa: E731
        self.microphone = self.speaker = Sound(16000, (16000, 24000), idle, idle, idle)
        self.resets = 0

    def unique_id(self):
        return b"\x01\x02\x03\x04\x05\x06"

    def reset(self):
        self.resets += 1
