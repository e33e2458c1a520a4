"""A started xiaozhi assistant, one conversation with it, and a driver for its turns."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fakes import speech
from voxcard import config
from voxcard.assistants import CallTool, Facts, Heard, HeardReply, Hush, NextReply, Sentence
from voxcard.assistants.xiaozhi.assistant import Xiaozhi
from voxcard.toolhub.model import ToolSpec

LIGHT_SCHEMA = {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]}
TOOLS = (
    ToolSpec(name="home.light", description="A light.", input_schema=LIGHT_SCHEMA, source="home"),
    ToolSpec(
        name="self.camera.take_photo", description="A photo.", input_schema={}, source="device"
    ),
)
QUESTION = speech.audio((speech.QUIET, 320), (speech.LOUD, 640), (speech.QUIET, 1500))


def settings(server: str, folder: Path, **more: Any) -> config.Xiaozhi:
    values: dict[str, Any] = {"version": 1, "stay_connected": False, "limit_s": 5, **more}
    key = config.Secret(value=values.pop("key", ""))
    return config.Xiaozhi(
        server=config.Server(url=server, key=key),
        identity=folder / "xiaozhi-identity",
        **values,
    )


class Home:
    """`device` is the id of the device that talks."""

    def __init__(self, server: str, *, tools: Any = TOOLS, device: str = "kitchen", **more: Any):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.tools = tools
        self.device = device
        self.assistant = Xiaozhi("mine", settings(server, self.folder, **more))

    async def __aenter__(self) -> "Home":
        self.assistant.check()
        await self.assistant.start()
        self.conversation = self.assistant.conversation(self.place, lambda: self.tools)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.conversation.close()
        await self.assistant.stop()
        self._folder.cleanup()

    def place(self) -> Facts:
        now = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
        return Facts(device=self.device, name="Kitchen", locale="en", now=now, screen=(128, 64))

    def turn(self, text: str = "", *, pcm: bytes | None = None, **more: Any) -> Any:
        """A typed turn, or a spoken one of `pcm` (QUESTION where there is no text)."""
        if text:
            return self.conversation.turn(Heard(text=text))
        audio = more.pop("audio", None) or speech.microphone(QUESTION if pcm is None else pcm)
        return self.conversation.turn(Heard(audio=audio, **more))

    async def ask(self, text: str = "", *, replies: Any = (), **more: Any) -> list[Any]:
        """The parts of a turn whose calls are answered by `replies`, in their order."""
        return await parts_of(self.turn(text, **more), replies)


async def parts_of(turn: Any, replies: Any = ()) -> list[Any]:
    left, ids, parts, reply = list(replies), [], [], None
    while True:
        try:
            part = await turn.asend(reply)
        except StopAsyncIteration:
            return parts
        parts.append(part)
        reply = None
        if isinstance(part, CallTool):
            assert part.id
            ids.append(part.id)
        elif isinstance(part, NextReply) and ids:
            number = ids.pop(0)
            reply = left.pop(0)
            object.__setattr__(reply, "id", number)
        elif isinstance(part, Hush):
            reply = HeardReply(text="", played_ms=100)


async def talking(*pieces: bytes | asyncio.Event) -> AsyncIterator[bytes]:
    """A microphone that waits where an event stands, and then stays open."""
    for piece in pieces:
        if isinstance(piece, asyncio.Event):
            await piece.wait()
        else:
            async for each in speech.microphone(piece):
                yield each
    await asyncio.get_running_loop().create_future()


async def until(condition: Callable[[], bool]) -> None:
    """Let others run until it holds; the test's own limit ends it."""
    while not condition():  # noqa: ASYNC110 - of what has no event
        await asyncio.sleep(0)


def texts(parts: list[Any]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Sentence)]
