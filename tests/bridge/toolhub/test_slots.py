"""So many at a time; whoever takes long gives its slot up."""

import asyncio

from fakes.bridge import run_virtual
from voxcard.toolhub.slots import Slots


class Runners:
    """Tasks that take a slot each and hold it until they are let go."""

    def __init__(self, slots):
        self.slots = slots
        self.began = []
        self.end = {}

    async def run(self, name):
        async with self.slots.slot():
            self.began.append(name)
            await self.end.setdefault(name, asyncio.Event()).wait()


def test_the_next_begins_when_one_ends_and_when_one_takes_too_long():
    async def conversation():
        runners = Runners(Slots(2, 10.0))
        tasks = [asyncio.create_task(runners.run(name)) for name in "abcde"]
        await asyncio.sleep(1)
        assert runners.began == ["a", "b"]
        runners.end["b"].set()
        await asyncio.sleep(1)
        assert runners.began == ["a", "b", "c"]
        await asyncio.sleep(8.5)  # the slot of a, not yet that of c
        assert runners.began == ["a", "b", "c", "d"]
        runners.end["a"].set()  # its slot is free already
        await asyncio.sleep(0.1)
        assert runners.began == ["a", "b", "c", "d"]
        runners.end["c"].set()
        await asyncio.sleep(0.1)
        assert runners.began == ["a", "b", "c", "d", "e"]
        for task in tasks:
            task.cancel()

    run_virtual(conversation())


def test_a_slot_that_is_waited_for_and_cancelled_is_not_lost():
    async def conversation():
        runners = Runners(Slots(1, 10.0))
        tasks = [asyncio.create_task(runners.run(name)) for name in "abc"]
        await asyncio.sleep(1)
        tasks[1].cancel()
        tasks[0].cancel()
        await asyncio.sleep(1)
        assert runners.began == ["a", "c"]
        tasks[2].cancel()

    run_virtual(conversation())
