"""A pipeline with its servers' addresses, and a place with two tools to talk to it."""

from datetime import UTC, datetime
from typing import Any

from fakes import speech
from voxcard import config
from voxcard.assistants import CallTool, Facts, Heard, NextReply, Sentence
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.toolhub.model import ToolSpec

LIGHT_SCHEMA = {"type": "object", "properties": {"on": {"type": "boolean"}}}
TOOLS = (
    ToolSpec(name="home.light", description="A light.", input_schema=LIGHT_SCHEMA, source="home"),
    ToolSpec(
        name="self.camera.take_photo", description="A photo.", input_schema={}, source="device"
    ),
)
QUESTION = speech.audio((speech.QUIET, 320), (speech.LOUD, 640), (speech.QUIET, 2000))


def settings(chat: str, stt: str, tts: str, **more: Any) -> config.Pipeline:
    """The settings of a pipeline of those addresses."""
    key = config.Secret(value=more.pop("key", ""))
    stt_model = more.pop("stt_model", "")
    values: dict[str, Any] = {
        "voice": "",
        "prompt": "",
        "sees": False,
        "end_of_speech": "default",
        "limit_s": 5,
        **more,
    }
    return config.Pipeline(
        chat=config.Server(url=chat, model="m", key=key),
        stt=config.Server(url=stt, model=stt_model, key=key),
        tts=config.Server(url=tts, key=key),
        **values,
    )


def place() -> Facts:
    now = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
    return Facts(device="kitchen", name="Kitchen", locale="en", now=now, screen=(128, 64))


class Home:
    """A started pipeline and one conversation with it."""

    def __init__(self, chat: str, stt: str, tts: str, **more: Any) -> None:
        self.assistant = Pipeline(
            "mine", settings(chat, stt, tts, **more), detector=speech.LoudDetector
        )

    async def __aenter__(self) -> "Home":
        self.assistant.check()
        await self.assistant.start()
        self.conversation = self.assistant.conversation(place, lambda: TOOLS)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.conversation.close()
        await self.assistant.stop()

    def turn(self, text: str = "", *, audio: bool = False, silent: bool = False) -> Any:
        if not audio:
            return self.conversation.turn(Heard(text=text))
        pcm = speech.audio((speech.QUIET, 9000)) if silent else QUESTION
        return self.conversation.turn(Heard(audio=speech.microphone(pcm)))

    async def ask(self, text: str = "", *, replies: Any = (), **more: Any) -> list[Any]:
        """The parts of a turn whose calls are answered by `replies`, in their order."""
        left, open_calls = list(replies), 0
        turn, parts, reply = self.turn(text, **more), [], None
        while True:
            try:
                part = await turn.asend(reply)
            except StopAsyncIteration:
                return parts
            parts.append(part)
            reply = None
            if isinstance(part, CallTool):
                assert part.id
                open_calls += 1
            elif isinstance(part, NextReply) and open_calls:
                open_calls -= 1
                reply = left.pop(0)


def texts(parts: list[Any]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Sentence)]
