"""A device's timers on a clock of the test's own."""

import asyncio
import os
import time

from fakes.device.screens import screen_of
from timers.runner import Timers
from timers.wall import Zone, unix_of
from voxwire.capability import BLOCKS

PARIS = Zone(7200, None, 0)
NINE = unix_of(PARIS, 20577, 540)  # Monday, 2026-05-04, nine in the morning


class Ring:
    """Counts the rounds of each kind."""

    def __init__(self):
        self.rounds = []

    async def round(self, kind, rung_s):
        self.rounds.append(kind)
        await asyncio.sleep_ms(10)


class View:
    screen = screen_of(128, 64, 1, "rect", 170, (8, 16), (), BLOCKS)
    own_cards = None

    def __init__(self):
        self.rows, self.rings, self.cards = (), None, []

    def set_timers(self, rows):
        self.rows = rows

    def set_ring(self, what):
        self.rings = what

    def show_card(self, card):
        self.cards.append(card)


class Kept:
    """Timers in a file, restarted by `cut`; `view()` makes what shows them."""

    def __init__(self, path=None, view=View):
        folder = os.getenv("TMPDIR") or "/tmp"
        self.path = path or f"{folder}/voxcard-timers-{time.ticks_us()}.json"
        self.now_ms, self.clock, self._new_view = 0, NINE, view
        self.ended = 0
        self.start()

    def start(self):
        """The device starts."""
        self.view, self.ring = self._new_view(), Ring()
        self.told, self.said, self.observed = [], [], []
        self.timers = Timers(
            self.path,
            lambda: self.clock,
            self.view,
            self.ring,
            tell=self.told.append,
            say=lambda name, text: self.said.append((name, text)),
            observe=lambda event, **values: self.observed.append(values),
            on_end=self._end,
            ticks_ms=lambda: self.now_ms % (1 << 30),
        )
        self.timers.set_zone(PARIS)
        return self.timers

    def _end(self):
        self.ended += 1

    def wait(self, seconds):
        """Time goes by, looked at each second."""
        for _ in range(seconds):
            self.now_ms += 1000
            if self.clock is not None:
                self.clock += 1
            self.timers.look()

    def cut(self, seconds, has_clock=True):
        """No power for so long; `has_clock`: whether the wall clock survives that."""
        self.timers.close()
        clock = self.clock + seconds
        self.clock = clock if has_clock else None
        self.start()
        return clock

    def call(self, tool, **arguments):
        """(text, structured) of a tool's result; "error: " before the text of one that failed."""
        from toolbox import timers as toolbox
        from toolbox.registry import ToolError
        from toolbox.registry import arguments as checked

        tools = toolbox.tools(lambda: self.timers)
        (found,) = [each for each in tools if each.name == "self." + tool]
        try:
            content = found.call(**checked(found, arguments))
        except ToolError as error:
            return "error: " + str(error), error.structured
        return content.blocks[0]["text"], content.structured

    def says(self, tool, **arguments):
        return self.call(tool, **arguments)[0]
