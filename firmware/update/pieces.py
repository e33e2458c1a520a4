"""The pieces of a release, asked for one after the other."""

import gc

import log
from update.flow import Request

TICK_MS = 20
RESERVE_BYTES = 1024  # of heap in one piece that are left to everything else


class Pieces:
    """Asks over `link`; `take` gets the blobs that answer. `count` is how many came.

    While one is waited for, `look()` is called again and again, and `make_way()` during a turn
    (`is_busy()`); what these raise ends the wait.
    """

    def __init__(self, link, is_busy, look, make_way, clock, sleep_ms) -> None:
        self._link, self._is_busy = link, is_busy
        self._look, self._make_way = look, make_way
        self._clock, self._sleep_ms = clock, sleep_ms
        self._request = self._piece = None
        self._said_waiting = False
        self.count = 0

    async def fetch(self, serial: int, path: str, at: int, size: int):
        """`size` bytes of a file of that offer, from `at` on; MemoryError without room for it."""
        request = self._request = Request(serial, path, at, size)
        self._piece = None
        while self._piece is None:
            self._look()
            if self._is_busy():
                self.say_waiting(serial)
                self._make_way()
                request.is_due(0, False)  # what comes in a turn is dropped
            elif request.is_due(self._clock.ticks_ms(), self._link.connected):
                self._said_waiting = False
                gc.collect()
                bytearray(RESERVE_BYTES)  # a MemoryError here costs nobody else anything
                self._link.post("update", **request.values)
            await self._sleep_ms(TICK_MS)
        piece, self._piece, self._request = self._piece, None, None
        return piece

    def take(self, blob_id: int, data, name: str) -> None:
        """A blob came; it is dropped unless it is the one that was asked for."""
        if self._request is None or self._is_busy() or not self._request.takes(name, len(data)):
            log.debug("update", "piece %s is dropped" % name)
        else:
            self._piece = data
            self.count += 1

    def say_waiting(self, serial: int) -> None:
        """Tell the bridge, once, that the device goes on later."""
        if not self._said_waiting:
            self._said_waiting = True
            self._link.post("update", serial=serial, state="waiting")

    def stop(self) -> None:
        """What is still on its way is for nobody."""
        self._request = None
