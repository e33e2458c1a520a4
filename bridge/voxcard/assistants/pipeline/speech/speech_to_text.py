"""Speech to text: what a transcriber does, over HTTP and on this computer."""

import io
import json
import wave
from collections.abc import AsyncIterator
from typing import Protocol

from voxcard.assistants import RATE_HZ
from voxcard.assistants.offline.speech.asr import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.assistants.pipeline.web import Web
from voxcard.config import Server

_DEFAULT_MODEL = "whisper-1"  # where a server must be told one


class Transcriber(Protocol):
    """Turns one sentence into text; raises VoxcardError, a ServerProblem when it is away."""

    def check(self) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def transcribe(self, audio: AsyncIterator[bytes], locale: str) -> str:
        """What `audio` (pcm16 at RATE_HZ, to its end) says; "" when nothing."""


class HttpTranscriber:
    """`/audio/transcriptions` as OpenAI publishes it: a WAV file in, JSON out."""

    def __init__(self, subject: Subject, server: Server, limit_s: float) -> None:
        self._web = Web(subject, server, limit_s)
        self._subject = subject
        self._model = server.model or _DEFAULT_MODEL

    def check(self) -> None:
        """Its address was checked with the file."""

    async def start(self) -> None:
        await self._web.start()

    async def stop(self) -> None:
        await self._web.stop()

    async def transcribe(self, audio: AsyncIterator[bytes], locale: str) -> str:
        pcm = b"".join([piece async for piece in audio])
        fields = {
            "model": self._model,
            "language": locale.partition("-")[0].lower(),
            "response_format": "json",
        }
        files = {"file": ("speech.wav", wav(pcm), "audio/wav")}
        async with self._web.post("/audio/transcriptions", data=fields, files=files) as response:
            body = await response.aread()
        try:
            text = json.loads(body)["text"]
        except (ValueError, KeyError, TypeError, RecursionError):
            text = None
        if not isinstance(text, str):
            raise self._subject.broken("sent something that is no transcript")
        return " ".join(text.split())


class LocalTranscriber:
    """The recogniser of the offline assistant, without its sentences."""

    def __init__(self, model: str, workers: Workers, recogniser: Recogniser | None = None) -> None:
        self._recogniser = recogniser or WhisperRecogniser(model or "tiny.en")
        self._workers = workers

    def check(self) -> None:
        self._recogniser.check()

    async def start(self) -> None:
        await self._workers.run("recognise", self._recogniser.load)

    async def stop(self) -> None:
        self._recogniser.close()

    async def transcribe(self, audio: AsyncIterator[bytes], locale: str) -> str:
        pcm = b"".join([piece async for piece in audio])
        hypotheses = await self._workers.run("recognise", self._recogniser.transcribe, pcm, "")
        return hypotheses[0].text if hypotheses else ""


def wav(pcm: bytes) -> bytes:
    """pcm16 at RATE_HZ as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE_HZ)
        writer.writeframes(pcm)
    return file.getvalue()
