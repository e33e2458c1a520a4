"""Transports to MCP servers (stdio, streamable HTTP), with a callback at their end."""

import asyncio
import functools
import logging
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

import anyio
import httpx2
from mcp import MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

from voxcard.config import McpServer
from voxcard.text_safety import safe_line
from voxcard.toolhub.mcp import tools_page
from voxcard.toolhub.mcp.line_repair import LineRepair

log = logging.getLogger(__name__)
_sdk_log = logging.getLogger("mcp.client.stdio")

Incoming = SessionMessage | Exception
Streams = tuple[ReadStream[Incoming], WriteStream[SessionMessage]]

# Connecting is quick at home; an answer may be a stream that stays open.
_TIMES = httpx2.Timeout(10.0, read=300.0)


@asynccontextmanager
async def connect(
    server: McpServer, on_end: Callable[[], None], *, tools_max: int
) -> AsyncGenerator[Streams]:
    """The streams of `server`; `on_end()` is called when it closes its side (a program died).

    Pages of `tools/list` come in as the SDK takes them, with at most `tools_max` entries each.
    """
    async with AsyncExitStack() as stack:
        if server.url:
            # The SDK's own client takes no headers.
            client = httpx2.AsyncClient(
                headers=dict(server.headers), timeout=_TIMES, verify=await tls()
            )
            await stack.enter_async_context(client)
            transport = streamable_http_client(server.url, http_client=client)
        else:
            _sdk_log.addFilter(_is_no_bad_line)
            transport = stdio_client(_program(server))
        incoming, outgoing = await stack.enter_async_context(transport)
        repair = LineRepair(lambda text: log.warning("tool server %s: %s", server.name, text))
        yield _ReadStream(incoming, on_end, tools_max, repair), outgoing


async def tls() -> ssl.SSLContext:
    """The one TLS context of all servers: reading the authorities takes about 50 ms."""
    return await asyncio.to_thread(_tls_context)


@functools.cache
def _tls_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _program(server: McpServer) -> StdioServerParameters:
    return StdioServerParameters(
        command=server.command,
        args=list(server.args),
        env=dict(server.env),
        cwd=server.folder,
        encoding_error_handler="replace",  # a byte that is no UTF-8 costs one character
    )


def _is_no_bad_line(record: logging.LogRecord) -> bool:
    """The SDK logs a traceback for each line that is no message; LineRepair names the server."""
    return not str(record.msg).startswith("Failed to parse JSONRPC message")


def reason(error: BaseException) -> str:
    """Why a connection or a call failed: the innermost cause in a few words."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename}"
    text = error.error.message if isinstance(error, MCPError) else str(error)
    return safe_line(text.partition("\n")[0], 120).rstrip(".") or type(error).__name__


class _ReadStream:
    """A read stream that says when it ended: the SDK tells only those who wait for an answer."""

    def __init__(
        self,
        stream: ReadStream[Incoming],
        on_end: Callable[[], None],
        tools_max: int,
        repair: LineRepair,
    ) -> None:
        self._stream = stream
        self._repair = repair
        self._on_end = on_end
        self._tools_max = tools_max

    @property
    def last_context(self) -> object:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Incoming:
        try:
            return await self._admitted(await self._stream.receive())
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._on_end()
            raise

    async def __anext__(self) -> Incoming:
        try:
            return await self._admitted(await self._stream.__anext__())
        except (StopAsyncIteration, anyio.ClosedResourceError):
            self._on_end()
            raise

    async def _admitted(self, incoming: Incoming) -> Incoming:
        if not isinstance(incoming, SessionMessage):
            repaired = await asyncio.to_thread(self._repair, incoming)
            if repaired is None:
                return incoming
            incoming = repaired
        message = incoming.message
        if isinstance(message, JSONRPCResponse) and tools_page.is_page(message.result):
            page = await asyncio.to_thread(tools_page.admissible, message.result, self._tools_max)
            message = message.model_copy(update={"result": page})
        return replace(incoming, message=message)

    def __aiter__(self) -> Self:
        return self

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)
