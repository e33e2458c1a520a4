"""A device's talk in the language of each turn."""

from collections.abc import AsyncIterator, Callable, Sequence

from voxcard.assistants import Begun, Done, EndOfSpeech, Failed, Heard, HeardReply, Sentence, Turn
from voxcard.assistants import Transcript as Words
from voxcard.assistants.offline.conversation import Engine, OfflineConversation
from voxcard.assistants.offline.engines import Engines
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec


class LocaleConversation:
    """Hands each turn to the talk of its locale, which remembers what was said in it."""

    def __init__(
        self,
        engines: Callable[[], Engines],
        tools: Callable[[], Sequence[ToolSpec]],
        home_locale: str,
    ) -> None:
        self._engines = engines
        self._tools = tools
        self._talks: dict[str, OfflineConversation] = {}
        self._last = self._talk(home_locale, lambda: engines().base)

    def prepare(self) -> None:
        """There is nothing to connect to."""

    async def close(self) -> None:
        for talk in self._talks.values():
            await talk.close()

    def tools_changed(self) -> None:
        """Begin to learn the sentences of the tools there are now, in each language."""
        for talk in self._talks.values():
            talk.tools_changed()

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        try:
            engines = self._engines()
            engine = await engines.of(heard.locale)
            if heard.audio is not None and not engines.hears(heard.locale):
                async for part in _deaf(engine):
                    yield part
                return
            self._last = self._talk(engines.locale(heard.locale), lambda: engine)
        except VoxcardError as error:
            yield Failed(message=str(error))
            return
        turn, outcome = self._last.turn(heard), None
        try:
            while True:
                outcome = yield await turn.asend(outcome)
        except StopAsyncIteration:
            return
        finally:
            await turn.aclose()

    def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself."""
        return self._last.begun()

    def interrupted(self, heard: HeardReply) -> None:
        """See OfflineConversation.interrupted; of the last answer."""
        self._last.interrupted(heard)

    def _talk(self, locale: str, engine: Callable[[], Engine]) -> OfflineConversation:
        if locale not in self._talks:
            self._talks[locale] = OfflineConversation(engine, self._tools)
        return self._talks[locale]


async def _deaf(engine: Engine) -> Turn:
    """What is said to speech of a language that nothing here can recognise."""
    yield EndOfSpeech()
    yield Words(text="")
    sentence = engine.language.phrases["no_recogniser"]
    yield Sentence(text=sentence, excuse=True)
    async for speech in engine.speaker.speak(sentence):
        yield speech
    yield Done()
