"""The wall round every task: what one raises ends that one alone."""

import asyncio
import contextlib
import logging

import pytest
from fakes.bridge import run_virtual
from voxcard.tasks import Tasks


class BrokenError(Exception):
    pass


async def broken():
    raise BrokenError("secret")


def test_a_task_that_raises_is_one_line_with_its_name_and_the_others_go_on(caplog):
    async def conversation():
        done = asyncio.Event()

        async def works():
            await asyncio.sleep(1)
            done.set()

        async with Tasks() as tasks:
            tasks.spawn(broken(), "tools kitchen")
            tasks.spawn(works(), "turn kitchen")
            await done.wait()

    with caplog.at_level(logging.ERROR, "voxcard.tasks"):
        run_virtual(conversation())
    assert [record.getMessage() for record in caplog.records] == ["tools kitchen failed"]


@pytest.mark.parametrize("raises", [True, False])
def test_a_task_that_must_run_starts_again_after_a_pause(raises):
    async def conversation():
        starts = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def work():
            starts.put_nowait(loop.time())
            if raises:
                raise BrokenError

        async with Tasks(restart_s=2) as tasks:
            tasks.keep(work, "mqtt")
            return [await starts.get() for _ in range(3)]

    assert run_virtual(conversation()) == [0, 2, 4]


def test_leaving_ends_every_task_also_those_that_start_others_while_they_end():
    async def conversation():
        ended = []

        async def last():
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                ended.append("last")

        async def first(tasks):
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                tasks.spawn(last(), "last")
                ended.append("first")

        async with Tasks() as tasks:
            tasks.spawn(first(tasks), "first")
            await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        return ended

    assert run_virtual(conversation()) == ["first", "last"]


def test_a_task_that_will_not_end_is_named_and_left(caplog):
    async def stubborn():
        for _ in range(4):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(3)

    async def conversation():
        async with Tasks(end_s=5) as tasks:
            task = tasks.spawn(stubborn(), "tools attic")
            await asyncio.sleep(0)
        left_s = asyncio.get_running_loop().time()
        await task
        return left_s

    with caplog.at_level(logging.ERROR, "voxcard.tasks"):
        assert run_virtual(conversation()) == 5
    assert caplog.records[0].getMessage() == "tools attic does not end"


def test_what_the_block_raises_comes_out_of_it():
    async def conversation():
        async with Tasks() as tasks:
            tasks.keep(asyncio.Event().wait, "waits")
            raise BrokenError

    with pytest.raises(BrokenError):
        run_virtual(conversation())


def test_a_callback_of_the_loop_that_raises_is_one_line(caplog):
    async def conversation():
        async with Tasks():
            asyncio.get_running_loop().call_soon(lambda: 1 / 0)
            await asyncio.sleep(1)

    with caplog.at_level(logging.ERROR, "voxcard.tasks"):
        run_virtual(conversation())
    assert len(caplog.records) == 1 and caplog.records[0].exc_info[0] is ZeroDivisionError
