"""What the whole device needs of heap: its modules, its objects, and the least it can talk in.

    python -m tools.bench.heap_device              the firmware frozen into a 32-bit MicroPython
    python -m tools.bench.heap_device --files      the firmware in .mpy files, 32 bit
    python -m tools.bench.heap_device --heap 100   one conversation in 100 KB; exit 1 if it fails

Prints one JSON object, sizes in bytes. Heaps are in one piece and in KB of 1024 bytes. Everything
is measured on a true 32-bit interpreter (tools.build.interpreters): a 64-bit one with twice the
heap does not show what a board needs, because bytecode, texts and buffers do not double.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker

from tools.bench.scripted_bridge import FRAME_MS, STEP_S, ScriptedBridge, card
from tools.build.firmware import built
from tools.build.interpreters import Interpreter, frozen32, plain32
from tools.sim.simulated_device import DeviceEndedError, SimulatedDevice

# Of design section 10, in KB.
IDLE_KB = 84  # frozen: in use
TALK_KB = 100  # frozen: a conversation with a card and its code
PHOTO_KB = 116  # frozen: the same with a photo of PHOTO_BYTES
FILES_KB = 240  # from files: all of it
PHOTO_BYTES = 60_000
SMALLEST_KB = (64, 320)  # between these the smallest heap is looked for
SPEECH_MS = 10_000
AHEAD_MS = 400  # what the device buffers

PROGRAM = """
import gc, json

def used():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()

start = used()
import app
imported = used()
from hal import this_board
board = this_board()
with_board = used()
device = app.App(board)
print(json.dumps({"imported": imported - start, "board": with_board - imported,
                  "objects": used() - with_board}))
"""


def still(interpreter: Interpreter) -> dict[str, int]:
    """Bytes of imports, board and objects of a device that has not started."""
    with tempfile.TemporaryDirectory() as folder:
        config = {"id": "heap", "host": "127.0.0.1", "root": folder, "speaker": f"{folder}/s.wav"}
        done = subprocess.run(
            [interpreter.path, "-X", "heapsize=2M", "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            cwd=interpreter.files or built(arch=interpreter.arch),
            env={
                **os.environ,
                "MICROPYPATH": ".frozen",
                "VOXCARD_SIMULATOR": json.dumps(config),
            },
        )
    sizes: dict[str, int] = json.loads(done.stdout)
    return sizes


async def _turn(device: SimulatedDevice, bridge: ScriptedBridge) -> dict[str, int]:
    """A press, words, a tool call, a card, ten seconds of speech."""
    listen = await _question(device, bridge)
    bridge.say("turn", id=listen["id"], state="thinking")
    bridge.say("stt", text="where is my order 1042")
    await bridge.call(10, "self.audio_speaker.set_volume", volume=60)
    bridge.say("card", op="show", card=card())
    await bridge.heard(type="card", event="shown", id="c1")
    bridge.say("tts", state="start", seq=100)
    sentence = "Your order is on its way and comes on Tuesday."
    bridge.say("tts", state="sentence_start", text=sentence)
    frames = await _speak(bridge, listen["id"])
    bridge.say("tts", state="stop", last_seq=100 + frames - 1)
    played = await bridge.heard(type="played")
    bridge.say("turn", id=listen["id"], state="done")
    await device.wait("state", state="idle", limit_s=STEP_S)
    return {"played": (played["seq"] - 99) & 0xFFFF, "frames": frames}


async def _question(device: SimulatedDevice, bridge: ScriptedBridge) -> dict[str, Any]:
    """The `listen` of a press, and a second of what the microphone hears."""
    await device.press()
    listen = await bridge.heard(type="listen", state="start")
    bridge.say("turn", id=listen["id"], state="accepted")
    for _ in range(25):
        async with asyncio.timeout(STEP_S):
            await bridge.queue("mic").get()
    return listen


async def _speak(bridge: ScriptedBridge, turn_id: str) -> int:
    """Ten seconds of speech at its pace; how many frames that was."""
    frames = SPEECH_MS // FRAME_MS
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    for number in range(frames):
        due_s = begun_s + (number * FRAME_MS - AHEAD_MS) / 1000
        await asyncio.sleep(due_s - loop.time())
        bridge.speak(100 + number)
        if number % 50 == 0:
            bridge.say("turn", id=turn_id, state="alive")
    return frames


@contextlib.asynccontextmanager
async def _at_home(
    folder: Path, **options: Any
) -> AsyncIterator[tuple[SimulatedDevice, ScriptedBridge]]:
    """A device with its session open and its tools listed; `options` are SimulatedDevice's."""
    broker = EmbeddedBroker(port=0)
    await broker.start()
    device = SimulatedDevice(folder / "device", "heap", port=broker.port, **options)
    try:
        async with ScriptedBridge(broker.port, "heap") as bridge, device:
            await _greet(device, bridge)
            yield device, bridge
    except BaseException as error:
        error.add_note("The device's log ends with:\n" + "\n".join(list(device.log)[-12:]))
        raise
    finally:
        await broker.stop()


async def _greet(device: SimulatedDevice, bridge: ScriptedBridge) -> None:
    await bridge.heard("hello")
    sound = {"format": "ima-adpcm", "sample_rate": 16000, "frame_duration": 40}
    bridge.say("hello", audio_params=sound, time=1790000000)
    await device.wait("state", state="idle", limit_s=STEP_S)
    await bridge.ask(1, "initialize", protocolVersion="2025-06-18", capabilities={})
    await bridge.tools()


async def _memory(bridge: ScriptedBridge, call_id: int) -> dict[str, Any]:
    result = await bridge.call(call_id, "self.get_system_info")
    info: dict[str, Any] = result["structuredContent"]
    return info


async def leaf_through(folder: Path, heap: str, cards: int, pages: int) -> dict[str, int]:
    """`cards` cards of `pages` pages on a device of that heap, every page of the first and of
    the last turned: bytes free after the fifth and after the last."""
    async with _at_home(folder, heap=heap) as (device, bridge):
        free = {}
        for number in range(cards):
            lines = [f"Card {number} · Привет", "On its way to you"]
            shown = [{"k": "t", "t": f"Page {page}", "l": lines} for page in range(pages)]
            card_id = f"leaf-{number}"
            bridge.say("card", op="show", card={"id": card_id, "rev": 0, "pages": shown})
            await bridge.heard(type="card", event="shown", id=card_id)
            for page in range(1, pages) if number in (0, cards - 1) else ():
                await device.press(ms=60)
                await bridge.heard(type="card", event="page", id=card_id, page=page)
            if number in (4, cards - 1):
                free[number] = (await _memory(bridge, 100 + number))["free_bytes"]
    return {"early": free[4], "late": free[cards - 1]}


async def converse(
    folder: Path, interpreter: Interpreter, heap_kb: int, photo_bytes: int = 0
) -> dict[str, int]:
    """One conversation on a device of that heap, with a photo where `photo_bytes` says how large.

    Returns the bytes in use and free when idle, the bytes free at the end, and how many of the
    frames of speech were played. Raises DeviceEndedError, TimeoutError, KeyError or an
    ExceptionGroup where the device could not.
    """
    options: dict[str, Any] = {"heap": f"{heap_kb}k", "interpreter": interpreter}
    photo = folder / "photo.jpg"
    if photo_bytes:
        photo.write_bytes(b"\xff\xd8" + os.urandom(photo_bytes - 2))
        options["photo"] = str(photo)
    async with _at_home(folder, **options) as (device, bridge):
        await _memory(bridge, 2)  # when it answers, the broker has the long list of tools
        idle = await _memory(bridge, 3)
        turn = await _turn(device, bridge)
        await _page_and_choose(device, bridge)
        if photo_bytes:
            await _take_photo(bridge, photo.read_bytes())
        after = await _memory(bridge, 21)
    return {
        "used_idle": idle["used_bytes"],
        "free_idle": idle["free_bytes"],
        "free_after_turn": after["free_bytes"],
        **turn,
    }


async def _page_and_choose(device: SimulatedDevice, bridge: ScriptedBridge) -> None:
    for _ in range(3):
        await device.press()
        await bridge.heard(type="card", event="page")
    await device.press(ms=900)
    await bridge.heard(type="card", event="action")


async def _take_photo(bridge: ScriptedBridge, photo: bytes) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(bridge.call(20, "self.camera.take_photo", question="what is it"))
        taken = await bridge.photo()
    if taken != photo:
        raise ValueError("the photo is another one")


def survives(interpreter: Interpreter, heap_kb: int, photo_bytes: int = 0) -> dict[str, int]:
    """What `converse` returns; empty when the device could not talk in that heap."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return asyncio.run(converse(Path(folder), interpreter, heap_kb, photo_bytes))
        except (DeviceEndedError, TimeoutError, KeyError, ExceptionGroup):
            return {}


def smallest_kb(interpreter: Interpreter, photo_bytes: int = 0) -> int:
    """The least heap, to 2 KB, in which the conversation goes well."""
    low, high = SMALLEST_KB
    while high - low > 2:
        middle = (low + high) // 2
        low, high = (low, middle) if survives(interpreter, middle, photo_bytes) else (middle, high)
    return high


def measured(interpreter: Interpreter) -> dict[str, Any]:
    """Bytes of code, board and objects, bytes free before and after a turn, the smallest heaps."""
    return {
        **still(interpreter),
        **survives(interpreter, SMALLEST_KB[1], PHOTO_BYTES),
        "smallest_heap_kb": smallest_kb(interpreter),
        "smallest_heap_with_photo_kb": smallest_kb(interpreter, PHOTO_BYTES),
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", action="store_true", help="read the firmware from .mpy files")
    parser.add_argument("--heap", type=int, metavar="KB", help="one conversation in this heap")
    parser.add_argument(
        "--photo", type=int, default=PHOTO_BYTES, metavar="BYTES", help="its photo"
    )
    options = parser.parse_args()
    interpreter = plain32() if options.files else frozen32()
    if options.heap is None:
        print(json.dumps(measured(interpreter), indent=1))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        conversation = converse(Path(folder), interpreter, options.heap, options.photo)
        print(json.dumps(asyncio.run(conversation)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
