"""The threads that do the assistant's heavy work, so that the event loop never does."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

Lane = Literal["listen", "recognise", "understand", "build", "speak"]
_LANES: tuple[Lane, ...] = ("listen", "recognise", "understand", "build", "speak")
Result = TypeVar("Result")


class Workers:
    """One thread per kind of work: whisper, piper and silero let the GIL go while they run.

    One at a time in a lane: models are not shared between threads, and two recognitions at once
    on two cores would both be late.
    """

    def __init__(self) -> None:
        self._pools = {
            lane: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"offline-{lane}")
            for lane in _LANES
        }
        self.took_ms: dict[Lane, float] = {}  # by the last work of a lane, with its wait for it

    async def run(self, lane: Lane, work: Callable[..., Result], *arguments: object) -> Result:
        """What `work` returns or raises. Cancelled: it is not begun, or its result is dropped."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        result = await loop.run_in_executor(self._pools[lane], work, *arguments)
        self.took_ms[lane] = (loop.time() - began_s) * 1000
        return result

    async def stream(
        self, lane: Lane, work: Callable[[str], Iterator[bytes]], text: str
    ) -> AsyncIterator[bytes]:
        """The pieces that `work(text)` yields, each as soon as it is there."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        stopped = threading.Event()

        def produce() -> None:
            try:
                for piece in work(text):
                    if stopped.is_set():
                        return
                    loop.call_soon_threadsafe(pieces.put_nowait, piece)
            finally:
                loop.call_soon_threadsafe(pieces.put_nowait, None)

        done = loop.run_in_executor(self._pools[lane], produce)
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            await done
        finally:
            stopped.set()
            done.cancel()

    async def stop(self) -> None:
        """Wait for the work at hand and end the threads; safe to call twice."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            await asyncio.to_thread(pool.shutdown)
