"""Servers that speak the Wyoming protocol: speech to text, and text to speech."""

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from voxcard.assistants import RATE_HZ, Speech
from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.assistants.spoken.verbalise import spoken
from voxcard.config import Server
from voxcard.errors import MissingExtra

if TYPE_CHECKING:
    from wyoming.client import AsyncClient
    from wyoming.event import Event

_CONNECT_S = 5.0
_AUDIO = {"rate": RATE_HZ, "width": 2, "channels": 1}


class _Link:
    """How to talk to one server; every failure is a ServerProblem."""

    def __init__(self, subject: Subject, server: Server, limit_s: float) -> None:
        self.subject = subject
        self._uri = server.url.replace("wyoming://", "tcp://", 1)
        self._limit_s = limit_s

    def check(self) -> None:
        if importlib.util.find_spec("wyoming") is None:
            raise MissingExtra("The Wyoming protocol", "pipeline")

    @asynccontextmanager
    async def connected(self) -> "AsyncIterator[AsyncClient]":
        """A connection of its own: the protocol has no ids to tell two requests apart."""
        from wyoming.client import AsyncClient  # an extra

        client = AsyncClient.from_uri(self._uri, connect_timeout=_CONNECT_S)
        try:
            await client.connect()
        except (OSError, TimeoutError) as error:
            raise self.subject.away() from error
        try:
            yield client
        except ConnectionError as error:
            raise self.subject.broken("closed the connection") from error
        finally:
            with suppress(OSError, TimeoutError):  # it is gone either way
                await asyncio.wait_for(client.disconnect(), 1)

    async def send(self, client: "AsyncClient", event: "Event") -> None:
        """Write an event; a server that reads nothing holds it back."""
        try:
            async with asyncio.timeout(self._limit_s):
                await client.write_event(event)
        except TimeoutError as error:
            raise self.subject.late(self._limit_s) from error

    async def next(self, client: "AsyncClient") -> "Event":
        """The next event that is no error; a Wyoming `error` is raised."""
        try:
            async with asyncio.timeout(self._limit_s):
                event = await client.read_event()
        except TimeoutError as error:
            raise self.subject.late(self._limit_s) from error
        except (AttributeError, EOFError, KeyError, TypeError, ValueError) as error:
            raise self.subject.broken("sent something that is not Wyoming") from error
        if event is None:
            raise self.subject.broken("closed the connection or sent what is not Wyoming")
        if event.type == "error":
            raise self.subject.broken(f"failed: {self.subject.words(str(event.data.get('text')))}")
        return event


class WyomingTranscriber:
    """Speech to text: the audio goes to the server while it is spoken."""

    def __init__(self, subject: Subject, server: Server, limit_s: float) -> None:
        self._link = _Link(subject, server, limit_s)
        self._model = server.model

    def check(self) -> None:
        self._link.check()

    async def start(self) -> None:
        """It connects for each sentence."""

    async def stop(self) -> None:
        """No connection outlives its sentence."""

    async def transcribe(self, audio: AsyncIterator[bytes], locale: str) -> str:
        from wyoming.asr import Transcribe
        from wyoming.audio import AudioChunk, AudioStart, AudioStop

        async with self._link.connected() as client:
            language = locale.partition("-")[0].lower()
            await self._link.send(
                client, Transcribe(name=self._model or None, language=language).event()
            )
            await self._link.send(client, AudioStart(**_AUDIO).event())
            async for pcm in audio:
                await self._link.send(client, AudioChunk(audio=pcm, **_AUDIO).event())
            await self._link.send(client, AudioStop().event())
            return await self._text(client)

    async def _text(self, client: "AsyncClient") -> str:
        """The transcript, whole or in pieces."""
        pieces: list[str] = []
        while True:
            event = await self._link.next(client)
            text = event.data.get("text", "")
            if event.type == "transcript-chunk" and isinstance(text, str):
                pieces.append(text)
            elif event.type == "transcript" and isinstance(text, str):
                return " ".join(text.split())
            elif event.type == "transcript-stop":
                return " ".join("".join(pieces).split())


class WyomingSpeaker:
    """Text to speech, streamed where the server can do that."""

    def __init__(self, subject: Subject, server: Server, voice: str, limit_s: float) -> None:
        self._link = _Link(subject, server, limit_s)
        self._voice = voice
        self._streams: bool | None = None  # None: not asked yet

    def check(self) -> None:
        self._link.check()

    async def start(self) -> None:
        """It connects for each sentence."""

    async def stop(self) -> None:
        """No connection outlives its sentence."""

    async def speak(self, text: str, locale: str) -> AsyncIterator[Speech]:
        text = spoken(text, locale)
        async with self._link.connected() as client:
            if self._streams is None:
                self._streams = await self._can_stream(client)
            await self._ask(client, text)
            begun = False
            async for speech in self._audio(client, "synthesize-stopped" if self._streams else ""):
                begun = True
                yield speech
        if not begun:
            raise self._link.subject.broken("sent no samples")

    async def _can_stream(self, client: "AsyncClient") -> bool:
        from wyoming.info import Describe

        await self._link.send(client, Describe().event())
        while (event := await self._link.next(client)).type != "info":
            pass
        programs = event.data.get("tts")
        programs = programs if isinstance(programs, list) else []
        return any(
            isinstance(each, dict) and each.get("supports_synthesize_streaming") is True
            for each in programs
        )

    async def _ask(self, client: "AsyncClient", text: str) -> None:
        from wyoming.tts import (
            Synthesize,
            SynthesizeChunk,
            SynthesizeStart,
            SynthesizeStop,
            SynthesizeVoice,
        )

        voice = SynthesizeVoice(name=self._voice) if self._voice else None
        if not self._streams:
            await self._link.send(client, Synthesize(text=text, voice=voice).event())
            return
        await self._link.send(client, SynthesizeStart(voice=voice).event())
        await self._link.send(client, SynthesizeChunk(text=text).event())
        await self._link.send(client, SynthesizeStop().event())

    async def _audio(self, client: "AsyncClient", last: str) -> AsyncIterator[Speech]:
        """The samples up to the event `last`; "": up to the first audio-stop.

        One streamed synthesis has an audio-start and an audio-stop for each of its sentences.
        """
        while True:
            event = await self._link.next(client)
            if event.type == "audio-chunk":
                rate_hz, width, channels = (
                    event.data.get(key) for key in ("rate", "width", "channels")
                )
                if not isinstance(rate_hz, int) or rate_hz <= 0 or (width, channels) != (2, 1):
                    raise self._link.subject.broken("sends sound that is not 16 bit, mono")
                if event.payload:
                    yield Speech(pcm=event.payload[: len(event.payload) & ~1], rate_hz=rate_hz)
            elif event.type == (last or "audio-stop"):
                return
