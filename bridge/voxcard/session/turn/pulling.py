"""Pulls an assistant's parts to their end, unless it is stopped; what it raises is a sentence."""

import asyncio
from collections.abc import Awaitable, Callable

from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.session.turn import flow as turn_flow
from voxcard.session.turn.context import Parts

CLOSE_S = 2.0  # for an assistant to let go of a turn


class Pulling:
    """`stopped` is why `stop` was called, empty before."""

    def __init__(self, turn_id: str, log: DeviceLog) -> None:
        self.stopped = ""
        self._turn_id = turn_id
        self._log = log
        self._limit: asyncio.Timeout | None = None

    def stop(self, error: str) -> None:
        """Pull no more, for `error`."""
        self.stopped = error
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())

    async def run(
        self, open_parts: Callable[[], Parts], pull: Callable[[Parts], Awaitable[str]]
    ) -> str:
        """Let `pull` act on every part; why the answer failed, or an empty text."""
        parts = None
        try:
            parts = open_parts()
            async with asyncio.timeout(None) as self._limit:
                return self.stopped or await pull(parts)
        except TimeoutError:
            if self._limit is not None and self._limit.expired():
                return self.stopped
            self._log.exception("the assistant failed")
        except VoxcardError as error:
            return str(error)
        except Exception:
            self._log.exception("the assistant failed")
        finally:
            self._limit = None
            if parts is not None:
                await self._close(parts)
        return turn_flow.BROKEN

    async def _close(self, parts: Parts) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await parts.aclose()
        except Exception:
            self._log.exception("the assistant did not let go of turn %s", self._turn_id)
