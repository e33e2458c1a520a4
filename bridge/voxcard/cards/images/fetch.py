"""Fetches one picture from the web: https, public addresses only, within limits."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpcore2

from voxcard.errors import VoxcardError

BYTES_MAX = 5 << 20
LIMIT_S = 10.0  # from the first look-up to the last byte, redirects included
REDIRECTS_MAX = 3
ADDRESSES_TRIED = 3
CONNECT_S = 4.0  # for one address
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = [("Accept", "image/*"), ("Accept-Encoding", "identity"), ("User-Agent", "voxcard")]
_SAFE = "/%:@!$&'()*+,;=?-._~[]"

# The one block of IPv6 that is handed out, and what of it is no host on the Internet: 6to4 and
# Teredo carry an IPv4 address of anybody's choice, 3fff::/20 is for documentation.
_UNICAST = IPv6Network("2000::/3")
_NOT_HOSTS = tuple(map(IPv6Network, ("2002::/16", "2001::/23", "2001:db8::/32", "3fff::/20")))
_NAT64 = IPv6Network("64:ff9b::/96")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Allows = Callable[[str], bool]


class FetchFailed(VoxcardError):  # noqa: N818 - says what happened
    """A picture could not be fetched."""


def is_public(address: str) -> bool:
    """Whether a numeric address is a host on the Internet: not this computer, not this home.

    An IPv4 address inside an IPv6 one counts as itself.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped
        if inner is None and ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None:
            return ip in _UNICAST and not any(ip in net for net in _NOT_HOSTS)
        ip = inner
    return ip.is_global and not (ip.is_multicast or ip.is_reserved)


class Resolver:
    """Asks the system for the addresses of a host, in threads of its own: a name server that
    hangs must not hold up the threads that everything else needs."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="addresses")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Numeric addresses in the system's order; FetchFailed when there is none."""
        loop = asyncio.get_running_loop()
        try:
            entries = await loop.run_in_executor(
                self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError) as error:
            raise FetchFailed(f"{host} is not known.", "Check the link.") from error
        return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))

    def close(self) -> None:
        """Ends the threads without waiting for a look-up that hangs."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Guard(httpcore2.AsyncNetworkBackend):
    """Connects to the very addresses it checked, so a second look-up cannot slip in another."""

    def __init__(self, resolve: Resolve, allows: Allows) -> None:
        self._resolve = resolve
        self._allows = allows
        self._net = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2 calls it so
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = await self._resolve(host, port)
        # One address that is not public spoils the name: it is made to get behind the door.
        if not addresses or not all(map(self._allows, addresses)):
            raise FetchFailed(
                f"{host} is no public address.", "Only pictures of the web are shown."
            )
        for address in addresses[: ADDRESSES_TRIED - 1]:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return await self._net.connect_tcp(address, port, timeout=CONNECT_S)
        last = addresses[:ADDRESSES_TRIED][-1]
        return await self._net.connect_tcp(last, port, timeout=CONNECT_S)


class Fetcher:
    """`resolve` and `allows` decide which hosts may be asked; `tls` is the system's by default."""

    def __init__(
        self,
        resolve: Resolve,
        allows: Allows = is_public,
        tls: ssl.SSLContext | None = None,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._guard = _Guard(resolve, allows)
        self._tls = tls
        self._limit_s = limit_s

    async def fetch(self, url: str) -> bytes:
        """The bytes behind an https link, at most BYTES_MAX; FetchFailed otherwise."""
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._follow(url)
        except TimeoutError:
            problem = f"{_host(url)} takes longer than {self._limit_s:.0f} s."
            raise FetchFailed(problem, "The picture is left out.") from None
        except (
            httpcore2.NetworkError,
            httpcore2.ProtocolError,
            httpcore2.TimeoutException,
            httpcore2.UnsupportedProtocol,
            OSError,
        ) as error:
            problem = f"{_host(url)} does not answer ({type(error).__name__})."
            raise FetchFailed(problem, "The picture is left out.") from error

    async def _follow(self, url: str) -> bytes:
        if self._tls is None:
            # Reading the system's certificates takes tens of ms.
            self._tls = await asyncio.to_thread(httpcore2.default_ssl_context)
        for _ in range(REDIRECTS_MAX + 1):
            response = await self._get(_checked(url), self._tls)
            if isinstance(response, bytes):
                return response
            url = _joined(url, response)
        raise FetchFailed(f"{_host(url)} redirects too often.", "The picture is left out.")

    async def _get(self, url: httpcore2.URL, tls: ssl.SSLContext) -> bytes | str:
        """The body, or the target of a redirect."""
        async with (
            httpcore2.AsyncConnectionPool(tls, network_backend=self._guard) as pool,
            pool.stream("GET", url, headers=_HEADERS) as answer,
        ):
            headers = {name.lower(): value for name, value in answer.headers}
            if answer.status in _REDIRECTS and b"location" in headers:
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
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        name = ""
    if not name or parts.scheme.lower() != "https" or "@" in parts.netloc:
        raise FetchFailed("A picture's link must be an https link without a user.", "Correct it.")
    target = quote(parts.path or "/", safe=_SAFE)
    if parts.query:
        target += "?" + quote(parts.query, safe=_SAFE)
    return httpcore2.URL(scheme="https", host=name, port=port, target=target)


def _joined(url: str, where: str) -> str:
    """Where a redirect leads; what is no link stays as it is and is refused like any other."""
    with suppress(ValueError):
        return urljoin(url, where)
    return where


def _host(url: str) -> str:
    with suppress(ValueError):
        return urlsplit(url).hostname or "The link"
    return "The link"
