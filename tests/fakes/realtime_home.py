"""A Realtime assistant with its server's address, and a place with two tools to talk to it."""

import asyncio
import math
import struct
from collections.abc import AsyncIterator, Callable
from typing import Any

from fakes.pipeline_home import TOOLS, place
from voxcard import config
from voxcard.assistants import (
    CallTool,
    Heard,
    HeardReply,
    Hush,
    NextReply,
    Sentence,
    Speech,
)
from voxcard.assistants.realtime.assistant import Realtime

FRAME_MS = 40
LOUD = struct.pack("<640h", *(round(8000 * math.sin(at * math.pi / 16)) for at in range(640)))
QUIET = bytes(1280)


def frames(*stretches: "tuple[bytes, int]") -> list[bytes]:
    """The microphone's frames of stretches (LOUD or QUIET, ms)."""
    return [frame for frame, ms in stretches for _ in range(ms // FRAME_MS)]


QUESTION = frames((QUIET, 320), (LOUD, 640), (QUIET, 1000))


class OpenMicrophone:
    """Hears what is put into it, until it is closed; cancelling a wait loses nothing."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)

    def say(self, *stretches: "tuple[bytes, int]") -> None:
        for frame in frames(*stretches):
            self.put(frame)

    def close(self) -> None:
        self._frames.put_nowait(None)

    def __aiter__(self) -> "OpenMicrophone":
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0)
        frame = await self._frames.get()
        if frame is None:
            raise StopAsyncIteration
        return frame


def microphone(sound: list[bytes]) -> OpenMicrophone:
    """One that hears `sound` and is closed then."""
    closing = OpenMicrophone()
    for frame in sound:
        closing.put(frame)
    closing.close()
    return closing


async def until(is_true: Callable[[], object]) -> None:
    """Let the others run until it is so."""
    while not is_true():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0)


def settings(url: str, **more: Any) -> config.Realtime:
    key = config.Secret(value=more.pop("key", ""))
    values: dict[str, Any] = {
        "voice": "",
        "transcription_model": "gpt-realtime-whisper",
        "turn_detection": "server_vad",
        "eagerness": "auto",
        "idle_timeout_ms": 0,
        "noise_reduction": "far_field",
        "prompt": "",
        "sees": False,
        "end_of_speech_ms": 600,
        "limit_s": 5,
        **more,
    }
    server = config.Server(url=url, model="gpt-realtime-2", key=key)
    return config.Realtime(server=server, **values)


class Home:
    """A started assistant and one conversation with it."""

    def __init__(self, url: str, **more: Any) -> None:
        self.assistant = Realtime("mine", settings(url, **more))
        self.tools = list(TOOLS)
        self.place = place()

    async def __aenter__(self) -> "Home":
        self.assistant.check()
        await self.assistant.start()
        self.conversation = self.assistant.conversation(lambda: self.place, lambda: self.tools)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.conversation.close()
        await self.assistant.stop()
        left = [task.get_name() for task in asyncio.all_tasks() if "realtime" in task.get_name()]
        assert left == []

    async def ask(self, text: str = "", **more: Any) -> list[Any]:
        """The parts of a whole turn: typed, or spoken where there is no text."""
        heard = Heard(text=text) if text else Heard(audio=microphone(QUESTION))
        return [
            part async for part in parts(self.conversation.turn(more.pop("heard", heard)), **more)
        ]


async def parts(turn: Any, *, replies: Any = (), played_ms: Any = ()) -> AsyncIterator[Any]:
    """The parts of `turn`; calls are answered by `replies`, hushes by (text, ms), in order."""
    left, heard, calls, reply = list(replies), list(played_ms), 0, None
    try:
        while True:
            try:
                part = await turn.asend(reply)
            except StopAsyncIteration:
                return
            yield part
            reply = None
            if isinstance(part, CallTool):
                assert part.id
                calls += 1
            elif isinstance(part, NextReply) and calls:
                calls -= 1
                reply = left.pop(0)
            elif isinstance(part, Hush):
                text, ms = heard.pop(0)
                reply = HeardReply(text=text, played_ms=ms)
    finally:
        await turn.aclose()


def texts(parts: list[Any]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Sentence)]


def sound_ms(parts: list[Any]) -> int:
    """How long their speech is."""
    return sum(len(part.pcm) // 48 for part in parts if isinstance(part, Speech))
