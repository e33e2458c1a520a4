"""The Realtime back end as an assistant: its server, and how it is."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence

from voxcard import config
from voxcard.assistants import Facts, Speech
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.realtime.conversation import RealtimeConversation
from voxcard.assistants.realtime.engine import Engine
from voxcard.assistants.realtime.turn.answer import Answer
from voxcard.assistants.realtime.wire import client_events, problems
from voxcard.assistants.realtime.wire.connection import Connection
from voxcard.assistants.realtime.wire.server_events import AudioDelta, ResponseDone, ServerError
from voxcard.assistants.realtime.wire.session import Session
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec

_READER = "You read texts aloud, word for word, and say nothing else."


class Realtime:
    """`name` is what voxcard.toml calls it; `settings` are its section there."""

    def __init__(self, name: str, settings: config.Realtime) -> None:
        self._name = name
        self._settings = settings
        self._health = Health()
        self._engine: Engine | None = None

    def check(self) -> None:
        """Look for the key and the prompt."""
        if self._settings.server.key_missing:
            problem = f"[assistants.{self._name}] key_env names a variable that is not set."
            remedy = "Set it where the bridge starts, for systemd with EnvironmentFile=."
            raise VoxcardError(problem, remedy)
        prompt.read(self._settings.prompt)

    async def start(self) -> None:
        """A server that is away is none of its errors: it may come back."""
        server = self._settings.server
        is_secure = server.url.startswith("wss:")
        self._engine = Engine(
            settings=self._settings,
            subject=Subject("The Realtime server", f"url of [assistants.{self._name}]", server),
            prompt=await asyncio.to_thread(prompt.read, self._settings.prompt),
            health=self._health,
            tls=await asyncio.to_thread(ssl.create_default_context) if is_secure else None,
        )

    async def stop(self) -> None:
        """Conversations close their sessions themselves."""
        self._engine = None

    def health(self) -> str:
        if self._engine is None:
            return "It is not running."
        return self._health.why(asyncio.get_running_loop().time())

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> RealtimeConversation:
        return RealtimeConversation(self._running, place, tools)

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        """Speak in a session of its own. A model reads: it is asked to change no word."""
        engine = self._running()
        try:
            connection = await engine.connect()
            try:
                session = Session(connection, engine.settings, ())
                session.configure(_READER, [], None, locale)
                session.send(client_events.read_aloud(text))
                async for speech in self._read(engine, connection, text):
                    yield speech
            finally:
                await connection.close()
        except ServerProblem as problem:
            self._health.failed(str(problem), asyncio.get_running_loop().time())
            raise

    async def _read(
        self, engine: Engine, connection: Connection, text: str
    ) -> AsyncIterator[Speech]:
        answer = Answer("", None, text)
        while True:
            event = await connection.receive(engine.settings.limit_s)
            if isinstance(event, AudioDelta):
                for part in answer.sound(event):
                    if isinstance(part, Speech):
                        yield part
            elif isinstance(event, ServerError):
                raise problems.failure(engine.subject, event)
            elif isinstance(event, ResponseDone):
                if event.status != "completed" and not answer.came:
                    raise problems.unfinished(engine.subject, event)
                for part in answer.end():
                    if isinstance(part, Speech):
                        yield part
                return

    def _running(self) -> Engine:
        if self._engine is None:
            problem = f"The assistant {self._name} is not running."
            raise VoxcardError(problem, "Start the bridge again.")
        return self._engine
