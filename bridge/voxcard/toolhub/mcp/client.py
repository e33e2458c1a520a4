"""Client of one configured MCP server; reconnects whenever it goes away."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from mcp import Client

from voxcard.config import McpServer
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.listing import Listing
from voxcard.toolhub.mcp import tool_call, transport
from voxcard.toolhub.mcp.connection import Connection
from voxcard.toolhub.mcp.questions import Caller, Elicit, Questions, nobody
from voxcard.toolhub.mcp.templates import Templates
from voxcard.toolhub.model import ToolSpec

CONNECT_LIMIT_S = 30.0  # starting a program, shaking hands, listing its tools
PROBE_LIMIT_S = 5.0  # listing the tools again, to see whether it still answers
END_LIMIT_S = 10.0  # a program that does not end by itself is killed meanwhile
STEADY_S = 60.0  # after so long without a fault the next pause is the first one again

_log = logging.getLogger(__name__)


class McpClient:
    """Runs until cancelled; reconnects with pauses from `back_off_s[0]` doubling to `[1]`.

    `specs` are the tools it last listed, named `<server>.<tool>`; they stay while it is away, so
    that a call is answered by a sentence about the server and not by "no such tool". What it
    asks while it works goes to `elicit`.
    """

    def __init__(
        self,
        server: McpServer,
        *,
        elicit: Elicit = nobody,
        back_off_s: tuple[float, float] = (1.0, 60.0),
        connect_limit_s: float = CONNECT_LIMIT_S,
        probe_limit_s: float = PROBE_LIMIT_S,
    ) -> None:
        self.name = server.name
        self.limit_s = server.limit_s
        self.specs: tuple[ToolSpec, ...] = ()
        self.settled = asyncio.Event()  # the first attempt to connect is over
        self._server = server
        self._back_off_s = back_off_s
        self._connect_limit_s = connect_limit_s
        self._probe_limit_s = probe_limit_s
        owner = f"tool server {server.name}"
        self._listing = Listing(owner, source=server.name, prefix=f"{server.name}.")
        self._questions = Questions(server.name, elicit)
        self._templates = Templates(server.name)
        self._connection: Connection | None = None
        self._closed = False
        self._why_away = "still starting"

    async def run(self, on_change: Callable[[], None]) -> None:
        """Connect, and again whenever the connection ends, until `close` and cancellation.

        `on_change()`: it came, went, or has other tools.
        """
        loop = asyncio.get_running_loop()
        pause_s = self._back_off_s[0]
        while not self._closed:
            started_s = loop.time()
            await self._attempt(on_change)
            if self._closed:
                return
            self.settled.set()
            on_change()
            if loop.time() - started_s > STEADY_S:
                pause_s = self._back_off_s[0]
            _log.warning("tool server %s: %s, in %g s", self.name, self._why_away, pause_s)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._back_off_s[1])

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Json],
        caller: Caller,
        on_progress: Callable[[str], None] | None = None,
    ) -> Mapping[str, Json]:
        """The result of a tools/call; VoxcardError when there is none. Cancelling cancels it.

        Questions of the server go to `caller`, who waits for the answer.
        """
        client = self._client
        if client is None:
            problem = f"The tool server {self.name} is not there ({self._why_away})."
            raise VoxcardError(problem, "Try again in a moment.")
        try:
            with self._questions.during(caller):
                return await tool_call.call(client, self.name, tool, arguments, on_progress)
        except VoxcardError:
            self.doubt()
            raise

    async def template(self, uri: str) -> str | None:
        """What its resource `uri` holds (a card's layout), or None. Limits: see Templates."""
        client = self._client
        return await self._templates.get(client, uri) if client is not None else None

    def close(self) -> None:
        """No further connection; to be called before `run` is cancelled."""
        self._closed = True

    def doubt(self) -> None:
        """List the tools again: they changed, or the server may have died."""
        if self._connection is not None:
            self._connection.doubt()

    @property
    def _client(self) -> Client | None:
        return self._connection.client if self._connection is not None else None

    async def _attempt(self, on_change: Callable[[], None]) -> None:
        """One connection; `_why_away` is what ended it."""
        self._connection = connection = self._new_connection(on_change)
        try:
            await self._serve(connection)
            self._why_away = "restarting: it closed the connection"
        # Whatever a foreign program or the SDK makes of it ends this connection, no other.
        except Exception as error:
            self._why_away = f"restarting: {transport.reason(error)}"

    def _new_connection(self, on_change: Callable[[], None]) -> Connection:
        def ready() -> None:
            self._why_away = "restarting"  # from its end until that has a reason
            self.settled.set()
            on_change()

        def listed(specs: tuple[ToolSpec, ...]) -> None:
            changed, self.specs = specs != self.specs, specs
            if changed and self._client is not None:
                on_change()

        return Connection(
            self._server,
            listing=self._listing,
            questions=self._questions,
            templates=self._templates,
            on_ready=ready,
            on_listed=listed,
            retry_s=self._back_off_s,
        )

    async def _serve(self, connection: Connection) -> None:
        """Run a connection in a task of its own; raises what ended it.

        A task group that fails while it is cancelled raises its failure alone (anyio): whoever
        waits inside it may never see the cancellation. Here it is seen.
        """
        task = asyncio.create_task(
            connection.run(self._connect_limit_s, self._probe_limit_s),
            name=f"connection of {self.name}",
        )
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
            await asyncio.wait((task,), timeout=END_LIMIT_S)
        if not task.cancelled():
            task.result()
