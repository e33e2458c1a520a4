"""A turn among talking devices: whatever computes does it off the loop that serves them."""

import asyncio
import json
import threading
from collections.abc import Sequence

import pytest
from fakes.bridge import WireDevice
from fakes.speech import LOUD, QUIET, LetterVoice, LoudDetector, ScriptedRecogniser, audio
from voxcard import config
from voxcard.app import App
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.cards.read import reading
from voxcard.history.store import History
from voxcard.link.embedded_broker import free_port
from voxcard.screen import card_maker
from voxcard.toolhub.model import ToolSpec
from voxwire import audio as wire_audio

from tools.bench.relay.measured import lateness

TALKERS = 10
LIMIT_S = 240
FRAME_BYTES = 1280
TOOL = {
    "name": "self.parcel",
    "description": "",
    "inputSchema": {"type": "object"},
    "_meta": {"voxcard/sentences": {"en": ["where is my parcel"]}},
}
RESULT = {
    "content": [{"type": "text", "text": "At the door."}],
    "_meta": {"assistant_platform": {"card": {"title": "Parcel", "fallback_text": "Here."}}},
}


class Threads:
    """Notes which threads the wrapped functions run in, by the functions' names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: dict[str, set[int]] = {}
        self._monkeypatch = monkeypatch

    def watch(self, owner: object, name: str) -> None:
        function = getattr(owner, name)

        def noted(*arguments, **more):
            self.seen.setdefault(name, set()).add(threading.get_ident())
            return function(*arguments, **more)

        self._monkeypatch.setattr(owner, name, noted)


class Talker(WireDevice):
    """A device whose one tool gives a card."""

    def hear(self, pcm: bytes) -> None:
        """Send what the microphone hears, 40 ms a frame."""
        for seq, at in enumerate(range(0, len(pcm), FRAME_BYTES)):
            frame = wire_audio.AudioFrame(0, seq, 40 * seq, pcm[at : at + FRAME_BYTES])
            self._client.frame(f"voxcard/{self._id}/mic", wire_audio.encode(frame))

    def _message(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic.endswith("down"):
            told = json.loads(payload)
            if told["type"] == "mcp" and "id" in told["payload"]:
                self._answer(told["payload"])
        super()._message(topic, payload, retained)

    def _answer(self, call: dict) -> None:
        results = {"tools/list": {"tools": [TOOL]}, "tools/call": RESULT, "initialize": {}}
        answer = {"jsonrpc": "2.0", "id": call["id"], "result": results[call["method"]]}
        self.say("mcp", payload=answer)


def test_recognition_speech_cards_and_history_never_run_on_the_loop(
    tmp_path, monkeypatch, record_property
):
    threads = Threads(monkeypatch)
    recogniser, voice = ScriptedRecogniser("where is my parcel"), LetterVoice()
    threads.watch(recogniser, "transcribe")
    threads.watch(voice, "speak")
    threads.watch(LoudDetector, "probability")
    threads.watch(card_maker, "fit")
    threads.watch(reading, "read")
    threads.watch(History, "add_turn")
    threads.watch(History, "add_card")
    pcm = audio((LOUD, 640), (QUIET, 1280))

    async def conversation():
        port = free_port("127.0.0.1")
        told = config.parse(
            {
                "mqtt": {"listen_port": port},
                "history": {"path": str(tmp_path / "history.sqlite")},
                "control": {"socket": str(tmp_path / "control")},
            },
            environ={},
        )
        offline = Offline(
            OfflineSettings(), recogniser=recogniser, voice=voice, detector=LoudDetector
        )
        records: asyncio.Queue = asyncio.Queue()
        app = App(told, on_turn=records.put_nowait, assistant=offline)
        running = asyncio.create_task(app.run())
        await app.ready.wait()
        late_ms: list[float] = []
        probe = asyncio.create_task(lateness(late_ms))
        async with asyncio.TaskGroup() as group:
            for number in range(TALKERS):
                group.create_task(talk(app, port, f"talker-{number}", pcm))
        done = [await records.get() for _ in range(TALKERS)]
        probe.cancel()
        # Measured and told (--junit-xml, make bench), not judged: machines differ.
        record_property("loop_late_ms", max(late_ms))
        assert late_ms
        assert [record.error for record in done] == [""] * TALKERS
        assert {record.reply for record in done} == {"At the door."}
        assert all(len(record.cards) == 1 for record in done)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())
    assert set(threads.seen) == {
        "transcribe", "speak", "probability", "fit", "read", "add_turn", "add_card"
    }  # fmt: skip
    here = threading.get_ident()
    assert [name for name, seen in threads.seen.items() if here in seen] == []


def listed(app: App, device_id: str) -> Sequence[ToolSpec]:
    return app.service.tool_list(device_id, "ai")


async def talk(app: App, port: int, device_id: str, pcm: bytes) -> None:
    """One device, from its hello to the end of one spoken turn."""
    changes = app.service.watch()
    async with Talker(port, device_id) as device:
        await device.until("hello")
        # The list is read beside the loop: it is there some time after the device has sent it.
        while not any(spec.name == "self.parcel" for spec in listed(app, device_id)):
            await anext(changes)
        device.say("listen", id=f"{device_id}-1", state="start", seq=0)
        await device.until("turn accepted")
        device.hear(pcm)
        await device.until("turn done")
