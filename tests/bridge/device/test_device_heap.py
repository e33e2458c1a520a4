"""The whole device in the least heap it talks in: tools, a card with its code, speech, a photo."""

import asyncio

from tools.bench.heap_device import BUDGET, converse, leaf_through
from tools.sim.simulated_device import HEAP


def test_a_conversation_fits_the_budget(tmp_path):
    found = asyncio.run(converse(tmp_path, BUDGET))
    assert found["played"] == found["frames"] == 250
    # What is left when everything was used once, the card still on the screen.
    assert found["free_after_turn"] > 8_000


def test_fifty_cards_of_24_pages_leave_the_heap_as_it_was(tmp_path):
    free = asyncio.run(leaf_through(tmp_path, HEAP, cards=50, pages=24))
    assert free["late"] > free["early"] - 2_000
