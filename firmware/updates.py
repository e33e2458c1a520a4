"""Loads what installs releases when there is something to do, and forgets it afterwards."""

import asyncio
import gc
import json
import os
import sys

import log


class Updates:
    """Offers of releases, and what is left of them after a start.

    `parts` are the arguments of update.updater.Updater, the board first.
    """

    def __init__(self, *parts) -> None:
        self._parts = parts
        self._updater = None

    def resume(self) -> None:
        """Go on after a start, where a release is on trial or the bridge was not told."""
        if _is_left(self._parts[0].root):
            self._load()

    def offer(self, payload: bytes) -> None:
        """An offer from the link; b"": it is taken back."""
        if self._updater is None:
            if not payload:
                return
            self._load()
        self._updater.offer(payload)

    def _load(self) -> None:
        # Here, and not above: an idle device has no heap for it.
        from update.updater import Updater

        self._updater = Updater(*self._parts)
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._updater.run()
        except Exception as error:
            log.exception("update", "the update", error)
        self._updater = self._task = None
        _forget()


def _is_left(root: str) -> bool:
    try:
        os.stat(root + "/trial")
        return True
    except OSError:
        pass
    try:
        with open(root + "/update.json") as file:
            return not json.load(file)["told"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _forget() -> None:
    for name in list(sys.modules):
        if name == "update" or name.startswith("update."):
            del sys.modules[name]
    if sys.modules.pop("voxwire.release", None):
        delattr(sys.modules["voxwire"], "release")
    gc.collect()
