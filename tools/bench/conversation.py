"""A conversation with a device that is measured: a press, words, a call, a card, speech."""

import asyncio
import contextlib
import json
import os
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker

from tools.bench.scripted_bridge import FRAME_MS, STEP_S, ScriptedBridge, card
from tools.build.firmware import built, compile_module
from tools.build.interpreters import PORT, Interpreter
from tools.sim.simulated_device import SimulatedDevice

SPEECH_MS = 10_000
AHEAD_MS = 400  # what the device buffers
BOARD_MAIN = "import board_main\n"
Board = dict[str, Any]


class Talk:
    """One conversation; `hears` is whether the device has a microphone, `wakes` whether it waits
    for a wake word between turns."""

    def __init__(
        self, device: SimulatedDevice, bridge: ScriptedBridge, hears: bool, wakes: bool = False
    ) -> None:
        self._device, self._bridge, self._hears, self._wakes = device, bridge, hears, wakes
        self.has_screen = False

    async def greet(self) -> None:
        """Open the session, list the tools."""
        bridge = self._bridge
        hello = await bridge.heard("hello")
        self.has_screen = "screen" in hello
        sound = {"format": "ima-adpcm", "sample_rate": 16000, "frame_duration": 40}
        wake = True if self._wakes else None
        bridge.say("hello", audio_params=sound, time=1790000000, wake=wake)
        await self._device.wait("state", state="idle", limit_s=STEP_S)
        await bridge.ask(1, "initialize", protocolVersion="2025-06-18", capabilities={})
        await bridge.tools()

    async def memory(self, call_id: int) -> dict[str, Any]:
        """What the device says of its heap."""
        result = await self._bridge.call(call_id, "self.get_system_info")
        info: dict[str, Any] = result["structuredContent"]
        return info

    async def turn(self) -> dict[str, int]:
        """A press, words, a tool call, a card, ten seconds of speech: frames sent and played.

        Without a microphone the bridge begins it, as a typed question does.
        """
        bridge = self._bridge
        turn_id = await self._question() if self._hears else "typed"
        bridge.say("turn", id=turn_id, state="thinking")
        bridge.say("stt", text="where is my order 1042")
        await bridge.call(10, "self.audio_speaker.set_volume", volume=60)
        if self.has_screen:
            bridge.say("card", op="show", card=card())
            await bridge.heard(type="card", event="shown", id="c1")
        bridge.say("tts", state="start", seq=100)
        sentence = "Your order is on its way and comes on Tuesday."
        bridge.say("tts", state="sentence_start", text=sentence)
        frames = await self._speak(turn_id)
        bridge.say("tts", state="stop", last_seq=100 + frames - 1)
        played = await bridge.heard(type="played")
        bridge.say("turn", id=turn_id, state="done")
        await self._device.wait("state", state="idle", limit_s=STEP_S)
        return {"played": (played["seq"] - 99) & 0xFFFF, "frames": frames}

    async def _question(self) -> str:
        """The turn of a press, and a second of what the microphone hears."""
        await self._device.press()
        listen = await self._bridge.heard(type="listen", state="start")
        turn_id: str = listen["id"]
        self._bridge.say("turn", id=turn_id, state="accepted")
        for _ in range(25):
            async with asyncio.timeout(STEP_S):
                await self._bridge.queue("mic").get()
        return turn_id

    async def _speak(self, turn_id: str) -> int:
        """Ten seconds of speech at its pace; how many frames that was."""
        frames = SPEECH_MS // FRAME_MS
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        for number in range(frames):
            due_s = begun_s + (number * FRAME_MS - AHEAD_MS) / 1000
            await asyncio.sleep(due_s - loop.time())
            self._bridge.speak(100 + number)
            if number % 50 == 0:
                self._bridge.say("turn", id=turn_id, state="alive")
        return frames

    async def page_and_choose(self) -> None:
        """Turn the card's pages, choose on its last."""
        for _ in range(3):
            await self._device.press()
            await self._bridge.heard(type="card", event="page")
        await self._device.press(ms=900)
        await self._bridge.heard(type="card", event="action")

    async def photo(self, photo: bytes) -> None:
        """Ask for a photo; ValueError when it is another one."""
        async with asyncio.TaskGroup() as group:
            group.create_task(
                self._bridge.call(20, "self.camera.take_photo", question="what is it")
            )
            taken = await self._bridge.photo()
        if taken != photo:
            raise ValueError("the photo is another one")


@contextlib.asynccontextmanager
async def at_home(
    folder: Path,
    board: Board | None = None,
    *,
    wakes: bool = False,
    main: str = BOARD_MAIN,
    **options: Any,
) -> AsyncIterator[tuple[Talk, SimulatedDevice, ScriptedBridge]]:
    """A device with its session open and its tools listed; `options` are SimulatedDevice's.

    With the file of a board it is that one, on the port's modules (module board_main), and `main`
    is its main.py.
    """
    broker = EmbeddedBroker(port=0)
    await broker.start()
    hears = board is None or board["audio"]["in"]["kind"] in ("i2s_std", "codec")
    if board is not None:
        files = _flash(folder, board, broker.port, options["interpreter"], wakes)
        (files / "main.py").write_text(main)
        options["interpreter"] = replace(options["interpreter"], files=files)
    elif wakes:
        options["wake"] = "on"
    device = SimulatedDevice(folder / "device", "heap", port=broker.port, **options)
    try:
        async with ScriptedBridge(broker.port, "heap") as bridge, device:
            talk = Talk(device, bridge, hears, wakes)
            await talk.greet()
            yield talk, device, bridge
    except BaseException as error:
        error.add_note("The device's log ends with:\n" + "\n".join(list(device.log)[-12:]))
        raise
    finally:
        await broker.stop()


def _flash(folder: Path, board: Board, port: int, interpreter: Interpreter, wakes: bool) -> Path:
    """What lies in the flash of a board, in a folder of its own."""
    files = folder / "flash"
    files.mkdir(parents=True)
    if interpreter.files is None:
        for path in built(arch=interpreter.arch).iterdir():
            (files / path.name).symlink_to(path)
        for path in PORT.glob("*.py"):
            compile_module(path, files / f"{path.stem}.mpy")
    (files / "main.py").unlink(missing_ok=True)
    (files / "board.json").write_text(json.dumps(board))
    wake = "on" if wakes else "off"
    settings = {"id": "heap", "host": "127.0.0.1", "port": port, "wake": wake}
    (files / "settings.json").write_text(json.dumps(settings))
    return files


def port_bytes(folder: Path, interpreter: Interpreter) -> int:
    """Heap of the modules that stand for the chip's own, which cost none there."""
    files = folder / "port"
    files.mkdir()
    if interpreter.files is None:
        for path in PORT.glob("*.py"):
            compile_module(path, files / f"{path.stem}.mpy")
    done = subprocess.run(
        [interpreter.path, "-c", "import board_main"],
        capture_output=True,
        text=True,
        check=True,
        cwd=files,
        env={"MICROPYPATH": ":.frozen"},
    )
    size: int = json.loads(done.stdout)["bytes"]
    return size


async def converse(
    folder: Path,
    interpreter: Interpreter,
    heap_kb: int,
    photo_bytes: int = 0,
    board: Board | None = None,
    *,
    wakes: bool = False,
) -> dict[str, int]:
    """One conversation on a device of that heap, with a photo where `photo_bytes` says how large.

    `wakes`: the device waits for a wake word between its turns.
    With the file of a board it is that one, and what stands for the chip's own modules has room
    beside that heap and counts for nothing (`port_bytes`).

    Returns the bytes in use and free when idle, the bytes free at the end, and how many of the
    frames of speech were played. Raises DeviceEndedError, TimeoutError, KeyError or an
    ExceptionGroup where the device could not.
    """
    port = port_bytes(folder, interpreter) if board else 0
    options: dict[str, Any] = {"heap": str(heap_kb * 1024 + port), "interpreter": interpreter}
    photo = folder / "photo.jpg"
    if photo_bytes:
        photo.write_bytes(b"\xff\xd8" + os.urandom(photo_bytes - 2))
        options["photo"] = str(photo)
    async with at_home(folder, board, wakes=wakes, **options) as (talk, _, _):
        await talk.memory(2)  # when it answers, the broker has the long list of tools
        idle = await talk.memory(3)
        turn = await talk.turn()
        if talk.has_screen:
            await talk.page_and_choose()
        if photo_bytes:
            await talk.photo(photo.read_bytes())
        after = await talk.memory(21)
    return {
        "used_idle": idle["used_bytes"] - port,
        "free_idle": idle["free_bytes"],
        "free_after_turn": after["free_bytes"],
        **turn,
    }
