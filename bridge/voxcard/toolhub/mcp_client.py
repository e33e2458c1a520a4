"""One configured MCP server: kept connected, its tools listed, its calls made."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace

from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.subscriptions import ResourcesListChanged
from mcp_types import (
    CONNECTION_CLOSED,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    Tool,
    ToolListChangedNotification,
)

from voxcard import config
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub import listing, tools_page, transport
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.outcome import progress_text
from voxcard.toolhub.questions import Caller, Elicit, Questions, nobody
from voxcard.toolhub.templates import Templates

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
        server: config.McpServer,
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
        self._client: Client | None = None
        self._listing = listing.Listing(
            f"tool server {server.name}", source=server.name, prefix=f"{server.name}."
        )
        self._questions = Questions(server.name, elicit)
        self._templates = Templates(server.name)
        self._doubt = asyncio.Event()
        self._ended = False
        self._closed = False
        self._why = "still starting"

    async def run(self, on_change: Callable[[], None]) -> None:
        """Connect, and again whenever the connection ends, until `close` and cancellation.

        `on_change()`: it came, went, or has other tools.
        """
        loop = asyncio.get_running_loop()
        pause_s = self._back_off_s[0]
        while not self._closed:
            started = loop.time()
            try:
                await self._attempt(on_change)
                self._why = "restarting: it closed the connection"
            # Whatever a foreign program or the SDK makes of it ends this connection, no other.
            except Exception as error:
                self._why = f"restarting: {transport.reason(error)}"
            if self._closed:
                return
            self.settled.set()
            on_change()
            if loop.time() - started > STEADY_S:
                pause_s = self._back_off_s[0]
            _log.warning("tool server %s: %s, in %g s", self.name, self._why, pause_s)
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
            problem = f"The tool server {self.name} is not there ({self._why})."
            raise VoxcardError(problem, "Try again in a moment.")

        async def progressed(
            progress: float, total: float | None = None, message: str | None = None
        ) -> None:
            if on_progress is not None:
                on_progress(progress_text(progress, total, message))

        try:
            with self._questions.during(caller):
                result = await client.call_tool(
                    tool,
                    dict(arguments),
                    progress_callback=progressed if on_progress is not None else None,
                )
        except MCPError as error:
            self.doubt()
            if error.error.code == CONNECTION_CLOSED:
                problem = f"The tool server {self.name} stopped before it answered."
                raise VoxcardError(problem, "Try again in a moment.") from error
            raise VoxcardError(
                f"The tool server {self.name} answers: {transport.reason(error)}."
            ) from error
        # The SDK raises its own, pydantic's, anyio's and httpx's errors for one bad answer.
        except Exception as error:
            self.doubt()
            _log.warning("tool server %s: no valid answer: %s", self.name, transport.reason(error))
            problem = f"The tool server {self.name} gave no valid answer."
            raise VoxcardError(problem, "Try again in a moment.") from error
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    async def template(self, uri: str) -> str | None:
        """What its resource `uri` holds (a card's layout), or None. Limits: see Templates."""
        return await self._templates.get(self._client, uri) if self._client else None

    def close(self) -> None:
        """No further connection; to be called before `run` is cancelled."""
        self._closed = True

    def doubt(self) -> None:
        """List the tools again: they changed, or the server may have died."""
        self._doubt.set()

    async def _attempt(self, on_change: Callable[[], None]) -> None:
        """One connection in a task of its own; raises what ended it.

        A task group that fails while it is cancelled raises its failure alone (anyio): whoever
        waits inside it may never see the cancellation. Here it is seen.
        """
        connection = asyncio.create_task(
            self._connected(on_change), name=f"connection of {self.name}"
        )
        try:
            await asyncio.wait((connection,))
        finally:
            connection.cancel()
            await asyncio.wait((connection,), timeout=END_LIMIT_S)
        if not connection.cancelled():
            connection.result()

    async def _connected(self, on_change: Callable[[], None]) -> None:
        """One connection, from start to end; raises what ended it."""
        self._ended = False
        async with AsyncExitStack() as stack:
            client = Client(
                transport.connect(self._server, self._end, tools_max=listing.SERVER.tools + 1),
                message_handler=self._heard,
                elicitation_callback=self._questions.answer,
                cache=None,
            )
            async with asyncio.timeout(self._connect_limit_s):
                await stack.enter_async_context(client)
                await self._list(client)
            self._templates.forget()
            self._client = client
            self.settled.set()
            on_change()
            _log.info("tool server %s: ready, %d tools", self.name, len(self.specs))
            listening = asyncio.create_task(self._listen(client), name=f"listen {self.name}")
            try:
                await self._watch(client, on_change)
            finally:
                self._client, self._why = None, "restarting"
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def _watch(self, client: Client, on_change: Callable[[], None]) -> None:
        while not self._ended:
            await self._doubt.wait()
            self._doubt.clear()
            if not self._ended:
                before = self.specs
                async with asyncio.timeout(self._probe_limit_s):
                    await self._list(client)
                if self.specs != before:
                    on_change()

    async def _listen(self, client: Client) -> None:
        """Hear of changes from servers of revision 2026-07-28; others notify unasked."""
        pause_s = self._back_off_s[0]
        while True:
            try:
                async with client.listen(
                    tools_list_changed=True, resources_list_changed=True
                ) as changes:
                    async for change in changes:
                        self._templates.forget()
                        if not isinstance(change, ResourcesListChanged):
                            self.doubt()
            except SubscriptionLost:
                self.doubt()
            except (ListenNotSupportedError, MCPError):
                return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._back_off_s[1])

    async def _list(self, client: Client) -> None:
        entries: list[listing.Entry] = []
        cursor, seen = None, set[str]()
        for _ in range(listing.PAGES_MAX):
            page = await client.list_tools(cursor=cursor)
            entries += [
                _entry(tool) for tool in page.tools if not listing.is_for_apps_only(tool.meta)
            ]
            cursor = page.next_cursor
            if cursor is None or cursor in seen or len(entries) > self._listing.tools_max:
                break
            seen.add(cursor)
        self.specs = await asyncio.to_thread(self._listing.read, entries)

    def _end(self) -> None:
        self._ended = True
        self._doubt.set()

    async def _heard(self, message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.doubt()
        elif isinstance(message, ResourceListChangedNotification | ResourceUpdatedNotification):
            self._templates.forget()
        elif isinstance(message, Exception):
            _log.debug("tool server %s: unreadable message: %r", self.name, message)


def _entry(tool: Tool) -> listing.Entry:
    about = tool.description or tool.title or ""
    entry = tools_page.entry(tool.name, about, tool.input_schema, tool.meta)
    return replace(entry, destructive=is_destructive(tool))


def is_destructive(tool: Tool) -> bool | None:
    """What its annotations say; None when they do not say it."""
    hints = tool.annotations
    if hints is None:
        return None
    return False if hints.read_only_hint else hints.destructive_hint
