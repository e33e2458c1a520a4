"""One turn of the product's own conversation over a recording, in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from voxcard.assistants import (
    Ask,
    CallTool,
    EndOfSpeech,
    Heard,
    Reply,
    Sentence,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.assistants.offline.assistant import openings
from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.conversation import Engine, OfflineConversation
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.home_sentences import STATUS_TOOL
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech.asr import Recogniser
from voxcard.assistants.offline.speech.tts import Speaker
from voxcard.assistants.offline.speech.vad import SileroDetector
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.assistants.offline.threads import Lane

from tools.bench.hearing import virtual_time
from tools.bench.offline_corpus import Command, tools

FRAME_MS = 40
ANSWER = '{"audio_speaker":{"volume":50},"screen":{"brightness":70},"battery":{"level":80}}'
# As long as everything takes on a quiet small computer, so that a wait is the same on any.
COSTS_MS: Mapping[Lane, float] = {
    "listen": 1.0, "recognise": 180.0, "understand": 2.0, "build": 0.0, "speak": 100.0,
}  # fmt: skip


@dataclass(slots=True)
class TurnResult:
    """What a turn came to; times in ms of the recording, None for what did not happen."""

    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    asked: bool = False
    end_ms: float | None = None
    transcript_ms: float | None = None
    audio_ms: float | None = None

    def of(self, command: Command) -> str:
        """How `command` was taken: right, asked, refused or wrong."""
        if self.asked and all(name == STATUS_TOOL for name, _ in self.calls):
            return "asked"
        if not self.calls:
            return "refused"
        _, tool, wanted, _ = command
        name, arguments = self.calls[-1]
        fits = name == tool and wanted.items() <= arguments.items()
        return "right" if fits else "wrong"


class Home:
    """A home that hears with the given parts; every turn is of a conversation of its own."""

    def __init__(
        self, recogniser: Recogniser, voice: Voice, costs_ms: Mapping[Lane, float] = COSTS_MS
    ) -> None:
        self._recogniser = recogniser
        self._voice = voice
        self._costs_ms = costs_ms
        self._language = sentence_files.language("en")
        self._catalogue = Catalogue(self._language, (), tools())

    @property
    def prompt(self) -> str:
        """What the recogniser is told to expect."""
        return self._catalogue.prompt

    def turn(self, pcm: bytes, prepared: tuple[str, ...] = ()) -> TurnResult:
        """`pcm` is all that the microphone hears; `prepared` was synthesised before."""
        return virtual_time.run(self._turn(pcm, prepared))

    async def _turn(self, pcm: bytes, prepared: tuple[str, ...]) -> TurnResult:
        workers = virtual_time.VirtualWorkers(self._costs_ms)
        speaker = Speaker(self._voice, workers, openings=openings(self._language))
        engine = Engine(
            settings=OfflineSettings(),
            language=self._language,
            catalogues=Catalogues(workers, lambda _: self._catalogue),
            workers=workers,
            detector=SileroDetector,
            recogniser=self._recogniser,
            voice=self._voice,
            speaker=speaker,
            now=datetime.now,
        )
        conversation = OfflineConversation(lambda: engine, tools)
        await speaker.prepare_all(prepared)
        start_s = asyncio.get_running_loop().time()
        result = await _parts(conversation, Heard(audio=_microphone(pcm, start_s)), start_s)
        await speaker.stop()
        return result


async def _parts(talk: OfflineConversation, heard: Heard, start_s: float) -> TurnResult:
    loop = asyncio.get_running_loop()
    result, outcome = TurnResult(), None
    turn = talk.turn(heard)
    while True:
        reply: Reply = outcome
        try:
            part = await turn.asend(reply)
        except StopAsyncIteration:
            return result
        at_ms, outcome = (loop.time() - start_s) * 1000, None
        match part:
            case EndOfSpeech():
                result.end_ms = at_ms
            case Transcript(text=text):
                result.text, result.transcript_ms = text, at_ms
            case CallTool(name=name, arguments=arguments):
                result.calls.append((name, dict(arguments)))
                outcome = ToolReply(text=ANSWER)
            case Sentence(text=text):
                result.said.append(text)
            case Speech():
                result.audio_ms = at_ms if result.audio_ms is None else result.audio_ms
            case Ask():
                result.asked = True


async def _microphone(pcm: bytes, start_s: float) -> AsyncIterator[bytes]:
    loop, size = asyncio.get_running_loop(), FRAME_MS * 32
    for number, at in enumerate(range(0, len(pcm), size), start=1):
        await asyncio.sleep(max(0.0, start_s + number * FRAME_MS / 1000 - loop.time()))
        yield pcm[at : at + size]
