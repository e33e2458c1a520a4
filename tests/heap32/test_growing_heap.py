"""The heap of a board without PSRAM grows out of the network's memory: how much that keeps.

The port's own rule of growth (py/gc.c) runs here with our reserve, over the free blocks that were
measured on boards after Wi-Fi had started.
"""

import asyncio
import subprocess
import tempfile
from pathlib import Path

import pytest
from fakes.idf_blocks import CHIPS, NETWORK_BYTES, growths

from tools.bench.heap_device import converse
from tools.build import image
from tools.build.interpreters import NO_RESERVE, RESERVE, frozen32, frozen_bytes

RESERVE_BYTES = 32 * 1024

GREED = """
blocks = []
try:
    while True:
        blocks.append(bytearray({block}))
except MemoryError:
    blocks = None
    print("refused")
"""


@pytest.fixture
def idf(monkeypatch, tmp_path):
    """Sets a chip's free blocks for the interpreters started from now on; the log of growths."""

    def begin(chip: str) -> Path:
        monkeypatch.setenv("VOXCARD_IDF_BLOCKS", CHIPS[chip][1])
        monkeypatch.setenv("VOXCARD_IDF_LOG", str(tmp_path / "growths"))
        return tmp_path / "growths"

    return begin


@pytest.mark.parametrize("chip", CHIPS)
def test_a_conversation_grows_the_heap_once_and_leaves_the_network_its_memory(idf, chip):
    log = idf(chip)
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(converse(Path(folder), frozen32(RESERVE), CHIPS[chip][0]))
    assert outcome["played"] == outcome["frames"] == 250
    areas = growths(log)
    assert len(areas) == 1
    assert areas[-1].left >= NETWORK_BYTES


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("block", [64, 1024, 20_000])
def test_however_much_is_asked_for_the_reserve_stays(idf, chip, block):
    log = idf(chip)
    code = GREED.format(block=block)
    command = [frozen32(RESERVE).path, "-X", f"heapsize={CHIPS[chip][0]}k", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"
    areas = growths(log)
    assert areas and areas[-1].left >= RESERVE_BYTES >= NETWORK_BYTES


def test_the_ports_own_rule_leaves_nothing_which_is_why_there_is_a_reserve(idf):
    log = idf("esp32")
    command = [frozen32(NO_RESERVE).path, "-X", "heapsize=56k", "-c", GREED.format(block=1024)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"
    assert growths(log)[-1].left < 8192


def test_the_frozen_firmware_takes_no_more_of_a_slot_than_its_budget():
    assert 100 * 1024 < frozen_bytes() <= image.FROZEN_BYTES
