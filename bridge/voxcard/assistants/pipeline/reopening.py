"""An answer that is void when the speaker goes on before anything of it was done or said."""

import asyncio
from collections.abc import Awaitable, Callable

from voxcard.assistants import EndOfSpeech, Reply, Stage, Transcript, Turn

_VOID = EndOfSpeech | Stage | Transcript  # parts that may be taken back


class Reopening:
    """`goes_on()` hears on, and returns whether the speaker does; `resumed`: so it was."""

    def __init__(self, goes_on: Callable[[], Awaitable[bool]]) -> None:
        self.resumed = False
        self._goes_on = goes_on
        self._limit: asyncio.Timeout | None = None

    async def parts(self, answer: Turn) -> Turn:
        """Those of `answer`, which ends where the speaker goes on; then `resumed` is true.

        Before the first part that is done or said the ears are given up.
        """
        hearing: asyncio.Task[None] | None = asyncio.create_task(self._hear(), name="hear on")
        reply: Reply = None
        try:
            while not self.resumed:
                try:
                    async with asyncio.timeout(None) as self._limit:
                        part = await answer.asend(reply)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    if self.resumed:
                        return
                    raise
                finally:
                    self._limit = None
                if hearing is not None and not isinstance(part, _VOID):
                    await _given_up(hearing)
                    hearing = None
                if not self.resumed:
                    reply = yield part
        finally:
            if hearing is not None:
                await _given_up(hearing)
            await answer.aclose()

    async def _hear(self) -> None:
        if not await self._goes_on():
            return
        self.resumed = True
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())


async def _given_up(hearing: "asyncio.Task[None]") -> None:
    hearing.cancel()
    await asyncio.gather(hearing, return_exceptions=True)
