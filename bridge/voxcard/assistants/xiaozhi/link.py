"""One device's connection to its server: made when needed, read all the time, made again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from voxcard.assistants.xiaozhi.bootstrap.ota import Place
from voxcard.assistants.xiaozhi.bootstrap.registration import Registration
from voxcard.assistants.xiaozhi.events import Event, Lost
from voxcard.assistants.xiaozhi.server_problem import Subject, XiaozhiProblem
from voxcard.assistants.xiaozhi.tools import mcp_server
from voxcard.assistants.xiaozhi.wire.connection import Connection
from voxcard.assistants.xiaozhi.wire.inbox import Inbox
from voxcard.assistants.xiaozhi.wire.messages import Goodbye, Hello, Mcp, System
from voxcard.json_value import JsonObject
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

# The widespread server asks for the tools a second after its hello; words before that would be
# answered without them.
TOOLS_S = 1.5

Open = Callable[[Place], Awaitable[Connection]]


class Link:
    """Gives what comes to the turn that is attached, else to `on_idle`.

    `open_connection(place)` connects; `tools()` are those the server may call; `on_lost()` hears
    that a connection ended.
    """

    def __init__(
        self,
        subject: Subject,
        registration: Registration,
        open_connection: Open,
        tools: Callable[[], Sequence[ToolSpec]],
        on_idle: Callable[[Event], Awaitable[None]],
        on_lost: Callable[[], None],
    ) -> None:
        self._subject = subject
        self._registration = registration
        self._open = open_connection
        self._tools = tools
        self._on_idle = on_idle
        self._on_lost = on_lost
        self._connection: Connection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._inbox: Inbox[Event] | None = None
        self._listed = asyncio.Event()  # the server has all of our tools
        self._lists_until_s = 0.0  # or it wants none

    @property
    def connection(self) -> Connection | None:
        """The one that is open now."""
        connection = self._connection
        return connection if connection is not None and connection.is_open else None

    @property
    def busy(self) -> bool:
        """Something takes what comes."""
        return self._inbox is not None

    async def connected(self) -> Connection:
        """The open connection, made if there is none; raises VoxcardError."""
        async with self._lock:
            if (connection := self.connection) is not None:
                return connection
            await self._drop()
            try:
                connection = await self._open(await self._registration.place())
            except XiaozhiProblem:
                self._registration.failed()
                raise
            self._connection = connection
            self._listed.clear()
            self._lists_until_s = asyncio.get_running_loop().time() + TOOLS_S
            self._reader = asyncio.create_task(self._read(connection), name="xiaozhi reader")
            return connection

    def attach(self, inbox: Inbox[Event]) -> None:
        """From now on everything is for `inbox`; the one before it is closed."""
        if self._inbox is not None and self._inbox is not inbox:
            self._inbox.close()
        self._inbox = inbox

    def detach(self, inbox: Inbox[Event]) -> list[Event]:
        """Close `inbox`; what it had not given yet."""
        if self._inbox is inbox:
            self._inbox = None
        return inbox.close()

    async def hand_on(self, event: Event) -> None:
        """Give an event to whoever takes it now."""
        if self._inbox is not None:
            await self._inbox.put(event)
        else:
            await self._on_idle(event)

    async def tools_known(self) -> None:
        """Wait until the server of a new connection has our tools, if it wants any."""
        try:
            async with asyncio.timeout_at(self._lists_until_s):
                await self._listed.wait()
        except TimeoutError:
            log.debug("the server did not ask for tools")

    async def tools_changed(self) -> None:
        """Tell a server that knows our tools that they are others now."""
        if (connection := self.connection) is not None and self._listed.is_set():
            try:
                await connection.send_mcp(mcp_server.tools_changed())
            except XiaozhiProblem as problem:
                log.info("%s", problem)

    async def close(self) -> None:
        """Close the connection; the next turn makes another one."""
        async with self._lock:
            await self._drop()

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
        if connection is not None:
            await connection.close()

    async def _read(self, connection: Connection) -> None:
        """Hand on what comes, until the connection ends."""
        goodbye = False
        try:
            async for message in connection.received():
                match message:
                    case Mcp(payload=payload):
                        await self._asked(connection, payload)
                    case Goodbye(session_id=session_id):
                        if session_id in ("", connection.session_id):
                            goodbye = True
                            break
                    case System(command=command):
                        # Restarting is for the person and the bridge, not for a cloud.
                        log.info("the server asks for %r, which is not done", command[:40])
                    case Hello():
                        pass
                    case _:
                        await self.hand_on(message)
        except XiaozhiProblem as problem:
            log.info("%s", problem)
        except Exception:
            log.exception("a message of the server cannot be taken")
        finally:
            await connection.close()
        await self.hand_on(Lost(self._subject.closed(), goodbye))
        self._on_lost()

    async def _asked(self, connection: Connection, payload: JsonObject) -> None:
        request = mcp_server.request(payload, self._tools)
        if isinstance(request, mcp_server.Call):
            await self.hand_on(request)
        elif request is not None:
            await connection.send_mcp(request)
            rows = request.get("result", {})
            if "tools" in rows and "nextCursor" not in rows:
                self._listed.set()
