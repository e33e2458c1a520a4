"""One device's talk with the offline assistant: heard, understood, done, said."""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime

from voxcard.assistants import (
    CallTool,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    Sentence,
    ToolReply,
    Transcript,
    Turn,
)
from voxcard.assistants.offline import reply
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial, recognise
from voxcard.assistants.offline.intents.sentence_files import Language, Rule
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech.asr import Recogniser
from voxcard.assistants.offline.speech.endpoint import HELD, Endpoint, EndpointLimits
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.utterance import Ending, Utterance
from voxcard.assistants.offline.speech.vad import Detector
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.assistants.offline.threads import Workers
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

_EXAMPLES = 4  # more than a few nobody remembers


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What all conversations share while the assistant runs."""

    settings: OfflineSettings
    language: Language
    own: tuple[Rule, ...]
    workers: Workers
    detector: Callable[[], Detector]
    recogniser: Recogniser
    voice: Voice
    speaker: Speaker
    now: Callable[[], datetime]


class OfflineConversation:
    """Remembers between turns what was said last, and the home's sentences."""

    def __init__(
        self, engine: Callable[[], Engine], tools: Callable[[], Sequence[ToolSpec]]
    ) -> None:
        self._engine = engine
        self._list_tools = tools
        self._tools: tuple[ToolSpec, ...] = ()
        self._catalogue: Catalogue | None = None
        self._last = ""  # what was said
        self._rest = ""  # what of it nobody heard

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        listening: Utterance | None = None
        try:
            catalogue = await self._current()
            ending: Ending = "ended"
            if heard.audio is None:
                trial = await self._understood(catalogue, heard.text or "")
            else:
                listening = await self._ears(catalogue, heard.held)
                ending = await listening.until_end(heard.audio)
                yield EndOfSpeech(speech_ms=listening.speech_ms, end_ms=listening.end_ms)
                trial = await listening.trial() if ending == "ended" else Trial(text="")
            yield Transcript(text=trial.text)
            plan = self._plan(catalogue, ending, trial)
            outcome: ToolReply | None = None
            while True:
                try:
                    call = plan.send(outcome)
                except StopIteration as end:
                    reply: list[str] = end.value
                    break
                outcome = yield call
            self._last, self._rest = " ".join(reply), ""
            speaker = self._engine().speaker
            for sentence in reply:
                yield Sentence(text=sentence)
                async for speech in speaker.speak(sentence):
                    yield speech
            yield Done()
        except VoxcardError as error:
            yield Failed(message=str(error), retryable=False)
        finally:
            if listening is not None:
                await listening.stop()

    def interrupted(self, spoken: str) -> None:
        """Remember what of the last answer was not heard, for "go on"."""
        said = spoken.strip()
        self._rest = self._last[len(said) :].strip() if self._last.startswith(said) else self._last

    async def _current(self) -> Catalogue:
        """The sentences of the tools there are now; built anew only when those changed."""
        engine = self._engine()
        tools = tuple(self._list_tools())
        if self._catalogue is None or tools != self._tools:
            self._catalogue = await engine.workers.run(
                "understand", Catalogue, engine.language, engine.own, tools
            )
            self._tools = tools
        return self._catalogue

    async def _ears(self, catalogue: Catalogue, held: bool) -> Utterance:
        engine = self._engine()
        settings = engine.settings
        limits = EndpointLimits(
            end_ms=settings.end_of_speech_ms,
            complete_ms=settings.complete_ms,
            nothing_ms=settings.nothing_ms,
            longest_ms=settings.longest_ms,
        )
        if held:
            limits = HELD

        async def attempt(pcm: bytes) -> Trial:
            trial = await engine.workers.run(
                "recognise", recognise, engine.recogniser, catalogue, pcm
            )
            if trial.understood is not None:
                for sentence in reply.foretold(trial.understood, self._home(catalogue))[:1]:
                    engine.speaker.prepare(sentence)
            return trial

        detector = await engine.workers.run("listen", engine.detector)
        return Utterance(detector, Endpoint(limits), engine.workers, attempt)

    async def _understood(self, catalogue: Catalogue, text: str) -> Trial:
        found = await self._engine().workers.run("understand", catalogue.understand, text)
        return Trial(text=text.strip(), understood=found)

    def _plan(
        self, catalogue: Catalogue, ending: Ending, trial: Trial
    ) -> Generator[CallTool, ToolReply | None, list[str]]:
        phrases = self._engine().language.phrases
        if ending == "nothing":
            return [phrases["nothing_heard"]]
        if ending == "too_long":
            return [phrases["too_long"]]
        if trial.understood is None:
            log.info("not understood: %.80r", trial.text)
            return [phrases["not_understood"]]
        rule = trial.understood.rule
        log.info("understood %.80r: %s", trial.text, rule.tool or "answered by itself")
        return (yield from reply.answer(trial.understood, self._home(catalogue)))

    def _home(self, catalogue: Catalogue) -> reply.Home:
        engine = self._engine()
        now = engine.now()
        facts = {
            "time": f"{now:%I:%M %p}".lstrip("0"),
            "date": f"{now:%A}, {now.day} {now:%B}",
            "examples": ", ".join(catalogue.examples[:_EXAMPLES]),
            "last": self._last,
            "rest": self._rest,
        }
        return reply.Home(phrases=engine.language.phrases, tools=self._tools, facts=facts)
