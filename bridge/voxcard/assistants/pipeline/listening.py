"""The first half of a turn: the microphone's audio becomes text."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

from voxcard.assistants import EndOfSpeech, Heard, Part
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
    """`text` is what was said; without any, `excuse` is why."""

    def __init__(self, engine: Engine, heard: Heard) -> None:
        self.text = ""
        self.excuse: Excuse = "not_understood"
        self._engine = engine
        self._heard = heard

    async def parts(self) -> Parts:
        engine, audio = self._engine, self._heard.audio
        assert audio is not None
        held = self._heard.held
        limits = patience.limits(engine.end_of_speech, held=held)
        detector = await engine.workers.run("listen", engine.detector)
        # Who holds the button says that it is the person's turn, however soft the words.
        near = None if held else patience.NearVoice()
        ears = Ears(detector, Endpoint(limits), engine.workers, near)
        trials = Trials(engine.transcriber, self._heard.locale)
        try:
            async with aclosing(ears.speech(audio)) as speech:
                async for pcm in speech:
                    trials.hear(pcm, pausing=ears.pausing)
                    if trials.over:
                        break
            yield EndOfSpeech(speech_ms=ears.speech_ms, end_ms=ears.end_ms)
            if ears.ending == "nothing" or ears.ending == "too_long":
                self.excuse = ears.ending
                return
            text = await trials.text()
            if any(each.isalnum() for each in _SOUNDS.sub("", text)):
                self.text = text
        finally:
            await trials.stop()
