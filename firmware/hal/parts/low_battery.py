"""Says once that the battery is low."""

import asyncio

LOW_PERCENT, FINE_PERCENT = 15, 25  # told at the one; again only after the other, or a charger
LOOK_MS = 20000
LOOKS = 3  # low ones in a row: the voltage sags while the speaker plays


class LowBattery:
    """Looks at `battery` (hal.board.Battery) and calls `tell(percent)` once when it is low."""

    def __init__(self, battery, tell):
        self._battery, self._tell = battery, tell
        self._low = 0
        self._told = False

    async def run(self):
        """Looks for ever."""
        while True:
            self.look()
            await asyncio.sleep_ms(LOOK_MS)

    def look(self):
        """One look."""
        percent = self._battery.percent()
        if percent is None:
            return
        if percent >= FINE_PERCENT or self._battery.charging():
            self._low, self._told = 0, False
        elif percent > LOW_PERCENT:
            self._low = 0
        else:
            self._low += 1
            if self._low >= LOOKS and not self._told:
                self._told = True
                self._tell(percent)
