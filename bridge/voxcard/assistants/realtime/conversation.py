"""One device's talk with a Realtime server: a session that is kept from turn to turn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing

from voxcard.assistants import Begun, Facts, Failed, Heard, HeardReply, Reply, Turn
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.pipeline.chat_server.memory import Memory
from voxcard.assistants.pipeline.chat_server.tool_names import ToolNames
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.assistants.realtime.engine import Engine
from voxcard.assistants.realtime.turn.answers import Answers
from voxcard.assistants.realtime.turn.flow import TurnFlow
from voxcard.assistants.realtime.turn.interruption import Interruption
from voxcard.assistants.realtime.turn.microphone import Microphone
from voxcard.assistants.realtime.turn.tool_calls import ToolCalls
from voxcard.assistants.realtime.turn.transcripts import Transcripts
from voxcard.assistants.realtime.turn.turn import RealtimeTurn
from voxcard.assistants.realtime.wire import client_events
from voxcard.assistants.realtime.wire.session import Session
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec


class RealtimeConversation:
    """Remembers what was said as text, so that the next session goes on from it."""

    def __init__(
        self,
        engine: Callable[[], Engine],
        place: Callable[[], Facts],
        tools: Callable[[], Sequence[ToolSpec]],
    ) -> None:
        self._engine = engine
        self._place = place
        self._list_tools = tools
        self._memory = Memory()
        self._session: Session | None = None
        self._opening: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._flow: TurnFlow | None = None  # of the last turn

    def tools_changed(self) -> None:
        """Every turn tells the server the tools there are."""

    def prepare(self) -> None:
        """Connect while the person begins to speak, unless the server failed just now."""
        try:
            engine = self._engine()
        except VoxcardError:
            return  # the turn says so
        if not engine.health.why(asyncio.get_running_loop().time()) and not self._is_ready():
            self._begin_opening(engine)

    async def close(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
        self._drop()
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself: between turns the server hears nothing."""
        return
        yield

    def interrupted(self, heard: HeardReply) -> None:
        if self._flow is not None:
            self._flow.hushed(heard)

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance, or those of an open microphone: see `voxcard.assistants`."""
        engine = self._engine()
        flow: TurnFlow | None = None
        try:
            turn, flow = await self._begun(engine, heard)
            reply: Reply = None
            async with aclosing(turn.parts()) as parts:
                try:
                    while True:
                        part = await parts.asend(reply)
                        if flow.problem is not None:  # after its Failed nobody asks for more
                            self._note(engine, flow.problem)
                        reply = yield part
                except StopAsyncIteration:
                    pass
            if flow.problem is None:
                engine.health.worked()
        except ServerProblem as problem:
            self._note(engine, problem)
            yield Failed(message=str(problem), retryable=True)
        finally:
            if flow is None or not flow.leave():
                self._drop()

    async def _begun(self, engine: Engine, heard: Heard) -> tuple[RealtimeTurn, TurnFlow]:
        settings, names = engine.settings, ToolNames(self._list_tools())
        place = self._place()
        detection = None
        if heard.audio is not None and not heard.held:
            detection = client_events.turn_detection(settings, is_open=heard.open)

        async def ready() -> Session:
            session = await self._ready(engine)
            tools = client_events.tools(names)
            instructions = session.prompt(engine.prompt, place)
            session.configure(instructions, tools, detection, heard.locale)
            if prompt.tells_time(engine.prompt):
                session.tell_time(place.now)
            return session

        async def renew() -> Session:
            self._drop()
            return await ready()

        session = await ready()
        calls = ToolCalls(session.send, names, sees=settings.sees)
        is_padded = settings.turn_detection == "server_vad"
        self._flow = TurnFlow(
            session,
            engine.subject,
            heard,
            Answers(session, calls, Interruption(self._memory)),
            Transcripts(is_written=bool(settings.transcription_model)),
            padding_ms=settings.end_of_speech_ms if is_padded else None,
        )
        microphone = Microphone(heard.audio, session) if heard.audio is not None else None
        turn = RealtimeTurn(self._flow, session, microphone, renew, settings.limit_s)
        return turn, self._flow

    def _note(self, engine: Engine, problem: ServerProblem | None) -> None:
        if problem is None:
            engine.health.worked()
        else:
            engine.health.failed(str(problem), asyncio.get_running_loop().time())

    def _is_ready(self) -> bool:
        return self._opening is not None or (self._session is not None and self._session.is_usable)

    async def _ready(self, engine: Engine) -> Session:
        """The session that is kept, or a new one."""
        if not self._is_ready():
            self._begin_opening(engine)
        while self._session is None:
            # A turn that is closed meanwhile leaves it to the next one; one that is closed just
            # as it opens has let it go.
            await asyncio.shield(self._opening or self._begin_opening(engine))
        self._session.settle()
        return self._session

    def _begin_opening(self, engine: Engine) -> "asyncio.Task[None]":
        self._drop()
        self._opening = asyncio.create_task(self._open(engine), name="realtime connect")
        self._opening.add_done_callback(lambda task: self._opened(engine, task))
        return self._opening

    async def _open(self, engine: Engine) -> None:
        connection = await engine.connect()
        # Both in this step: turns begin and end before the task's callbacks run.
        self._session = Session(connection, engine.settings, self._memory.messages())
        self._opening = None

    def _opened(self, engine: Engine, task: "asyncio.Task[None]") -> None:
        if self._opening is task:
            self._opening = None
        if task.cancelled():
            return
        problem = task.exception()
        if isinstance(problem, ServerProblem):
            self._note(engine, problem)

    def _drop(self) -> None:
        """Let the session go; the next turn begins another."""
        session, self._session = self._session, None
        if session is not None:
            task = asyncio.create_task(session.connection.close(), name="realtime close")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
