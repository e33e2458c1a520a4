"""`make demo`: a real conversation with a device program on this computer; leaves out/demo.

The broker, the bridge, an MCP server that knows orders and one device (the firmware under
MicroPython) run as processes; the device's microphone hears spoken sentences. Exit status 0 only
if every turn did what it should.
"""

import asyncio
import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from PIL import Image, ImageDraw
from rich.console import Console
from voxcard.history.store import History
from voxcard.link.embedded_broker import free_port

from tools.sim import speech
from tools.sim.simulated_device import SimulatedDevice
from tools.sim.stage import ROOT, Bridge, orders_server

OUT = ROOT / "out" / "demo"
DEVICE = "kitchen"
SILENT_WITHIN_MS = 100  # after a barge-in, of audio written
ENLARGED = 4

Record = dict[str, Any]


class DemoError(Exception):
    """A turn did not do what it should: which, at which stage, why."""

    def __init__(self, turn: str, stage: str, reason: str) -> None:
        super().__init__(f"turn {turn}, {stage}: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A spoken turn and what must come of it.

    `hold` is push to talk; else a short press, and the bridge hears the end of speech.
    """

    name: str
    text: str
    voice: str = "joe"
    snr_db: float = speech.QUIET_DB
    hold: bool = False
    transcript: str
    tool: str
    arguments: dict[str, Any]
    reply: str  # must be in what is spoken


VOLUME = Said(
    name="1-volume",
    text="set the volume to sixty",
    transcript="set the volume to 60",
    tool="self.audio_speaker.set_volume",
    arguments={"volume": 60},
    reply="60",
)
STATUS = Said(
    name="2-status",
    text="what is the volume",
    voice="espeak",
    snr_db=20,
    transcript="what is the volume",
    tool="self.get_device_status",
    arguments={},
    reply="60",
)
ORDER = Said(
    name="3-order",
    text="where is my order ten forty two",
    transcript="where is my order 1042",
    tool="orders.where_is_order",
    arguments={"order": 1042},
    reply="on its way",
)
PHOTO = Said(
    name="5-photo",
    text="take a photo",
    hold=True,
    transcript="take a photo",
    tool="self.camera.take_photo",
    arguments={},
    reply="photo",
)
INTERRUPTED = Said(
    name="6-interrupted",
    text="where is my order ten forty three",
    hold=True,
    transcript="where is my order 1043",
    tool="orders.where_is_order",
    arguments={"order": 1043},
    reply="packed",
)
AFTER = Said(
    name="7-after",
    text="what is the volume",
    transcript="what is the volume",
    tool="self.get_device_status",
    arguments={},
    reply="60",
)


class Demo:
    """The conversation, its checks, and what it leaves behind."""

    def __init__(self, console: Console) -> None:
        self._say = console.print
        self._turns: list[Record] = []
        self._bridge: Bridge
        self._device: SimulatedDevice
        self._began = 0.0

    async def run(self) -> None:
        """Play every turn; DemoError at the first that fails."""
        shutil.rmtree(OUT, ignore_errors=True)
        OUT.mkdir(parents=True)
        photo = self._photo()
        self._step("speaking the sentences of the demo")
        for said in (VOLUME, STATUS, ORDER, PHOTO, INTERRUPTED, AFTER):
            await asyncio.to_thread(
                speech.record, self._wav(said), said.text, said.voice, said.snr_db
            )
        port = free_port("127.0.0.1")
        settings: dict[str, dict[str, object]] = {
            "mqtt": {"listen_port": port},
            "mcp.orders": orders_server(),
            f"devices.{DEVICE}": {"name": "Kitchen"},
        }
        self._step("starting the broker, the bridge and the orders server (loads speech models)")
        self._bridge = Bridge(OUT / "state", settings, self._happened)
        async with self._bridge:
            self._step("starting the device: the firmware under MicroPython, 128x64 screen")
            self._device = SimulatedDevice(
                OUT / "state" / "device", DEVICE, port=port, photo=str(photo)
            )
            async with self._device:
                await self._device.wait("state", state="idle")
                await self._bridge.tools(DEVICE, VOLUME.tool)
                await self._bridge.tools(DEVICE, ORDER.tool)
                await self._conversation(photo)
        self._check_history(photo)

    async def _conversation(self, photo: Path) -> None:
        await self._talk(VOLUME)
        await self._check_volume()
        await self._talk(STATUS)
        await self._talk(ORDER)
        await self._order_card()
        await self._talk(PHOTO)
        await self._page_through(PHOTO.name)
        await self._barge_in()

    # turns

    async def _talk(self, said: Said) -> Record:
        self._title(f"{said.name}: “{said.text}” ({said.voice})")
        await self._speak(said)
        return await self._finish(said.name, said)

    async def _speak(self, said: Said) -> None:
        """Press, say it, let go; returns when the device has heard it all."""
        if said.hold:
            await self._device.hold()
        else:
            await self._device.press()
        await self._device.wait("state", state="listening")
        await self._device.hear(self._wav(said))
        await self._device.wait("microphone_done")
        if said.hold:
            await self._device.release()

    async def _finish(self, name: str, said: Said) -> Record:
        happening = await self._bridge.wait("turn", device=DEVICE, limit_s=40)
        record: Record = happening["detail"]
        if not record["interrupted"]:
            await self._device.wait("state", state="idle")
        self._turns.append({"name": name, "said": said.text, **record})
        self._check(name, said, record)
        self._save_reply(name)
        await self._screen(f"{name}-1")
        return record

    def _check(self, name: str, said: Said, record: Record) -> None:
        def need(stage: str, right: bool, reason: str) -> None:
            if not right:
                raise DemoError(name, stage, reason)

        need("the turn", not record["error"], record["error"])
        need(
            "recognition",
            record["transcript"].lower().rstrip(".?!") == said.transcript,
            f"heard {record['transcript']!r} instead of {said.transcript!r}",
        )
        called = [(call["name"], call["arguments"]) for call in record["tools"]]
        need("the tool call", called == [(said.tool, said.arguments)], f"called {called}")
        wrong = [call["text"] for call in record["tools"] if call["is_error"]]
        need("the tool", not wrong, f"it answered {wrong}")
        need("the answer", said.reply in record["reply"], f"answered {record['reply']!r}")
        need("the microphone", record["frames_lost"] == 0, f"{record['frames_lost']} frames lost")
        played = record["last_seq_played"] == record["last_seq_sent"]
        need("the speaker", played or record["interrupted"], "not all of the answer was played")
        stages = record["stages_ms"]
        self._say(
            f"   [dim]{record['frames_up']} frames heard, {record['frames_down']} spoken; "
            + ", ".join(f"{k.replace('_', ' ')} {v} ms" for k, v in stages.items())
            + "[/dim]"
        )

    async def _check_volume(self) -> None:
        outcome = await self._bridge.request(
            "tool_call",
            device=DEVICE,
            name="self.get_device_status",
            arguments={},
            scope="user",
        )
        status = json.loads(outcome["text"])
        if status["audio_speaker"]["volume"] != 60:
            raise DemoError(VOLUME.name, "the device", f"its volume is {status}")
        kept = json.loads((self._device.folder / "settings.json").read_text())
        if kept["volume"] != 60:
            raise DemoError(VOLUME.name, "the settings file", f"holds {kept}")
        self._say("   the device's volume is 60, and its settings file says so")

    async def _order_card(self) -> None:
        """Page to the QR, read it, then choose the action on the last page."""
        pictures = await self._page_through(ORDER.name)
        codes = [code for picture in pictures for code in read_codes(picture)]
        # Scheme and host stand in capitals, which makes the code smaller and means the same.
        if [code.lower() for code in codes] != ["https://orders.example.com/1042"]:
            raise DemoError(ORDER.name, "the QR page", f"{codes} was read from the screen")
        self._say(f"   the card has {len(pictures)} pages; the QR on the screen says {codes[0]}")
        self._title("4-action: long press on “Cancel it”")
        await self._device.press(ms=1000)
        record = (await self._bridge.wait("turn", device=DEVICE, limit_s=30))["detail"]
        await self._device.wait("state", state="idle")
        self._turns.append({"name": "4-action", "said": "(button)", **record})
        if record["transcript"] != "Cancel order 1042" or "cancelled" not in record["reply"]:
            raise DemoError("4-action", "the message action", f"{record}")
        self._save_reply("4-action")
        await self._screen("4-action-1")

    async def _page_through(self, name: str) -> list[Image.Image]:
        """Turn every page of the card that is up by the button, and keep its picture."""
        shown = next(h for h in reversed(self._bridge.happenings) if h["kind"] == "card")
        self._turns[-1]["card"] = shown["detail"]["id"]
        pictures = []
        for page in range(shown["detail"]["pages"]):
            if page:
                self._device.skip("drawn")
                await self._device.press()
                await self._device.wait("drawn", page=page)
            pictures.append(await self._screen(f"{name}-{page + 1}"))
        return pictures

    async def _barge_in(self) -> None:
        self._title(f"{INTERRUPTED.name}: “{INTERRUPTED.text}”, interrupted by the button")
        await self._speak(INTERRUPTED)
        self._device.skip("speaker")
        self._device.skip("button")
        await self._device.wait("speaker", state="start", limit_s=20)
        await self._heard_for(0.7)
        self._device.skip("state")
        await self._device.press()
        pressed = (await self._device.wait("button", do="press"))["samples"]
        await self._device.wait("state", state="listening")
        await self._device.hear(self._wav(AFTER))
        cut = (await self._bridge.wait("turn", device=DEVICE, limit_s=20))["detail"]
        self._turns.append({"name": INTERRUPTED.name, "said": INTERRUPTED.text, **cut})
        if not cut["interrupted"]:
            raise DemoError(INTERRUPTED.name, "the interruption", f"{cut}")
        self._save_reply(INTERRUPTED.name)
        self._title(f"{AFTER.name}: “{AFTER.text}”")
        await self._finish(AFTER.name, AFTER)
        after_ms = self._sound_after(pressed)
        self._turns[-2]["sound_after_press_ms"] = after_ms
        if after_ms > SILENT_WITHIN_MS:
            raise DemoError(INTERRUPTED.name, "silence", f"heard {after_ms} ms after the press")
        self._say(f"   silent {after_ms} ms after the press")

    async def _heard_for(self, seconds: float) -> None:
        """Until the speaker has played for `seconds`: its file grows as it plays."""
        size = self._device.speaker.stat().st_size
        # A file has no event to wait for.
        while self._device.speaker.stat().st_size < size + seconds * 32000:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    # what is left behind

    def _wav(self, said: Said) -> Path:
        return OUT / f"say-{said.name}.wav"

    def _photo(self) -> Path:
        """What the simulated camera sees."""
        image = Image.new("RGB", (320, 240), "#7fb2d9")
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 170, 320, 240), fill="#6b8f4e")
        draw.ellipse((230, 20, 290, 80), fill="#ffd95a")
        draw.polygon(((60, 170), (130, 90), (200, 170)), fill="#8a5a44")
        draw.rectangle((90, 130, 170, 200), fill="#e8d9c0")
        path = OUT / "camera.jpg"
        image.save(path, quality=80)
        return path

    async def _screen(self, name: str) -> Image.Image:
        pnm = await self._device.screen()
        path = OUT / f"screen-{name}.png"
        temporary = OUT / "state" / "screen.pnm"
        temporary.write_bytes(pnm)
        image = Image.open(temporary).convert("L")
        image.save(path)
        size = (image.width * ENLARGED, image.height * ENLARGED)
        image.resize(size, Image.Resampling.NEAREST).save(path.with_stem(path.stem + "@4x"))
        return image

    def _save_reply(self, name: str) -> None:
        """The part of the speaker's sound that belongs to this turn."""
        marks = [r for r in self._device.reports if r["event"] == "speaker"]
        stop = max((i for i, r in enumerate(marks) if r["state"] == "stop"), default=0)
        if stop:
            pcm, rate_hz = speech.read(self._device.speaker)
            part = pcm[marks[stop - 1]["samples"] * 2 : marks[stop]["samples"] * 2]
            speech.write(OUT / f"reply-{name}.wav", part, rate_hz)
            self._turns[-1]["reply_seconds"] = round(len(part) / 2 / rate_hz, 2)

    def _sound_after(self, pressed: int) -> int:
        """ms from sample `pressed` to the last sound of the interrupted answer."""
        stop = next(
            r["samples"]
            for r in self._device.reports
            if r["event"] == "speaker" and r["state"] == "stop" and r["samples"] >= pressed
        )
        pcm, rate_hz = speech.read(self._device.speaker)
        heard = numpy.nonzero(numpy.frombuffer(pcm, "<i2")[pressed:stop])[0]
        return int((heard[-1] + 1) * 1000 // rate_hz) if len(heard) else 0

    def _check_history(self, photo: Path) -> None:
        history = History(OUT / "state" / "history.sqlite", 30, 1000)
        try:
            pictures = history.pictures(DEVICE)
            turns, card = history.turns(DEVICE, 100), history.last_card(DEVICE)
        finally:
            history.close()
        want = hashlib.sha256(photo.read_bytes()).hexdigest()
        if [hashlib.sha256(each.data).hexdigest() for each in pictures] != [want]:
            raise DemoError(PHOTO.name, "the history", "does not hold the photo as it was taken")
        (OUT / "photo.jpg").write_bytes(pictures[0].data)
        if len(turns) != len(self._turns) or card is None:
            raise DemoError("all", "the history", f"holds {len(turns)} turns")
        self._say(f"   the history holds {len(turns)} turns, the last card and the photo, whole")

    def write(self, outcome: str) -> None:
        """turns.json and summary.txt, whatever happened."""
        text = json.dumps(self._turns, indent=1, ensure_ascii=False)
        (OUT / "turns.json").write_text(text + "\n", encoding="utf-8")
        lines = [outcome, ""]
        for turn in self._turns:
            first = turn["stages_ms"].get("end_of_speech_to_first_audio")
            lines.append(f"{turn['name']}: {turn['said']!r} -> {turn['reply']!r}")
            if first is not None:
                lines.append(f"   end of speech to first audio: {first} ms")
        (OUT / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    # what is shown

    def _title(self, text: str) -> None:
        self._began = time.monotonic()
        self._say(f"\n[bold]{text}[/bold]")

    def _step(self, text: str) -> None:
        self._say(f"[cyan]… {text}[/cyan]")

    def _happened(self, happening: Record) -> None:
        """One line for each stage, as it happens."""
        lines: dict[str, Callable[[Record], str]] = {
            "transcript": lambda h: f"heard      {h['text']}",
            "tool": lambda h: (
                f"tool       {h['detail']['name']} {json.dumps(h['detail']['arguments'])}"
                f" -> {h['text'][:60]}"
            ),
            "card": lambda h: f"card       {h['detail']['pages']} pages on the screen",
            "sentence": lambda h: f"says       {h['text']}",
            "failed": lambda h: f"failed     {h['text']}",
        }
        line = lines.get(happening["kind"])
        if line is not None:
            at = time.monotonic() - self._began
            self._say(f"   {at:5.2f} s  {line(happening)}", markup=False)


def read_codes(picture: Image.Image) -> list[str]:
    """What an independent decoder reads from a screen's own pixels."""
    import zxingcpp

    enlarged = picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST)
    return [found.text for found in zxingcpp.read_barcodes(enlarged)]


def main() -> int:
    console = Console(highlight=False, soft_wrap=True)
    demo = Demo(console)
    began = time.monotonic()
    try:
        asyncio.run(demo.run())
    except (DemoError, TimeoutError, RuntimeError, OSError) as error:
        outcome = f"The demo failed: {error}"
        status = 1
    else:
        outcome = f"Every turn did what it should ({time.monotonic() - began:.0f} s)."
        status = 0
    demo.write(outcome)
    console.print(f"\n[bold]{outcome}[/bold]\nSee {OUT.relative_to(ROOT)}/", markup=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
