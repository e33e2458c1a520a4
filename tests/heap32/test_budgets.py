"""The heap budgets of a device (design section 10), held on a true 32-bit MicroPython.

Frozen is what a board without PSRAM runs: the firmware is part of the image. Files is what a board
with PSRAM runs: the stock image with .mpy files.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.bench.heap_device import (
    FILES_KB,
    FILES_PHOTO_KB,
    IDLE_KB,
    PHOTO_BYTES,
    PHOTO_KB,
    TALK_KB,
    converse,
)
from tools.bench.heap_update import IMAGE_BYTES, UPDATE_KB, installed
from tools.build.interpreters import Interpreter, frozen32, plain32


@pytest.fixture(scope="module")
def frozen() -> Interpreter:
    return frozen32()


@pytest.fixture
def folder() -> Iterator[Path]:
    """For the device's files: their names are in its heap, and on a board they are short."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture(scope="module")
def files() -> Interpreter:
    return plain32()


def test_the_budgets_are_those_of_the_design():
    assert (IDLE_KB, TALK_KB, PHOTO_KB, FILES_KB, PHOTO_BYTES) == (84, 100, 116, 256, 60_000)


def test_frozen_a_conversation_with_a_card_and_its_code_fits(folder, frozen):
    found = asyncio.run(converse(folder, frozen, TALK_KB))
    assert found["played"] == found["frames"] == 250
    assert found["used_idle"] <= IDLE_KB * 1024


def test_frozen_a_device_that_waits_for_its_word_talks_in_the_same_heap(folder, frozen):
    found = asyncio.run(converse(folder, frozen, TALK_KB, wakes=True))
    assert found["played"] == found["frames"] == 250


def test_frozen_a_conversation_with_a_photo_fits(folder, frozen):
    found = asyncio.run(converse(folder, frozen, PHOTO_KB, PHOTO_BYTES))
    assert found["played"] == found["frames"] == 250
    assert found["used_idle"] <= IDLE_KB * 1024


def test_frozen_an_image_is_installed_in_the_heap_of_a_conversation(folder, frozen):
    found = asyncio.run(installed(folder, frozen, TALK_KB, talks=False))
    assert found["pieces"] == 1 + -(-IMAGE_BYTES // 512)


def test_frozen_a_person_talks_while_an_image_is_installed(folder, frozen):
    found = asyncio.run(installed(folder, frozen, UPDATE_KB, talks=True))
    assert found["played"] == found["frames"] == 250


def test_from_files_a_conversation_with_a_card_fits(folder, files):
    found = asyncio.run(converse(folder, files, FILES_KB, 0))
    assert found["played"] == found["frames"] == 250


def test_from_files_a_conversation_with_a_photo_fits(folder, files):
    found = asyncio.run(converse(folder, files, FILES_PHOTO_KB, PHOTO_BYTES))
    assert found["played"] == found["frames"] == 250
