"""Push to talk: from letting go of the button to the first frame of an answer made at once.

The bridge is a process of its own whose assistant answers at once; broker and device are here.
"""

import asyncio
import json
import statistics
import tempfile
import time
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.mqtt import Address, MqttClient
from voxwire import audio, topics

from tools.bench.relay.latency import measured
from tools.bench.rows import Row

TURNS = 60
FRAMES = 5  # of a question
FIRST_AUDIO_MS = 10.0
LIMIT_S = 20.0
DEVICE = "bench-release"
SOUND = {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 400, "down_rates_hz": [16000]}


def numbers(turn: int) -> list[int]:
    """The seqs of a turn's frames, and the one that would come next: they have 16 bits."""
    return [turn * 100 + index & 0xFFFF for index in range(FRAMES + 1)]


class Talker:
    """A device that holds its button for FRAMES frames, lets go, and times the answer."""

    def __init__(self, port: int) -> None:
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._first_frame: asyncio.Future[float] | None = None
        self._up = asyncio.Event()
        self._session = ""
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[(self._topic("down"), 1), (self._topic("spk"), 0)],
            on_message=self._received,
            on_link=lambda up: self._up.set() if up else None,
        )

    async def run(self, turns: int) -> list[float]:
        """ms from `listen stop` to the first speaker frame, for each turn."""
        running = asyncio.create_task(self._client.run())
        try:
            async with asyncio.timeout(LIMIT_S):
                await self._up.wait()
                hello = {"type": "hello", "id": DEVICE, "version": 1, "sound": SOUND}
                self._client.publish(self._topic("hello"), json.dumps(hello).encode())
                self._session = (await self._until("hello"))["session_id"]
            return [await self._turn(index) for index in range(turns)]
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def _turn(self, index: int) -> float:
        *seqs, next_seq = numbers(index)
        values = {"id": f"t{index}", "mode": "manual"}
        self._say("listen", state="start", seq=seqs[0], **values)
        for seq in seqs:
            frame = audio.AudioFrame(audio.PCM16, seq, 0, bytes(1280))
            self._client.frame(self._topic("mic"), audio.encode(frame))
        self._first_frame = asyncio.get_running_loop().create_future()
        began_s = time.perf_counter()
        self._say("listen", state="stop", seq=next_seq, **values)
        async with asyncio.timeout(LIMIT_S):
            first_s = await self._first_frame
            while (message := await self._until("tts")).get("state") != "stop":
                pass
            self._say("played", seq=message["last_seq"])
            while (await self._until("turn"))["state"] != "done":
                pass
        return 1000 * (first_s - began_s)

    def _say(self, type_name: str, **values: Any) -> None:
        values |= {"type": type_name, "session_id": self._session}
        self._client.publish(self._topic("up"), json.dumps(values).encode())

    async def _until(self, type_name: str) -> dict[str, Any]:
        while (message := await self._messages.get())["type"] != type_name:
            pass
        return message

    def _received(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic.endswith("/down"):
            self._messages.put_nowait(json.loads(payload))
        elif self._first_frame is not None and not self._first_frame.done():
            self._first_frame.set_result(time.perf_counter())

    def _topic(self, channel: str) -> str:
        return topics.topic(topics.ROOT, DEVICE, channel)


async def measure(turns: int = TURNS) -> list[float]:
    """ms from the release to the first frame, for each turn."""
    broker = EmbeddedBroker(port=0)
    await broker.start()
    try:
        with tempfile.TemporaryDirectory(prefix="voxcard-bench-") as folder:
            command = ("tools.bench.relay.echo_bridge", str(broker.port), folder, "--after")
            async with measured(*command):
                return await Talker(broker.port).run(turns)
    finally:
        await broker.stop()


def rows() -> list[Row]:
    """The release with its budget."""
    times = sorted(asyncio.run(measure()))
    return [
        Row(
            name="listen stop to first audio p50",
            value=round(statistics.median(times), 1),
            unit="ms",
            limit=FIRST_AUDIO_MS,
        ),
        Row(
            name="listen stop to first audio p95",
            value=round(times[int(len(times) * 0.95)], 1),
            unit="ms",
        ),
    ]
