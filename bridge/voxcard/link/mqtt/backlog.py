"""QoS 1 messages on their way to the broker, counted until it has acknowledged them."""

from collections import deque
from typing import Protocol

COUNT_MAX = 20_000
BYTES_MAX = 32 << 20


class Delivery(Protocol):
    """A message handed to the client library."""

    def is_published(self) -> bool:
        """Whether the broker has acknowledged it."""


class Backlog:
    """How much waits; acknowledgements come in order, so only the oldest are looked at."""

    def __init__(self, count_max: int = COUNT_MAX, bytes_max: int = BYTES_MAX) -> None:
        self._count_max = count_max
        self._bytes_max = bytes_max
        self._bytes = 0
        self._waiting: deque[tuple[Delivery, int]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def has_room(self, size: int) -> bool:
        """Whether a message of `size` bytes may wait too."""
        while self._waiting and self._waiting[0][0].is_published():
            self._bytes -= self._waiting.popleft()[1]
        return len(self._waiting) < self._count_max and self._bytes + size <= self._bytes_max

    def add(self, delivery: Delivery, size: int) -> None:
        """A message of `size` bytes waits from now on."""
        self._waiting.append((delivery, size))
        self._bytes += size

    def clear(self) -> None:
        """The connection is another one: nothing waits."""
        self._waiting.clear()
        self._bytes = 0
