"""The offline assistant in each language that somebody speaks to it: made when one does."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.conversation import Engine
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.sentence_files import Rule
from voxcard.assistants.offline.speech.asr import Recogniser
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.language.locales import best, normal


class Engines:
    """`base` is that of the home's own language; the others share its models where they can.

    `own` are a person's rules: they are in the home's language. `recogniser(language)` is None
    where nothing can hear it; `voice(language)` None where the home's own voice speaks it.
    """

    def __init__(
        self,
        base: Engine,
        own: Sequence[Rule],
        *,
        recogniser: Callable[[str], Recogniser | None],
        voice: Callable[[str], Voice | None],
    ) -> None:
        self.base = base
        self._own = own
        self._recogniser = recogniser
        self._voice = voice
        self._engines: dict[str, Engine] = {normal(base.settings.locale): base}
        self._making = asyncio.Lock()

    def locale(self, locale: str) -> str:
        """What a turn of `locale` is answered in: itself where its language is known, else en."""
        languages = sentence_files.languages()
        language = best(locale, languages)
        return normal(locale) if normal(locale).partition("-")[0] == language else language

    def hears(self, locale: str) -> bool:
        """Whether speech of that locale's language can be recognised."""
        return self._recogniser(best(locale, sentence_files.languages())) is not None

    async def of(self, locale: str) -> Engine:
        """The engine of a locale; the first time this loads its voice."""
        wanted = self.locale(locale)
        async with self._making:
            if wanted not in self._engines:
                self._engines[wanted] = await self._made(wanted)
            return self._engines[wanted]

    async def stop(self) -> None:
        for engine in self._engines.values():
            await engine.catalogues.stop()
            await engine.speaker.stop()
        await self.base.workers.stop()
        self.base.recogniser.close()
        for engine in self._engines.values():
            engine.voice.close()

    async def _made(self, locale: str) -> Engine:
        base, language = self.base, sentence_files.language(locale)
        own = self._own if language.name == base.language.name else ()
        voice = self._voice(language.name)
        if voice is not None:
            await base.workers.run("speak", voice.load)
        voice = voice or base.voice
        return replace(
            base,
            settings=replace(base.settings, locale=locale),
            language=language,
            catalogues=Catalogues(base.workers, lambda tools: Catalogue(language, own, tools)),
            recogniser=self._recogniser(language.name) or base.recogniser,
            voice=voice,
            speaker=Speaker(voice, base.workers, locale=locale),
        )
