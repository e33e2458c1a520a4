"""Text to speech: what a speaker does, over HTTP and on this computer."""

from collections.abc import AsyncIterator
from typing import Protocol

from voxcard.assistants import Speech
from voxcard.assistants.offline.speech.tts import Speaker as LocalVoice
from voxcard.assistants.offline.speech.voices import Voice, named
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.assistants.pipeline.web import Web
from voxcard.config import Server
from voxcard.json_value import JsonObject

PCM_RATE_HZ = 24000  # of response_format "pcm"
_PIECE_BYTES = 4800  # 100 ms
_HEADER_MAX = 4096  # bytes in which a WAV file says what it is
_DEFAULT_MODEL, _DEFAULT_VOICE = "tts-1", "alloy"  # where a server must be told some


class Speaker(Protocol):
    """Speaks sentences; raises VoxcardError, a ServerProblem when it is away."""

    def check(self) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    def speak(self, text: str, locale: str) -> AsyncIterator[Speech]:
        """One sentence, in pieces as they come."""


class HttpSpeaker:
    """`/audio/speech` as OpenAI publishes it: JSON in, samples out as they are made."""

    def __init__(self, subject: Subject, server: Server, voice: str, limit_s: float) -> None:
        self._web = Web(subject, server, limit_s)
        self._subject = subject
        self._model = server.model or _DEFAULT_MODEL
        self._voice = voice or _DEFAULT_VOICE

    def check(self) -> None:
        """Its address was checked with the file."""

    async def start(self) -> None:
        await self._web.start()

    async def stop(self) -> None:
        await self._web.stop()

    async def speak(self, text: str, locale: str) -> AsyncIterator[Speech]:
        request: JsonObject = {
            "model": self._model,
            "voice": self._voice,
            "input": text,
            "response_format": "pcm",
        }
        rate_hz, held, begun = PCM_RATE_HZ, b"", False
        async with self._web.post("/audio/speech", json=request) as response:
            kind = response.headers.get("content-type", "")
            if "json" in kind or "mpeg" in kind or kind.startswith("text/"):
                raise self._subject.broken(f"sent {kind} instead of samples")
            async for piece in response.aiter_bytes(_PIECE_BYTES):
                held += piece
                if not begun:
                    header = wav_header(held)
                    if header is None:
                        continue
                    begun, (rate_hz, size) = True, header
                    if not rate_hz:
                        raise self._subject.broken("sent a WAV file that is not 16 bit, mono")
                    held = held[size:]
                pcm, held = held[: len(held) & ~1], held[len(held) & ~1 :]
                if pcm:
                    yield Speech(pcm=pcm, rate_hz=rate_hz)
        if not begun and len(held) > 1:
            yield Speech(pcm=held[: len(held) & ~1], rate_hz=PCM_RATE_HZ)
        elif not begun:
            raise self._subject.broken("sent no samples")


class LocalSpeaker:
    """The voice of the offline assistant."""

    def __init__(self, voice: str, workers: Workers, made: Voice | None = None) -> None:
        self._name = voice or "joe"
        self._made = made
        self._workers = workers
        self._speaker: LocalVoice | None = None
        self._voice: Voice | None = None

    def check(self) -> None:
        (self._made or named(self._name)).check()

    async def start(self) -> None:
        self._voice = self._made or named(self._name)
        await self._workers.run("speak", self._voice.load)
        self._speaker = LocalVoice(self._voice, self._workers)

    async def stop(self) -> None:
        voice, self._voice = self._voice, None
        speaker, self._speaker = self._speaker, None
        if speaker is not None:
            await speaker.stop()
        if voice is not None:
            voice.close()

    async def speak(self, text: str, locale: str) -> AsyncIterator[Speech]:
        assert self._speaker is not None
        async for speech in self._speaker.speak(text):
            yield speech


def wav_header(data: bytes) -> tuple[int, int] | None:
    """(rate_hz, bytes of header) of samples; None while that is not known.

    Some servers send a WAV file whatever they are asked for; rate_hz is 0 for one that is not
    16 bit, mono. Bytes that are no WAV file are samples at PCM_RATE_HZ.
    """
    if not data.startswith(b"RIFF"[: len(data)]):
        return PCM_RATE_HZ, 0
    if len(data) < 12:
        return None
    if data[8:12] != b"WAVE":
        return PCM_RATE_HZ, 0
    at, rate_hz = 12, 0
    while at + 8 <= len(data) and at < _HEADER_MAX:
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name == b"data":
            return rate_hz, at + 8
        if name == b"fmt ":
            if len(data) < at + 24:
                return None
            form, channels = data[at + 8 : at + 10], data[at + 10 : at + 12]
            bits = data[at + 22 : at + 24]
            if (form, channels, bits) == (b"\x01\0", b"\x01\0", b"\x10\0"):
                rate_hz = int.from_bytes(data[at + 12 : at + 16], "little")
        at += 8 + size + size % 2
    return None if at < _HEADER_MAX else (0, 0)
