"""From a server's address to the place of its WebSocket: asked once, kept, activated by code."""

import asyncio
import logging
from collections.abc import Callable

from voxcard.assistants.xiaozhi.bootstrap.ota import POLL_S, Activation, Ota, Place
from voxcard.assistants.xiaozhi.server_problem import Subject, XiaozhiProblem

log = logging.getLogger(__name__)


class Registration:
    """One device's. `place` is known beforehand where the address is that of a WebSocket.

    `on_place()` is called when an activation that was waited for is done.
    """

    def __init__(
        self,
        subject: Subject,
        place: Place | None,
        ota: Callable[[], Ota],
        on_place: Callable[[], None],
        poll_s: float = POLL_S,
    ) -> None:
        self._subject = subject
        self._given = place
        self._ota = ota
        self._on_place = on_place
        self._poll_s = poll_s
        self._place: Place | None = None
        self._stale = False
        self._waiting: Activation | None = None
        self._poll: asyncio.Task[None] | None = None

    async def place(self) -> Place:
        """Where to connect; raises XiaozhiProblem, or ActivationNeeded with the code to type."""
        if self._given is not None:
            return self._given
        if self._waiting is not None:
            raise self._subject.activation(self._waiting.code, self._waiting.text)
        if self._place is None or self._stale:
            await self._ask()
        assert self._place is not None
        return self._place

    def failed(self) -> None:
        """The place did not work: ask again, and keep it for when nobody answers."""
        self._stale = True

    async def close(self) -> None:
        poll, self._poll, self._waiting = self._poll, None, None
        if poll is not None:
            poll.cancel()
            await asyncio.gather(poll, return_exceptions=True)

    async def _ask(self) -> None:
        try:
            answer = await self._ota().ask()
        except XiaozhiProblem:
            if self._place is None:
                raise
            return  # the old place may do: the host of the bootstrap is another one
        if isinstance(answer, Place):
            self._place, self._stale = answer, False
            return
        self._wait_for(answer)
        raise self._subject.activation(answer.code, answer.text)

    def _wait_for(self, activation: Activation) -> None:
        """Ask from time to time whether the person has typed the code."""
        self._place, self._waiting = None, activation
        if self._poll is None or self._poll.done():
            work = self._wait(activation)
            self._poll = asyncio.create_task(work, name="xiaozhi activation")

    async def _wait(self, activation: Activation) -> None:
        try:
            async with asyncio.timeout(activation.timeout_s):
                while not await self._done(activation):  # noqa: ASYNC110 - asks a server
                    await asyncio.sleep(self._poll_s)
        except TimeoutError:
            log.info("nobody typed the code of a xiaozhi server; the next turn asks for a new one")
        finally:
            self._waiting = None
        self._on_place()

    async def _done(self, activation: Activation) -> bool:
        ota = self._ota()
        try:
            if activation.challenge:
                return await ota.activated()
            return isinstance(await ota.ask(), Place)
        except XiaozhiProblem as problem:
            log.info("%s", problem)
            return False
