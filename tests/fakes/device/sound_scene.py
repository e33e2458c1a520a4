"""A Voice over a real Capture, with settings, a wake word and what left the device."""

import asyncio
from array import array

from audio.capture import Capture
from fakes.device.audio_device import FakeMicrophone, settle
from fakes.device.voice_parts import FakePlayback, VoiceScene
from session.hearing import Hearing
from session.voice import Voice
from settings import Settings
from voxwire import audio

AUDIO = {"format": "pcm16", "sample_rate": 24000, "channels": 1, "frame_duration": 40}
FRAME = 640  # samples


class SoundScene(VoiceScene):
    """A Voice over a real Capture; `sent` are the frames that left the device."""

    def __init__(self, full_duplex=False):
        VoiceScene.__init__(self)
        self.microphone, self.sent = FakeMicrophone(), []
        self.link.handlers = {}
        self.capture = Capture(
            self.microphone, self._send, ticks_ms=self.clock.ticks_ms, sleep_ms=self.clock.sleep_ms
        )
        self.playback = FakePlayback(self.journal, self.clock)
        guard_ms = 0 if full_duplex else 200
        parts = (self.link, self.view, self.capture, self.playback)
        self.voice = Voice(
            *parts, guard_ms=guard_ms, ticks_ms=self.clock.ticks_ms, sleep_ms=self.clock.sleep_ms
        )
        self.link.on("hello", self.voice.hello)
        self.settings, self.count = Settings(), 0
        parts = self.voice, self.link, self.view, self.capture
        Hearing(self.settings, *parts, self.settings.set, ticks_ms=self.clock.ticks_ms)

    def _send(self, buffer, size):
        self.sent.append(audio.decode(bytes(buffer[:size])))
        return True

    def ready(self, wanted=True):
        self.voice.link_event("link_up")
        self.settings.set("wake", "on" if wanted else "off")
        self.hear("hello", session_id="s", audio_params=AUDIO, wake=True)
        self.later(300)

    def later(self, ms):
        """The clock goes on."""
        self.clock.now_ms += ms
        self.voice.tick()

    async def sound(self, *levels):
        """The microphone hears one frame of each level, every frame another."""
        for level in levels:
            self.count += 1
            # Its number is its first sample, so that frames are told apart.
            pcm = array("h", [self.count] + [level] * (FRAME - 1))
            self.microphone.give(bytes(pcm))
            for _ in range(8):
                await settle()
            self.clock.now_ms += 40
            self.voice.tick()

    def numbers(self):
        """The frames that left, by their numbers."""
        return [frame.payload[0] | frame.payload[1] << 8 for frame in self.sent]

    def listens(self):
        """The listen messages: (state, mode, id, seq)."""
        return [
            (values["state"], values["mode"], values["id"], values["seq"])
            for name, values in self.link.posts
            if name == "listen"
        ]


async def during(scene, steps):
    task = asyncio.create_task(scene.capture.run())
    await settle()
    try:
        await steps(scene)
    finally:
        task.cancel()
