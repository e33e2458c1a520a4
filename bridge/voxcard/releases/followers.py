"""Those who follow an update, each at its own speed: states that pass meanwhile are skipped."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from voxcard.releases.progress import Progress

SILENT_S = 30.0  # for the first word of a device that is online


class Followers:
    """`wake` is called when anything about an update is another; each `follow` is one of them."""

    def __init__(self) -> None:
        self._changes: set[asyncio.Event] = set()

    def __len__(self) -> int:
        return len(self._changes)

    def wake(self) -> None:
        """Let everyone look again."""
        for changed in self._changes:
            changed.set()

    async def follow(
        self, progress: Callable[[], Progress], is_silent: Callable[[], bool]
    ) -> AsyncIterator[Progress]:
        """`progress()` from now to its end; one that `is_silent()` is said to be, once."""
        changed = asyncio.Event()
        self._changes.add(changed)
        try:
            while True:
                changed.clear()
                current = progress()
                yield current
                if current.has_ended:
                    return
                try:
                    async with asyncio.timeout(SILENT_S if is_silent() else None):
                        await changed.wait()
                except TimeoutError:
                    yield replace(progress(), is_silent=True)
                    await changed.wait()
        finally:
            self._changes.discard(changed)
