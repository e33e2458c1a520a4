"""Fetches one picture from the web: https, public addresses only, within limits."""

import asyncio
import ssl

import httpcore2

from voxcard.fetching.addresses import Allows, FetchFailed, Resolve, is_public
from voxcard.fetching.guard import Guard
from voxcard.fetching.links import REDIRECTS, REDIRECTS_MAX, host_of, joined, parsed

BYTES_MAX = 5 << 20
LIMIT_S = 10.0  # from the first look-up to the last byte, redirects included
_HEADERS = [("Accept", "image/*"), ("Accept-Encoding", "identity"), ("User-Agent", "voxcard")]


class Fetcher:
    """`resolve` and `allows` decide which hosts may be asked; `tls` is the system's by default."""

    def __init__(
        self,
        resolve: Resolve,
        allows: Allows = is_public,
        tls: ssl.SSLContext | None = None,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._guard = Guard(resolve, allows, "Only pictures of the web are shown.")
        self._tls = tls
        self._limit_s = limit_s

    async def fetch(self, url: str) -> bytes:
        """The bytes behind an https link, at most BYTES_MAX; FetchFailed otherwise."""
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._follow(url)
        except TimeoutError:
            problem = f"{host_of(url)} takes longer than {self._limit_s:.0f} s."
            raise FetchFailed(problem, "The picture is left out.") from None
        except (
            httpcore2.NetworkError,
            httpcore2.ProtocolError,
            httpcore2.TimeoutException,
            httpcore2.UnsupportedProtocol,
            OSError,
        ) as error:
            problem = f"{host_of(url)} does not answer ({type(error).__name__})."
            raise FetchFailed(problem, "The picture is left out.") from error

    async def _follow(self, url: str) -> bytes:
        if self._tls is None:
            # Reading the system's certificates takes tens of ms.
            self._tls = await asyncio.to_thread(httpcore2.default_ssl_context)
        for _ in range(REDIRECTS_MAX + 1):
            response = await self._get(_checked(url), self._tls)
            if isinstance(response, bytes):
                return response
            url = joined(url, response)
        raise FetchFailed(f"{host_of(url)} redirects too often.", "The picture is left out.")

    async def _get(self, url: httpcore2.URL, tls: ssl.SSLContext) -> bytes | str:
        """The body, or the target of a redirect."""
        async with (
            httpcore2.AsyncConnectionPool(tls, network_backend=self._guard) as pool,
            pool.stream("GET", url, headers=_HEADERS) as answer,
        ):
            headers = {name.lower(): value for name, value in answer.headers}
            if answer.status in REDIRECTS and b"location" in headers:
                return headers[b"location"].decode("latin-1")
            if answer.status != 200:
                problem = f"{url.host.decode()} answers with {answer.status}."
                raise FetchFailed(problem, "The picture is left out.")
            if headers.get(b"content-encoding", b"identity").lower() != b"identity":
                # Asked for none; unpacking what comes anyway has no bound of its own.
                problem = f"{url.host.decode()} sends it compressed."
                raise FetchFailed(problem, "The picture is left out.")
            if headers.get(b"content-length", b"0").isdigit():
                _check_size(int(headers.get(b"content-length", b"0")[:20]), url)
            body = bytearray()
            async for piece in answer.aiter_stream():
                body += piece
                _check_size(len(body), url)
            return bytes(body)


def _check_size(size: int, url: httpcore2.URL) -> None:
    if size > BYTES_MAX:
        problem = f"The picture of {url.host.decode()} is larger than {BYTES_MAX >> 20} MB."
        raise FetchFailed(problem, "It is left out.")


def _checked(url: str) -> httpcore2.URL:
    """The link as the request needs it: https, no user, ASCII."""
    link = parsed(url, ("https",))
    if link is None:
        raise FetchFailed("A picture's link must be an https link without a user.", "Correct it.")
    return link
