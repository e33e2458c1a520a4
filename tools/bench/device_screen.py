"""MicroPython: time and writes of drawing whole screens, as one JSON line.

MICROPYPATH=firmware:tools:.frozen micropython -X heapsize=2m tools/bench/device_screen.py

For each panel: ms for a page of text, a code and a state; the most bytes of one write (what the
bus sends while nothing else runs); the longest time between two writes (the drawing of a band).
"""

import asyncio
import json
import time
from binascii import b2a_base64

from draw_card import Panel
from screen.view import View
from voxwire import card as wire_card

MODULES = 29
ROUNDS = 5
PANELS = (
    ("128x64", {"width": 128, "height": 64, "depth": 1, "cell": (6, 12)}),
    ("240x240", {"width": 240, "height": 240, "depth": 16, "cell": (8, 16)}),
)


class TimedPanel(Panel):
    """Counts its writes and the time between them."""

    def begin(self):
        self.most = self.longest_us = 0
        self.last = time.ticks_us()

    async def write(self, x, y, w, h, buffer):
        now = time.ticks_us()
        self.longest_us = max(self.longest_us, time.ticks_diff(now, self.last))
        self.most = max(self.most, len(buffer))
        await super().write(x, y, w, h, buffer)
        self.last = time.ticks_us()


def card():
    row = (MODULES + 7) // 8
    code = str(b2a_base64(bytes(range(256))[: row * MODULES]), "ascii").strip()
    lines = ["Out for delivery", "Livré à Ștefan", "Nguyễn, Łódź", "Привет, Ωμέγα"]
    return wire_card.from_data(
        {
            "id": "c1",
            "rev": 1,
            "pages": [
                {"k": "t", "t": "Order 1042", "l": lines},
                {"k": "q", "t": "Track it", "n": MODULES, "d": code, "s": 2, "l": ["a.example"]},
            ],
        }
    )


async def drawn(view, panel):
    """(ms, bytes of the largest write, us of the longest step)."""
    began = time.ticks_us()
    panel.begin()
    await view.refresh()
    took = time.ticks_diff(time.ticks_us(), began) / 1000
    return took, panel.most, panel.longest_us


async def measure(settings):
    panel = TimedPanel(**settings)
    panel.begin()
    view = View(panel, name="bench", device_id="bench", theme="dark", log=print)
    screens = {"state_ms": [], "text_ms": [], "code_ms": []}
    for _ in range(ROUNDS):
        view.set_state("listening")
        screens["state_ms"].append(await drawn(view, panel))
        view.set_state("idle")
        view.show_card(card())
        screens["text_ms"].append(await drawn(view, panel))
        view.next_page()
        screens["code_ms"].append(await drawn(view, panel))
        view.clear_card("c1")
        await view.refresh()
    figures = {name: sorted(rows)[ROUNDS // 2][0] for name, rows in screens.items()}
    everything = [row for rows in screens.values() for row in rows]
    figures["write_bytes"] = max(most for _, most, _ in everything)
    figures["step_ms"] = max(longest for _, _, longest in everything) / 1000
    return figures


async def main():
    figures = {}
    for name, settings in PANELS:
        figures[name] = await measure(settings)
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main())
