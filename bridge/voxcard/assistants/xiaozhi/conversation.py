"""One device's talk with a xiaozhi server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass

from voxcard.assistants import (
    Begun,
    Done,
    Failed,
    Heard,
    HeardReply,
    Reply,
    ShowCard,
    Transcript,
    Turn,
)
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.xiaozhi.answer import code_card
from voxcard.assistants.xiaozhi.bootstrap.registration import Registration
from voxcard.assistants.xiaozhi.connector import Connector
from voxcard.assistants.xiaozhi.events import Event
from voxcard.assistants.xiaozhi.link import Link, Open
from voxcard.assistants.xiaozhi.pushes import Pushes
from voxcard.assistants.xiaozhi.server_problem import ActivationNeeded, Subject, XiaozhiProblem
from voxcard.assistants.xiaozhi.talk import Talk
from voxcard.assistants.xiaozhi.tools import mcp_server
from voxcard.assistants.xiaozhi.wire.connection import Connection
from voxcard.assistants.xiaozhi.wire.inbox import Inbox
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

# The widespread server throws away the audio of 2 s after typed words.
DEAF_S = 2.1
LET_GO_S = 0.8  # to stop a server; a turn's end is not to wait for one that takes nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What the conversations of one assistant share."""

    subject: Subject
    health: Health
    limit_s: float
    stay_connected: bool


class XiaozhiConversation:
    """`registration(on_place)` and `open_connection(place)` are those of its device."""

    def __init__(
        self,
        server: Server,
        registration: Callable[[Callable[[], None]], Registration],
        open_connection: Open,
        tools: Callable[[], Sequence[ToolSpec]],
    ) -> None:
        self._server = server
        changed = asyncio.Event()  # the connection, or where it leads
        self._registration = registration(changed.set)
        self._link = Link(
            server.subject,
            self._registration,
            open_connection,
            tools,
            on_idle=self._idle,
            on_lost=changed.set,
        )
        self._connector = Connector(self._link, server.health, changed)
        self._pushes = Pushes(self._link.attach, self._pushed)
        self._tasks: set[asyncio.Task[None]] = set()
        self._code = ""  # the last one that was shown
        self._deaf: tuple[Connection | None, float] = None, 0.0  # until then

    def tools_changed(self) -> None:
        self._spawn(self._link.tools_changed())

    def prepare(self) -> None:
        self._spawn(self._connector.try_to_connect())

    def interrupted(self, heard: HeardReply) -> None:
        """The protocol has no word for what was heard; the turn's end stopped the server."""

    async def begun(self) -> AsyncIterator[Begun]:
        """What the server begins by itself while there is a connection."""
        keeper = asyncio.create_task(
            self._connector.stay(self._show_code, always=self._server.stay_connected),
            name="xiaozhi connection",
        )
        try:
            async for begun in self._pushes.begun():
                yield begun
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)

    async def close(self) -> None:
        tasks, self._tasks = self._tasks, set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._registration.close()
        await self._link.close()

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        try:
            if heard.audio is None:
                yield Transcript(text=heard.text or "")
            answered = self._answered(heard)
            reply: Reply = None
            try:
                while True:
                    reply = yield await answered.asend(reply)
            except StopAsyncIteration:
                return
            finally:
                await answered.aclose()
        except ActivationNeeded as needed:
            if self._code == needed.code:
                yield Failed(message=str(needed), retryable=True)
                return
            self._code = needed.code
            yield ShowCard(source=code_card(needed.code, needed.text))
            yield Failed(message=str(needed))  # so it is said, by whichever voice there is
        except VoxcardError as error:
            self._server.health.failed(str(error), _now_s())
            yield Failed(message=str(error), retryable=True)

    async def _answered(self, heard: Heard) -> Turn:
        connection = await self._connector.connected()
        inbox: Inbox[Event] = Inbox(is_open=True)
        if self._link.busy:  # it speaks by itself, to nobody yet
            await connection.send("abort")
        self._link.attach(inbox)
        talk = Talk(connection, inbox, self._server.subject, self._server.limit_s)
        try:
            if heard.audio is None:  # who speaks takes as long
                await self._link.tools_known()
            deaf, until_s = self._deaf
            await talk.say(heard, until_s if deaf is connection else 0.0)
            if heard.audio is None:
                self._deaf = connection, _now_s() + DEAF_S
            parts = talk.parts()
            reply: Reply = None
            try:
                while True:
                    reply = yield await parts.asend(reply)
            except StopAsyncIteration:
                self._server.health.worked()
            finally:
                await parts.aclose()
        finally:
            await self._let_go(talk, connection, inbox, is_open=heard.open)

    async def _pushed(self, inbox: Inbox[Event]) -> Turn:
        """The turn of what the server began."""
        connection = self._link.connection
        if inbox.closed or connection is None:
            yield Done()
            return
        inbox.is_open = True
        talk = Talk(connection, inbox, self._server.subject, self._server.limit_s)
        parts = talk.parts()
        reply: Reply = None
        try:
            while True:
                reply = yield await parts.asend(reply)
        except StopAsyncIteration:
            return
        except VoxcardError as error:
            yield Failed(message=str(error))
        finally:
            await parts.aclose()
            await self._let_go(talk, connection, inbox, is_open=False)

    async def _let_go(
        self, talk: Talk, connection: Connection, inbox: Inbox[Event], *, is_open: bool
    ) -> None:
        """Leave a turn: a server that is not done is stopped."""
        rest = self._link.detach(inbox)
        # It may answer later what it has heard so far, as if it were the next question.
        done_with = not talk.finished and (is_open or not talk.answer.begun)
        try:
            async with asyncio.timeout(LET_GO_S):
                await talk.let_go()
                if not talk.finished and connection.is_open:
                    self._pushes.mute(_now_s())
                    await connection.send("abort")
        except (XiaozhiProblem, TimeoutError) as problem:
            log.info("the server cannot be told of the turn's end (%r)", problem)
            done_with = True
        if done_with:
            await self._link.close()
        elif talk.finished:
            for event in rest:  # what the server began since
                await self._link.hand_on(event)

    async def _idle(self, event: Event) -> None:
        """Something came while no turn takes it."""
        used = await self._pushes.take(event, _now_s())
        if not used and isinstance(event, mcp_server.Call):
            connection = self._link.connection
            if connection is not None:
                refusal = mcp_server.error(event.id, -32000, "The device is not ready")
                await connection.send_mcp(refusal)

    def _show_code(self, needed: ActivationNeeded) -> None:
        async def shown() -> Turn:
            yield ShowCard(source=code_card(needed.code, needed.text))
            yield Failed(message=str(needed))

        if self._code != needed.code:
            self._code = needed.code
            self._pushes.begin(shown)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work, name="xiaozhi")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _now_s() -> float:
    return asyncio.get_running_loop().time()
