"""Connects only to addresses that are allowed."""

from contextlib import suppress
from typing import Any

import httpcore2

from voxcard.fetching.addresses import Allows, FetchFailed, Resolve

ADDRESSES_TRIED = 3
CONNECT_S = 4.0  # for one address


class Guard(httpcore2.AsyncNetworkBackend):
    """Connects to the very addresses it checked, so a second look-up cannot slip in another."""

    def __init__(self, resolve: Resolve, allows: Allows, remedy: str) -> None:
        self._resolve = resolve
        self._allows = allows
        self._remedy = remedy
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
            raise FetchFailed(f"{host} is no public address.", self._remedy)
        for address in addresses[: ADDRESSES_TRIED - 1]:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return await self._net.connect_tcp(address, port, timeout=CONNECT_S)
        last = addresses[:ADDRESSES_TRIED][-1]
        return await self._net.connect_tcp(last, port, timeout=CONNECT_S)
