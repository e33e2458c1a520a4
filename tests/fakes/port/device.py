"""A board with its firmware on the port's fakes, and a conversation with it.

Import fakes.port first.
"""

import asyncio  # noqa: I001  the order below matters
import os

# Before the app, which imports it from far down: sources that are compiled inside each other need
# more stack than a 32-bit interpreter has.
import voxwire.message  # noqa: F401
import app
import framebuf
import network
from fakes.port import clock
from fakes.port.boards import Bench
from fakes.port.home import Home
from fakes.port.i2s import I2S
from fakes.port.pins import Pin, journal
from hal import credentials
from hal.esp32 import Esp32Board

FRAMES = 12
ROWS = 16  # of a band; the height of every panel is so many times some number
STEP_US = 5000  # the longest that nothing else may run


class Device:
    """A board with its firmware, in its Wi-Fi and with a bridge."""

    def __init__(self, name, missing=None):
        self.bench = Bench(name, missing)
        network.WLAN.air = {"home": "correct horse"}
        credentials.save("home", "correct horse", "DE")
        root = "%s/voxcard-%s-%d" % (os.getenv("TMPDIR") or "/tmp", name, clock.ticks_us())
        os.mkdir(root)
        self.board = Esp32Board(self.bench.file, root)
        self.board.settings = {"host": "broker", "id": "kitchen", "guide": "seen"}
        self.home = Home()
        app.connect = self.home.connect
        self.app = app.App(self.board)

    async def __aenter__(self):
        self._tasks = [asyncio.create_task(each()) for each in (self.app.run, self.home.serve)]
        self.hello = await self.home.greet()
        await self.until(lambda: self.app._voice.state == "idle")
        return self

    async def __aexit__(self, *_):
        for task in self._tasks:
            task.cancel()
        await asyncio.sleep_ms(0)

    async def until(self, condition):
        for _ in range(2000):
            if condition():
                return
            await asyncio.sleep_ms(10)
        raise AssertionError("did not happen")

    async def press(self, ms=100):
        """Press the button that talks; a board without one has a touch panel."""
        pins = [each._pin.gpio for each in self.board.buttons if each.name == "talk"]
        if not pins:
            self.bench.touch.touch(1)
            await asyncio.sleep_ms(ms)
            self.bench.touch.touch(0)
            return
        (button,) = [each for each in self.bench.file["buttons"] if each.get("gpio") == pins[0]]
        down = 1 if button["active"] == "high" else 0
        Pin.levels[pins[0]] = down
        await asyncio.sleep_ms(ms)
        Pin.levels[pins[0]] = 1 - down


def wave(shift):
    """A square wave of 250 Hz and 1000 of 32767 behind a gain of `shift`."""
    high, low = 1000 << shift, (-1000 << shift) & 0xFFFFFFFF
    return lambda frame: (high, high) if frame // 32 % 2 else (low, low)


def answer(number):
    """A frame of the spoken answer as it is heard: all its samples are alike, none is 0."""
    return (1000 + number).to_bytes(2, "little") * 640


async def talk(device):
    """One turn: the words go up, the answer is heard whole and in order."""
    home = device.home
    I2S.source = wave(device.bench.file["audio"]["in"].get("gain_shift", 16))
    await device.press()
    listen = await home.heard(type="listen", state="start")
    home.say("turn", id=listen["id"], state="accepted")
    for _ in range(FRAMES):
        frame = await home.next("mic")
    assert_wave(home.samples(frame))
    home.say("turn", id=listen["id"], state="thinking")
    home.say("stt", text="where is my order")
    home.say("tts", state="start", seq=100)
    I2S.played = bytearray()
    device.app._playback.set_volume(100)
    for number in range(FRAMES):
        home.speak(100 + number, 1000 + number)
        await asyncio.sleep_ms(20)
    home.say("tts", state="stop", last_seq=100 + FRAMES - 1)
    assert (await home.heard(type="played"))["seq"] == 100 + FRAMES - 1
    home.say("turn", id=listen["id"], state="done")
    await device.until(lambda: device.app._voice.state == "idle")
    heard = bytes(I2S.played)
    whole = b"".join(answer(number) for number in range(FRAMES))
    begin = heard.find(whole[:2])
    assert begin >= 0 and heard[begin : begin + len(whole)] == whole
    assert not any(heard[:begin]) and not any(heard[begin + len(whole) :])


def assert_wave(pcm):
    assert len(pcm) == 640
    # ADPCM comes a little later than a jump, and goes a little further; so does what makes 16000
    # samples of 15625.
    assert 850 < max(pcm) < 1350 and -1350 < min(pcm) < -850, (max(pcm), min(pcm))
    assert -50 < sum(pcm) // len(pcm) < 50


async def show(device):
    lines = {"k": "t", "t": "Order 1042", "l": ["Comes on Tuesday"]}
    device.home.say("card", op="show", card={"id": "c1", "rev": 0, "pages": [lines]})
    await device.home.heard(type="card", event="shown", id="c1")
    await asyncio.sleep_ms(500)
    assert device.bench.panel.is_on
    assert_drawn(device)


def assert_drawn(device):
    """The panel shows what the view paints, band by band."""
    display, view, shown = device.board.display, device.app._view, device.bench.panel.pixels
    kind = framebuf.MONO_HLSB if display.depth == 1 else framebuf.RGB565
    size = display.width * ROWS * display.depth // 8
    pixels = bytearray(size)
    canvas = framebuf.FrameBuffer(pixels, display.width, ROWS, kind)
    for band in range(display.height // ROWS):
        view._painter.paint(canvas, view.picture(), band * ROWS, (band + 1) * ROWS)
        assert shown[band * size : (band + 1) * size] == pixels, band
    assert any(shown)


async def converse(name):
    """A turn, and a card where there is a screen; no step blocks for long."""
    async with Device(name) as device:
        assert device.hello["board"] == name
        assert network.WLAN.attempts == [("home", "correct horse")]
        # On a battery the radio sleeps between turns.
        saving = (
            network.WLAN.PM_NONE if device.board.battery is None else network.WLAN.PM_PERFORMANCE
        )
        assert network.WLAN.settings == {"pm": saving, "reconnects": 0}, network.WLAN.settings
        clock.forget()
        await talk(device)
        if device.board.display is not None:
            await show(device)
        assert clock.longest_us <= STEP_US, "%d us in one step" % clock.longest_us
        return device, list(journal)
