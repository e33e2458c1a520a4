"""A reply that is ready before it is certain that the speaker has finished."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass

from voxcard.assistants import Speech
from voxcard.assistants.offline import reply
from voxcard.assistants.offline.first_reply import FirstReply, Said
from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.intents.meanings import Correctable, Several
from voxcard.assistants.offline.speech.endpoint import EndpointLimits
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.utterance import Ending, Utterance
from voxcard.errors import VoxcardError

log = logging.getLogger(__name__)

# Silence beyond `end_of_speech_ms` before these are said: nobody waits for an excuse, and a
# question may be answered by the words that are still to come.
_EXCUSE_MS = 800
_QUESTION_MS = 200
# Silence before a command acts that a longer sentence begins with: "turn off the light" in the
# whole house, or "in the kitchen".
_PREFIX_MS = EndpointLimits().long_ms
_OWN_TOOLS = ("self.", "bridge.")  # a volume that was set too early is put right by a word


class Opening:
    """A sentence whose first words are synthesised; the rest is when it is said."""

    def __init__(
        self, sentence: str, speech: AsyncGenerator[Speech], first: Speech | None
    ) -> None:
        self.sentence = sentence
        self._speech = speech
        self._first = first

    @classmethod
    async def of(cls, speaker: Speaker, sentence: str) -> "Opening":
        speech = speaker.speak(sentence)
        return cls(sentence, speech, await anext(speech, None))

    async def speech(self) -> AsyncGenerator[Speech]:
        """The whole audio; once."""
        if self._first is not None:
            yield self._first
        async for piece in self._speech:
            yield piece

    async def close(self) -> None:
        """Synthesise no more of it; safe to call twice."""
        await self._speech.aclose()


@dataclass(slots=True, kw_only=True)
class PreparedReply:
    """What is said or done to `trial`, and the memory that is right once it is.

    `silence_ms`: without speech before it may begin.
    """

    trial: Trial
    first_reply: FirstReply
    said: Said | Several
    silence_ms: int = 0
    opening: Opening | None = None

    def hold_back(self, end_of_speech_ms: int) -> None:
        """Let what costs nobody a wait, or may mean more by the words to come, wait for them."""
        if isinstance(self.said, Several):
            tool = self.said.steps[-1].rule.tool
            if self.trial.reading.continues and tool and not tool.startswith(_OWN_TOOLS):
                self.silence_ms = _PREFIX_MS
        elif self.said.excuse:
            self.silence_ms = end_of_speech_ms + _EXCUSE_MS
        elif not isinstance(self.said.question, Correctable | None):
            self.silence_ms = end_of_speech_ms + _QUESTION_MS

    async def open(self, speaker: Speaker, home: reply.Home) -> None:
        """Synthesise the first words, where no tool is called before them."""
        sentence = _first_sentence(self.said, home)
        if sentence:
            with suppress(VoxcardError):  # the reply fails on it once it is said
                self.opening = await Opening.of(speaker, sentence)

    async def close(self) -> None:
        """Nothing more of it is needed."""
        if self.opening is not None:
            await self.opening.close()


async def heard_out(
    listening: Utterance,
    audio: AsyncIterator[bytes],
    prepare: Callable[[Ending], Coroutine[None, None, PreparedReply]],
) -> PreparedReply:
    """The reply to a whole sentence: who speaks on before it can begin is heard to the end."""
    while True:
        ending = await listening.until_end(audio)
        preparing = asyncio.create_task(prepare(ending), name="offline reply")
        goes_on = True
        try:
            goes_on = ending == "ended" and await listening.resumes(
                audio, preparing, lambda prepared: prepared.silence_ms
            )
            if not goes_on:
                return await preparing
            log.info("the speaker goes on: nothing is done yet")
        finally:
            if goes_on:
                await _drop(preparing)


async def _drop(preparing: "asyncio.Task[PreparedReply]") -> None:
    preparing.cancel()
    for prepared in await asyncio.gather(preparing, return_exceptions=True):
        if isinstance(prepared, PreparedReply):
            await prepared.close()


def _first_sentence(said: Said | Several, home: reply.Home) -> str:
    """What is heard first; "" where a tool comes before it, or decides it."""
    if isinstance(said, Said):
        return next(iter(said.sentences), "")
    first = said.steps[0]
    return "" if first.rule.tool else next(iter(reply.foretold(first, home)), "")
