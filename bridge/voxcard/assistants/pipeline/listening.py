"""The first half of a turn: the microphone's audio becomes text."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

from voxcard.assistants import HEAR_ON_MS, EndOfSpeech, Heard, Part
from voxcard.assistants.offline.speech.endpoint import Endpoint
from voxcard.assistants.pipeline.engine import Engine
from voxcard.assistants.pipeline.excuses import Excuse
from voxcard.assistants.pipeline.speech import patience
from voxcard.assistants.pipeline.speech.ears import Ears
from voxcard.assistants.pipeline.speech.trials import Trials

Parts = AsyncGenerator[Part, None]
# What recognisers write for sounds: "[Music]", "(coughs)".
_SOUNDS = re.compile(r"[\[(][^\[\]()]{0,80}[\])]")


class Listening:
    """The speech of one turn. Without words in it, `excuse` is why."""

    def __init__(self, engine: Engine, heard: Heard) -> None:
        self.excuse: Excuse = "not_understood"
        self._engine = engine
        self._heard = heard
        self._ears: Ears | None = None
        self._trials = Trials(engine.transcriber, heard.locale)
        self._hears_on = False

    async def parts(self) -> Parts:
        """Up to the end of speech; once more after `goes_on` was true."""
        audio, trials = self._heard.audio, self._trials
        assert audio is not None
        ears = self._ears = self._ears or await self._opened()
        async with aclosing(ears.speech(audio)) as speech:
            async for pcm in speech:
                trials.hear(pcm, pausing=ears.pausing)
                if trials.over:
                    break
        self._hears_on = ears.ending == "ended" and not ears.closed and not trials.over
        yield EndOfSpeech(speech_ms=ears.speech_ms, end_ms=ears.end_ms, hears_on=self._hears_on)

    async def _opened(self) -> Ears:
        engine, held = self._engine, self._heard.held
        limits = patience.limits(engine.end_of_speech, held=held)
        detector = await engine.workers.run("listen", engine.detector)
        # Who holds the button says that it is the person's turn, however soft the words.
        near = None if held else patience.NearVoice()
        return Ears(detector, Endpoint(limits), engine.workers, near)

    async def goes_on(self) -> bool:
        """Hear on after the end; whether the speaker does."""
        ears, audio = self._ears, self._heard.audio
        if ears is None or audio is None or not self._hears_on:
            return False
        return await ears.goes_on(audio, HEAR_ON_MS)

    async def text(self) -> str:
        """What was said, up to the last end."""
        ears = self._ears
        if ears is None:
            return self._heard.text or ""
        if ears.ending == "nothing" or ears.ending == "too_long":
            self.excuse = ears.ending
            return ""
        text = await self._trials.text()
        return text if any(each.isalnum() for each in _SOUNDS.sub("", text)) else ""

    def resume(self) -> None:
        """The speaker goes on: what was said up to the last end was not all."""
        self._trials.resume()

    async def stop(self) -> None:
        """Leave the servers alone; safe to call twice."""
        await self._trials.stop()
