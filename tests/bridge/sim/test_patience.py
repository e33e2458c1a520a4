"""Waiting as long as something moves, told meanwhile, ended with a reason."""

import asyncio
import os
from pathlib import Path

import pytest
from voxcard.sim.patience import Limits, Patience, StalledError, cpu_s, patiently

LIMITS = Limits(still_s=60, whole_s=600, tell_s=10)
NOW = Limits(still_s=0, whole_s=0, tell_s=0)


def verdicts(*looks):
    patience = Patience(0, LIMITS)
    return [patience.look(now_s, progress) for now_s, progress in looks]


def test_as_long_as_something_moves_it_waits_and_tells_every_ten_seconds():
    looks = [(now_s, now_s // 50) for now_s in range(5, 600, 5)]
    told = verdicts(*looks)
    assert told == ["tell" if now_s % 10 == 0 else "wait" for now_s, _ in looks]


def test_without_progress_it_ends_after_a_while_that_begins_with_the_last_move():
    assert verdicts((50, 1), (109, 1))[-1] != "end"
    assert verdicts((50, 1), (110, 1))[-1] == "end"


def test_what_moves_for_ever_ends_too():
    assert verdicts(*((now_s, now_s) for now_s in range(0, 601, 20)))[-1] == "end"


def wait_for(awaited, **more):
    said = []

    async def waiting():
        return await patiently(
            "the bridge", awaited(), progress=lambda: 1, tell=said.append, **more
        )

    return asyncio.run(waiting()), said


async def never():
    await asyncio.Event().wait()


def test_the_value_is_returned():
    async def value():
        return 7

    assert wait_for(value) == (7, [])


def test_an_error_of_what_is_waited_for_is_raised():
    async def fails():
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        wait_for(fails)


def test_the_end_names_what_was_waited_for_and_the_log():
    with pytest.raises(StalledError) as caught:
        wait_for(never, limits=NOW, log=Path("out/bridge.log"))
    assert str(caught.value).startswith("the bridge did not come in ")
    assert str(caught.value).endswith(" See out/bridge.log.")


def test_what_is_waited_for_is_cancelled_with_who_waits():
    cancelled = []

    async def mourned():
        try:
            await never()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def interrupted():
        task = asyncio.create_task(
            patiently("it", mourned(), progress=lambda: 1, tell=cancelled.append)
        )
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(interrupted())
    assert cancelled == [True]


def test_processor_time_of_a_process_is_known_or_nothing():
    assert cpu_s(os.getpid()) >= 0
    assert cpu_s(None) == 0
