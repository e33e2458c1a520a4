"""The screen lives in the heap of a small board, whatever is shown."""

import json
import os
import subprocess

from tools.build.interpreters import frozen32

PROGRAM = """
import asyncio, gc, json
from screen.view import View
from voxwire.card import from_data

class Panel:
    def __init__(self, width, height, depth, cell):
        self.width, self.height, self.depth, self.cell = width, height, depth, cell
        self.shape, self.pitch_um, self.written = "rect", 0, 0
    async def write(self, x, y, w, h, buffer):
        self.written += len(buffer)

def card(number, pages):
    lines = ["Zeile %d der Karte %d, Привет" % (line, number) for line in range(12)]
    page = {"k": "t", "t": "Card %d" % number, "l": lines}
    return from_data({"id": "c%d" % number, "rev": 1, "pages": [page] * pages, "foot": "a · 2h"})

async def main(width, height, depth, cell):
    view = View(Panel(width, height, depth, cell), name="Kitchen", device_id="kitchen-1")
    view.set_state("idle")
    await view.refresh()
    gc.collect()
    start = gc.mem_alloc()
    for number in range(50):
        view.show_card(card(number, 2))
        await view.refresh()
        view.next_page()
        await view.refresh()
        if number % 10 == 0:
            view.set_state("listening")
            await view.refresh()
            view.set_state("idle")
    view.show_card(card(99, 24))
    for _ in range(48):
        view.next_page()
        await view.refresh()
    view.clear_card()
    await view.refresh()
    gc.collect()
    print(json.dumps([start, gc.mem_alloc() - start]))

"""


def run(width: int, height: int, depth: int, cell: tuple[int, int]) -> tuple[int, int]:
    """(bytes in use when idle, bytes more after all the cards)."""
    program = PROGRAM + f"asyncio.run(main{(width, height, depth, cell)})"
    frozen = frozen32()
    done = subprocess.run(
        [frozen.path, "-X", "heapsize=100k", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=frozen.files,
        env={**os.environ, "MICROPYPATH": ".frozen"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    in_use, grown = json.loads(done.stdout)
    return in_use, grown


def test_fifty_cards_and_twenty_four_pages_leave_no_trace_in_a_small_heap():
    for panel in ((128, 64, 1, (6, 12)), (240, 240, 16, (8, 16)), (320, 240, 16, (8, 16))):
        in_use, grown = run(*panel)
        assert in_use < 40_000, panel
        # Glyphs that were met stay: at most 64 small tuples.
        assert grown < 4_000, panel
