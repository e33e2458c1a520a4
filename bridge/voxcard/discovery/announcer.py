"""Keeps the broker announced while the bridge runs, at the addresses that it has now."""

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from voxcard.config import Mqtt
from voxcard.discovery import addresses
from voxcard.discovery.addresses import Place
from voxcard.discovery.announcement import announcement, broker_host

if TYPE_CHECKING:
    from voxcard.discovery.mdns import Responder

log = logging.getLogger(__name__)

LOOK_S = 30.0  # between two looks whether the addresses are others, or there are some now
_TYPE_IT = 'type the broker\'s address on devices, or set [discovery] announce = "off".'
_NO_ADDRESS = f"Until it has one, {_TYPE_IT}"
_PORT = f"Stop the program that keeps it to itself (avahi: disallow-other-stacks=no), {_TYPE_IT}"


class Announcer:
    """`run` until cancelled. `find(host)` may block; `place`, of what is announced now."""

    def __init__(
        self,
        mqtt: Mqtt,
        announce: str,
        *,
        computer: str,
        instance: str,
        find: Callable[[str], Place] = addresses.find,
        look_s: float = LOOK_S,
    ) -> None:
        self._mqtt = mqtt
        self._host = broker_host(mqtt, announce)
        self._computer, self._instance = computer, instance
        self._find = find
        self._look_s = look_s
        self._place: Place | None = None
        self._responder: Responder | None = None
        self._warned = ""

    async def run(self) -> None:
        """Announce; where nothing is to be announced, only wait."""
        if self._host is None:
            await asyncio.get_running_loop().create_future()
            return
        try:
            while True:
                await self._look(await asyncio.to_thread(self._find, self._host))
                await asyncio.sleep(self._look_s)
        finally:
            await self._close()

    async def _look(self, place: Place) -> None:
        if place == self._place:
            return
        await self._close()
        if not place.addresses or not place.interfaces:
            problem = f"The broker {self._host} has no IPv4 address in a network now."
            self._warn(f"{problem} {_NO_ADDRESS}")
            return
        try:
            await self._announce(place)
        except OSError as error:
            problem = f"mDNS cannot be used: UDP port 5353: {error.strerror or error}."
            self._warn(f"{problem} {_PORT}")

    async def _announce(self, place: Place) -> None:
        # The library is 5 MB, which a bridge that announces nothing does without.
        from voxcard.discovery import mdns

        service = announcement(
            self._mqtt,
            computer=self._computer,
            instance=self._instance,
            addresses=place.addresses,
        )
        self._responder = await mdns.announced(service, place.interfaces)
        self._place, self._warned = place, ""
        where = ", ".join(place.addresses)
        log.info("announced as %s: %s port %d", self._responder.name, where, service.port)

    def _warn(self, text: str) -> None:
        """Once, until it is well again."""
        if text != self._warned:
            log.warning("%s", text)
        self._warned = text

    async def _close(self) -> None:
        responder, self._responder, self._place = self._responder, None, None
        if responder is not None:
            await responder.close()
