"""Every board without PSRAM, built from its own file, talks in the heap that it has.

The firmware is frozen in, as in its image; what stands for the chip's own modules
(tools/build/esp32_heap/port) is measured apart and counts for nothing. Silicon has not been asked.
"""

import asyncio
import shlex
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.idf_blocks import CHIPS, NETWORK_BYTES, growths

from tools.bench.conversation import converse
from tools.bench.heap_device import IDLE_KB, TALK_KB
from tools.boards import files
from tools.build.interpreters import RESERVE, frozen32

BOARDS = {name: board for name, board in files.every().items() if board["class"] == 2}
AT_A_TIME = 6


@pytest.fixture(scope="module")
def outcomes():
    """{(board, way): what its conversation gave, or the exception; growths}. The ways: whole,
    grown, and waiting for a wake word between turns.

    They wait for the clock most of the time, so they are held beside each other.
    """
    interpreter = frozen32(RESERVE)
    one_more = asyncio.Semaphore(AT_A_TIME)

    async def held(name, way):
        grown = way == "grown"
        board = BOARDS[name]
        async with one_more:
            with tempfile.TemporaryDirectory() as folder:
                log = Path(folder) / "growths"
                first_kb, blocks = CHIPS[board["chip"]]
                used = at(interpreter, Path(folder), blocks, log) if grown else interpreter
                heap_kb = first_kb if grown else TALK_KB
                try:
                    outcome = await converse(
                        Path(folder), used, heap_kb, board=board, wakes=way == "waiting"
                    )
                except Exception as error:
                    outcome = error
                return (name, way), (outcome, growths(log))

    async def all_of_them():
        ways = ("whole", "grown", "waiting")
        pairs = [held(name, way) for name in BOARDS for way in ways]
        return dict(await asyncio.gather(*pairs))

    return asyncio.run(all_of_them())


def at(interpreter, folder, blocks, log):
    """The interpreter with a chip's free blocks and a log of its own."""
    script = folder / "interpreter"
    script.write_text(
        f"#!/bin/sh\nVOXCARD_IDF_BLOCKS={blocks} VOXCARD_IDF_LOG={shlex.quote(str(log))}"
        f' exec {shlex.quote(str(interpreter.path))} "$@"\n'
    )
    script.chmod(0o755)
    return replace(interpreter, path=script)


def talked(outcome):
    if isinstance(outcome, Exception):
        raise outcome
    assert outcome["played"] == outcome["frames"] == 250
    return outcome


def test_there_are_six():
    assert len(BOARDS) == 6 and {board["chip"] for board in BOARDS.values()} == set(CHIPS)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_without_psram_talks_with_a_card_and_its_code_in_its_heap(outcomes, name):
    outcome, _ = outcomes[name, "whole"]
    assert talked(outcome)["used_idle"] <= IDLE_KB * 1024


@pytest.mark.parametrize("name", BOARDS)
def test_it_talks_in_the_same_heap_while_it_waits_for_its_word(outcomes, name):
    outcome, _ = outcomes[name, "waiting"]
    talked(outcome)


@pytest.mark.parametrize("name", BOARDS)
def test_its_heap_grows_once_and_leaves_the_network_its_memory(outcomes, name):
    outcome, areas = outcomes[name, "grown"]
    talked(outcome)
    assert len(areas) == 1
    assert areas[-1].left >= NETWORK_BYTES
