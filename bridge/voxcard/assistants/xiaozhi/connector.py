"""Makes a device's connection for a turn, before one, and again whenever it ends."""

import asyncio
import logging
from collections.abc import Callable

from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.xiaozhi.link import Link
from voxcard.assistants.xiaozhi.server_problem import ActivationNeeded
from voxcard.assistants.xiaozhi.wire.connection import Connection
from voxcard.errors import VoxcardError

log = logging.getLogger(__name__)

RETRIES_S = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # between attempts to be connected again
STEADY_S = 60.0  # a connection that lasted so long was no failure


class Connector:
    """`changed` is set when the connection ended, or when it may lead elsewhere now."""

    def __init__(self, link: Link, health: Health, changed: asyncio.Event) -> None:
        self._link = link
        self._health = health
        self._changed = changed
        self._away = ""  # why there was no connection

    async def connected(self) -> Connection:
        """The connection; raises VoxcardError.

        That there is one says nothing of whether the server answers.
        """
        try:
            connection = await self._link.connected()
        except VoxcardError as error:
            self._away = str(error)
            self._health.failed(self._away, _now_s())
            raise
        if self._health.why(_now_s()) == self._away:
            self._health.worked()
        return connection

    async def try_to_connect(self) -> None:
        """Connect; a failure is told by health, and by the turn that follows."""
        try:
            await self.connected()
        except VoxcardError as error:
            log.info("%s", error)

    async def stay(self, on_code: Callable[[ActivationNeeded], None], *, always: bool) -> None:
        """Be connected `always`; `on_code(needed)` is told what a person is to type."""
        attempt = 0
        while always:
            self._changed.clear()
            began_s = _now_s()
            try:
                await self.connected()
                await self._changed.wait()
            except ActivationNeeded as needed:
                on_code(needed)
                await self._changed.wait()
            except VoxcardError as error:
                log.debug("%s", error)  # the next attempt comes soon
            attempt = 0 if _now_s() - began_s > STEADY_S else attempt
            await asyncio.sleep(RETRIES_S[min(attempt, len(RETRIES_S) - 1)])
            attempt += 1


def _now_s() -> float:
    return asyncio.get_running_loop().time()
