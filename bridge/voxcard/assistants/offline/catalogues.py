"""The catalogue of each list of tools: built once, in a thread, for all devices that have it."""

import asyncio
from collections.abc import Callable, Sequence

from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.threads import Workers
from voxcard.toolhub.model import ToolSpec

_KEPT = 8  # lists; the least recently used goes first
_PATIENCE_S = 1.0  # for a new list, before the old one answers meanwhile

Tools = tuple[ToolSpec, ...]


class Catalogues:
    """`build` makes a catalogue; it takes from tens of milliseconds to seconds."""

    def __init__(self, workers: Workers, build: Callable[[Tools], Catalogue]) -> None:
        self._workers = workers
        self._build = build
        self._kept: list[tuple[Tools, asyncio.Task[Catalogue]]] = []

    def prepare(self, tools: Sequence[ToolSpec]) -> "asyncio.Task[Catalogue]":
        """The catalogue of `tools`, begun if there is none yet. Returns at once."""
        wanted = tuple(tools)
        for at, (kept, task) in enumerate(self._kept):
            if kept == wanted and not _failed(task):
                self._kept.append(self._kept.pop(at))
                return task
        task = asyncio.create_task(self._built(wanted), name="offline catalogue")
        self._kept = [*self._kept[1 - _KEPT :], (wanted, task)]
        return task

    async def of(self, tools: Sequence[ToolSpec], before: Catalogue | None) -> Catalogue:
        """The catalogue of `tools`; while that takes long, the one from `before`."""
        task = self.prepare(tools)
        if before is not None:
            await asyncio.wait([task], timeout=_PATIENCE_S)
            if not task.done():
                return before
        return await asyncio.shield(task)

    async def settled(self) -> None:
        """Wait for what is being built."""
        await asyncio.gather(*(task for _, task in self._kept), return_exceptions=True)

    async def stop(self) -> None:
        """Drop what is being built."""
        tasks = [task for _, task in self._kept]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _built(self, tools: Tools) -> Catalogue:
        return await self._workers.run("build", self._build, tools)


def _failed(task: "asyncio.Task[Catalogue]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
