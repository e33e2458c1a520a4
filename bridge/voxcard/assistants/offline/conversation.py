"""One device's talk with the offline assistant: heard, understood, done, said."""

import copy
import logging
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from voxcard.assistants import (
    Ask,
    Begun,
    CallTool,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    HeardReply,
    Part,
    Sentence,
    Speech,
    Transcript,
    Turn,
)
from voxcard.assistants.offline import commands, prepared_reply, reply
from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.dialogue import Dialogue, Question
from voxcard.assistants.offline.first_reply import FirstReply, Said
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial, recognise
from voxcard.assistants.offline.intents.meanings import Correctable, Several
from voxcard.assistants.offline.intents.sentences.sentence_files import Language
from voxcard.assistants.offline.local_forms import LocalForms, moment
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.prepared_reply import Opening, PreparedReply
from voxcard.assistants.offline.speech.asr import Recogniser
from voxcard.assistants.offline.speech.endpoint import Endpoint, limits
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.utterance import Ending, Utterance
from voxcard.assistants.offline.speech.vad import Detector
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.assistants.offline.threads import Workers
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

_CLAUSE_END = re.compile(r"[.,;:!?]\s")
_SILENCE = Speech(pcm=bytes(2 * 480), rate_hz=16_000)  # 30 ms
_EXAMPLES = 4  # more than a few nobody remembers
_ANSWER_WITHIN = timedelta(seconds=60)  # after that a question is forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What all conversations share while the assistant runs."""

    settings: OfflineSettings
    language: Language
    catalogues: Catalogues
    workers: Workers
    detector: Callable[[], Detector]
    recogniser: Recogniser
    voice: Voice
    speaker: Speaker
    now: Callable[[], datetime]


class OfflineConversation:
    """Remembers between turns what was said last, what was asked, and the home's sentences."""

    def __init__(
        self, engine: Callable[[], Engine], tools: Callable[[], Sequence[ToolSpec]]
    ) -> None:
        self._engine = engine
        self._list_tools = tools
        self._catalogue: Catalogue | None = None
        self._question: Question | None = None
        self._asked = datetime.min
        self._first_reply = FirstReply(lambda: engine().settings.listen_again)
        self._before: dict[str, float] = {}  # values that an undo brings back
        self._last = ""  # what was said
        self._rest = ""  # what of it nobody heard

    def prepare(self) -> None:
        """There is nothing to connect to."""

    async def close(self) -> None:
        """It holds nothing that others could not use."""

    def tools_changed(self) -> None:
        """Begin to learn the sentences of the tools there are now; those before stay in use."""
        try:
            self._engine().catalogues.prepare(self._list_tools())
        except VoxcardError:
            return  # not started yet: the first turn learns them

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        listening: Utterance | None = None
        prepared: PreparedReply | None = None
        try:
            dialogue = await self._dialogue()
            if heard.audio is None:
                typed = await self._typed(dialogue, heard.text or "")
                prepared = await self._prepared(typed, "ended", heard)
            else:
                listening = await self._ears(dialogue, heard.held)
                ears = listening

                async def prepare(ending: Ending) -> PreparedReply:
                    trial = await ears.trial() if ending == "ended" else Trial(text="")
                    return await self._prepared(trial, ending, heard)

                prepared = await prepared_reply.heard_out(listening, heard.audio, prepare)
                yield EndOfSpeech(speech_ms=listening.speech_ms, end_ms=listening.end_ms)
            yield Transcript(text=prepared.trial.text)
            self._first_reply, said = prepared.first_reply, prepared.said
            if isinstance(said, Several):
                plan, outcome = commands.carried_out(said.steps, self._home()), None
                workers = self._engine().workers
                while isinstance(
                    step := await workers.run("understand", commands.advance, plan, outcome),
                    CallTool,
                ):
                    outcome = yield step
                said = Said(step.sentences, commands.follow_up(step, dialogue.question))
            async for part in self._spoken(said, prepared.opening):
                yield part
            yield Done()
        except VoxcardError as error:
            yield Failed(message=str(error))
        finally:
            if prepared is not None:
                await prepared.close()
            if listening is not None:
                await listening.stop()

    async def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself."""
        return
        yield

    def interrupted(self, heard: HeardReply) -> None:
        """Remember what of the last answer was not heard, for "go on"; it begins with a clause."""
        said = heard.text.strip()
        begin = self._last[: len(said)] if self._last.startswith(said) else ""
        at = len(begin)
        if self._last[at:]:
            at = max((end.end() for end in _CLAUSE_END.finditer(begin + " ")), default=0)
        self._rest = self._last[at:].strip()

    async def _dialogue(self) -> Dialogue:
        """The sentences of the home, and the question this turn may answer."""
        engine = self._engine()
        self._catalogue = await engine.catalogues.of(self._list_tools(), self._catalogue)
        question, self._question = self._question, None
        late = not timedelta() <= engine.now() - self._asked <= _ANSWER_WITHIN
        return Dialogue(self._catalogue, None if late else question)

    async def _by_newer_list(self, trial: Trial) -> Trial:
        """`trial` read by the tools there are now: some may have come while it was said."""
        newer = await self._engine().catalogues.of(self._list_tools(), None)
        if newer is self._catalogue:
            return trial
        self._catalogue = newer
        return await self._typed(Dialogue(newer), trial.text)

    async def _typed(self, dialogue: Dialogue, text: str) -> Trial:
        workers = self._engine().workers
        reading = await workers.run("understand", dialogue.understand, text)
        return Trial(text=text.strip(), reading=reading)

    async def _ears(self, dialogue: Dialogue, held: bool) -> Utterance:
        engine = self._engine()

        async def attempt(pcm: bytes, beside: bool) -> Trial:
            trial = await engine.workers.run(
                "recognise", recognise, engine.recogniser, dialogue, pcm, beside
            )
            if trial.understood is not None and not trial.understood.risky:
                for sentence in reply.foretold(trial.understood, self._home())[:1]:
                    engine.speaker.prepare(sentence)
            return trial

        took_ms = engine.workers.took_ms.get("recognise", 0.0)
        chosen = limits(engine.settings.end_of_speech_ms, held=held, recognition_ms=took_ms)
        detector = await engine.workers.run("listen", engine.detector)
        return Utterance(detector, Endpoint(chosen), engine.workers, attempt)

    async def _prepared(self, trial: Trial, ending: Ending, heard: Heard) -> PreparedReply:
        """The reply to `trial`, with its first words made; nothing is done or remembered yet."""
        if trial.text and trial.reading.meaning is None:
            trial = await self._by_newer_list(trial)
        engine, first_reply = self._engine(), copy.copy(self._first_reply)
        said = first_reply.to(trial, ending, heard, engine.language.phrases)
        prepared = PreparedReply(trial=trial, first_reply=first_reply, said=said)
        if heard.audio is not None:
            if ending == "ended":
                prepared.hold_back(engine.settings.end_of_speech_ms)
            await prepared.open(engine.speaker, self._home())
        return prepared

    async def _spoken(self, said: Said, opening: Opening | None) -> AsyncIterator[Part]:
        if not said.excuse:
            self._last, self._rest = " ".join(said.sentences), ""
        engine = self._engine()
        self._question, self._asked = said.question, engine.now()
        for sentence in said.sentences:
            yield Sentence(text=sentence, excuse=said.excuse)
            if opening is not None and opening.sentence == sentence:
                speeches, opening = opening.speech(), None
            else:
                speeches = engine.speaker.speak(sentence)
            async for speech in speeches:
                yield speech
        if said.listens:
            yield _SILENCE  # a device listens after what it played
        if said.listens or not isinstance(said.question, Correctable | None):
            yield Ask()

    def _home(self) -> reply.Home:
        engine, catalogue = self._engine(), self._catalogue
        assert catalogue is not None
        now = engine.now()
        facts = {
            **moment(now, engine.settings.locale),
            "examples": ", ".join(catalogue.examples[:_EXAMPLES]),
            "last": self._last,
            "rest": self._rest,
        }
        return reply.Home(
            phrases=engine.language.phrases,
            tools=catalogue.tools,
            facts=facts,
            forms=_local_forms(engine),
            before=self._before,
        )


def _local_forms(engine: Engine) -> LocalForms | None:
    """None in English, in which a device's own words are said."""
    if engine.language.forms is None:
        return None
    return LocalForms(engine.settings.locale, engine.language.phrases)
