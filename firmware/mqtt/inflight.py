"""The QoS 1 messages a broker has not acknowledged yet, in the order they were sent."""

from voxwire.ticks import elapsed_ms


class Inflight:
    """A fixed table, so that sending allocates nothing.

    Bounded in messages and in payload bytes; one message of any size fits an empty table.
    """

    def __init__(self, capacity: int, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._last_id = 0
        self._sent = 0
        self.count = 0
        self.ids = [0] * capacity  # packet id, 0: a free slot
        self.topics: "list[bytes | None]" = [None] * capacity
        self.payloads: "list[bytes | None]" = [None] * capacity
        self.flags = [0] * capacity
        self.sent_ms = [0] * capacity
        self._order = [0] * capacity

    def room(self, length: int) -> bool:
        """Whether a payload of `length` bytes may be added."""
        if not self.count:
            return True
        return self.count < len(self.ids) and self._bytes + length <= self._bytes_max

    def next_id(self) -> int:
        """A packet id that no message in flight has, 1 to 65535."""
        while True:
            self._last_id = self._last_id % 65535 + 1
            if self._last_id not in self.ids:
                return self._last_id

    def add(self, topic: bytes, payload, flags: int, now_ms: int) -> int:
        """Keep a message (by reference) until it is acknowledged; its packet id."""
        packet_id = self.next_id()
        slot = self.ids.index(0)
        self.ids[slot] = packet_id
        self.topics[slot] = topic
        self.payloads[slot] = payload
        self.flags[slot] = flags
        self.sent_ms[slot] = now_ms
        self._order[slot] = self._sent
        self._sent += 1
        self.count += 1
        self._bytes += len(payload)
        return packet_id

    def acknowledge(self, packet_id: int) -> bool:
        """Forget a message; False when none has this id (a repeated acknowledgement)."""
        if not packet_id or packet_id not in self.ids:
            return False
        slot = self.ids.index(packet_id)
        self._bytes -= len(self.payloads[slot] or b"")
        self.ids[slot] = 0
        self.topics[slot] = self.payloads[slot] = None
        self.count -= 1
        return True

    def slots(self):
        """The used slots, oldest message first."""
        used = [slot for slot in range(len(self.ids)) if self.ids[slot]]
        used.sort(key=lambda slot: self._order[slot])
        return used

    def touch(self, now_ms: int) -> None:
        """All of it is sent again now."""
        for slot in range(len(self.sent_ms)):
            self.sent_ms[slot] = now_ms

    def oldest_ms(self, now_ms: int) -> int:
        """How long the longest wait for an acknowledgement is; 0 when none is waited for."""
        longest = 0
        if self.count:
            for slot in range(len(self.ids)):
                if self.ids[slot]:
                    longest = max(longest, elapsed_ms(now_ms, self.sent_ms[slot]))
        return longest
