"""The first half of a turn: the microphone's audio becomes text."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from voxcard.assistants import EndOfSpeech, Heard, Part
from voxcard.assistants.offline.speech.endpoint import HELD, Endpoint, EndpointLimits
from voxcard.assistants.pipeline.engine import Engine
from voxcard.assistants.pipeline.speech.ears import Ears

Parts = AsyncGenerator[Part, None]
_NOT_HEARD = {
    "nothing": "I did not hear anything.",
    "too_long": "That was too long, or too loud around you.",
}
# What recognisers write for sounds: "[Music]", "(coughs)".
_SOUNDS = re.compile(r"[\[(][^\[\]()]{0,80}[\])]")


class Listening:
    """`text` is what was said, else `excuse` why there is none."""

    def __init__(self, engine: Engine, heard: Heard) -> None:
        self.text = ""
        self.excuse = ""
        self._engine = engine
        self._heard = heard
        self._over = asyncio.Event()

    async def parts(self) -> Parts:
        engine, audio = self._engine, self._heard.audio
        assert audio is not None
        limits = HELD if self._heard.held else EndpointLimits(end_ms=engine.end_of_speech_ms)
        detector = await engine.workers.run("listen", engine.detector)
        ears = Ears(detector, Endpoint(limits), engine.workers)
        work = self._transcribed(ears, audio)
        task = asyncio.create_task(work, name="pipeline transcribe")
        over = asyncio.create_task(self._over.wait(), name="pipeline end of speech")
        try:
            await asyncio.wait([task, over], return_when=asyncio.FIRST_COMPLETED)
            if not over.done():
                await task  # it failed, or it needs no more
            yield EndOfSpeech(speech_ms=ears.speech_ms, end_ms=ears.end_ms)
            text = await task
            is_words = any(each.isalnum() for each in _SOUNDS.sub("", text))
            self.text = text if is_words else ""
            self.excuse = _NOT_HEARD.get(ears.ending, "")
        finally:
            for each in (task, over):
                each.cancel()
            await asyncio.gather(task, over, return_exceptions=True)

    async def _transcribed(self, ears: Ears, audio: AsyncIterator[bytes]) -> str:
        """What was said; the server hears nothing when there is no speech."""
        speech = ears.speech(audio)
        async with aclosing(speech):
            try:
                first = await anext(speech)
            except StopAsyncIteration:
                self._over.set()
                return ""
            rest = self._rest(first, speech)
            async with aclosing(rest):
                text = await self._engine.transcriber.transcribe(rest, self._heard.locale)
            return "" if ears.ending == "too_long" else text

    async def _rest(
        self, first: bytes, speech: AsyncIterator[bytes]
    ) -> AsyncGenerator[bytes, None]:
        yield first
        async for piece in speech:
            yield piece
        self._over.set()
