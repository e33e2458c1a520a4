"""The simulated device's heap over many cards; its budgets on 32 bit are in tests/heap32."""

import asyncio

from tools.bench.heap_device import leaf_through
from tools.sim.simulated_device import HEAP


def test_fifty_cards_of_24_pages_leave_the_heap_as_it_was(tmp_path):
    free = asyncio.run(leaf_through(tmp_path, HEAP, cards=50, pages=24))
    assert free["late"] > free["early"] - 2_000
