"""A board that is a process on a PC: commands on stdin, reports on stdout, one JSON a line.

The environment variable VOXCARD_SIMULATOR holds its configuration, a JSON object: `id`, `host`,
`port`, `root` (folder of its files), `speaker` (WAV written), `photo` (JPEG read),
`screen` {width, height, depth, shape, pitch_um, cell, picture_bytes}, `user`, `password`, `ca`,
`topics` (the setting `root`), `wake` (on, off), `duplex` (half, full), `clock` (seconds ahead of
the PC's; null: not set until the bridge says the time, as after a power cut).
"""

import asyncio
import hashlib
import json
import os
import sys
import time

from voxwire.ticks import elapsed_ms

from hal.simulated_audio import SimulatedMicrophone, SimulatedSpeaker

LOOKS = 2  # that must agree on a press (session/presses.py)
RESET_STATUS = 82  # exit status that asks whoever started the process to start it again
_SCREEN = {"width": 128, "height": 64, "depth": 1, "shape": "rect", "pitch_um": 170}


def report(event: str, **values) -> None:
    """Write one report line."""
    values["event"] = event
    print(json.dumps(values))


def _speaker_changed(state: str, samples: int) -> None:
    report("speaker", state=state, samples=samples)


class SimulatedButton:
    """A button that commands press and release."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._down = False
        self._since_ms, self._for_ms = 0, None
        self._unseen = 0

    def press(self, ms) -> None:
        """Press it for `ms`, or until `release` when that is None."""
        self._down, self._unseen = True, LOOKS
        self._since_ms, self._for_ms = time.ticks_ms(), ms

    def release(self) -> None:
        """Let it go."""
        self._for_ms = 0

    def pressed(self) -> bool:
        """Whether it is down; LOOKS see a press, however late the device looks."""
        passed_ms = elapsed_ms(time.ticks_ms(), self._since_ms)
        if self._for_ms is not None and not self._unseen and passed_ms >= self._for_ms:
            self._down, self._for_ms = False, None
        self._unseen = max(0, self._unseen - 1)
        return self._down


class SimulatedPanel:
    """A panel with its own memory, as real ones have: a file, so it costs the device no heap."""

    def __init__(self, path: str, screen: dict) -> None:
        self.width, self.height = screen["width"], screen["height"]
        self.depth, self.shape = screen["depth"], screen["shape"]
        self.pitch_um = screen["pitch_um"]
        small = min(self.width, self.height) <= 128
        self.cell = tuple(screen.get("cell") or ((6, 12) if small else (8, 16)))
        self.picture_bytes = screen.get("picture_bytes", 0)
        self.percent = 100
        self._row_bytes = self.width * self.depth // 8
        self._file = open(path, "w+b")
        for _ in range(self.height):
            self._file.write(b"\0" * self._row_bytes)

    async def write(self, x, y, w, h, buffer) -> None:
        """Put rows of `w` pixels at x, y; both multiples of 8 at depth 1."""
        view = memoryview(buffer)
        span = w * self.depth // 8
        for row in range(h):
            self._file.seek((y + row) * self._row_bytes + x * self.depth // 8)
            self._file.write(view[row * span : (row + 1) * span])
        # A bus takes its time; others run meanwhile.
        await asyncio.sleep_ms(0)

    def brightness(self, percent: int) -> None:
        self.percent = percent

    def save(self, path: str) -> None:
        """Write what the panel shows: PBM (lit pixels white) at depth 1, else PPM."""
        row = bytearray(self._row_bytes)
        size = "%d %d\n" % (self.width, self.height)
        with open(path + ".new", "wb") as file:
            file.write(("P4\n" + size if self.depth == 1 else "P6\n" + size + "255\n").encode())
            self._file.seek(0)
            for _ in range(self.height):
                self._file.readinto(row)
                file.write(_inverted(row) if self.depth == 1 else _rgb888(row))
        os.rename(path + ".new", path)


def _inverted(row) -> bytearray:
    # In a PBM a 1 is black, on a panel it is lit.
    for index, byte in enumerate(row):
        row[index] = byte ^ 0xFF
    return row


def _rgb888(row) -> bytearray:
    out = bytearray()
    for index in range(0, len(row), 2):
        pixel = row[index] << 8 | row[index + 1]
        red, green, blue = pixel >> 11, pixel >> 5 & 63, pixel & 31
        out.extend(bytes((red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)))
    return out


class SimulatedPicture:
    """A picture in a file: it costs no heap, as a camera's own frame buffer does not."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb")
        self._bytes = self._file.seek(0, 2)

    def __len__(self) -> int:
        return self._bytes

    def read(self, at: int, view) -> None:
        self._file.seek(at)
        self._file.readinto(view)

    def close(self) -> None:
        self._file.close()


class SimulatedCamera:
    """Sees what a JPEG file holds when it is asked."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def capture(self) -> SimulatedPicture:
        return SimulatedPicture(self._path)


class SimulatedNetwork:
    """The PC's own network: always there."""

    lost = False

    async def connect(self) -> None:
        pass

    def status(self) -> dict:
        return {"type": "ethernet"}


async def _wav_ends(ms: int) -> None:
    await asyncio.sleep_ms(ms)
    report("microphone_done")


class SimulatedBoard:
    """One device of the configuration `config` (see above)."""

    id = "simulator"
    name = "Simulator"
    battery = memory = partition = access_point = line = None
    formats = ("ima-adpcm", "pcm16")

    def __init__(self, config: dict) -> None:
        self.device_id = config["id"]
        self.duplex = config.get("duplex", "half")
        self._ahead_s = config.get("clock", 0)
        self.root = config["root"]
        folder = sys.path[0].strip("/")  # of the launcher, where one has started it
        self.slot = folder if folder in ("app_a", "app_b") else config.get("image", "")
        self.update = "files" if self.slot else None
        if "image" in config:
            from hal.simulated_flash import partition

            self.update, self.partition = "image", partition(self.root, self.slot)
        self.settings = {
            name: config[name]
            for name in ("host", "port", "user", "password", "ca", "wake")
            if name in config
        }
        self.settings["guide"] = "seen"  # a terminal explains its own key
        if "topics" in config:
            self.settings["root"] = config["topics"]
        self.network = SimulatedNetwork()
        self.microphone = SimulatedMicrophone()
        self.speaker = SimulatedSpeaker(config["speaker"], on_change=_speaker_changed)
        screen = dict(_SCREEN)
        screen.update(config.get("screen") or {})
        self.display = SimulatedPanel(self.root + "/panel", screen)
        self.camera = SimulatedCamera(config["photo"]) if config.get("photo") else None
        self.buttons = (SimulatedButton("talk"),)

    def unique_id(self) -> bytes:
        """Six bytes, the same for the same id."""
        return hashlib.sha256(self.device_id.encode()).digest()[:6]

    def reset(self) -> None:
        """End the process; its exit status asks for a new one."""
        report("reset")
        sys.exit(RESET_STATUS)

    def observe(self, event: str, **values) -> None:
        """Report what happens to whoever drives the simulation."""
        report(event, at_ms=time.ticks_ms(), **values)

    def set_time(self, now_s: int) -> None:
        """Reports what the clock would become: the PC's own is left alone."""
        if self._ahead_s is None:
            self._ahead_s = 0
        report("time", now_s=now_s)

    def unix(self):
        return None if self._ahead_s is None else time.time() + self._ahead_s

    async def run(self) -> None:
        """Obey the commands; the end of stdin ends the process, so no device is left over."""
        reader = asyncio.StreamReader(sys.stdin.buffer)
        while True:
            line = await reader.readline()
            if not line:
                sys.exit(0)
            try:
                self._obey(json.loads(line))
            except (ValueError, KeyError, TypeError, OSError) as error:
                report("refused", text="%s: %s" % (type(error).__name__, error))

    def _obey(self, command: dict) -> None:
        do = command["do"]
        if do in ("press", "release"):
            (button,) = [b for b in self.buttons if b.name == command["button"]]
            button.press(command.get("ms")) if do == "press" else button.release()
            report("button", button=button.name, do=do, samples=self.speaker.samples)
        elif do == "microphone":
            self._wav = asyncio.create_task(_wav_ends(self.microphone.hear(command["wav"])))
        elif do == "screen":
            self.display.save(command["path"])
            report("screen", path=command["path"])
        elif do == "stop":
            sys.exit(0)
        else:
            raise ValueError("no such command: %s" % do)


def board() -> SimulatedBoard:
    """The board of this process."""
    return SimulatedBoard(json.loads(os.getenv("VOXCARD_SIMULATOR") or "{}"))
