"""The presence of a device: its retained status, and its hello until the bridge answers."""

import json

from mqtt.timing import back_off_ms
from seldom import forget
from voxwire.ticks import elapsed_ms


class Greeting:
    """Says who the device is, by `put(channel, data)`; `describe()` returns its Capability."""

    def __init__(self, describe, put, clock, getrandbits) -> None:
        self._describe, self._put = describe, put
        self._clock, self._getrandbits = clock, getrandbits
        self._said_ms = self._wait_ms = self._count = 0

    def say_online(self) -> None:
        """The status of a device that is there."""
        who = self._describe()
        status = {"online": True, "name": who.name, "board": who.board, "firmware": who.firmware}
        self._put("status", json.dumps(status).encode())

    def begin(self) -> None:
        """The first hello of a row; `tick` says the next ones."""
        self._count = 0
        self._hello()

    def tick(self) -> None:
        """While nobody has answered: another hello, after longer and longer pauses."""
        if elapsed_ms(self._clock.ticks_ms(), self._said_ms) >= self._wait_ms:
            self._hello()

    def _hello(self) -> None:
        from voxwire import capability  # nothing else of it is needed between hellos

        self._put("hello", capability.encode(self._describe()))
        forget("voxwire.capability")
        self._said_ms = self._clock.ticks_ms()
        self._wait_ms = back_off_ms(self._count, self._getrandbits)
        self._count += 1
