"""One announcement on the network, by zeroconf; only this module knows the library."""

import logging
import socket
from collections.abc import Sequence

from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from voxcard.discovery.announcement import SERVICE, Announcement


class Responder:
    """Answers who asks for the service; made by `announced`."""

    def __init__(self, zeroconf: AsyncZeroconf, name: str) -> None:
        self._zeroconf = zeroconf
        self.name = name  # with a number behind it where another one had it

    async def close(self) -> None:
        """Say goodbye, so that nobody keeps the records until they are old."""
        await self._zeroconf.async_close()


async def announced(announcement: Announcement, interfaces: Sequence[str]) -> Responder:
    """Announce a service from the own addresses `interfaces`.

    OSError where port 5353 cannot be had or the network is gone.
    """
    # What it says of a taken port at every try, our caller says once.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    zeroconf = AsyncZeroconf(interfaces=list(interfaces), ip_version=IPVersion.V4Only)
    try:
        info = AsyncServiceInfo(
            SERVICE,
            announcement.name,
            port=announcement.port,
            server=announcement.target,
            addresses=[socket.inet_aton(address) for address in announcement.addresses],
            properties=announcement.txt,
        )
        await (await zeroconf.async_register_service(info, allow_name_change=True))
    except BaseException:
        await zeroconf.async_close()
        raise
    return Responder(zeroconf, info.name.removesuffix(f".{SERVICE}"))
