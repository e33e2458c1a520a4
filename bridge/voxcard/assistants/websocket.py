"""WebSockets to the servers of assistants: how each is opened and closed."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Mapping

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from voxcard import __version__

# At debug the library logs the headers and what is sent: the key is there.
_quiet = logging.getLogger(f"{__name__}.library")
_quiet.setLevel(logging.WARNING)
_PING_S = 20.0


class _Connect(connect):
    """Follows no redirect: where that leads would be told the key."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def opened(
    url: str,
    *,
    open_s: float,
    close_s: float,
    message_max: int,
    headers: Mapping[str, str] | None = None,
    tls: ssl.SSLContext | None = None,
    is_compressed: bool = False,
    has_pings: bool = True,
) -> ClientConnection:
    """An open WebSocket; raises what the library raises, OSError and TimeoutError.

    `message_max`: bytes of one message. `is_compressed`: for texts; sound does not get smaller.
    """
    return await _Connect(
        url,
        additional_headers=headers,
        open_timeout=open_s,
        close_timeout=close_s,
        max_size=message_max,
        compression="deflate" if is_compressed else None,
        user_agent_header=f"voxcard/{__version__}",
        proxy=None,  # the servers of a home are named by their address
        ssl=tls,
        ping_interval=_PING_S if has_pings else None,
        logger=_quiet,
    )


async def close(socket: ClientConnection, limit_s: float) -> None:
    """Say goodbye, and end the connection after `limit_s` whatever the server does.

    A server that only sends answers no goodbye, and would keep the connection. Safe to call twice.
    """
    try:
        with contextlib.suppress(TimeoutError, OSError, WebSocketException):
            async with asyncio.timeout(limit_s):
                await socket.close()
    finally:
        socket.transport.abort()
