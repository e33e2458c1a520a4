"""Which of several devices answers: rows of (when, device, level, whether it answers)."""

import asyncio

import pytest
from fakes.bridge import run_virtual
from voxcard.wake.arbitration import LATE_S, WINDOW_S, Arbitration

WORD = "okay_nabu"
ROWS = {
    "the loudest answers, whoever came first": [
        (0.0, "hall", -40.0, False),
        (0.1, "kitchen", -25.0, True),
        (0.2, "bath", -31.0, False),
    ],
    "of equals the first": [(0.0, "hall", -30.0, True), (0.1, "kitchen", -30.0, False)],
    "after the decision it is too late, however loud": [
        (0.0, "hall", -40.0, True),
        (WINDOW_S + 0.1, "kitchen", -10.0, False),
    ],
    "another call is decided anew": [
        (0.0, "hall", -20.0, True),
        (0.1, "kitchen", -30.0, False),
        (WINDOW_S + LATE_S + 0.1, "kitchen", -40.0, True),
    ],
    "who calls the same device again is heard again": [
        (0.0, "hall", -20.0, True),
        (WINDOW_S + 0.5, "hall", -20.0, True),
    ],
    "no level is lower than none": [(0.0, "hall", float("-inf"), True)],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_who_answers(rows):
    async def calls():
        arbitration = Arbitration()

        async def heard(at_s, device, level):
            await asyncio.sleep(at_s)
            return await arbitration.wins(device, WORD, level, alone=False)

        return await asyncio.gather(*(heard(*row[:3]) for row in rows))

    assert run_virtual(calls()) == [row[3] for row in rows]


def test_a_device_alone_does_not_wait():
    async def call():
        loop = asyncio.get_running_loop()
        won = await Arbitration().wins("hall", WORD, -30.0, alone=True)
        return won, loop.time()

    assert run_virtual(call()) == (True, 0.0)


def test_two_words_are_two_calls():
    async def calls():
        arbitration = Arbitration()
        return await asyncio.gather(
            arbitration.wins("hall", "okay_nabu", -40.0, alone=False),
            arbitration.wins("kitchen", "hey_jarvis", -20.0, alone=False),
        )

    assert run_virtual(calls()) == [True, True]
