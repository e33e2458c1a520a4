"""The history never gets in the way of a turn."""

import asyncio
import logging

from fakes.bridge import at_once, run_virtual
from voxcard.errors import VoxcardError
from voxcard.history.writer import WAITING_MAX, HistoryWriter


def test_work_is_done_in_order():
    async def conversation():
        done = []
        keeper = HistoryWriter(at_once)
        keeper.put(done.append, 1)
        keeper.put(done.append, 2)
        await keeper.drain()
        assert done == [1, 2]

    run_virtual(conversation())


def test_a_full_disk_is_one_warning_until_it_works_again(caplog):
    async def conversation():
        room = [False]

        def write():
            if not room[0]:
                raise VoxcardError("The disk is full.", "Free some space.")

        keeper = HistoryWriter(at_once)
        for space in (False, False, True, False):
            room[0] = space
            keeper.put(write)
            await keeper.drain()

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    text = "The disk is full. Free some space. Turns go on without it."
    assert [record.getMessage() for record in caplog.records] == [text, text]


def test_a_slow_disk_costs_what_comes_too_fast_and_no_memory(caplog):
    async def conversation():
        done = []
        keeper = HistoryWriter(at_once)
        for number in range(WAITING_MAX + 5):
            keeper.put(done.append, number)
        running = asyncio.create_task(keeper.run())
        await asyncio.sleep(1)
        running.cancel()
        assert done == list(range(WAITING_MAX))

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    assert len(caplog.records) == 1


def test_the_end_of_the_bridge_waits_for_what_is_being_written():
    async def conversation():
        written = []

        async def slowly(function, *arguments):
            await asyncio.sleep(1)
            function(*arguments)

        keeper = HistoryWriter(slowly)
        keeper.put(written.append, 1)
        running = asyncio.create_task(keeper.run())
        await asyncio.sleep(0.5)  # taken from the queue and not yet written
        await keeper.drain()
        running.cancel()
        assert written == [1]

    run_virtual(conversation())
