"""What the whole device costs in heap: its modules, its objects, and the least it can talk in.

    python -m tools.bench.heap_device              one JSON object (see `measured`)
    python -m tools.bench.heap_device --modules    the same with a row for each module
    python -m tools.bench.heap_device --heap 100wk one conversation at that heap; exit 1 on failure

Heaps are named as the unix port's `-X heapsize` takes them: "100wk" is what a 32-bit board has in
100 KB, about 200,000 bytes here, where pointers are twice as wide.
"""

import argparse
import asyncio
import base64
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.mqtt import Address, MqttClient
from voxwire import audio, blob

from tools.build.firmware import built
from tools.sim.simulated_device import DeviceEndedError, SimulatedDevice, micropython

# The simulated board takes a tenth of it. Design section 10 wants 100wk.
BUDGET = "132wk"
HEAPS_WK = (60, 240)  # between these the smallest is looked for
SPEECH_MS = 10_000
FRAME_MS = 40
AHEAD_MS = 400  # what the device buffers
STEP_S = 15.0
PHOTO_BYTES = 60_000
MODULES = 29  # of the card's code

PROGRAM = """
import builtins, gc, json, os, sys

def used():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()

rows, inner = [], [0]
real = builtins.__import__

def counted(name, *rest):
    fresh = name not in sys.modules
    before = used()
    inner.append(0)
    found = real(name, *rest)
    spent = used() - before
    own = spent - inner.pop()
    inner[-1] += spent
    # A package is imported before its module: `from voxwire import card` names both.
    if own > 128:
        rows.append((name + "".join("." + each for each in rest[2] or ())
                     if name in ("voxwire", "screen", "audio", "mqtt", "toolbox") and len(rest) > 2
                     else name, own))
    return found

if sys.argv[1] == "modules":
    builtins.__import__ = counted
start = used()
import app
builtins.__import__ = real
imported = used() - start
from hal import this_board
board = this_board()
with_board = used()
device = app.App(board)
print(json.dumps({"imported": imported, "board": with_board - start - imported,
                  "objects": used() - with_board, "per_module": rows}))
"""


def still(modules: bool) -> dict[str, Any]:
    """Bytes of imports, board and objects of a device that has not started."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "measure.py").write_text(PROGRAM)
        config = {"id": "heap", "host": "127.0.0.1", "root": folder, "speaker": f"{folder}/s.wav"}
        done = subprocess.run(
            [
                micropython(),
                "-X",
                "heapsize=2M",
                f"{folder}/measure.py",
                "modules" * modules or "-",
            ],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "MICROPYPATH": f"{built()}:.frozen",
                "VOXCARD_SIMULATOR": json.dumps(config),
            },
        )
    found: dict[str, Any] = json.loads(done.stdout)
    if modules:
        found["per_module"].sort(key=lambda row: -row[1])
    else:
        del found["per_module"]
    return found


class Peer:
    """A bridge by script: what the device said, by channel, and a way to speak to it."""

    def __init__(self, port: int, device_id: str) -> None:
        self._root = f"voxcard/{device_id}/"
        self._queues: dict[str, asyncio.Queue[bytes]] = {}
        self._up = asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[("voxcard/#", 1)],
            on_message=self._received,
            on_link=lambda up: self._up.set() if up else None,
        )

    async def __aenter__(self) -> "Peer":
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def queue(self, channel: str) -> "asyncio.Queue[bytes]":
        return self._queues.setdefault(channel, asyncio.Queue())

    def _received(self, topic: str, payload: bytes, retained: bool) -> None:
        self.queue(topic.removeprefix(self._root)).put_nowait(bytes(payload))

    async def heard(self, channel: str = "up", **match: object) -> dict[str, Any]:
        """The next JSON message whose fields equal `match`."""
        async with asyncio.timeout(STEP_S):
            while True:
                data: dict[str, Any] = json.loads(await self.queue(channel).get())
                if match.items() <= data.items():
                    return data

    def say(self, kind: str, **values: object) -> None:
        """One control message of the session."""
        data = json.dumps({"type": kind, "session_id": "s1", **values}).encode()
        self._client.publish(self._root + "down", data, qos=1)

    def speak(self, seq: int) -> None:
        """One frame of silence in ADPCM."""
        header = bytearray(audio.HEADER_BYTES)
        audio.write_header(header, audio.IMA_ADPCM, seq, 0)
        payload = bytes(audio.ADPCM_HEADER_BYTES + 16 * FRAME_MS // 2)
        self._client.publish(self._root + "spk", bytes(header) + payload, qos=0)

    async def ask(self, call_id: int | str, method: str, **params: object) -> dict[str, Any]:
        """The device's answer to one JSON-RPC request."""
        payload = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}
        self.say("mcp", payload=payload)
        while True:
            answer: dict[str, Any] = (await self.heard(type="mcp"))["payload"]
            if answer.get("id") == call_id:
                return answer

    async def tools(self) -> None:
        """List them all, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            page = await self.ask(f"l{cursor}", "tools/list", cursor=cursor, withUserTools=True)
            cursor = page["result"].get("nextCursor")

    async def call(self, call_id: int, name: str, **arguments: object) -> dict[str, Any]:
        """The result of one tool; the scope is the user's."""
        meta = {"voxcard/scope": "user"}
        answer = await self.ask(call_id, "tools/call", name=name, arguments=arguments, _meta=meta)
        result: dict[str, Any] = answer["result"]
        if result["isError"]:
            raise DeviceEndedError(result["content"][0]["text"])
        return result

    async def photo(self) -> bytes:
        """The next blob of the device, whole."""
        data = bytearray()
        receiver = blob.Receiver(lambda head: data.extend, hashlib.sha256(), 1 << 20)
        async with asyncio.timeout(STEP_S):
            while True:
                chunk = blob.decode(await self.queue("blob/up").get())
                if receiver.add(chunk) is not None:
                    self.say("blob", id=chunk.id, next=receiver.next)
                    return bytes(data)


def card() -> dict[str, Any]:
    """A result as the bridge cuts it down for a small screen: text, fields, code, choices."""
    row = (MODULES + 7) // 8
    code = base64.b64encode(bytes(range(256))[: row * MODULES]).decode()
    text = ["Order 1042 · Привет", "On its way to you", "Arrives Tuesday", "2 parcels"]
    return {
        "id": "c1",
        "rev": 1,
        "foot": "orders · 2h",
        "pages": [
            {"k": "t", "t": "Order 1042", "l": [["h", "Status"], *text]},
            {"k": "t", "t": "Parcels", "l": text},
            {"k": "q", "t": "Track it", "n": MODULES, "d": code, "s": 2, "l": ["example.com"]},
            {"k": "a", "t": "Order 1042", "o": [["again", "Ask again"], ["call", "Call them"]]},
        ],
    }


async def _turn(device: SimulatedDevice, peer: Peer) -> dict[str, int]:
    """A press, words, a tool call, a card, ten seconds of speech."""
    await device.press()
    listen = await peer.heard(type="listen", state="start")
    peer.say("turn", id=listen["id"], state="accepted")
    for _ in range(25):
        async with asyncio.timeout(STEP_S):
            await peer.queue("mic").get()
    peer.say("turn", id=listen["id"], state="thinking")
    peer.say("stt", text="where is my order 1042")
    await peer.call(10, "self.audio_speaker.set_volume", volume=60)
    peer.say("card", op="show", card=card())
    await peer.heard(type="card", event="shown", id="c1")
    peer.say("tts", state="start", seq=100)
    peer.say("tts", state="sentence_start", text="Your order is on its way and comes on Tuesday.")
    frames = SPEECH_MS // FRAME_MS
    begun = asyncio.get_running_loop().time()
    for number in range(frames):
        due = begun + (number * FRAME_MS - AHEAD_MS) / 1000
        await asyncio.sleep(due - asyncio.get_running_loop().time())
        peer.speak(100 + number)
        if number % 50 == 0:
            peer.say("turn", id=listen["id"], state="alive")
    peer.say("tts", state="stop", last_seq=100 + frames - 1)
    played = await peer.heard(type="played")
    peer.say("turn", id=listen["id"], state="done")
    await device.wait("state", state="idle", limit_s=STEP_S)
    return {"played": (played["seq"] - 99) & 0xFFFF, "frames": frames}


@contextlib.asynccontextmanager
async def _at_home(folder: Path, heap: str) -> AsyncIterator[tuple[SimulatedDevice, Peer]]:
    """A device of that heap with its session open and its tools listed; the photo it takes is
    `folder`/photo.jpg."""
    photo = folder / "photo.jpg"
    photo.write_bytes(b"\xff\xd8" + os.urandom(PHOTO_BYTES))
    broker = EmbeddedBroker(port=0)
    await broker.start()
    device = SimulatedDevice(
        folder / "device", "heap", heap=heap, port=broker.port, photo=str(photo)
    )
    try:
        async with Peer(broker.port, "heap") as peer, device:
            await peer.heard("hello")
            peer.say(
                "hello",
                audio_params={"format": "ima-adpcm", "sample_rate": 16000, "frame_duration": 40},
                time=1790000000,
            )
            await device.wait("state", state="idle", limit_s=STEP_S)
            await peer.ask(1, "initialize", protocolVersion="2025-06-18", capabilities={})
            await peer.tools()
            yield device, peer
    except BaseException as error:
        error.add_note("The device's log ends with:\n" + "\n".join(list(device.log)[-12:]))
        raise
    finally:
        await broker.stop()


async def _free(peer: Peer, call_id: int) -> dict[str, Any]:
    info: dict[str, Any] = (await peer.call(call_id, "self.get_system_info"))["structuredContent"]
    return info


async def leaf_through(folder: Path, heap: str, cards: int, pages: int) -> dict[str, int]:
    """`cards` cards of `pages` pages on a device of that heap, every page of the first and of
    the last turned: bytes free after the fifth and after the last."""
    async with _at_home(folder, heap) as (device, peer):
        free = {}
        for number in range(cards):
            lines = [f"Card {number} · Привет", "On its way to you"]
            made = [{"k": "t", "t": f"Page {page}", "l": lines} for page in range(pages)]
            card_id = f"leaf-{number}"
            peer.say("card", op="show", card={"id": card_id, "rev": 0, "pages": made})
            await peer.heard(type="card", event="shown", id=card_id)
            for page in range(1, pages) if number in (0, cards - 1) else ():
                await device.press(ms=60)
                await peer.heard(type="card", event="page", id=card_id, page=page)
            if number in (4, cards - 1):
                free[number] = (await _free(peer, 100 + number))["free_bytes"]
    return {"early": free[4], "late": free[cards - 1]}


async def converse(folder: Path, heap: str) -> dict[str, int]:
    """One conversation with a device of that heap: what it had free, and what it played.

    Raises DeviceEndedError, TimeoutError or KeyError where the device could not.
    """
    async with _at_home(folder, heap) as (device, peer):
        idle = await _free(peer, 3)
        found = await _turn(device, peer)
        for _ in range(3):
            await device.press()
            await peer.heard(type="card", event="page")
        await device.press(ms=900)
        await peer.heard(type="card", event="action")
        async with asyncio.TaskGroup() as group:
            group.create_task(peer.call(20, "self.camera.take_photo", question="what is it"))
            taken = await peer.photo()
        if taken != (folder / "photo.jpg").read_bytes():
            raise ValueError("the photo is another one")
        after = await _free(peer, 21)
    return {
        "used_idle": idle["used_bytes"],
        "free_idle": idle["free_bytes"],
        "free_after_turn": after["free_bytes"],
        **found,
    }


def survives(heap_wk: int) -> dict[str, int] | None:
    """What `converse` found, None when the device could not at that heap."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return asyncio.run(converse(Path(folder), f"{heap_wk}wk"))
        except (DeviceEndedError, TimeoutError, KeyError, ExceptionGroup):
            return None


def smallest() -> int:
    """The least heap, in wk to 2, in which the conversation goes well."""
    low, high = HEAPS_WK
    while high - low > 2:
        middle = (low + high) // 2
        low, high = (low, middle) if survives(middle) is not None else (middle, high)
    return high


def measured(modules: bool) -> dict[str, Any]:
    """Bytes of code, board and objects; free bytes before and after a turn; the smallest heap."""
    return {**still(modules), **(survives(HEAPS_WK[1]) or {}), "smallest_heap_wk": smallest()}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", action="store_true")
    parser.add_argument("--still", action="store_true", help="without a conversation")
    parser.add_argument("--heap")
    options = parser.parse_args()
    if options.heap:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(asyncio.run(converse(Path(folder), options.heap))))
        return 0
    found = still(options.modules) if options.still else measured(options.modules)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
