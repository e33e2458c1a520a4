"""A started assistant of a stand-in, and one conversation with it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from fakes import speech
from fakes.home_assistant.server import TOKEN, HomeServer
from voxcard import config
from voxcard.assistants import Facts, Heard, Sentence
from voxcard.assistants.home_assistant.assistant import HomeAssistant

QUESTION = speech.audio((speech.QUIET, 320), (speech.LOUD, 640), (speech.QUIET, 2000))


def settings(url: str, **more: Any) -> config.HomeAssistant:
    values: dict[str, Any] = {"pipeline": "", "devices": {}, "limit_s": 5, **more}
    token = config.Secret(value=values.pop("token", TOKEN))
    return config.HomeAssistant(server=config.Server(url=url, key=token), **values)


def place(device: str = "kitchen", name: str = "Kitchen") -> Facts:
    now = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
    return Facts(device=device, name=name, locale="en", now=now)


class Talk:
    """`url`: of the server, which need not be there."""

    def __init__(self, server: "HomeServer | str", **more: Any) -> None:
        url = server if isinstance(server, str) else server.url
        self.facts = more.pop("facts", place())
        self.assistant = HomeAssistant("house", settings(url, **more))

    async def __aenter__(self) -> "Talk":
        self.assistant.check()
        await self.assistant.start()
        self.conversation = self.assistant.conversation(lambda: self.facts, lambda: ())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.conversation.close()
        await self.assistant.stop()

    def turn(self, text: str = "", **heard: Any) -> Any:
        return self.conversation.turn(Heard(text=text, **heard) if text else Heard(**heard))

    async def ask(self, text: str) -> list[Any]:
        return [part async for part in self.turn(text)]

    async def ask_aloud(self, pcm: bytes = QUESTION, **heard: Any) -> list[Any]:
        return [part async for part in self.turn(audio=speech.microphone(pcm), **heard)]


async def open_microphone(pcm: bytes = QUESTION) -> AsyncIterator[bytes]:
    """One that goes on after `pcm`, with silence, and gives the server time to answer."""
    async for piece in speech.microphone(pcm):
        yield piece
    while True:
        await asyncio.sleep(0.001)
        yield bytes(1280)


def texts(parts: list[Any]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Sentence)]
