"""Fetches a sound from a URL, piece by piece, within limits.

An assistant may name its own server, wherever in the home that is; a redirect may not lead from
there to another host of the home.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator

import httpcore2

from voxcard.fetching.addresses import Allows, FetchFailed, Resolve, is_host, is_public
from voxcard.fetching.guard import Guard
from voxcard.fetching.links import REDIRECTS, REDIRECTS_MAX, host_of, joined, parsed

BYTES_MAX = 16 << 20
BEGIN_S = 10.0  # from the first look-up to the answer, redirects included
FETCH_S = 300.0  # to the last byte
_HEADERS = [("Accept", "audio/*, */*;q=0.1"), ("Accept-Encoding", "identity"),
            ("User-Agent", "voxcard")]  # fmt: skip
_REMEDY = "The sound is left out."


class MediaFetcher:
    """`resolve` finds addresses; `tls` is the system's by default."""

    def __init__(
        self,
        resolve: Resolve,
        *,
        allows_first: Allows = is_host,
        allows: Allows = is_public,
        tls: ssl.SSLContext | None = None,
        begin_s: float = BEGIN_S,
    ) -> None:
        self._own = Guard(resolve, allows_first, _REMEDY)
        self._others = Guard(resolve, allows, _REMEDY)
        self._tls = tls
        self._begin_s = begin_s

    async def fetch(self, url: str) -> AsyncIterator[bytes]:
        """What is behind an http or https link, as it comes; FetchFailed says why no more does."""
        try:
            async with asyncio.timeout(FETCH_S):
                async with asyncio.timeout(self._begin_s) as begin:
                    async for piece in self._follow(url, begin):
                        yield piece
        except TimeoutError:
            raise FetchFailed(f"{host_of(url)} takes too long.", _REMEDY) from None
        except (
            httpcore2.NetworkError,
            httpcore2.ProtocolError,
            httpcore2.TimeoutException,
            httpcore2.UnsupportedProtocol,
            OSError,
        ) as error:
            problem = f"{host_of(url)} does not answer ({type(error).__name__})."
            raise FetchFailed(problem, _REMEDY) from error

    async def _follow(self, url: str, begin: asyncio.Timeout) -> AsyncIterator[bytes]:
        if self._tls is None:
            # Reading the system's certificates takes tens of ms.
            self._tls = await asyncio.to_thread(httpcore2.default_ssl_context)
        first = _origin(_checked(url))
        for _ in range(REDIRECTS_MAX + 1):
            link = _checked(url)
            guard = self._own if _origin(link) == first else self._others
            async with (
                httpcore2.AsyncConnectionPool(self._tls, network_backend=guard) as pool,
                pool.stream("GET", link, headers=_HEADERS) as answer,
            ):
                headers = {name.lower(): value for name, value in answer.headers}
                if answer.status not in REDIRECTS or b"location" not in headers:
                    begin.reschedule(None)
                    async for piece in _body(link, answer, headers):
                        yield piece
                    return
                url = joined(url, headers[b"location"].decode("latin-1"))
        raise FetchFailed(f"{host_of(url)} redirects too often.", _REMEDY)


async def _body(
    link: httpcore2.URL, answer: httpcore2.Response, headers: dict[bytes, bytes]
) -> AsyncIterator[bytes]:
    host, size = link.host.decode(), 0
    if answer.status != 200:
        raise FetchFailed(f"{host} answers with {answer.status}.", _REMEDY)
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        # Asked for none; unpacking what comes anyway has no bound of its own.
        raise FetchFailed(f"{host} sends it compressed.", _REMEDY)
    async for piece in answer.aiter_stream():
        size += len(piece)
        if size > BYTES_MAX:
            problem = f"The sound of {host} is larger than {BYTES_MAX >> 20} MB."
            raise FetchFailed(problem, "The rest of it is left out.")
        yield piece


def _checked(url: str) -> httpcore2.URL:
    link = parsed(url, ("http", "https"))
    if link is None:
        problem = "A sound's link must be an http or https link without a user."
        raise FetchFailed(problem, "Correct it.")
    return link


def _origin(link: httpcore2.URL) -> tuple[bytes, int | None]:
    return link.host.lower(), link.port
