"""One connection to an MCP server: opens, lists tools, follows their changes."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack

from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.subscriptions import ResourcesListChanged
from mcp_types import (
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    ToolListChangedNotification,
)

from voxcard.config import McpServer
from voxcard.toolhub.listing import SERVER, Listing
from voxcard.toolhub.mcp import tool_list, transport
from voxcard.toolhub.mcp.questions import Questions
from voxcard.toolhub.mcp.templates import Templates
from voxcard.toolhub.model import ToolSpec

_log = logging.getLogger(__name__)


class Connection:
    """Opens, lists, and lists again on `doubt` and when the server says that its tools changed.

    `client` calls tools from `on_ready()` to the end, otherwise it is None. `on_listed(specs)`
    gets every list, the first before `on_ready`. `retry_s`: shortest and longest pause before
    a lost subscription to changes is made again.
    """

    def __init__(
        self,
        server: McpServer,
        *,
        listing: Listing,
        questions: Questions,
        templates: Templates,
        on_ready: Callable[[], None],
        on_listed: Callable[[tuple[ToolSpec, ...]], None],
        retry_s: tuple[float, float],
    ) -> None:
        self.client: Client | None = None
        self._server = server
        self._listing = listing
        self._questions = questions
        self._templates = templates
        self._on_ready = on_ready
        self._on_listed = on_listed
        self._retry_s = retry_s
        self._doubt = asyncio.Event()
        self._ended = False

    def doubt(self) -> None:
        """List the tools again: they changed, or the server may have died."""
        self._doubt.set()

    async def run(self, connect_limit_s: float, probe_limit_s: float) -> None:
        """Serve until the server ends; raises what ended it otherwise."""
        async with AsyncExitStack() as stack:
            client = self._new_client()
            async with asyncio.timeout(connect_limit_s):
                await stack.enter_async_context(client)
                count = await self._list(client)
            self._templates.forget()
            self.client = client
            self._on_ready()
            _log.info("tool server %s: ready, %d tools", self._server.name, count)
            listening = asyncio.create_task(
                self._listen(client), name=f"listen {self._server.name}"
            )
            try:
                await self._watch(client, probe_limit_s)
            finally:
                self.client = None
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    def _new_client(self) -> Client:
        return Client(
            transport.connect(self._server, self._end, tools_max=SERVER.tools + 1),
            message_handler=self._notified,
            elicitation_callback=self._questions.answer,
            cache=None,
        )

    async def _list(self, client: Client) -> int:
        specs = await tool_list.read(client, self._listing)
        self._on_listed(specs)
        return len(specs)

    async def _watch(self, client: Client, limit_s: float) -> None:
        """List again at every doubt, until the server ends."""
        while not self._ended:
            await self._doubt.wait()
            self._doubt.clear()
            if not self._ended:
                async with asyncio.timeout(limit_s):
                    await self._list(client)

    async def _listen(self, client: Client) -> None:
        """Hear of changes from servers of revision 2026-07-28; others notify unasked."""
        pause_s = self._retry_s[0]
        while True:
            try:
                await self._follow_changes(client)
            except SubscriptionLost:
                self.doubt()
            except (ListenNotSupportedError, MCPError):
                return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._retry_s[1])

    async def _follow_changes(self, client: Client) -> None:
        async with client.listen(tools_list_changed=True, resources_list_changed=True) as changes:
            async for change in changes:
                self._templates.forget()
                if not isinstance(change, ResourcesListChanged):
                    self.doubt()

    async def _notified(self, message: object) -> None:
        """The SDK's handler of what a server sends unasked."""
        if isinstance(message, ToolListChangedNotification):
            self.doubt()
        elif isinstance(message, ResourceListChangedNotification | ResourceUpdatedNotification):
            self._templates.forget()
        elif isinstance(message, Exception):
            _log.debug("tool server %s: unreadable message: %r", self._server.name, message)

    def _end(self) -> None:
        self._ended = True
        self._doubt.set()
