"""Catalogues are built once for a list of tools, and the old one answers meanwhile."""

import asyncio
import threading

from fakes import home
from voxcard.assistants.offline.catalogues import Catalogues
from voxcard.assistants.offline.threads import Workers


class Builder:
    """Builds a catalogue that is its list of tools; waits while `gate` is closed."""

    def __init__(self):
        self.built = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, tools):
        self.gate.wait(60)
        self.built.append(tools)
        return tools


def run(scene):
    async def main():
        workers, builder = Workers(), Builder()
        catalogues = Catalogues(workers, builder)
        try:
            return await scene(catalogues, builder)
        finally:
            builder.gate.set()
            await catalogues.stop()
            await workers.stop()

    return asyncio.run(main())


def test_devices_with_the_same_tools_share_one_catalogue():
    async def scene(catalogues, builder):
        for _ in range(3):
            catalogues.prepare([home.PHOTO])
        for _ in range(3):
            assert await catalogues.of([home.PHOTO], None) == (home.PHOTO,)
        assert await catalogues.of([home.CARD], None) == (home.CARD,)
        return builder.built

    assert run(scene) == [(home.PHOTO,), (home.CARD,)]


def test_the_old_catalogue_answers_while_a_new_one_is_built():
    async def scene(catalogues, builder):
        old = await catalogues.of([home.PHOTO], None)
        builder.gate.clear()
        meanwhile = await catalogues.of([home.CARD], old)
        builder.gate.set()
        await catalogues.settled()
        return meanwhile, await catalogues.of([home.CARD], old)

    assert run(scene) == ((home.PHOTO,), (home.CARD,))


def test_a_catalogue_that_could_not_be_built_is_built_again():
    async def scene(catalogues, builder):
        failed = catalogues.prepare([home.PHOTO])
        failed.cancel()
        await asyncio.gather(failed, return_exceptions=True)
        return await catalogues.of([home.PHOTO], None)

    assert run(scene) == (home.PHOTO,)
