"""The conversation of `make demo`, played with a device and shown as it happens."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from PIL import Image
from rich.console import Console
from voxcard.sim import interpreter
from voxcard.sim.patience import cpu_s, patiently

from tools.sim import speech
from tools.sim.demo import script
from tools.sim.demo.checks import DemoError, check_history, check_turn, read_codes
from tools.sim.demo.home import DEVICE, Home, Record
from tools.sim.demo.keepsakes import Keepsakes, sound_after_ms
from tools.sim.demo.script import AFTER, INTERRUPTED, ORDER, PHOTO, STATUS, VOLUME, Said
from tools.sim.stage import ROOT

OUT = ROOT / "out" / "demo"
# After a barge-in, of audio written: under 100 where the computer has nothing else to do.
SILENT_WITHIN_MS = 500


class Demo:
    """The conversation with the offline assistant, and what is shown of it."""

    said: Sequence[Said] = script.ALL

    def __init__(self, console: Console, keepsakes: Keepsakes) -> None:
        self._say = console.print
        self._kept = keepsakes
        self._turns = keepsakes.turns
        self._home: Home
        self._began = 0.0

    async def run(self) -> None:
        """Play every turn; DemoError at the first that fails."""
        interpreter.find()  # before the bridge is waited for
        photo = self._kept.photo()
        self._step("speaking the sentences of the demo")
        await patiently(
            "the spoken sentences",
            asyncio.to_thread(self._record),
            progress=lambda: cpu_s(os.getpid()),
            tell=self._waits,
        )
        async with self._servers() as sections:
            self._home = Home(OUT / "state", photo, self._happened, self._waits, sections)
            try:
                await self._start()
                await self._conversation()
            finally:
                await self._home.stop()
        self._check_kept(OUT / "state" / "history.sqlite", photo)

    @asynccontextmanager
    async def _servers(self) -> AsyncIterator[Mapping[str, dict[str, object]]]:
        """What else has to run; the sections of the bridge's configuration about it."""
        yield {}

    def _check_kept(self, database: Path, photo: Path) -> None:
        kept = check_history(database, DEVICE, photo, len(self._turns))
        (OUT / "photo.jpg").write_bytes(kept)
        kinds = f"{len(self._turns)} turns, the last card and the photo"
        self._say(f"   the history holds {kinds}, whole")

    def _record(self) -> None:
        for said in self.said:
            path = self._kept.sentence(said.name)
            after_ms = speech.RELEASE_MS if said.hold else speech.AFTER_MS
            speech.record(path, said.text, said.voice, said.snr_db, after_ms)

    async def _start(self) -> None:
        self._step("starting the broker, the bridge and the orders server (loads speech models)")
        await self._home.bridge.start(self._waits)
        self._step("starting the device: the firmware under MicroPython, 128x64 screen")
        await self._home.start_device()
        await self._home.state("idle")
        await self._home.tool(VOLUME.tool)
        await self._home.tool(ORDER.tool)

    async def _conversation(self) -> None:
        await self._talk(VOLUME)
        await self._check_volume()
        await self._talk(STATUS)
        await self._talk(ORDER)
        await self._order_card(ORDER.name, "4-action")
        await self._talk(PHOTO)
        await self._page_through(PHOTO.name)
        await self._barge_in(INTERRUPTED, AFTER)

    # turns

    async def _talk(self, said: Said) -> None:
        self._title(f"{said.name}: “{said.text}” ({said.voice})")
        await self._speak(said)
        await self._finish(said)

    async def _speak(self, said: Said) -> None:
        """Press, say it, let go; returns when the device has heard it all."""
        device = self._home.device
        if said.hold:
            await device.hold()
        else:
            await device.press()
        await self._home.state("listening")
        device.skip("microphone_done")  # of a sentence that was spoken into an answer
        await device.hear(self._kept.sentence(said.name))
        await self._home.report("microphone_done")
        if said.hold:
            await device.release()

    async def _finish(self, said: Said) -> None:
        record = await self._home.turn()
        if not record["interrupted"]:
            await self._home.state("idle")
        self._turns.append({"name": said.name, "said": said.text, **record})
        check_turn(said, record)
        stages = ", ".join(f"{k.replace('_', ' ')} {v} ms" for k, v in record["stages_ms"].items())
        heard, spoken = record["frames_up"], record["frames_down"]
        self._say(f"   [dim]{heard} frames heard, {spoken} spoken; {stages}[/dim]")
        self._save_reply(said.name)
        await self._screen(f"{said.name}-1")

    async def _check_volume(self) -> None:
        outcome = await self._home.bridge.request(
            "tool_call", device=DEVICE, name=STATUS.tool, arguments={}, scope="user"
        )
        status = json.loads(outcome["text"])
        if status["audio_speaker"]["volume"] != 60:
            raise DemoError(VOLUME.name, "the device", f"its volume is {status}")
        kept = json.loads((self._home.device.folder / "settings.json").read_text())
        if kept["volume"] != 60:
            raise DemoError(VOLUME.name, "the settings file", f"holds {kept}")
        self._say("   the device's volume is 60, and its settings file says so")

    async def _order_card(self, name: str, action: str) -> None:
        """Page to the QR, read it, then choose the action on the last page."""
        await self._order_code(name)
        self._title(f"{action}: long press on “Cancel it”")
        await self._home.device.press(ms=1000)
        record = await self._home.turn()
        await self._home.state("idle")
        self._turns.append({"name": action, "said": "(button)", **record})
        if record["transcript"] != "Cancel order 1042" or "cancelled" not in record["reply"]:
            raise DemoError(action, "the message action", f"{record}")
        self._save_reply(action)
        await self._screen(f"{action}-1")

    async def _order_code(self, name: str) -> None:
        """Turn every page of the order's card and read the code on one of them."""
        pictures = await self._page_through(name)
        codes = [code for picture in pictures for code in read_codes(picture)]
        # Scheme and host stand in capitals, which makes the code smaller and means the same.
        if [code.lower() for code in codes] != ["https://orders.example.com/1042"]:
            raise DemoError(name, "the QR page", f"{codes} was read from the screen")
        self._say(f"   the card has {len(pictures)} pages; the QR on the screen says {codes[0]}")

    async def _page_through(self, name: str) -> list[Image.Image]:
        """Turn every page of the card that is up by the button, and keep its picture."""
        shown = next(h for h in reversed(self._home.bridge.happenings) if h["kind"] == "card")
        self._turns[-1]["card"] = shown["detail"]["id"]
        pictures = []
        for page in range(shown["detail"]["pages"]):
            if page:
                self._home.device.skip("drawn")
                await self._home.device.press()
                await self._home.report("drawn", page=page)
            pictures.append(await self._screen(f"{name}-{page + 1}"))
        return pictures

    async def _barge_in(self, interrupted: Said, after: Said) -> None:
        device = self._home.device
        self._title(f"{interrupted.name}: “{interrupted.text}”, interrupted by the button")
        await self._speak(interrupted)
        device.skip("speaker")
        device.skip("button")
        await self._home.report("speaker", state="start")
        await self._home.played(0.7)
        device.skip("state")
        await device.press()
        pressed = (await self._home.report("button", do="press"))["samples"]
        await self._home.state("listening")
        await device.hear(self._kept.sentence(after.name))
        cut = await self._home.turn()
        self._turns.append({"name": interrupted.name, "said": interrupted.text, **cut})
        if not cut["interrupted"]:
            raise DemoError(interrupted.name, "the interruption", f"{cut}")
        self._save_reply(interrupted.name)
        self._title(f"{after.name}: “{after.text}”")
        await self._finish(after)
        after_ms = sound_after_ms(
            pressed, device.speaker, speaker_marks(self._home.device.reports)
        )
        self._turns[-2]["sound_after_press_ms"] = after_ms
        if after_ms > SILENT_WITHIN_MS:
            raise DemoError(interrupted.name, "silence", f"heard {after_ms} ms after the press")
        self._say(f"   silent {after_ms} ms after the press")

    # what is kept and shown

    def _save_reply(self, name: str) -> None:
        self._kept.reply(name, self._home.device.speaker, speaker_marks(self._home.device.reports))

    async def _screen(self, name: str) -> Image.Image:
        return self._kept.screen(name, await self._home.screen())

    def _title(self, text: str) -> None:
        self._began = time.monotonic()
        self._say(f"\n[bold]{text}[/bold]")

    def _step(self, text: str) -> None:
        self._say(f"[cyan]… {text}[/cyan]")

    def _waits(self, text: str) -> None:
        self._say(f"[dim]{text}[/dim]")

    def _happened(self, happening: Record) -> None:
        """One line for each stage, as it happens."""
        line = stage_line(happening)
        if line:
            at = time.monotonic() - self._began
            self._say(f"   {at:5.2f} s  {line}", markup=False)


def speaker_marks(reports: Sequence[Record]) -> list[Record]:
    """Where the speaker began and stopped."""
    return [report for report in reports if report["event"] == "speaker"]


def stage_line(happening: Record) -> str:
    """What happened, in one line; "" for what is no stage of a turn."""
    kind, text, detail = happening["kind"], happening["text"], happening.get("detail", {})
    if kind == "tool":
        return f"tool       {detail['name']} {json.dumps(detail['arguments'])} -> {text[:60]}"
    if kind == "card":
        return f"card       {detail['pages']} pages on the screen"
    word = {"transcript": "heard", "sentence": "says", "failed": "failed"}.get(kind)
    return f"{word:<10} {text}" if word else ""
