"""HTTP to one server: every failure is a ServerProblem."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2

from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.config import Server

_CONNECT_S = 5.0
_ERROR_BYTES = 8192  # of a refusal's body


class Web:
    """A server's connections, kept between requests. `limit_s`: without a sign of it."""

    def __init__(self, subject: Subject, server: Server, limit_s: float) -> None:
        self.subject = subject
        self.limit_s = limit_s
        self._server = server
        self._client: httpx2.AsyncClient | None = None

    async def start(self) -> None:
        """Make the client; its certificates take tens of milliseconds, so in a thread."""
        if self._client is None:
            self._client = await asyncio.to_thread(self._made)

    async def stop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def post(self, path: str, **request: Any) -> AbstractAsyncContextManager[httpx2.Response]:
        """The response to `request` (of httpx) at `path`, its body still to be read."""
        return self._response("POST", path, **request)

    def get(self, path: str) -> AbstractAsyncContextManager[httpx2.Response]:
        """What is at `path`, its body still to be read."""
        return self._response("GET", path)

    @asynccontextmanager
    async def _response(
        self, method: str, path: str, **request: Any
    ) -> AsyncIterator[httpx2.Response]:
        await self.start()
        assert self._client is not None
        try:
            async with self._client.stream(method, self._server.url + path, **request) as response:
                if not response.is_success:
                    raise self.subject.refused(response.status_code, await _said(response))
                yield response
        except httpx2.ConnectTimeout as error:
            raise self.subject.away() from error
        except httpx2.TimeoutException as error:
            raise self.subject.late(self.limit_s) from error
        except (httpx2.ConnectError, ssl.SSLError) as error:
            raise self.subject.away() from error
        except httpx2.HTTPError as error:
            raise self.subject.broken("broke off in the middle") from error

    def _made(self) -> httpx2.AsyncClient:
        key = self._server.key.value
        return httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx2.Timeout(self.limit_s, connect=min(_CONNECT_S, self.limit_s)),
            # The servers of a home are named by their address: no proxy is between.
            trust_env=False,
        )


async def _said(response: httpx2.Response) -> str:
    """The words of a refusal: its JSON's message, else its text."""
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) >= _ERROR_BYTES:
            break
    text = body[:_ERROR_BYTES].decode("utf-8", "replace")
    return error_message(text) or text


def error_message(text: str) -> str:
    """The message in the JSON of an error, "" when there is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    error = data.get("error", data) if isinstance(data, dict) else data
    message = error.get("message", "") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""
